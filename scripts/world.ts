/**
 * The examples tell of one world: equal names are equal (DOC-06), sums hold (DOC-07), hashtags are the caption's (DOC-08), an author
 * is one account everywhere (DOC-09), the other network's group is unobserved (DOC-03), and nothing happens before its cause.
 */
import { mediaIdOf } from '../src/networks/netA.ts';
import type { ExampleFile } from './examples.ts';

type Fields = Record<string, any>;

/** Every object inside a value, the outermost first. */
function* objectsIn(value: unknown): Generator<Fields> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value;
  for (const inner of Object.values(value)) yield* objectsIn(inner);
}

const isChannel = (object: Fields): boolean => 'username' in object && 'netA' in object;
const isPost = (object: Fields): boolean => 'author' in object && 'netA' in object;
const isCorePost = (object: Fields): boolean => 'author' in object && 'postedAt' in object;
const isBatch = (object: Fields): boolean => 'unavailable' in object && 'fetching' in object;

const equalities: Record<string, readonly (readonly [own: string, core: string])[]> = {
  netA: [
    ['permalink', 'url'],
    ['caption', 'text'],
    ['totalLikeCount', 'likeCount'],
    ['totalCommentCount', 'commentCount'],
    ['totalViewCount', 'viewCount'],
  ],
  netB: [
    ['netBVideoId', 'externalId'],
    ['caption', 'text'],
    ['totalViewCount', 'viewCount'],
    ['totalLikeCount', 'likeCount'],
    ['totalCommentCount', 'commentCount'],
    ['organicShareCount', 'shareCount'],
  ],
};

const sums: Record<string, readonly [total: string, parts: readonly string[]]> = {
  netA: [
    'organicTotalInteractions',
    ['organicLikeCount', 'organicCommentCount', 'organicSaveCount', 'organicShareCount'],
  ],
  netB: ['engagementCount', ['totalLikeCount', 'totalCommentCount', 'totalShareCount', 'favoriteCount']],
};

function equalityFaults(post: Fields): string[] {
  const group = post[post['network']] as Fields;
  return (equalities[post['network']] ?? [])
    .filter(([own, core]) => group[own] !== post[core])
    .map(([own, core]) => `DOC-06 ${own} is ${group[own]}, ${core} is ${post[core]}`);
}

function sumFaults(post: Fields): string[] {
  const group = post[post['network']] as Fields;
  const [total, names] = sums[post['network']] ?? ['', []];
  const parts = names.map((name) => group[name] as number | null);
  if (parts.includes(null)) return [];
  const sum = parts.reduce<number>((all, part) => all + (part ?? 0), 0);
  return group[total] === sum ? [] : [`DOC-07 ${total} is ${group[total]}, its parts are ${sum}`];
}

function netAFaults(post: Fields): string[] {
  const { hashtags, netAMediaId, shortcode } = post['netA'] as Fields;
  const faults: string[] = [];
  const tags = [...((post['text'] ?? '') as string).matchAll(/#([\p{L}\p{N}_]+)/gu)].map(([, tag]) => tag);
  if (tags.join() !== hashtags.join()) faults.push(`DOC-08 hashtags are ${hashtags}, those of the caption ${tags}`);
  if (netAMediaId !== null && netAMediaId !== mediaIdOf(shortcode))
    faults.push(`IDS-12 ${netAMediaId} is not the id of ${shortcode}`);
  return faults;
}

/** The group of the network that a document is not of: no value but null, false and empty lists. */
function otherGroupFaults(document: Fields): string[] {
  const other = document['network'] === 'netA' ? 'netB' : 'netA';
  return Object.entries(document[other] as Fields)
    .filter(([, value]) => value !== null && value !== false && !(Array.isArray(value) && value.length === 0))
    .map(([name]) => `DOC-03 ${other}.${name} is observed in a document of ${document['network']}`);
}

const postFaults = (post: Fields): string[] => [
  ...equalityFaults(post),
  ...sumFaults(post),
  ...(post['network'] === 'netA' ? netAFaults(post) : []),
  ...otherGroupFaults(post),
];

function batchFaults(batch: Fields): string[] {
  const ids = [...batch['fetching'], ...batch['unavailable']].map(({ id }: Fields) => id as string);
  const waits = new Set(batch['fetching'].map(({ retryAfter }: Fields) => retryAfter as string));
  const faults: string[] = [];
  if (new Set(ids).size < ids.length) faults.push('CRB-02 an identifier is in two buckets');
  if (waits.size > 1) faults.push('CRB-04 retryAfter differs between entries');
  return faults;
}

function creatorFaults(creator: Fields): string[] {
  const ids = new Set((creator['channels'] as Fields[]).map(({ externalId }) => externalId as string));
  const posts = (creator['posts'] ?? []) as Fields[];
  const order = posts.map(({ postedAt }) => Date.parse(postedAt));
  const faults = posts
    .filter(({ author }) => !ids.has(author.accountId))
    .map(({ externalId }) => `DOC-09 the author of ${externalId} is not this creator`);
  if (order.some((instant, index) => instant > (order[index - 1] ?? Infinity)))
    faults.push('CRE-08 posts are not newest first');
  return faults;
}

const faultsOf = (object: Fields): string[] => [
  ...(isPost(object) ? postFaults(object) : []),
  ...(isChannel(object) ? otherGroupFaults(object) : []),
  ...(isBatch(object) ? batchFaults(object) : []),
  ...('channels' in object ? creatorFaults(object) : []),
];

/** What an account or post is called must be the same wherever it appears: id → facts. */
function identityFaults(objects: readonly { name: string; object: Fields }[]): string[] {
  const facts = new Map<string, string>();
  const faults: string[] = [];
  const hold = (name: string, id: unknown, fact: readonly unknown[]): void => {
    if (id === null || id === undefined) return;
    const text = JSON.stringify(fact);
    const known = facts.get(String(id));
    facts.set(String(id), known ?? text);
    if (known !== undefined && known !== text)
      faults.push(`${name}: ${String(id)} is ${text} here and ${known} elsewhere`);
  };
  for (const { name, object } of objects) {
    const { externalId, accountId, username, followersCount, country, url, postedAt, text } = object;
    if (isChannel(object)) hold(name, externalId, [username, followersCount, country]);
    if ('accountId' in object) hold(name, accountId, [username, followersCount, country]);
    if (isCorePost(object)) hold(name, externalId, [url, postedAt, text]);
  }
  return faults;
}

/** Published before observed, observed before the waits end. */
function orderFaults(objects: readonly { name: string; object: Fields }[]): string[] {
  const faults: string[] = [];
  const instants = (key: string): number[] =>
    objects.flatMap(({ object }) => (typeof object[key] === 'string' ? [Date.parse(object[key])] : []));
  for (const { name, object } of objects) {
    if (isPost(object) && object['postedAt'] > object['updatedAt'])
      faults.push(`${name}: observed before it was published`);
  }
  if (Math.max(...instants('updatedAt')) > Math.min(...instants('retryAfter')))
    faults.push('a wait ends before a document was observed');
  return faults;
}

/** One line a fault, beginning with the example's name. */
export function worldFaults(examples: readonly ExampleFile[]): string[] {
  const objects = examples.flatMap(({ name, value }) => [...objectsIn(value)].map((object) => ({ name, object })));
  const own = objects.flatMap(({ name, object }) => faultsOf(object).map((fault) => `${name}: ${fault}`));
  return [...own, ...identityFaults(objects), ...orderFaults(objects)];
}
