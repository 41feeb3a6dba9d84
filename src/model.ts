/**
 * The words that every part of the service shares: values and ports, no behaviour and no I/O.
 *
 * An _identifier_ is what a caller writes, a _key_ the canonical name of one entity, a _document_ a creator or post as the
 * contract shows it, an _availability_ what a caller may be told of it, a _discovery_ the work of obtaining it.
 */
import type { components } from '../generated/api.ts';

export type Creator = components['schemas']['Creator'];
export type CreatorPost = components['schemas']['CreatorPost'];
export type Post = components['schemas']['Post'];
export type Analysis = components['schemas']['Analysis'];

/** What an `include` of a post read may name: the 19 keys of `analysis`. */
export type AnalysisKey = keyof Analysis;

export type EntityKind = 'creator' | 'post';

/** One creator or one post, by its canonical name: a lower-cased handle, or the post id of its network. */
export interface Entity {
  readonly kind: EntityKind;
  readonly network: string;
  readonly name: string;
}

/** Canonical text of an entity, `creator:netA:ada`; primary key of everything that is stored of it. */
export type Key = string;

export const keyOf = (entity: Entity): Key => `${entity.kind}:${entity.network}:${entity.name}`;

export function entityOf(key: Key): Entity {
  const [kind, network, ...name] = key.split(':');
  return { kind: kind as EntityKind, network: network ?? '', name: name.join(':') };
}

/** Milliseconds since the epoch. */
export type Instant = number;

/** Why an entity can't be told. Open vocabulary (GEN-08): a source may say one that is not listed here. */
export type Reason =
  | 'account-not-discoverable'
  | 'not-supported-on-network'
  | 'outside-recent-media-window'
  | 'author-unresolved'
  | 'unparseable-identifier'
  | 'internal-error'
  | (string & {});

/** What a caller may be told of one entity. */
export type Availability<Held> =
  | { readonly is: 'held'; readonly document: Held }
  | { readonly is: 'fetching'; readonly retryAt: Instant }
  | { readonly is: 'unavailable'; readonly reason: Reason; readonly retryable: boolean };

/**
 * A document as storage keeps it: checked once, serialized once, cut where a read may have to leave something out.
 * Every piece is complete JSON of its own, in UTF-8.
 */
export interface HeldDocument {
  /** A creator without `posts`, or a post without `analysis`, as an organization with marketplace credentials sees it. */
  readonly full: Buffer;
  /** The same for an organization without them (DOC-13). */
  readonly restricted: Buffer;
  /** Creator: the array `posts`, newest first (CRE-08), `full` and `restricted`; a post has none. */
  readonly posts: { readonly full: Buffer; readonly restricted: Buffer } | null;
  /** A post has it; a creator has none. */
  readonly analysis: HeldAnalysis | null;
  /** `full` already holds `audienceDemographics` as its grant was live; after this instant `restricted` or a re-fetch must be used (DOC-14). Null: holds none. */
  readonly audienceUntil: Instant | null;
  /** As `full`, but without `audienceDemographics`; null where `full` holds none. */
  readonly fullWithoutAudience: Buffer | null;
  readonly freshUntil: Instant;
}

/** The `analysis` of a post: one complete JSON object, and each of its members (`"narration":"…"`) as a view into it. */
export interface HeldAnalysis {
  readonly whole: Buffer;
  readonly members: ReadonlyMap<string, Buffer>;
}

/** The work row of an entity: queued or running (`failed` null), or over with an outcome that is still or no longer remembered. */
export type DiscoveryState =
  | { readonly is: 'running'; readonly retryAt: Instant }
  | { readonly is: 'failed'; readonly reason: Reason; readonly retryable: boolean; readonly rememberedUntil: Instant };

/** All that storage knows of one key at one instant; what `assess` decides on. */
export interface Snapshot {
  readonly key: Key;
  readonly document: HeldDocument | null;
  readonly discovery: DiscoveryState | null;
  /** Until when `creatorDeepAnalysis` is on for this creator (CRB-10), null: off. */
  readonly deepUntil: Instant | null;
}

/** Who a token stands for (AUT, RAT-06). */
export interface Principal {
  readonly account: string;
  readonly organization: string;
  readonly scopes: ReadonlySet<Scope>;
  /** Requests a minute (RAT-01). */
  readonly perMinute: number;
}

export type Scope = 'creators:read' | 'posts:read';

/** The principal and what it acts as, once `asOrg` and `asProfile` are resolved. */
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
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  readonly resetSeconds: number;
}

/** What a source hands over for one entity. Documents are contract documents; analysis has all 19 keys. */
export type Obtained =
  | {
      readonly is: 'creator';
      readonly document: Creator;
      readonly posts: readonly CreatorPost[];
      readonly audienceUntil: Instant | null;
      /** The recent posts as full documents, when deep (CRB-09). */ readonly deepPosts: readonly ObtainedPost[];
    }
  | ({ readonly is: 'post' } & ObtainedPost)
  | { readonly is: 'unavailable'; readonly reason: Reason; readonly retryable: boolean };

export interface ObtainedPost {
  readonly entity: Entity;
  readonly document: Post;
  readonly analysis: Analysis;
  /** What fills `analysis` failed this time: what is held of it stays. */
  readonly analysisFailed?: boolean;
  /** The author as a creator, for `creatorDeepAnalysis` of a posts batch (PST-06); null when unknown. */
  readonly author: Entity | null;
}

/** A network as discovery sees it: asked for one entity, answers a document or a reason, or throws (a failure of the service's side). */
export interface Source {
  readonly network: string;
  /** `deep`: also hand over the recent posts of a creator as documents. `signal` ends with the attempt. */
  obtain(entity: Entity, options: { readonly deep: boolean; readonly signal: AbortSignal }): Promise<Obtained>;
  /** Seconds that one discovery of this entity commonly takes; input of the wait that a caller is told. */
  expectedSeconds(entity: Entity): number;
}

/** A clock in milliseconds since the epoch; the only way to ask the time outside `main.ts`. */
export type Clock = () => Instant;

export type ErrorCode =
  | 'invalid-input'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'rate-limited'
  | 'internal-error'
  | 'dependency-unavailable';

/** The one exception that is an answer: a code of the contract and a message for people. Everything else thrown is a fault (500). */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly headers: Readonly<Record<string, string>>;
  constructor(code: ErrorCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.code = code;
    this.headers = headers;
  }
}
