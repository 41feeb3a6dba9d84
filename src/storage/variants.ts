/**
 * A document is serialized once, when it is stored, in each form that some read may need (DOC-13, DOC-14, PST-04);
 * a read then joins bytes.
 */
import type { Analysis, Creator, CreatorPost, HeldAnalysis, HeldDocument, Instant, Post } from '../model.ts';

/** The text forms of one document; null: the same as the form it is derived from, or there is none. */
export interface Variants {
  readonly document: string;
  readonly restricted: string | null;
  readonly posts: string | null;
  readonly postsRestricted: string | null;
  /** A line a key: `narration\t"…"`. */
  readonly analysis: string | null;
  readonly withoutAudience: string | null;
  readonly audienceUntil: Instant | null;
}

type Channel = Creator['channels'][number];

/** What netA's partner marketplace alone knows, as it reads for an organization without credentials there (DOC-13). */
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

/** JSON text never holds a raw line end or tab, so they can separate. */
const analysisLines = (analysis: Analysis): string =>
  Object.entries(analysis)
    .map(([key, value]) => `${key}\t${JSON.stringify(value ?? null)}`)
    .join('\n');

function heldAnalysis(lines: string): HeldAnalysis {
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

const piece = (text: string | null, otherwise: Buffer): Buffer => (text === null ? otherwise : Buffer.from(text));

export function heldDocument(variants: Variants, freshUntil: Instant): HeldDocument {
  const full = Buffer.from(variants.document);
  const posts = variants.posts === null ? null : Buffer.from(variants.posts);
  return {
    full,
    restricted: piece(variants.restricted, full),
    posts: posts && { full: posts, restricted: piece(variants.postsRestricted, posts) },
    analysis: variants.analysis === null ? null : heldAnalysis(variants.analysis),
    audienceUntil: variants.audienceUntil,
    fullWithoutAudience: variants.withoutAudience === null ? null : Buffer.from(variants.withoutAudience),
    freshUntil,
  };
}

/** Bytes that a held document keeps in memory, near enough to bound a cache. */
export function heldBytes(document: HeldDocument): number {
  let bytes = 1_000 + document.full.length + (document.fullWithoutAudience?.length ?? 0);
  if (document.restricted !== document.full) bytes += document.restricted.length;
  if (document.posts) bytes += document.posts.full.length;
  if (document.posts && document.posts.restricted !== document.posts.full) bytes += document.posts.restricted.length;
  if (document.analysis) bytes += document.analysis.whole.length + document.analysis.members.size * 100;
  return bytes;
}
