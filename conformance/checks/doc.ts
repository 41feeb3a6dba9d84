/** DOC: every document that was seen, wherever it was answered. */
import { isObject, shown, type Json } from '../answer.ts';
import type { Look } from '../look.ts';
import type { Check, CheckContext } from '../model.ts';
import { channels, check, creatorPosts, documents, objects, type Found } from './check.ts';
import {
  attested,
  bothGroups,
  captionOf,
  flags,
  foreignGroup,
  group,
  mediaOf,
  plausible,
  unattested,
} from './document.ts';

/** Breaches of the schema inside documents. */
function schemaBreaches(look: Look, context: CheckContext, relevant: (pointer: string) => boolean): void {
  for (const exchange of context.exchanges) {
    if (exchange.response.status !== 200) continue;
    for (const { area, pointer, expected, seen, level, keyword } of context.breaches(exchange)) {
      if (area === 'body' && pointer.startsWith('/data') && keyword !== 'additionalProperties' && relevant(pointer))
        look.fail(exchange, pointer, expected, seen, level);
    }
  }
}

function seen(look: Look, found: readonly Found[], what: string): void {
  for (const { exchange } of found) look.at(exchange);
  if (found.length === 0) look.miss(`no ${what} was answered`);
}

/** Pairs of names of DOC-06: key in the group, key in the core. */
const names = {
  netA: [
    ['permalink', 'url'],
    ['caption', 'text'],
    ['totalLikeCount', 'likeCount'],
    ['totalCommentCount', 'commentCount'],
    ['totalViewCount', 'viewCount'],
  ],
  netB: [
    ['totalViewCount', 'viewCount'],
    ['totalLikeCount', 'likeCount'],
    ['totalCommentCount', 'commentCount'],
    ['organicShareCount', 'shareCount'],
    ['netBVideoId', 'externalId'],
  ],
} as const;

const sums = {
  netA: [
    ['organicTotalInteractions', ['organicLikeCount', 'organicCommentCount', 'organicSaveCount', 'organicShareCount']],
  ],
  netB: [['engagementCount', ['totalLikeCount', 'totalCommentCount', 'totalShareCount', 'favoriteCount']]],
} as const;

/** The (group, post) pairs whose group is the post's own network. */
function* ownGroups(context: CheckContext): Generator<{ found: Found; network: 'netA' | 'netB'; own: Json }> {
  for (const found of documents(context, 'post')) {
    const { network } = found.document;
    if (network === 'netA' || network === 'netB') yield { found, network, own: group(found.document, network) };
  }
}

const safetyKeys = [
  'adult_content',
  'arms_ammunition',
  'crime_harmful_acts',
  'death_injury',
  'online_piracy',
  'hate_speech',
  'obscenity_profanity',
  'illegal_drugs',
  'spam_harmful',
  'terrorism',
  'debated_sensitive_social_issue',
  'misinformation',
];
const risks = ['High Risk', 'Medium Risk', 'Low Risk'];

const analyses = (context: CheckContext): (Found & { analysis: Json })[] =>
  documents(context, 'post').flatMap((found) =>
    isObject(found.document['analysis']) ? [{ ...found, analysis: found.document['analysis'] }] : [],
  );

export const doc: readonly Check[] = [
  check('DOC-13', (look, context) => {
    if (context.profile === 'core' || context.profile === 'rate-limit')
      return look.lacks('judged by --profile extended');
    if (!context.target.capabilities.marketplace) return look.lacks('the target says it has no marketplace');
    const exchange = look.step('marketplace-withoutMarketplace', 'ruling');
    const full = look.step('marketplace-otherPrincipal', 'ruling');
    const of = (one: typeof full) =>
      channels(context).filter(({ exchange: other, channel }) => other === one && channel['network'] === 'netA');
    const covered = of(full).some(({ channel }) => attested.some((key) => group(channel, 'netA')[key] !== null));
    if (!covered) look.miss('the held creator of netA is none that the marketplace knows', 'ruling');
    for (const { pointer, channel } of exchange ? of(exchange) : []) unattested(look, exchange, pointer, channel);
    for (const { found, posts } of creatorPosts(context).filter(({ found }) => found.exchange === exchange))
      for (const [index, post] of posts.entries())
        if (post['network'] === 'netA')
          look.that(
            group(post, 'author')['verified'] === false,
            found.exchange,
            `${found.pointer}/posts/${index}/author/verified`,
            'false, as for anyone without the marketplace',
            group(post, 'author')['verified'],
            'ruling',
          );
    if (exchange && of(exchange).length === 0) look.miss('the creator was not answered', 'ruling');
  }),
  check('DOC-01', (look, context) => {
    seen(look, documents(context, 'creator'), 'creator');
    seen(look, documents(context, 'post'), 'post');
    schemaBreaches(look, context, () => true);
    for (const { exchange, pointer, channel } of channels(context)) plausible(look, exchange, pointer, channel);
    for (const { exchange, pointer, document } of documents(context, 'post'))
      plausible(look, exchange, pointer, document);
  }),
  check('DOC-02', (look, context) => {
    const found = documents(context, 'creator');
    seen(look, found, 'creator');
    for (const { exchange, pointer, document } of found) {
      const { channels: list } = document;
      look.that(Array.isArray(list) && list.length >= 1, exchange, `${pointer}/channels`, 'one channel at least', list);
    }
  }),
  check('DOC-03', (look, context) => {
    seen(look, documents(context, 'creator'), 'creator');
    for (const { exchange, pointer, channel } of channels(context)) {
      bothGroups(look, exchange, pointer, channel);
      foreignGroup(look, { exchange, pointer, document: channel, batch: false });
    }
    for (const found of documents(context, 'post')) {
      bothGroups(look, found.exchange, found.pointer, found.document);
      foreignGroup(look, found);
    }
    schemaBreaches(look, context, (pointer) => /\/(?:netA|netB)$/.test(pointer));
  }),
  check('DOC-04', (look, context) => {
    const found = channels(context);
    seen(look, found, 'channel');
    for (const { exchange, pointer, channel } of found) {
      look.that(
        typeof channel['verified'] === 'boolean',
        exchange,
        `${pointer}/verified`,
        'true or false',
        channel['verified'],
      );
      const level = channel['network'] === 'netA' ? 'specification' : 'ruling';
      for (const flag of flags)
        look.that(
          typeof group(channel, 'netA')[flag] === 'boolean',
          exchange,
          `${pointer}/netA/${flag}`,
          'true or false',
          group(channel, 'netA')[flag],
          level,
        );
    }
  }),
  check('DOC-05', (look, context) => {
    for (const { exchange, pointer, channel } of channels(context)) {
      const rate = group(channel, 'netB')['creatorRate'];
      const holds =
        rate === null || (isObject(rate) && typeof rate['currency'] === 'string' && typeof rate['rate'] === 'number');
      look.that(holds, exchange, `${pointer}/netB/creatorRate`, 'null or { currency, rate }', rate, 'ruling');
    }
    for (const { exchange, pointer, analysis } of analyses(context)) {
      for (const key of ['commercialAnalysis', 'emotionalAnalysis', 'productionAnalysis']) {
        if (key in analysis)
          look.that(
            isObject(analysis[key]),
            exchange,
            `${pointer}/analysis/${key}`,
            'an object, its members null while unobserved',
            analysis[key],
            'ruling',
          );
      }
    }
  }),
  check('DOC-06', (look, context) => {
    seen(look, documents(context, 'post'), 'post');
    for (const { found, network, own } of ownGroups(context)) {
      for (const [inGroup, inCore] of names[network]) {
        const [one, other] = [own[inGroup], found.document[inCore]];
        if (one !== undefined && other !== undefined)
          look.that(
            one === other,
            found.exchange,
            `${found.pointer}/${network}/${inGroup}`,
            `${shown(other)}, as ${inCore} is`,
            one,
          );
      }
    }
  }),
  check('DOC-07', (look, context) => {
    seen(look, documents(context, 'post'), 'post');
    for (const { found, network, own } of ownGroups(context)) {
      for (const [total, parts] of sums[network]) {
        const values = parts.map((part) => own[part]);
        if (!values.every((value) => typeof value === 'number') || typeof own[total] !== 'number') continue;
        const sum = values.reduce((one, other) => one + other, 0);
        look.that(
          Math.abs(own[total] - sum) < 1e-6,
          found.exchange,
          `${found.pointer}/${network}/${total}`,
          `${sum}, the sum of ${parts.join(', ')}`,
          own[total],
        );
      }
    }
  }),
  check('DOC-08', (look, context) => {
    seen(look, documents(context, 'post'), 'post');
    for (const { found, own, network } of ownGroups(context)) if (network === 'netA') captionOf(look, found, own);
  }),
  check('DOC-09', (look, context) => {
    const found = creatorPosts(context);
    if (found.length === 0) return look.miss('no creator was answered with posts');
    if (found.every(({ posts }) => posts.length === 0)) look.miss('no creator was answered with a post');
    for (const { found: creator, posts } of found) {
      look.at(creator.exchange);
      const networks = objects(creator.document['channels']).map(({ network }) => network);
      const ids = objects(creator.document['channels']).map(({ externalId }) => externalId);
      for (const [index, post] of posts.entries()) {
        const accountId = group(post, 'author')['accountId'];
        const open = ids.some((id) => typeof id !== 'string');
        look.that(
          open || ids.includes(accountId),
          creator.exchange,
          `${creator.pointer}/posts/${index}/author/accountId`,
          `one of ${shown(ids)}`,
          accountId,
        );
        const { network } = post;
        look.that(
          network === null || network === undefined || networks.includes(network),
          creator.exchange,
          `${creator.pointer}/posts/${index}/network`,
          `one of ${shown(networks)}`,
          network,
        );
      }
    }
  }),
  check('DOC-10', (look, context) => {
    const posts = documents(context, 'post');
    seen(look, posts, 'post');
    for (const { exchange, pointer, document } of posts) mediaOf(look, exchange, pointer, document);
    for (const { found, posts: some } of creatorPosts(context))
      for (const [index, post] of some.entries())
        mediaOf(look, found.exchange, `${found.pointer}/posts/${index}`, post);
  }),
  check('DOC-11', (look, context) => {
    const found = analyses(context).filter(({ analysis }) => 'brandSafety' in analysis);
    seen(look, found, 'brandSafety');
    for (const { exchange, pointer, analysis } of found) {
      const judged = analysis['brandSafety'];
      if (judged === null) continue;
      const at = `${pointer}/analysis/brandSafety`;
      if (!look.that(isObject(judged), exchange, at, 'null or 12 keys', judged, 'ruling') || !isObject(judged))
        continue;
      look.that(
        Object.keys(judged).toSorted().join() === safetyKeys.toSorted().join(),
        exchange,
        at,
        'the 12 keys exactly',
        Object.keys(judged),
        'ruling',
      );
      for (const [key, value] of Object.entries(judged))
        look.that(risks.includes(String(value)), exchange, `${at}/${key}`, risks.join(', '), value, 'ruling');
    }
  }),
  check('DOC-12', (look, context) => {
    seen(look, analyses(context), 'analysis');
    schemaBreaches(look, context, (pointer) => pointer.includes('/analysis/'));
  }),
];
