import type { components } from '../../generated/api.ts';

export type Creator = components['schemas']['Creator'];
export type CreatorEntry = components['schemas']['CreatorEntry'];
export type Post = components['schemas']['Post'];
export type Analysis = components['schemas']['Analysis'];

/** A key of a post's `analysis`, as `include` names it. */
export type AnalysisKey = keyof Analysis;

/** Why an entity can't be told. The vocabulary is open (GEN-08): expect values that are not listed here. */
export type Reason =
  | 'account-not-discoverable'
  | 'not-supported-on-network'
  | 'outside-recent-media-window'
  | 'author-unresolved'
  | 'unparseable-identifier'
  | 'internal-error'
  | (string & {});

/**
 * What the service tells of one creator or post: a union to switch over by `is`.
 *
 * - `held`: the document.
 * - `fetching`: the service is obtaining it; a read before `retryAt` (by this machine's clock) returns nothing sooner.
 * - `unavailable`: it can't be obtained. `retryable` is true only where the service itself failed: ask again in some minutes.
 */
export type Outcome<Document> =
  | { readonly is: 'held'; readonly document: Document }
  | { readonly is: 'fetching'; readonly retryAt: Date }
  | { readonly is: 'unavailable'; readonly reason: Reason; readonly retryable: boolean };

/**
 * One outcome of a read of many. `id` is the identifier as it was given, without the blanks around it. A held document
 * carries no echo of it in the answer, so it is found again by the document's own network, names and url; null when that
 * does not tell (for example a renamed account asked for by its former handle). `requestId` is what support asks for.
 */
export type Entry<Document> =
  | ({ readonly id: string | null; readonly requestId: string | null } & Extract<Outcome<Document>, { is: 'held' }>)
  | ({ readonly id: string; readonly requestId: string | null } & Exclude<Outcome<Document>, { is: 'held' }>);
