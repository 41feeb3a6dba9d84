import { entityOf, keyOf, type CreatorPost, type Instant, type ObtainedPost, type Post } from '../../model.ts';
import { mediaIdOf } from '../../networks/netA.ts';
import type { Network } from '../../networks/network.ts';
import { unobservedAnalysis, unobservedNetAPost, unobservedNetBPost, unobservedPostAuthor } from '../unobserved.ts';
import { analysisOf } from './sandbox-analysis.ts';
import { accountOf, dayOf, iso, type Account } from './sandbox-creator.ts';
import { recentCount, recentPostName, recentPostOf, traitOf } from './sandbox-names.ts';
import { round2, seedOf, type Seed } from './seed.ts';
import * as words from './words.ts';

type Product = 'feed' | 'reel' | 'story';

/** All that a post's fields are drawn from. */
interface Facts {
  readonly network: Network;
  readonly name: string;
  readonly seed: Seed;
  readonly account: Account;
  readonly kind: NonNullable<Post['mediaKind']>;
  readonly product: Product;
  readonly url: string;
  readonly postedAt: string;
  readonly text: string;
  readonly hashtags: string[];
  readonly mentioned: string[];
  readonly views: number;
  readonly paidViews: number;
  readonly counts: Counts;
}

/** Organic and paid counts; likes are null where the author hides them. */
interface Counts {
  readonly likes: number | null;
  readonly paidLikes: number;
  readonly comments: number;
  readonly paidComments: number;
  readonly shares: number;
  readonly saves: number;
}

const hour = 3_600_000;

/** Hours before the day's start: the newest of an author less than two days old, each next one to three days older. */
function ageHours(name: string, seed: Seed): number {
  const position = recentPostOf(name)?.index ?? seed.whole('position', 0, recentCount - 1);
  return position * 48 + seed.whole('hours', 1, 47);
}

function kindOf(network: Network, name: string, seed: Seed): Pick<Facts, 'kind' | 'product'> {
  const trait = traitOf('post', name);
  if (trait === 'carousel') return { kind: 'carousel', product: 'feed' };
  if (trait === 'story') return { kind: 'video', product: 'story' };
  if (trait === 'reel') return { kind: 'video', product: 'reel' };
  if (trait === 'image') return { kind: 'image', product: 'feed' };
  if (trait === 'video' || network.name !== 'netA') return { kind: 'video', product: 'feed' };
  const draw = seed.fraction('kind');
  if (draw < 0.5) return { kind: 'video', product: 'reel' };
  return { kind: draw < 0.75 ? 'image' : 'carousel', product: 'feed' };
}

/** Author of a post that nobody's recent list names: an account whose handle follows from the post's name. */
function strangerHandle(seed: Seed): string {
  const first = seed.pick('author.first', words.firstNames).toLowerCase();
  return `${first}.${seed.pick('author.last', words.lastNames).toLowerCase()}${seed.whole('author.number', 1, 99)}`;
}

function captionOf(seed: Seed, account: Account): Pick<Facts, 'text' | 'hashtags' | 'mentioned'> {
  const hashtags = [...seed.some('tags', seed.whole('tags', 0, 4), words.hashtags), account.topic.replaceAll(' ', '')];
  const mentioned = seed.chance('mention', 0.4) ? [strangerHandle(seed)] : [];
  const opening = seed.pick('opening', words.openings);
  const sentence = opening.replace('{topic}', account.topic).replace('{day}', String(seed.whole('day', 2, 29)));
  const credit = mentioned.map((handle) => `with @${handle}`);
  const text = [sentence, ...credit, hashtags.map((tag) => `#${tag}`).join(' ')].join('\n');
  return {
    text: seed.chance('emoji', 0.5) ? `${seed.pick('emoji', words.emojis)} ${text}` : text,
    hashtags,
    mentioned,
  };
}

function countsOf(seed: Seed, views: number, paidViews: number): Counts {
  const part = (label: string, of: number, low: number, high: number): number =>
    Math.round(of * (low + seed.fraction(label) * (high - low)));
  return {
    likes: seed.chance('hidden', 0.07) ? null : part('likes', views, 0.02, 0.15),
    paidLikes: part('likes.paid', paidViews, 0.005, 0.03),
    comments: part('comments', views, 0.001, 0.02),
    paidComments: part('comments.paid', paidViews, 0.0005, 0.005),
    shares: part('shares', views, 0.001, 0.02),
    saves: part('saves', views, 0.002, 0.03),
  };
}

function factsOf(network: Network, name: string, now: Instant): Facts {
  const seed = seedOf(network.name, 'post', name);
  const account = accountOf(network, recentPostOf(name)?.handle ?? strangerHandle(seed));
  const views = Math.max(20, Math.round(account.followersCount * seed.decimal('views', 0.05, 2)));
  const paidViews = seed.chance('paid', 0.15) ? Math.round(views * seed.decimal('views.paid', 0.1, 1)) : 0;
  return {
    network,
    name,
    seed,
    account,
    ...kindOf(network, name, seed),
    url: network.postUrl(name, account.handle),
    postedAt: iso(dayOf(now) - ageHours(name, seed) * hour),
    ...captionOf(seed, account),
    views,
    paidViews,
    counts: countsOf(seed, views, paidViews),
  };
}

/** One entry a node; here and there an asset that is not yet archived (DOC-10). */
function mediaOf({ network, name, kind, seed }: Facts): Post['media'] {
  const nodes = kind === 'carousel' ? seed.whole('nodes', 2, 6) : 1;
  const base = `https://cdn.${network.hosts[0]}/${name}`;
  return Array.from({ length: nodes }, (_, index) => {
    const video = kind === 'video' || (kind === 'carousel' && seed.chance(`node.${index}`, 0.3));
    const mediaUrl = seed.chance(`asset.${index}`, 0.06) ? null : `${base}/${index}.${video ? 'mp4' : 'jpg'}`;
    return { mediaUrl, thumbnailUrl: seed.chance(`thumb.${index}`, 0.06) ? null : `${base}/${index}-thumb.jpg` };
  });
}

const organicAndPaid = (organic: number | null, paid: number): number | null =>
  organic === null ? null : organic + paid;
const rawTypes = { video: 'VIDEO', image: 'IMAGE', carousel: 'CAROUSEL_ALBUM' } as const;
const rawProducts = { feed: 'FEED', reel: 'REELS', story: 'STORY' } as const;

function mentionsOf({ seed, mentioned }: Facts): Post['netA']['mentions'] {
  return mentioned.map((username) => {
    const type = seed.pick('mention.type', ['TAG', 'CAPTION', 'COLLAB', 'PAID_PARTNERSHIP'] as const);
    const inviteStatus = type === 'COLLAB' ? seed.pick('invite', ['ACCEPTED', 'PENDING']) : null;
    return { username, type, resolved: seed.chance('resolved', 0.7), inviteStatus };
  });
}

function reelFields({ seed, views }: Facts): Partial<Post['netA']> {
  const averageSeconds = seed.decimal('watch', 2, 25);
  return {
    isSharedToFeed: seed.chance('shared', 0.8),
    mediaAudioType: seed.pick('audio', ['MUSIC', 'ORIGINAL_SOUND']),
    organicNetAReelsAvgWatchTime: averageSeconds,
    organicNetAReelsVideoViewTotalTime: Math.round(averageSeconds * views),
    organicCrosspostedViews: views + seed.whole('crossposted', 0, 5000),
    organicFacebookViews: seed.whole('sibling', 0, 5000),
  };
}

/** Navigation is the sum of exits, taps and advances to the next story. */
function storyFields({ seed, views }: Facts): Partial<Post['netA']> {
  const part = (label: string, high: number): number => Math.round(views * seed.decimal(label, 0, high));
  const [exits, forward, back, advances] = [
    part('exits', 0.2),
    part('forward', 0.5),
    part('back', 0.1),
    part('next', 0.2),
  ];
  return {
    organicReplies: part('replies', 0.02),
    organicExits: exits,
    organicTapsForward: forward,
    organicTapsBack: back,
    organicNavigation: exits + forward + back + advances,
    organicLinkClicks: part('clicks', 0.05),
    organicProfileActivity: part('activity', 0.02),
  };
}

function netAGroup(facts: Facts): Post['netA'] {
  const { name, account, counts, views, paidViews, seed, product } = facts;
  const { likes, comments, shares, saves } = counts;
  return {
    ...unobservedNetAPost,
    netAMediaId: mediaIdOf(name),
    netAUserId: account.author.accountId,
    authorUsername: account.handle,
    shortcode: name,
    mediaType: rawTypes[facts.kind as keyof typeof rawTypes],
    mediaProductType: rawProducts[product],
    permalink: facts.url,
    caption: facts.text,
    totalLikeCount: organicAndPaid(likes, counts.paidLikes),
    totalCommentCount: comments + counts.paidComments,
    totalViewCount: views + paidViews,
    organicLikeCount: likes,
    organicCommentCount: comments,
    organicViewCount: views,
    organicRepostCount: seed.whole('reposts', 0, 200),
    organicSaveCount: saves,
    organicShareCount: shares,
    organicReach: Math.round(views * seed.decimal('reach', 0.6, 0.95)),
    organicTotalInteractions: likes === null ? null : likes + comments + saves + shares,
    organicFollows: seed.whole('follows', 0, 300),
    organicProfileVisits: Math.round(views * seed.decimal('visits', 0, 0.05)),
    ...(product === 'reel' ? reelFields(facts) : {}),
    ...(product === 'story' ? storyFields(facts) : {}),
    hashtags: facts.hashtags,
    mentions: mentionsOf(facts),
  };
}

const viewOrigins = [
  'forYouViewCount',
  'followingViewCount',
  'searchViewCount',
  'soundViewCount',
  'hashtagViewCount',
  'personalProfileViewCount',
  'unknownSourceViewCount',
] as const;

/** Views by where they came from; what is left over is of other sources. */
function originsOf({ seed, views }: Facts): Partial<Post['netB']> {
  let left = views;
  const origins: Partial<Post['netB']> = {};
  for (const origin of viewOrigins) {
    const part = Math.floor(left * seed.decimal(origin, 0, 0.6));
    origins[origin] = part;
    left -= part;
  }
  return { ...origins, otherSourceViewCount: left };
}

function anchorOf({ seed, views }: Facts): Partial<Post['netB']> {
  if (!seed.chance('anchor', 0.25)) return {};
  const [seen, clicked] = [Math.round(views * 0.7), Math.round(views * seed.decimal('anchor.rate', 0.01, 0.08))];
  return {
    anchorId: String(7000 + seed.whole('anchor.id', 0, 999)),
    anchorViewCount: seen,
    anchorClickCount: clicked,
    anchorUniqueViewCount: Math.round(seen * 0.9),
    anchorUniqueClickCount: Math.round(clicked * 0.8),
  };
}

function viewingOf({ seed, views }: Facts): Partial<Post['netB']> {
  const twoSeconds = seed.decimal('two', 40, 90);
  const averageSeconds = seed.decimal('watch', 2, 30);
  const retention = [100, twoSeconds];
  for (let point = 0; point < 8; point += 1)
    retention.push(round2((retention.at(-1) ?? 0) * seed.decimal(`keep.${point}`, 0.7, 0.98)));
  return {
    videoCompletionRate: retention.at(-1) ?? null,
    twoSecondViewRate: twoSeconds,
    sixSecondViewRate: round2(twoSeconds * seed.decimal('six', 0.4, 0.9)),
    averageViewTimeSeconds: averageSeconds,
    cumulativePlayTimeSeconds: Math.round(averageSeconds * views),
    viewRetentionRates: retention,
  };
}

function engagementOf({ counts, views, paidViews }: Facts): Partial<Post['netB']> {
  const { likes, paidLikes, comments, paidComments, shares, saves } = counts;
  const rate = (interactions: number, of: number): number | null =>
    of === 0 ? null : round2((interactions / of) * 100);
  const organic = likes === null ? null : likes + comments + shares + saves;
  const total = organicAndPaid(organic, paidLikes + paidComments);
  return {
    engagementCount: total,
    totalEngagementRate: total === null ? null : rate(total, views + paidViews),
    organicEngagementRate: organic === null ? null : rate(organic, views),
    paidEngagementRate: rate(paidLikes + paidComments, paidViews),
  };
}

/** Opaque, and only where the network returned a breakdown (DOC-12). */
function distributionsOf({ seed }: Facts): Partial<Post['netB']> {
  if (!seed.chance('distributions', 0.4)) return {};
  const female = seed.whole('female', 20, 80);
  const gender = [
    { label: 'female', percentage: female },
    { label: 'male', percentage: 100 - female },
  ];
  return {
    audienceDistributions: { gender, country: [{ label: seed.pick('viewer', words.countries), percentage: 41.5 }] },
  };
}

function netBGroup(facts: Facts): Post['netB'] {
  const { name, account, counts, views, paidViews, seed } = facts;
  return {
    ...unobservedNetBPost,
    netBVideoId: name,
    netBCreatorOpenId: `open-${account.author.accountId}`,
    creatorHandleName: account.handle,
    caption: facts.text,
    campaignId: paidViews > 0 ? String(180_000 + seed.whole('campaign', 0, 9999)) : null,
    totalViewCount: views + paidViews,
    organicViewCount: views,
    paidViewCount: paidViews,
    reachCount: Math.round(views * seed.decimal('reach', 0.6, 0.95)),
    ...originsOf(facts),
    totalLikeCount: organicAndPaid(counts.likes, counts.paidLikes),
    organicLikeCount: counts.likes,
    paidLikeCount: counts.paidLikes,
    totalCommentCount: counts.comments + counts.paidComments,
    organicCommentCount: counts.comments,
    paidCommentCount: counts.paidComments,
    totalShareCount: counts.shares,
    organicShareCount: counts.shares,
    paidShareCount: 0,
    favoriteCount: counts.saves,
    ...engagementOf(facts),
    ...viewingOf(facts),
    ...anchorOf(facts),
    ...distributionsOf(facts),
  };
}

function documentOf(facts: Facts, now: Instant): Post {
  const { network, name, counts, views, paidViews } = facts;
  const isNetA = network.name === 'netA';
  return {
    network: network.name,
    externalId: isNetA ? mediaIdOf(name) : name,
    url: facts.url,
    postedAt: facts.postedAt,
    text: facts.text,
    mediaKind: facts.kind,
    media: mediaOf(facts),
    likeCount: organicAndPaid(counts.likes, counts.paidLikes),
    commentCount: counts.comments + counts.paidComments,
    viewCount: views + paidViews,
    shareCount: counts.shares,
    saveCount: counts.saves,
    author: facts.account.author,
    netA: isNetA ? netAGroup(facts) : unobservedNetAPost,
    netB: isNetA ? unobservedNetBPost : netBGroup(facts),
    updatedAt: iso(now),
  };
}

function barePost(network: Network): Post {
  return {
    network: network.name,
    externalId: null,
    url: null,
    postedAt: null,
    text: null,
    mediaKind: null,
    media: [],
    likeCount: null,
    commentCount: null,
    viewCount: null,
    shareCount: null,
    saveCount: null,
    author: unobservedPostAuthor,
    netA: unobservedNetAPost,
    netB: unobservedNetBPost,
    updatedAt: null,
  };
}

/** The post of any name, as document, analysis and author. */
export function postOf(network: Network, name: string, now: Instant): ObtainedPost {
  const entity = entityOf(keyOf({ kind: 'post', network: network.name, name }));
  if (traitOf('post', name) === 'bare')
    return { entity, document: barePost(network), analysis: unobservedAnalysis, author: null };
  const facts = factsOf(network, name, now);
  const document = documentOf(facts, now);
  const author = { kind: 'creator', network: network.name, name: facts.account.handle } as const;
  return { entity, document, analysis: analysisOf(facts.seed, document), author };
}

/** A creator's recent posts, newest first (CRE-08). */
export const recentPostsOf = (network: Network, handle: string, now: Instant): ObtainedPost[] =>
  Array.from({ length: recentCount }, (_, index) => postOf(network, recentPostName(handle, index), now));

/** What a creator's own page shows of a post: its core fields. Null where the author is not observed. */
export function creatorPostOf(post: Post): CreatorPost | null {
  const { network, externalId, url, postedAt, text, mediaKind, media, author } = post;
  const { likeCount, commentCount, viewCount, shareCount, saveCount } = post;
  if (author.accountId === null) return null;
  const counts = { likeCount, commentCount, viewCount, shareCount, saveCount };
  const known = { ...author, accountId: author.accountId, verified: author.verified ?? false };
  return { network, externalId, url, postedAt, text, mediaKind, media, ...counts, author: known };
}
