import type { Creator, Post } from '../model.ts';
import { normalizeBreakdowns, type Cell } from './demographics.ts';
import { unobservedNetAChannel, unobservedNetAPost, unobservedNetBChannel, unobservedNetBPost } from './unobserved.ts';

/**
 * Makes a post from outside obey what the contract says beyond its schema: the other network's group is unobserved (DOC-03), fields
 * that repeat each other are equal (DOC-06), sums add up (DOC-07), and hashtags are those of the caption (DOC-08).
 */
export function reconcilePost(post: Post): Post {
  if (post.network === 'netA') return { ...post, netA: reconcileNetA(post), netB: unobservedNetBPost };
  if (post.network === 'netB') return { ...post, netA: unobservedNetAPost, netB: reconcileNetB(post) };
  return { ...post, netA: unobservedNetAPost, netB: unobservedNetBPost };
}

const sumOf = (parts: readonly (number | null)[]): number | null =>
  parts.every((part) => part !== null) ? parts.reduce<number>((sum, part) => sum + (part ?? 0), 0) : null;

/** Without `#`, in the order of the caption, each once. */
const hashtagsOf = (caption: string): string[] => [
  ...new Set([...caption.matchAll(/(?<![\p{L}\p{N}_&/])#([\p{L}\p{N}_]+)/gu)].map(([, tag]) => tag ?? '')),
];

function reconcileNetA({ netA, url, text, likeCount, commentCount, viewCount }: Post): Post['netA'] {
  const { organicLikeCount, organicCommentCount, organicSaveCount, organicShareCount } = netA;
  const total = sumOf([organicLikeCount, organicCommentCount, organicSaveCount, organicShareCount]);
  return {
    ...netA,
    permalink: url,
    caption: text,
    totalLikeCount: likeCount,
    totalCommentCount: commentCount,
    totalViewCount: viewCount,
    organicTotalInteractions: total ?? netA.organicTotalInteractions,
    hashtags: text === null ? netA.hashtags : hashtagsOf(text),
  };
}

function reconcileNetB({ netB, externalId, likeCount, commentCount, viewCount, shareCount }: Post): Post['netB'] {
  const total = sumOf([likeCount, commentCount, netB.totalShareCount, netB.favoriteCount]);
  return {
    ...netB,
    netBVideoId: externalId,
    totalLikeCount: likeCount,
    totalCommentCount: commentCount,
    totalViewCount: viewCount,
    organicShareCount: shareCount,
    engagementCount: total ?? netB.engagementCount,
  };
}

/** The same for a creator; demographics are normalized (DOC-15), and shown only under a live grant (DOC-14). */
export function reconcileCreator(creator: Creator, granted: boolean): Creator {
  const [first, ...others] = creator.channels;
  return {
    channels: [reconcileChannel(first, granted), ...others.map((channel) => reconcileChannel(channel, granted))],
  };
}

type Channel = Creator['channels'][number];

function reconcileChannel(channel: Channel, granted: boolean): Channel {
  if (channel.network === 'netB') return { ...channel, netA: unobservedNetAChannel };
  const netA = channel.network === 'netA' ? reconcileAudiences(channel.netA, granted) : unobservedNetAChannel;
  return { ...channel, netA, netB: unobservedNetBChannel };
}

function reconcileAudiences(netA: Channel['netA'], granted: boolean): Channel['netA'] {
  const { audienceDemographics, creatorEngagedAccountsBreakdowns, ...rest } = netA;
  return {
    ...rest,
    ...(granted && audienceDemographics !== undefined
      ? { audienceDemographics: normalized(audienceDemographics) }
      : {}),
    ...(creatorEngagedAccountsBreakdowns === undefined
      ? {}
      : { creatorEngagedAccountsBreakdowns: normalized(creatorEngagedAccountsBreakdowns) }),
  };
}

const isCell = (cell: unknown): cell is Cell =>
  typeof cell === 'object' && cell !== null && 'label' in cell && typeof cell.label === 'string';

const isBreakdown = (cells: unknown): cells is Cell[] => Array.isArray(cells) && cells.every(isCell);

/** Normalizes a group that has our shape, lists of cells by dimension; a group of another shape stays as received (DOC-12). */
function normalized(group: unknown): unknown {
  if (typeof group !== 'object' || group === null || Array.isArray(group)) return group;
  const ours = Object.entries(group).filter(([, cells]) => isBreakdown(cells));
  return { ...group, ...normalizeBreakdowns(Object.fromEntries(ours)) };
}
