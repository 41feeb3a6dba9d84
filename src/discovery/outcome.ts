import {
  entityOf,
  keyOf,
  type Creator,
  type CreatorPost,
  type Entity,
  type Instant,
  type Key,
  type Obtained,
  type ObtainedPost,
  type Snapshot,
} from '../model.ts';
import type { Claim, WorkerParts } from './ports.ts';

type Held = Extract<Obtained, { is: 'creator' }>;
type Unavailable = Extract<Obtained, { is: 'unavailable' }>;

/**
 * Stores what an attempt obtained, then ends the discovery. Every write is fenced by the claim. A write that was refused because a newer
 * document is held ends the discovery too, if the claim is still ours.
 */
export interface Outcomes {
  /** @throws Error when the document breaks the contract or belongs to another entity; the attempt has then failed. */
  check(claim: Claim, obtained: Obtained): void;
  /** Stores what `check` has passed. Rejects only when the store fails. */
  keep(claim: Claim, obtained: Obtained): Promise<void>;
  /** Gives up: `internal-error`, retryable (STA-05). */
  giveUp(claim: Claim): Promise<void>;
}

type Parts = Pick<WorkerParts, 'documents' | 'discoveries' | 'checkDocument' | 'limits' | 'log'>;

const internalError: Unavailable = { is: 'unavailable', reason: 'internal-error', retryable: true };

export function createOutcomes({ documents, discoveries, checkDocument, limits, log }: Parts): Outcomes {
  /** Instants are reckoned from the claim: the store's clock is the only one that all nodes share. */
  const after = (claim: Claim, seconds: number): Instant => claim.startedAt + seconds * 1_000;

  /** DOC-09: a post that does not name its creator's account is not shown as one of its own. */
  function ownPosts(document: Creator, posts: readonly CreatorPost[], key: Key): readonly CreatorPost[] {
    const own = ownOf(document, posts);
    if (own.length < posts.length)
      log.warn({ key, left: posts.length - own.length }, 'posts of another account were left out');
    return own.toSorted((left, right) => publishedAt(right) - publishedAt(left));
  }

  async function keepCreator(claim: Claim, { document, posts, audienceUntil, deepPosts }: Held): Promise<void> {
    const own = ownPosts(document, posts, claim.key);
    const granted = audienceUntil !== null && audienceUntil > claim.startedAt ? audienceUntil : null;
    const freshUntil = freshnessOf(claim, granted);
    const options = { startedAt: claim.startedAt, freshUntil, relatedDiscovery: claim };
    const held = await documents.put(
      { entity: entityOf(claim.key), document, posts: own, audienceUntil: granted },
      options,
    );
    if (held && claim.deep) for (const post of deepPosts) await keepDeepPost(claim, post);
    await discoveries.done(claim, { refreshAt: refreshAt(claim, freshUntil) });
  }

  /** DOC-14: what a grant shows is asked for again when the grant is over; one that was over before shows nothing, and asks for nothing. */
  function freshnessOf(claim: Claim, grantedUntil: Instant | null): Instant {
    return Math.min(after(claim, limits.creatorFreshSeconds), grantedUntil ?? Number.POSITIVE_INFINITY);
  }

  function check(claim: Claim, obtained: Obtained): void {
    if (obtained.is === 'unavailable') return;
    if (obtained.is !== entityOf(claim.key).kind) throw new Error(`the source answered a ${obtained.is}`);
    if (obtained.is === 'creator') return checkCreator(obtained);
    if (keyOf(obtained.entity) !== claim.key) throw new Error(`the source answered ${keyOf(obtained.entity)}`);
    checkPost(obtained);
  }

  function checkCreator({ document, posts, deepPosts }: Held): void {
    if (!Array.isArray(deepPosts)) throw new Error('no list of recent posts');
    checkDocument('Creator', document);
    checkSize(document);
    checkSize(posts);
    ownOf(document, posts).forEach((post) => checkDocument('CreatorPost', post));
  }

  function checkPost({ document, analysis }: ObtainedPost): void {
    checkDocument('Post', document);
    checkDocument('Analysis', analysis);
    checkSize({ document, analysis });
  }

  /** A recent post must be a post of the creator's network. @throws Error */
  function checkRecent(claim: Claim, post: ObtainedPost): void {
    const { kind, network } = post.entity;
    if (kind !== 'post' || network !== entityOf(claim.key).network)
      throw new Error(`the source added a ${kind} of ${network}`);
    checkPost(post);
  }

  /** Bounds a document, as a batch answers a hundred of them. @throws Error */
  function checkSize(told: unknown): void {
    const bytes = Buffer.byteLength(JSON.stringify(told));
    if (bytes > limits.documentBytes) throw new Error(`a document of ${bytes} bytes`);
  }

  const putPost = (claim: Claim, post: ObtainedPost): Promise<boolean> => {
    const { entity, document, analysis, analysisFailed = false, author } = post;
    const freshUntil = after(claim, limits.postFreshSeconds);
    const options = { startedAt: claim.startedAt, freshUntil, relatedDiscovery: claim };
    return documents.put({ entity, document, analysis, analysisFailed, author }, options);
  };

  /** CRB-09. One broken post among the recent ones does not take the creator with it. */
  async function keepDeepPost(claim: Claim, post: ObtainedPost): Promise<void> {
    try {
      checkRecent(claim, post);
    } catch (violation) {
      log.error({ key: claim.key, violation: messageOf(violation) }, 'a recent post is broken and not held');
      return;
    }
    // A post that names no author still belongs to the creator, and must be forgotten with it.
    await putPost(claim, { ...post, author: post.author ?? entityOf(claim.key) });
  }

  async function keepPost(claim: Claim, post: ObtainedPost): Promise<void> {
    const held = await putPost(claim, post);
    if (held && claim.deep && post.author !== null) await deepenAuthor(claim, post.author);
    await discoveries.done(claim);
  }

  /** PST-06: deep analysis asked for a post applies to its author, who is discovered with it unless it was on before. */
  async function deepenAuthor(claim: Claim, author: Entity): Promise<void> {
    const key = keyOf(author);
    const before = (await documents.load([key], { extras: false })).get(key);
    await documents.setDeep([key], limits.deepSeconds, claim);
    if (before?.document && deepUntilOf(claim, before) > claim.startedAt) return;
    const { account, organization, profile } = claim;
    const options = { account, organization, profile, deep: true, relatedDiscovery: claim };
    await discoveries.startOrJoin([{ key, waitSeconds: 1 }], options);
  }

  /** CRB-10: a creator with deep analysis on is refreshed when it becomes stale. Whether it is on still, or again, is known then: the refresh that finds it off is the last. */
  function refreshAt({ key, deep }: Claim, staleAt: Instant): Instant | null {
    return deep && limits.scheduledRefresh && entityOf(key).kind === 'creator' ? staleAt : null;
  }

  /** STA-03: what is held stays. */
  async function keepReason(claim: Claim, { reason, retryable }: Unavailable): Promise<void> {
    const seconds = retryable ? limits.retryableRememberedSeconds : limits.terminalRememberedSeconds;
    const rememberedUntil = after(claim, seconds);
    const { startedAt } = claim;
    await documents.putFailure(claim.key, { reason, retryable, rememberedUntil, startedAt, relatedDiscovery: claim });
    await discoveries.done(claim, { refreshAt: refreshAt(claim, rememberedUntil) });
  }

  return {
    check,
    keep(claim, obtained) {
      if (obtained.is === 'unavailable') return keepReason(claim, obtained);
      return obtained.is === 'creator' ? keepCreator(claim, obtained) : keepPost(claim, obtained);
    },
    giveUp: (claim) => keepReason(claim, internalError),
  };
}

/** By the store's clock, as all instants of a claim. */
const deepUntilOf = ({ aheadMilliseconds }: Claim, snapshot: Snapshot | undefined): Instant =>
  (snapshot?.deepUntil ?? 0) - aheadMilliseconds;

/** 0, so last, for a post whose date is not observed. */
const publishedAt = ({ postedAt }: CreatorPost): Instant => Date.parse(postedAt ?? '') || 0;

function ownOf({ channels }: Creator, posts: readonly CreatorPost[]): readonly CreatorPost[] {
  const accounts = new Set(channels.map(({ externalId }) => externalId));
  return posts.filter(({ author }) => accounts.has(author.accountId));
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
