/** What the networks may hold that ours do not: captions, figures, names, instants. */
import { batch, channels, documents, failure, header, headerOf, isMiss, posts, type Any } from '../faults/edit.ts';
import { rewritten, type Row } from './variant.ts';

const everywhere =
  (keys: readonly string[], edit: (value: Any) => Any): Row['alter'] =>
  (r) =>
    rewritten(r, (key, value) => (keys.includes(key) ? edit(value) : value));

const text =
  (keys: readonly string[], edit: (value: string) => string): Row['alter'] =>
  (r) =>
    rewritten(r, (key, value) => (keys.includes(key) && typeof value === 'string' ? edit(value) : value));

const captioned =
  (caption: string | null, hashtags: readonly string[]): Row['alter'] =>
  (r) =>
    posts(r, (one) => {
      if (one.network !== 'netA' || one.text === null) return;
      one.text = one.netA.caption = caption;
      one.netA.hashtags = hashtags;
    });

const eightHoursWest = (instant: string): string =>
  new Date(Date.parse(instant) - 8 * 3_600_000).toISOString().replace('Z', '-0800');

const analysed =
  (key: string, value: Any): Row['alter'] =>
  (r) =>
    posts(r, (one) => {
      if (key in (one.analysis ?? {})) one.analysis[key] = value;
    });

const nested = (depth: number): Any => (depth === 0 ? 1 : { of: [nested(depth - 1)] });

/** How often an answer has been altered so far. */
const turn = (state: Map<string, unknown>): number => {
  const turns = Number(state.get('turns') ?? 0) + 1;
  state.set('turns', turns);
  return turns;
};

export const worlds: readonly Row[] = [
  { name: 'captions are null', alter: captioned(null, []) },
  { name: 'captions are empty', alter: captioned('', []) },
  {
    name: 'hashtags are of many scripts, and numbers are none',
    alter: captioned('#1 of #2024goals #日本 #naïve 🌊#sun🌞 #no-dash a#b x@y.example#z (#paren) #ok.', [
      '2024goals',
      '日本',
      'naïve',
      'sun',
      'no',
      'paren',
      'ok',
    ]),
  },
  { name: 'hashtags keep their sign, each once', alter: captioned('#Sea and #SEA #sky', ['#Sea', '#sky']) },
  { name: 'hashtags are in small letters', alter: captioned('#Sea #Sea #Sky_blue', ['sea', 'sky_blue']) },
  {
    name: 'a caption has entities and elements',
    alter: captioned('a\n#one\r\n#two\t#three&amp;#four <b>#five</b>', ['one', 'two', 'three', 'five']),
  },
  { name: 'a hashtag ends where its network says', alter: captioned("#rock'n'roll #l·l #c++", ['rock', 'l·l', 'c']) },
  {
    name: 'a sign is a key, and part of an address',
    alter: captioned('#️⃣ https://x.example/#/a?b#c x&#x27;s #fin', ['fin']),
  },
  { name: 'usernames are written in another case', alter: text(['username'], (name) => name.toUpperCase()) },
  {
    name: 'channels come in another order each time',
    alter: (r, _, state) => {
      const turned = turn(state) % 2 === 1;
      documents(r, (one) => {
        if (!one.channels) return;
        const [own] = one.channels;
        one.channels.push({ ...structuredClone(own), externalId: `second of ${own.externalId}`, username: 'second' });
        if (turned) one.channels.reverse();
      });
    },
  },
  {
    name: 'posts have no ids of the network',
    alter: (r) => posts(r, (one) => (one.externalId = one.netB.netBVideoId = null)),
  },
  { name: 'nobody knows when posts were made', alter: everywhere(['postedAt'], () => null) },
  { name: 'posts are older than the clocks', alter: text(['postedAt'], () => '1969-12-31T23:59:59Z') },
  {
    name: 'instants are of the other side of the world',
    alter: text(['postedAt'], (at) => at.replace(/\.\d+Z/, '+14:00')),
  },
  { name: 'waits are told in +00:00', alter: text(['retryAfter'], (at) => at.replace('Z', '+00:00')) },
  { name: 'waits are told in another zone, without its colon', alter: text(['retryAfter'], eightHoursWest) },
  {
    name: 'instants have nine places',
    alter: text(['updatedAt', 'postedAt', 'retryAfter'], (at) => at.replace(/(\.\d+)?Z$/, '.123456789Z')),
  },
  { name: 'instants are in small letters', alter: text(['updatedAt', 'postedAt'], (at) => at.toLowerCase()) },
  {
    name: 'figures are as large as they can be',
    alter: everywhere(['followersCount'], (count) => (count === null ? null : Number.MAX_SAFE_INTEGER)),
  },
  { name: 'a median has a fraction', alter: everywhere(['medianViews'], (views) => (views === null ? null : 12.5)) },
  {
    name: 'a rate is published',
    alter: (r) =>
      channels(r, (one) => {
        if (one.network === 'netB') one.netB.creatorRate = { currency: 'USD', rate: 12.5 };
      }),
  },
  { name: 'a transcript is long', alter: analysed('transcript', 'wörd '.repeat(60_000)) },
  { name: 'nothing was judged for safety', alter: analysed('brandSafety', null) },
  { name: 'opaque analysis is deep', alter: analysed('vibeAnalysis', nested(60)) },
  {
    name: 'likes are hidden',
    alter: (r) => posts(r, (one) => (one.likeCount = one.netA.totalLikeCount = one.netB.totalLikeCount = null)),
  },
  {
    name: 'sums are not told',
    alter: (r) => posts(r, (one) => (one.netA.organicTotalInteractions = one.netB.engagementCount = null)),
  },
  { name: 'kinds of media are not known', alter: everywhere(['mediaKind', 'mediaType'], () => null) },
  {
    name: 'permalinks have a query',
    alter: (r) => posts(r, (one) => void (one.network === 'netB' && (one.url &&= `${one.url}?lang=en`))),
  },
  {
    name: 'a miss that may pass says when to ask again',
    alter: (r) =>
      void (isMiss(r) && failure(r, ({ details }) => void (details.retryable && header(r, 'Retry-After', '120')))),
  },
];

/** Figures that went up since the last answer. */
const grown = (r: Parameters<Row['alter']>[0], more: number, updatedAt: () => string | null): void =>
  documents(r, (document) => {
    for (const one of document.channels ?? [document]) {
      one.updatedAt = updatedAt();
      if (typeof one.followersCount === 'number') one.followersCount += more;
      if (typeof one.viewCount === 'number') one[one.network].totalViewCount = one.viewCount += more;
    }
  });

/** Against a ruling of ours: an answer is of the snapshot that is held. */
export const movingWorlds: readonly Row[] = [
  {
    name: 'each read has figures of its own instant',
    alter: (r, _, state) => grown(r, turn(state), () => new Date().toISOString()),
  },
  { name: 'figures grow, and no snapshot has an instant', alter: (r, _, state) => grown(r, turn(state), () => null) },
  {
    name: 'what fails is tried for long',
    alter: (r, q) =>
      batch(r, q, (body) => {
        const failed = body.unavailable.filter((one: Any) => one.retryable);
        const soon = new Date(Math.ceil(Date.now() / 1000) * 1000 + 2000).toISOString();
        const retryAfter = body.fetching[0]?.retryAfter ?? soon;
        body.unavailable = body.unavailable.filter((one: Any) => !one.retryable);
        body.fetching.push(...failed.map(({ id }: Any) => ({ id, retryAfter })));
        if (body.fetching.length > 0 && headerOf(r.headers, 'retry-after') === undefined) header(r, 'Retry-After', '2');
      }),
  },
];
