/** Faults against DOC: what stands in the documents. */
import { channels, creatorPosts, documents, posts, table, type Any, type Table } from './edit.ts';

const analysis = (r: Parameters<typeof posts>[0], edit: (analysis: Any) => void): void =>
  posts(r, (post) => post.analysis && edit(post.analysis));
const more = (value: Any): Any => (typeof value === 'number' ? value + 1 : value);
const other = (value: Any): Any => (typeof value === 'string' ? `${value}x` : value);
const both = (one: Any, keys: readonly string[]): boolean => keys.every((key) => typeof one[key] === 'number');
const interactions = [
  'organicLikeCount',
  'organicCommentCount',
  'organicSaveCount',
  'organicShareCount',
  'organicTotalInteractions',
];

export const doc: Table = () =>
  table('DOC', [
    ['followers are text', 'DOC-01', (r) => channels(r, (one) => (one.followersCount = String(one.followersCount)))],
    ['a number is true', 'DOC-01', (r) => channels(r, (one) => (one.netB.videosCount = true))],
    ['a snapshot is of the year 2099', 'DOC-01', (r) => channels(r, (one) => (one.updatedAt = '2099-01-01T00:00:00Z'))],
    ['a post is of the year 2099', 'DOC-01', (r) => posts(r, (one) => (one.postedAt = '2099-01-01T00:00:00Z'))],
    [
      'what is not known is -1',
      'DOC-01',
      (r) => channels(r, (one) => (one.followersCount = one.netA.followsCount = one.netB.followingCount = -1)),
      'ruling',
    ],
    ['badges are one text', 'DOC-01', (r) => channels(r, (one) => (one.netA.badges = 'a,b'))],
    ['netB has no medianViews', 'DOC-01', (r) => channels(r, (one) => delete one.netB.medianViews)],
    ['a channel is null where it may not be', 'DOC-01', (r) => channels(r, (one) => (one.network = null))],
    ['a post has no hashtags', 'DOC-01', (r) => posts(r, (one) => delete one.netA.hashtags)],
    ['hashtags are null', 'DOC-01', (r) => posts(r, (one) => (one.netA.hashtags = null))],
    [
      'a mention does not say whether it is resolved',
      'DOC-01',
      (r) => posts(r, (one) => one.netA.mentions.forEach((mention: Any) => delete mention.resolved)),
    ],
    ['mediaKind is one of the raw kinds', 'DOC-01', (r) => posts(r, (one) => (one.mediaKind = 'CAROUSEL_ALBUM'))],
    ['a post has no author', 'DOC-01', (r) => posts(r, (one) => (one.author = null))],
    [
      'an author of a creator post has no account',
      'DOC-01',
      (r) => creatorPosts(r, (one) => (one.author.accountId = null)),
    ],
    ['retention is a text', 'DOC-01', (r) => posts(r, (one) => (one.netB.viewRetentionRates = '1,0.8'))],
    ['a creator has no channel', 'DOC-02', (r) => documents(r, (one) => one.channels && (one.channels = []))],
    [
      'channels is one channel',
      'DOC-02',
      (r) => documents(r, (one) => one.channels && (one.channels = one.channels[0])),
    ],
    [
      'a channel lacks the group of the other network',
      'DOC-03',
      (r) => channels(r, (one) => delete one[one.network === 'netA' ? 'netB' : 'netA']),
    ],
    [
      'the group of the other network is null',
      'DOC-03',
      (r) => posts(r, (one) => (one[one.network === 'netA' ? 'netB' : 'netA'] = null)),
    ],
    [
      'a post lacks the group of the other network',
      'DOC-03',
      (r) => posts(r, (one) => delete one[one.network === 'netA' ? 'netB' : 'netA']),
    ],
    [
      'the group of the other network has values',
      'DOC-03',
      (r) =>
        channels(r, (one) => {
          if (one.network === 'netA') one.netB.displayName = 'Somebody';
          else one.netA.name = 'Somebody';
        }),
      'ruling',
    ],
    [
      'the other group of a post has values',
      'DOC-03',
      (r) =>
        posts(r, (one) => {
          if (one.network === 'netA') one.netB.favoriteCount = 3;
          else one.netA.organicReach = 3;
        }),
      'ruling',
    ],
    ['verified is null', 'DOC-04', (r) => channels(r, (one) => (one.verified = null))],
    ['hasProfilePic is null', 'DOC-04', (r) => channels(r, (one) => (one.netA.hasProfilePic = null))],
    ['isPublished is a word', 'DOC-04', (r) => channels(r, (one) => (one.netA.isPublished = 'yes'))],
    [
      'isPaidPartnershipMessagesEnabled is null',
      'DOC-04',
      (r) => channels(r, (one) => (one.netA.isPaidPartnershipMessagesEnabled = null)),
    ],
    [
      'an unobserved creatorRate is left out',
      'DOC-05',
      (r) => channels(r, (one) => one.netB.creatorRate === null && delete one.netB.creatorRate),
      'ruling',
    ],
    [
      'an unobserved creatorRate is empty',
      'DOC-05',
      (r) => channels(r, (one) => one.netB.creatorRate === null && (one.netB.creatorRate = {})),
      'ruling',
    ],
    [
      'unobserved commercialAnalysis is null',
      'DOC-05',
      (r) => analysis(r, (one) => 'commercialAnalysis' in one && (one.commercialAnalysis = null)),
      'ruling',
    ],
    [
      'unobserved productionAnalysis is empty',
      'DOC-12',
      (r) => analysis(r, (one) => 'productionAnalysis' in one && (one.productionAnalysis = {})),
      'ruling',
    ],
    [
      'permalink is another address',
      'DOC-06',
      (r) =>
        posts(r, (one) => {
          if (one.network === 'netA') one.netA.permalink = other(one.netA.permalink);
        }),
    ],
    [
      'caption is another text',
      'DOC-06',
      (r) =>
        posts(r, (one) => {
          if (one.network === 'netA') one.netA.caption = other(one.netA.caption);
        }),
    ],
    [
      'likes of netA differ',
      'DOC-06',
      (r) =>
        posts(r, (one) => {
          if (one.network === 'netA') one.netA.totalLikeCount = more(one.netA.totalLikeCount);
        }),
    ],
    [
      'comments of netA differ',
      'DOC-06',
      (r) =>
        posts(r, (one) => {
          if (one.network === 'netA') one.netA.totalCommentCount = more(one.netA.totalCommentCount);
        }),
    ],
    [
      'views of netA differ',
      'DOC-06',
      (r) =>
        posts(r, (one) => {
          if (one.network === 'netA') one.netA.totalViewCount = more(one.netA.totalViewCount);
        }),
    ],
    [
      'likes of netB differ',
      'DOC-06',
      (r) =>
        posts(r, (one) => {
          if (one.network === 'netB') one.netB.totalLikeCount = more(one.netB.totalLikeCount);
        }),
    ],
    [
      'views of netB differ',
      'DOC-06',
      (r) =>
        posts(r, (one) => {
          if (one.network === 'netB') one.netB.totalViewCount = more(one.netB.totalViewCount);
        }),
    ],
    [
      'shares of netB differ',
      'DOC-06',
      (r) =>
        posts(r, (one) => {
          if (one.network === 'netB' && typeof one.shareCount === 'number') one.netB.organicShareCount += 1;
        }),
    ],
    [
      'netBVideoId is another id',
      'DOC-06',
      (r) =>
        posts(r, (one) => {
          if (one.network === 'netB') one.netB.netBVideoId = other(one.netB.netBVideoId);
        }),
    ],
    [
      'the sum of netA leaves shares out',
      'DOC-07',
      (r) =>
        posts(r, (one) => {
          if (both(one.netA, interactions)) one.netA.organicTotalInteractions -= one.netA.organicShareCount || 1;
        }),
    ],
    [
      'the sum of netB leaves favorites out',
      'DOC-07',
      (r) =>
        posts(r, (one) => {
          if (both(one.netB, ['engagementCount', 'favoriteCount']))
            one.netB.engagementCount -= one.netB.favoriteCount || 1;
        }),
    ],
    ['a hashtag is not in the caption', 'DOC-08', (r) => posts(r, (one) => one.netA.hashtags.push('notinthecaption'))],
    ['hashtags lack one', 'DOC-08', (r) => posts(r, (one) => one.netA.hashtags.pop())],
    [
      'a mention is of another type',
      'DOC-08',
      (r) => posts(r, (one) => one.netA.mentions.forEach((mention: Any) => (mention.type = 'STICKER'))),
    ],
    [
      'types of mentions are in lower case',
      'DOC-08',
      (r) =>
        posts(r, (one) => one.netA.mentions.forEach((mention: Any) => (mention.type = mention.type.toLowerCase()))),
    ],
    [
      'a post is of another author',
      'DOC-09',
      (r) => creatorPosts(r, (one) => (one.author.accountId = `${one.author.accountId}9`)),
    ],
    [
      'posts of a creator are of the other network',
      'DOC-09',
      (r) => creatorPosts(r, (one) => (one.network = one.network === 'netA' ? 'netB' : 'netA')),
    ],
    [
      'posts name the username for the account',
      'DOC-09',
      (r) => creatorPosts(r, (one) => (one.author.accountId = one.author.username ?? 'nobody')),
    ],
    ['media is null', 'DOC-10', (r) => posts(r, (one) => (one.media = null))],
    [
      'media is a list of addresses',
      'DOC-10',
      (r) => posts(r, (one) => (one.media = one.media.map((medium: Any) => medium.mediaUrl))),
    ],
    [
      'an unavailable asset lacks its key',
      'DOC-10',
      (r) => posts(r, (one) => one.media.forEach((medium: Any) => delete medium.thumbnailUrl)),
    ],
    [
      'media of a creator post lack their key',
      'DOC-10',
      (r) => creatorPosts(r, (one) => one.media.forEach((medium: Any) => delete medium.mediaUrl)),
    ],
    [
      'brandSafety has eleven keys',
      'DOC-11',
      (r) => analysis(r, (one) => one.brandSafety && delete one.brandSafety.misinformation),
      'ruling',
    ],
    [
      'brandSafety has a value of its own',
      'DOC-11',
      (r) => analysis(r, (one) => one.brandSafety && (one.brandSafety.terrorism = 'No Risk')),
      'ruling',
    ],
    [
      'brandSafety has thirteen keys',
      'DOC-11',
      (r) => analysis(r, (one) => one.brandSafety && (one.brandSafety.gambling = 'Low Risk')),
      'ruling',
    ],
    [
      'the score of comments is a text',
      'DOC-12',
      (r) => analysis(r, (one) => 'commentSentimentScore' in one && (one.commentSentimentScore = 'high')),
      'ruling',
    ],
    [
      'narration is an object',
      'DOC-12',
      (r) => analysis(r, (one) => 'narration' in one && (one.narration = { text: 'x' })),
      'ruling',
    ],
  ]);
