import type { components } from '../../generated/api.ts';
import { propertiesOf, unobserved, type Contract } from './contract.ts';
import { mediaIdOf, postUrl, type Named } from './identifiers.ts';
import type { Prism } from './prism.ts';

type Creator = components['schemas']['Creator'];
type Post = components['schemas']['Post'];
type Channel = Creator['channels'][number];
type CreatorPost = NonNullable<Creator['posts']>[number];
type Json = Record<string, unknown>;

/** Documents in the shape of the contract's examples, rewritten so that they answer to the entity that was asked for. */
export interface Documents {
  /** `since`: when it became held, which is its `updatedAt`. */
  creator(entity: Named, since: number, include: readonly string[]): Creator;
  post(entity: Named, since: number, include: readonly string[]): Post;
  /** What a post's `include` may name. */
  readonly analysisKeys: readonly string[];
}

/** How many values of a document are observed: the richest example is the usual answer. */
function observed(value: unknown): number {
  if (value === null || value === false) return 0;
  if (typeof value !== 'object') return 1;
  return Object.values(value as Json).reduce((sum: number, part) => sum + observed(part), 0);
}

const richest = <Item>(items: readonly Item[]): Item | undefined =>
  [...items].sort((a, b) => observed(b) - observed(a))[0];

/** All documents in the bodies of examples, single or in batches. */
const dataOf = (bodies: readonly unknown[]): unknown[] =>
  bodies.flatMap((body) => (body as { data?: unknown }).data ?? []);

/** A number of 17 digits that stays the same for a name. */
function numberOf(text: string): string {
  let hash = 7n;
  for (const letter of text) hash = (hash * 131n + BigInt(letter.codePointAt(0) ?? 0)) % 10_000_000_000_000_000n;
  return `1${hash.toString().padStart(16, '0')}`;
}

const begins = (name: string, ...words: string[]): boolean => words.some((word) => name.toLowerCase().startsWith(word));

/** Two letters more, and the posts of a longer one had no legal name (64 characters on netB). */
const longestHandleWithPosts = 62;

/** Handles have lower case and posts' names no dots: `D` stands for the dot, and the author can be read from the name (DOC-09). */
const recentPostName = (handle: string, index: number): string =>
  `P${'ABCDEFGHIJKL'[index % 12]}${handle.replaceAll('.', 'D')}`;

const authorOfRecentPost = (name: string): string | null =>
  /^P[A-L]([a-z0-9_D-]+)$/.exec(name)?.[1]?.replaceAll('D', '.') ?? null;

const titled = (handle: string): string =>
  handle.replace(/[._-]+/g, ' ').replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

/** Two names for one thing in an example stay equal, whatever the new name is. */
function renamed(text: string | null, renames: readonly (readonly [string | null, string])[]): string | null {
  if (text === null) return null;
  return renames.reduce((result, [from, to]) => (from === null ? result : result.replaceAll(from, to)), text);
}

/** A kind that the network's examples lack, made of one that they have. */
function asKind(post: Post, name: string): Post {
  if (begins(name, 'carousel') && post.mediaKind !== 'carousel')
    return { ...post, mediaKind: 'carousel', media: [...post.media, ...post.media] };
  return begins(name, 'image') ? { ...post, mediaKind: 'image' } : post;
}

function wantedKind(name: string): (post: Post) => boolean {
  if (begins(name, 'carousel')) return ({ mediaKind }) => mediaKind === 'carousel';
  if (begins(name, 'story')) return ({ netA }) => netA.mediaProductType === 'STORY';
  if (begins(name, 'reel')) return ({ netA }) => netA.mediaProductType === 'REELS';
  if (begins(name, 'video')) return ({ mediaKind }) => mediaKind === 'video';
  if (begins(name, 'image')) return ({ mediaKind, netA }) => mediaKind === 'image' && netA.mediaProductType !== 'STORY';
  return () => true;
}

export async function createDocuments(prism: Prism, contract: Contract): Promise<Documents> {
  const { schemas } = contract.components;
  const empty = <Document>(name: string): Document => unobserved(contract, schemas[name] ?? {}) as Document;
  const creators = dataOf(await prism.examples('/creators/{network}/{handle}', 'get')) as Creator[];
  const posts = dataOf(await prism.examples('/posts', 'get')) as Post[];
  const analysisKeys = Object.keys(propertiesOf(contract, schemas['Analysis'] ?? {}));
  const analysis: Json = { ...unobservedAnalysis(), ...richest(posts.map((post) => post.analysis ?? {})) };

  function unobservedAnalysis(): Json {
    const properties = propertiesOf(contract, schemas['Analysis'] ?? {});
    return Object.fromEntries(Object.entries(properties).map(([key, schema]) => [key, unobserved(contract, schema)]));
  }

  const usualChannel = (network: string): Channel => {
    const channels = creators.flatMap((creator) => creator.channels).filter((channel) => channel.network === network);
    return structuredClone(richest(channels) ?? empty<Channel>('Channel'));
  };

  const channelOf = ({ network, name }: Named, since: number): Channel => {
    if (begins(name, 'bare')) return { ...empty<Channel>('Channel'), network };
    const identity = { network, username: name, updatedAt: new Date(since).toISOString() };
    const channel = usualChannel(network);
    const externalId = numberOf(`${network}:${name}`);
    const rename = (text: string | null) =>
      renamed(text, [
        [channel.externalId, externalId],
        [channel.username, name],
      ]);
    const netA =
      network === 'netA'
        ? { ...channel.netA, name: titled(name), profilePictureUrl: rename(channel.netA.profilePictureUrl) }
        : channel.netA;
    const netB =
      network === 'netB'
        ? { ...channel.netB, displayName: titled(name), profileImage: rename(channel.netB.profileImage) }
        : channel.netB;
    return { ...channel, ...identity, externalId, netA, netB };
  };

  const postsOf = (channel: Channel): CreatorPost[] => {
    const { network, username, externalId } = channel;
    if (externalId === null || username === null || begins(username, 'silent')) return [];
    if (username.length > longestHandleWithPosts) return [];
    const examples = creators.filter(
      ({ channels, posts: own }) => own?.length && channels.some((other) => other.network === network),
    );
    const { followersCount, verified, country } = channel;
    return (richest(examples.map(({ posts: own }) => own ?? [])) ?? []).map((example, index) => {
      const name = recentPostName(username, index);
      return {
        ...structuredClone(example),
        network,
        externalId: network === 'netA' ? mediaIdOf(name) : name,
        url: postUrl(network, name, username),
        author: { accountId: externalId, username, followersCount, verified, country },
      };
    });
  };

  const barePost = ({ network }: Named): Post => ({ ...empty<Post>('Post'), network });

  const fullPost = ({ network, name }: Named, updatedAt: string): Post => {
    const ofNetwork = posts.filter((post) => post.network === network);
    const example = richest(ofNetwork.filter(wantedKind(name))) ?? richest(ofNetwork);
    if (example === undefined) return barePost({ network, name });
    const post = asKind(structuredClone(example), name);
    const handle = authorOfRecentPost(name);
    const author =
      handle === null ? post.author : { ...post.author, accountId: numberOf(`${network}:${handle}`), username: handle };
    const { accountId, username } = author;
    const url = postUrl(network, name, username ?? 'ada');
    const externalId = network === 'netA' ? mediaIdOf(name) : name;
    const oldName = network === 'netA' ? post.netA.shortcode : post.externalId;
    const rename = (text: string | null) => renamed(text, [[oldName, name]]);
    const media = post.media.map(({ mediaUrl, thumbnailUrl }) => ({
      mediaUrl: rename(mediaUrl),
      thumbnailUrl: rename(thumbnailUrl),
    }));
    const own =
      network === 'netA'
        ? { netAMediaId: externalId, netAUserId: accountId, authorUsername: username, shortcode: name, permalink: url }
        : { netBVideoId: externalId, creatorHandleName: username };
    const group = network === 'netA' ? { netA: { ...post.netA, ...own } } : { netB: { ...post.netB, ...own } };
    return { ...post, ...group, author, externalId, url, media, updatedAt };
  };

  return {
    analysisKeys,
    creator(entity, since, include) {
      const channel = channelOf(entity, since);
      return { channels: [channel], ...(include.includes('posts') ? { posts: postsOf(channel) } : {}) };
    },
    post(entity, since, include) {
      const updatedAt = new Date(since).toISOString();
      const { analysis: _, ...post } = begins(entity.name, 'bare') ? barePost(entity) : fullPost(entity, updatedAt);
      if (include.length === 0) return post;
      const known = begins(entity.name, 'bare') ? unobservedAnalysis() : analysis;
      return { ...post, analysis: Object.fromEntries(include.map((key) => [key, known[key] ?? null])) };
    },
  };
}
