/**
 * A document is serialized once, when it is stored, in each form that some read may need (DOC-13, DOC-14, PST-04);
 * a read then joins bytes.
 */
import type { Analysis, Creator, CreatorPost, HeldAnalysis, HeldDocument, Instant, Post } from '../model.ts';

/** As an engine tells it: PostgreSQL's driver as a string, SQLite in UTF-8. */
export type Text = string | Uint8Array<ArrayBuffer>;

/** The text forms of one document; null: the same as the form it is derived from, or there is none. */
export interface Variants<Form extends Text = string> {
  readonly document: Form;
  readonly restricted: Form | null;
  readonly posts: Form | null;
  readonly postsRestricted: Form | null;
  /** A line a key: `narration\t"…"`. */
  readonly analysis: Form | null;
  readonly withoutAudience: Form | null;
  readonly audienceUntil: Instant | null;
}

type Channel = Creator['channels'][number];

/** Fields that only netA's partner marketplace knows, as organizations without credentials there see them (DOC-13). */
const unattested = {
  gender: null,
  ageBucket: null,
  onboardedStatus: null,
  portfolioUrl: null,
  email: null,
  isPaidPartnershipMessagesEnabled: false,
  hasBrandPartnershipExperience: null,
  pastBrandPartnershipPartners: null,
  badges: null,
  creatorMarketplaceReach: null,
  creatorEngagedAccounts: null,
  reelsInteractionRate: null,
  reelsHookRate: null,
} satisfies Partial<Channel['netA']>;

const attestedNetwork = 'netA';

function withoutAudienceChannel(channel: Channel): Channel {
  const { audienceDemographics: _gone, ...netA } = channel.netA;
  return { ...channel, netA };
}

function restrictedChannel(channel: Channel): Channel {
  if (channel.network !== attestedNetwork) return channel;
  const { audienceDemographics: _demographics, creatorEngagedAccountsBreakdowns: _breakdowns, ...netA } = channel.netA;
  return { ...channel, verified: false, netA: { ...netA, ...unattested } };
}

function mapChannels(creator: Creator, change: (channel: Channel) => Channel): Creator {
  const [first, ...others] = creator.channels;
  return { ...creator, channels: [change(first), ...others.map(change)] };
}

const restrictedPosts = (posts: readonly CreatorPost[], network: string): CreatorPost[] =>
  posts.map((post) =>
    (post.network ?? network) === attestedNetwork ? { ...post, author: { ...post.author, verified: false } } : post,
  );

const holdsAudience = (creator: Creator): boolean =>
  creator.channels.some((channel: Channel) => channel.netA.audienceDemographics !== undefined);

const unlessSame = (text: string, original: string): string | null => (text === original ? null : text);

/** `audienceUntil` null: no live grant, so what the document holds of the audience is left out (DOC-14). */
export function creatorVariants(
  given: Creator,
  posts: readonly CreatorPost[],
  network: string,
  audienceUntil: Instant | null,
): Variants {
  const { posts: _inside, ...creator } = given;
  const bare = JSON.stringify(mapChannels(creator, withoutAudienceChannel));
  const live = audienceUntil !== null && holdsAudience(creator);
  const document = live ? JSON.stringify(creator) : bare;
  const postsText = JSON.stringify(posts);
  return {
    document,
    restricted: unlessSame(JSON.stringify(mapChannels(creator, restrictedChannel)), document),
    posts: postsText,
    postsRestricted: unlessSame(JSON.stringify(restrictedPosts(posts, network)), postsText),
    analysis: null,
    withoutAudience: live ? bare : null,
    audienceUntil: live ? audienceUntil : null,
  };
}

export function postVariants(given: Post, analysis: Analysis, network: string): Variants {
  const { analysis: _inside, ...post } = given;
  const document = JSON.stringify(post);
  const restricted = JSON.stringify({ ...post, author: { ...post.author, verified: null } });
  return {
    document,
    restricted: network === attestedNetwork ? unlessSame(restricted, document) : null,
    posts: null,
    postsRestricted: null,
    analysis: analysisLines(analysis),
    withoutAudience: null,
    audienceUntil: null,
  };
}

/** JSON never contains a raw line end or tab, so these can separate keys and values. */
const analysisLines = (analysis: Analysis): string =>
  Object.entries(analysis)
    .map(([key, value]) => `${key}\t${JSON.stringify(value ?? null)}`)
    .join('\n');

/** Made of its lines when it is first asked for: most reads leave it out. */
function heldAnalysis(lines: Text): HeldAnalysis {
  let made: HeldAnalysis | null = null;
  const analysis = (): HeldAnalysis => (made ??= analysisOf(bytesOf(lines).toString()));
  return {
    get whole() {
      return analysis().whole;
    },
    get members() {
      return analysis().members;
    },
  };
}

function analysisOf(lines: string): HeldAnalysis {
  const texts = lines.split('\n').map((line) => `"${line.replace('\t', '":')}`);
  const whole = Buffer.from(`{${texts.join()}}`);
  const members = new Map<string, Buffer>();
  let start = 1;
  for (const text of texts) {
    const end = start + Buffer.byteLength(text);
    members.set(text.slice(1, text.indexOf('"', 1)), whole.subarray(start, end));
    start = end + 1;
  }
  return { whole, members };
}

const bytesOf = (text: Text): Buffer =>
  typeof text === 'string' ? Buffer.from(text) : Buffer.from(text.buffer, text.byteOffset, text.byteLength);

const piece = <Otherwise>(text: Text | null, otherwise: Otherwise): Buffer | Otherwise =>
  text === null ? otherwise : bytesOf(text);

export function heldDocument(variants: Variants<Text>, freshUntil: Instant): HeldDocument {
  const full = bytesOf(variants.document);
  const posts = piece(variants.posts, null);
  return {
    full,
    restricted: piece(variants.restricted, full),
    posts: posts && { full: posts, restricted: piece(variants.postsRestricted, posts) },
    analysis: variants.analysis === null ? null : heldAnalysis(variants.analysis),
    audienceUntil: variants.audienceUntil,
    fullWithoutAudience: piece(variants.withoutAudience, null),
    freshUntil,
  };
}

/** Approximate bytes that a held document takes in memory, close enough to bound a cache. */
export function heldBytes(document: HeldDocument): number {
  let bytes = 1_000 + document.full.length + (document.fullWithoutAudience?.length ?? 0);
  if (document.restricted !== document.full) bytes += document.restricted.length;
  if (document.posts) bytes += document.posts.full.length;
  if (document.posts && document.posts.restricted !== document.posts.full) bytes += document.posts.restricted.length;
  // Twice: its lines stay beside it.
  if (document.analysis) bytes += 2 * document.analysis.whole.length + document.analysis.members.size * 100;
  return bytes;
}
