/**
 * The types that all parts of the service share. No I/O, and no behaviour beyond the form of a key.
 *
 * An _identifier_ is what a caller writes, a _key_ the canonical name of one entity, a _document_ a creator or post as the
 * contract shows it, an _availability_ what a caller may be told of it, a _discovery_ the work of obtaining it.
 */
import type { components } from '../generated/api.ts';

export type Creator = components['schemas']['Creator'];
export type CreatorPost = components['schemas']['CreatorPost'];
export type Post = components['schemas']['Post'];
export type Analysis = components['schemas']['Analysis'];

/** One of the 19 keys of a post's `analysis`, as `include` names it (PST-04). */
export type AnalysisKey = keyof Analysis;

export type EntityKind = 'creator' | 'post';

/** One creator or post, by its canonical name: a handle in lower case, or the network's own name of a post. */
export interface Entity {
  readonly kind: EntityKind;
  readonly network: string;
  readonly name: string;
}

/** The canonical name of an entity as one text, `creator:netA:ada`: the primary key of all that is stored of it. */
export type Key = string;

/** The key of an entity. */
export const keyOf = (entity: Entity): Key => `${entity.kind}:${entity.network}:${entity.name}`;

/** The entity of a key made by `keyOf`. */
export function entityOf(key: Key): Entity {
  const [kind, network, ...name] = key.split(':');
  return { kind: kind as EntityKind, network: network ?? '', name: name.join(':') };
}

/** Milliseconds since the epoch. */
export type Instant = number;

/** Why an entity is unavailable. An open vocabulary (GEN-08): a source may give a reason that is not listed here. */
export type Reason =
  | 'account-not-discoverable'
  | 'not-supported-on-network'
  | 'outside-recent-media-window'
  | 'author-unresolved'
  | 'unparseable-identifier'
  | 'internal-error'
  | (string & {});

/** What a caller may be told about one entity. `retryable`: the failure was the service's own (CRB-06). */
export type Availability<Held> =
  | { readonly is: 'held'; readonly document: Held }
  | { readonly is: 'fetching'; readonly retryAt: Instant }
  | { readonly is: 'unavailable'; readonly reason: Reason; readonly retryable: boolean };

/**
 * A document as the store holds it: checked and serialized once, in pieces, so that a read can leave some out. Each piece is
 * complete JSON, in UTF-8.
 */
export interface HeldDocument {
  /** The creator without `posts`, or the post without `analysis`, as an organization with marketplace credentials sees it. */
  readonly full: Buffer;
  /** The same for an organization without them (DOC-13). */
  readonly restricted: Buffer;
  /** The array `posts` of a creator, newest first (CRE-08), for the same two; null for a post, and where it was not loaded. */
  readonly posts: { readonly full: Buffer; readonly restricted: Buffer } | null;
  /** The `analysis` of a post; null for a creator, and where it was not loaded. */
  readonly analysis: HeldAnalysis | null;
  /** When the grant for the `audienceDemographics` in `full` ends; from then on they may not be shown (DOC-14). Null: it has none. */
  readonly audienceUntil: Instant | null;
  /** `full` without `audienceDemographics`, for after that instant; null where `full` has none. */
  readonly fullWithoutAudience: Buffer | null;
  /** From this instant on the document is stale. */
  readonly freshUntil: Instant;
}

/** The `analysis` of a post, as JSON in UTF-8. */
export interface HeldAnalysis {
  /** The complete object. */
  readonly whole: Buffer;
  /** Each of its members (`"narration":"…"`) by its key, as a view into `whole`. */
  readonly members: ReadonlyMap<string, Buffer>;
}

/** The discovery of an entity: queued or running, or ended without a document, which counts until `rememberedUntil` (STA-05). */
export type DiscoveryState =
  | { readonly is: 'running'; readonly retryAt: Instant }
  | { readonly is: 'failed'; readonly reason: Reason; readonly retryable: boolean; readonly rememberedUntil: Instant };

/** Everything the store knows of one key at one instant. `assess` turns it into an answer. */
export interface Snapshot {
  readonly key: Key;
  readonly document: HeldDocument | null;
  readonly discovery: DiscoveryState | null;
  /** Until when `creatorDeepAnalysis` is on for this creator (CRB-10); null: it is off. */
  readonly deepUntil: Instant | null;
}

/** Whom a token stands for: a service account, with the scopes of that token (AUT, RAT-06). */
export interface Principal {
  /** Id of the account. */
  readonly account: string;
  /** Id of the account's own organization. */
  readonly organization: string;
  readonly scopes: ReadonlySet<Scope>;
  /** The account's budget, in requests a minute (RAT-01). */
  readonly perMinute: number;
}

export type Scope = 'creators:read' | 'posts:read';

/** A principal and what it acts as, with `asOrg` and `asProfile` resolved (ORG). */
export interface Actor {
  readonly principal: Principal;
  /** Id of the organization acted for. */
  readonly organization: string;
  /** Whether that organization has marketplace credentials (DOC-13). */
  readonly marketplace: boolean;
  /** Id of the profile that the work is attributed to (ORG-06), or null. */
  readonly profile: string | null;
}

/** The budget of a principal after a request was counted (RAT). */
export interface Spent {
  /** Whether the request was within the budget. */
  readonly allowed: boolean;
  /** Requests a window. */
  readonly limit: number;
  /** Requests left in this window. */
  readonly remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  readonly resetSeconds: number;
}

/** What a source answers about one entity: its document, as the contract has it, or the reason why there is none. */
export type Obtained =
  | {
      readonly is: 'creator';
      readonly document: Creator;
      readonly posts: readonly CreatorPost[];
      /** When the grant for `audienceDemographics` ends (DOC-14); null: the document has none. */
      readonly audienceUntil: Instant | null;
      /** The recent posts as documents of their own, that are kept if `deep` was asked for (CRB-09). */
      readonly deepPosts: readonly ObtainedPost[];
    }
  | ({ readonly is: 'post' } & ObtainedPost)
  | { readonly is: 'unavailable'; readonly reason: Reason; readonly retryable: boolean };

/** A post as a source hands it over. */
export interface ObtainedPost {
  readonly entity: Entity;
  readonly document: Post;
  /** All 19 keys, null where not observed. */
  readonly analysis: Analysis;
  /** True when the analysis could not be made this time; the analysis already held then stays. */
  readonly analysisFailed?: boolean;
  /** The author, whose other posts `creatorDeepAnalysis` ingests (PST-06); null when unknown. */
  readonly author: Entity | null;
}

/** A network as discovery sees it. */
export interface Source {
  /** Identifier of the network: `netA`. */
  readonly network: string;
  /**
   * Obtains one entity, or the reason why there is none. A rejection counts as a failure on the service's side (STA-05). `deep`: also
   * obtain a creator's recent posts as documents of their own. `signal` is aborted when the attempt has taken too long.
   */
  obtain(entity: Entity, options: { readonly deep: boolean; readonly signal: AbortSignal }): Promise<Obtained>;
  /** Seconds that `obtain` usually takes for this entity; part of the wait that callers are told. */
  expectedSeconds(entity: Entity): number;
}

/** Tells the time. Parts of the service are given one, so that a test can move it; `src/service.ts` hands out `Date.now`. */
export type Clock = () => Instant;

/** The error codes of the contract; each has one HTTP status (ERR-02). */
export type ErrorCode =
  | 'invalid-input'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'rate-limited'
  | 'internal-error'
  | 'dependency-unavailable';

/** The one exception that is an answer: an error code, a message for the caller, and headers. Any other exception is a fault (500). */
export class Refusal extends Error {
  readonly code: ErrorCode;
  /** Response headers by their names on the wire. */
  readonly headers: Readonly<Record<string, string>>;
  constructor(code: ErrorCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.code = code;
    this.headers = headers;
  }
}
