/** What the target declares, with this run's fresh names put into the templates. */
import type { Target, TargetNetwork } from '../target.ts';

export interface NetworkFixtures {
  readonly name: string;
  readonly held: string | undefined;
  readonly missing: string | undefined;
  readonly broken: string | undefined;
  readonly bare: string | undefined;
  readonly silent: string | undefined;
  /** A handle that nobody has asked for; a different one for each number. */
  notHeld(number: number): string | undefined;
  profileUrl(handle: string | undefined): string | undefined;
  readonly post: {
    readonly [state in 'held' | 'heldId' | 'missing' | 'old' | 'orphan' | 'broken' | 'bare' | 'carousel']?: string;
  };
  notHeldPost(number: number): string | undefined;
  postUrl(post: string | undefined): string | undefined;
  reelUrl(post: string | undefined): string | undefined;
}

export interface Fixtures {
  readonly a: NetworkFixtures;
  readonly b: NetworkFixtures;
  /** The network of bare identifiers where `network` is absent. */
  readonly defaultNetwork: string;
  readonly unsupported: string;
  /** Unique to the run, 12 characters. */
  readonly unique: string;
  readonly target: Target;
}

const none: TargetNetwork = { creators: {}, posts: {}, urls: {} };

export function fixturesOf(target: Target, unique: string): Fixtures {
  return {
    a: networkFixtures('netA', target.networks['netA'] ?? none, unique),
    b: networkFixtures('netB', target.networks['netB'] ?? none, unique),
    defaultNetwork: 'netA',
    unsupported: target.unsupportedNetwork,
    unique,
    target,
  };
}

const fill = (template: string | undefined, unique: string): string | undefined =>
  template?.replaceAll('{uuid}', unique);

function networkFixtures(name: string, network: TargetNetwork, unique: string): NetworkFixtures {
  const { creators, posts, urls } = network;
  const put = (template: string | undefined, part: string, value: string | undefined): string | undefined =>
    value === undefined ? undefined : template?.replaceAll(`{${part}}`, value);
  const post = Object.fromEntries(Object.entries(posts).map(([state, value]) => [state, fill(value, unique)]));
  return {
    name,
    held: creators.held,
    missing: fill(creators.missing, unique),
    broken: fill(creators.broken, unique),
    bare: fill(creators.bare, unique),
    silent: fill(creators.silent, unique),
    notHeld: (number) => fill(creators.notHeld, `${unique}${number}`),
    profileUrl: (handle) => put(urls.profile, 'handle', handle),
    post,
    notHeldPost: (number) => fill(posts.notHeld, `${unique}${number}`),
    postUrl: (id) => put(urls.post, 'post', id),
    reelUrl: (id) => put(urls.reel, 'post', id),
  };
}
