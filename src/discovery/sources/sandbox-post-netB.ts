import type { Post } from '../../model.ts';
import { unobservedNetBPost } from '../unobserved.ts';
import { organicAndPaid, type Facts } from './sandbox-post-facts.ts';
import { round2 } from './seed.ts';
import * as words from './words.ts';

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

/** What netB alone tells of a post: views by origin, viewing, engagement, and what only some posts have. */
export function netBGroup(facts: Facts): Post['netB'] {
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
    ...(facts.kind === 'video' ? viewingOf(facts) : {}),
    ...anchorOf(facts),
    ...distributionsOf(facts),
  };
}
