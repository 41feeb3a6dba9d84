import { entityOf, keyOf, type CreatorPost, type Instant, type ObtainedPost, type Post } from '../../model.ts';
import { mediaIdOf } from '../../networks/netA.ts';
import type { Network } from '../../networks/network.ts';
import { unobservedAnalysis, unobservedNetAPost, unobservedNetBPost, unobservedPostAuthor } from '../unobserved.ts';
import { analysisOf } from './sandbox-analysis.ts';
import { iso } from './sandbox-creator.ts';
import { recentCount, recentPostName, traitOf } from './sandbox-names.ts';
import { factsOf, organicAndPaid, type Facts } from './sandbox-post-facts.ts';
import { netAGroup } from './sandbox-post-netA.ts';
import { netBGroup } from './sandbox-post-netB.ts';

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
  const facts = factsOf(network, name);
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
