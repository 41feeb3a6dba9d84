import type { components } from '../../generated/api.ts';

/** A creator as its channels, with `posts` where they were asked for (CRE-06). */
export type Creator = components['schemas']['Creator'];
/** A creator in a read of many, which never has `posts` (CRB-03). */
export type CreatorEntry = components['schemas']['CreatorEntry'];
/** A post, with `analysis` where keys of it were asked for (PST-04). */
export type Post = components['schemas']['Post'];
/** What is judged of a post; its shape may change within v1 (VER-02). */
export type Analysis = components['schemas']['Analysis'];

/** A key of a post's `analysis`, as `include` names it. */
export type AnalysisKey = keyof Analysis;

/** Why a creator or post cannot be obtained. The vocabulary is open (GEN-08): expect values that are not listed here. */
export type Reason =
  | 'account-not-discoverable'
  | 'not-supported-on-network'
  | 'outside-recent-media-window'
  | 'author-unresolved'
  | 'unparseable-identifier'
  | 'internal-error'
  | (string & {});

/**
 * What the service answers about one creator or post. Switch over `is`:
 *
 * - `held`: `document` is what the service holds.
 * - `fetching`: the service is obtaining it. Reading again before `retryAt` (by this machine's clock) brings nothing new.
 * - `unavailable`: it cannot be obtained, for `reason`. `retryable` is true only if the service itself failed; then a read
 *   some minutes later tries again.
 */
export type Outcome<Document> =
  | { readonly is: 'held'; readonly document: Document }
  | { readonly is: 'fetching'; readonly retryAt: Date }
  | { readonly is: 'unavailable'; readonly reason: Reason; readonly retryable: boolean };

/**
 * The outcome of one identifier in a read of many.
 *
 * `id` is the identifier as it was given, without the blanks around it. A held document does not carry it, so the client
 * matches documents to identifiers by network, names and URL; `id` is null where these do not tell, as for a renamed account
 * that was asked for by its former handle. `requestId` is the `x-request-id` of the response, to quote to the service's
 * support; null for an entry put together from several responses.
 */
export type Entry<Document> =
  | ({ readonly id: string | null; readonly requestId: string | null } & Extract<Outcome<Document>, { is: 'held' }>)
  | ({ readonly id: string; readonly requestId: string | null } & Exclude<Outcome<Document>, { is: 'held' }>);
