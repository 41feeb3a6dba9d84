import type { Post } from '../../model.ts';
import { mediaIdOf } from '../../networks/netA.ts';
import { unobservedNetAPost } from '../unobserved.ts';
import { organicAndPaid, type Facts } from './sandbox-post-facts.ts';

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

/** What netA alone tells of a post: its own names for things, then what only a reel or a story has. */
export function netAGroup(facts: Facts): Post['netA'] {
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
