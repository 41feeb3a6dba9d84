import { keyOf, type Clock, type CreatorPost, type Entity, type Key, type Obtained, type Source } from '../../model.ts';
import type { Network } from '../../networks/network.ts';
import { EntityFailed } from '../source.ts';
import { creatorOf } from './sandbox-creator.ts';
import { publishes, recentPostOf, traitOf, type Trait } from './sandbox-names.ts';
import { creatorPostOf, postOf, recentPostsOf } from './sandbox-post.ts';
import { sleep, type Sleep } from './sleep.ts';

export interface SandboxOptions {
  readonly clock: Clock;
  /** How long an ordinary discovery takes; 0 in tests. */
  readonly ordinaryMilliseconds?: number;
  /** How long one of a `slow…` entity takes. */
  readonly slowMilliseconds?: number;
  readonly sleep?: Sleep;
}

const unavailable = (reason: string, retryable = false): Obtained => ({ is: 'unavailable', reason, retryable });
/** Names that failed once are forgotten beyond this many; a forgotten one fails once more. */
const flakyLimit = 10_000;

/**
 * A world that follows from names alone: every handle and every post exists unless its name says otherwise, the same on
 * every node. `missing…`, `slow…`, `broken…`, `flaky…`, `bare…`, `silent…` for handles; for posts also `old…`, `outside…`,
 * `orphan…`, `unresolved…` and the kinds `carousel…`, `story…`, `reel…`, `image…`, `video…`.
 */
export function createSandbox(network: Network, options: SandboxOptions): Source {
  const { clock, ordinaryMilliseconds = 400, slowMilliseconds = 5_000, sleep: pause = sleep } = options;
  const failedOnce = new Set<Key>();

  /** `flaky…`: the first attempt at each entity fails. */
  function failOnce(entity: Entity): void {
    const key = keyOf(entity);
    if (failedOnce.has(key)) return;
    if (failedOnce.size >= flakyLimit) failedOnce.clear();
    failedOnce.add(key);
    throw new EntityFailed(`${key} fails the first time`);
  }

  function creator(name: string, deep: boolean): Obtained {
    const now = clock();
    const { document, audienceUntil } = creatorOf(network, name, now);
    const recent = publishes(name) ? recentPostsOf(network, name, now) : [];
    const posts = recent
      .map((post) => creatorPostOf(post.document))
      .filter((post): post is CreatorPost => post !== null);
    return { is: 'creator', document: document, posts, audienceUntil, deepPosts: deep ? recent : [] };
  }

  return {
    network: network.name,
    expectedSeconds: ({ kind, name }) =>
      Math.ceil((traitOf(kind, name) === 'slow' ? slowMilliseconds : ordinaryMilliseconds) / 1000),
    async obtain(entity, { deep, signal }) {
      const trait = traitOf(entity.kind, entity.name);
      await pause(trait === 'slow' ? slowMilliseconds : ordinaryMilliseconds, signal);
      if (trait === 'flaky') failOnce(entity);
      const refused = refusalOf(entity, trait);
      if (refused !== null) return refused;
      return entity.kind === 'creator'
        ? creator(entity.name, deep)
        : { is: 'post', ...postOf(network, entity.name, clock()) };
    },
  };
}

/** Why an entity of the sandbox can't be obtained, or null: it can. */
function refusalOf(entity: Entity, trait: Trait | null): Obtained | null {
  if (trait === 'broken') return unavailable('internal-error', true);
  if (trait === 'missing') return unavailable('account-not-discoverable');
  if (trait === 'outside') return unavailable('outside-recent-media-window');
  if (trait === 'orphan') return unavailable('author-unresolved');
  return entity.kind === 'post' ? refusalOfAuthor(entity.name) : null;
}

/** A name of the form of a recent post, whose author the sandbox does not have (PST-08). */
function refusalOfAuthor(name: string): Obtained | null {
  const handle = /^P[A-L]([a-z0-9_D-]+)$/.exec(name)?.[1]?.replaceAll('D', '.');
  if (handle === undefined || recentPostOf(name) !== null) return null;
  const missing = traitOf('creator', handle) === 'missing';
  return unavailable(missing ? 'author-unresolved' : 'outside-recent-media-window');
}
