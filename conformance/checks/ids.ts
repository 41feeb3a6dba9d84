/** IDS: identifiers. */
import { dataOf, documentOf, fetchingOf, isObject, shown, unavailableOf } from '../answer.ts';
import type { Check } from '../model.ts';
import { check, facts, isCreator, placeOf, short, submitted, unavailableWith } from './check.ts';
import {
  bad,
  echoes,
  inOwnNetwork,
  nameOf,
  neverFor,
  neverUnsupported,
  ofNobody,
  ofUnsupported,
  parsed,
  settled,
} from './identifiers.ts';
import { onTheirNetworks, sameByEachName } from './same.ts';

export const ids: readonly Check[] = [
  check('IDS-01', (look, context) => {
    for (const step of ['creators-batch', 'creators-other', 'posts-batch', 'posts-other']) {
      const exchange = settled(look, step);
      if (!exchange) continue;
      parsed(look, context, exchange, (id) => ofUnsupported(context, id) || ofNobody(id));
      onTheirNetworks(look, context, exchange);
    }
    sameByEachName(look, context, 'creators-get', 'creators-other');
    for (const step of ['posts-other', 'posts-spellings']) sameByEachName(look, context, 'posts-get', step);
    const batch = context.last('creators-batch');
    if (batch?.response.status === 200)
      inOwnNetwork(look, context, batch, [
        ['netA', (handle) => handle],
        ['netB', (handle) => `netB:${handle}`],
      ]);
    const other = context.last('creators-other');
    if (other?.response.status === 200) inOwnNetwork(look, context, other, [['netB', (handle) => handle]]);
  }),
  check('IDS-02', (look, context) => {
    const other = settled(look, 'creators-other');
    if (other) {
      inOwnNetwork(look, context, other, [['netA', (handle) => `netA:${handle}`]]);
      neverUnsupported(look, context, other);
    }
    const posts = settled(look, 'posts-other');
    if (posts) neverUnsupported(look, context, posts);
    const spellings = settled(look, 'posts-spellings');
    for (const exchange of [other, posts, spellings]) if (exchange) onTheirNetworks(look, context, exchange);
    const hundred = settled(look, 'creators-hundred');
    if (!hundred) return;
    const held = facts(context, 'creators-hundred', 'held');
    neverFor(look, hundred, held, 'not-supported-on-network', 'to stay on its own network');
  }),
  check('IDS-03', (look, context) => {
    const exchange = settled(look, 'creators-batch');
    if (exchange)
      inOwnNetwork(look, context, exchange, [
        ['netA', (handle) => handle],
        ['netB', (handle) => `netB:${handle}`],
      ]);
    const posts = settled(look, 'posts-batch');
    const data = posts ? dataOf(posts) : [];
    if (posts && data.length >= 2)
      for (const network of ['netA', 'netB'])
        look.that(
          data.some((post) => post['network'] === network),
          posts,
          '/data',
          `a post of ${network}`,
          data.map((post) => post['network']),
        );
  }),
  check('IDS-04', (look, context) => {
    const exchange = settled(look, 'creators-other');
    if (exchange) echoes(look, context, exchange);
    const posts = settled(look, 'posts-other');
    if (posts) echoes(look, context, posts);
  }),
  check('IDS-05', (look, context) => {
    for (const step of [
      'creators-empty',
      ...(context.strict ? [] : ['creators-missing-ids']),
      'creators-101',
      'posts-101',
      'creators-101-get',
      'posts-101-post',
      'posts-none',
    ])
      bad(look, step);
    for (const step of ['creators-hundred', 'creators-long', 'posts-spellings', 'posts-other']) {
      const exchange = settled(look, step);
      if (!exchange) continue;
      const wanted = new Set(submitted(context, exchange)).size;
      const answered = dataOf(exchange).length + fetchingOf(exchange).length + unavailableOf(exchange).length;
      look.that(answered >= wanted, exchange, '', `${wanted} identifiers to be answered, none cut off`, answered);
    }
  }),
  check('IDS-06', (look, context) => {
    for (const step of ['creators-batch', 'posts-batch', 'creators-get', 'posts-get', 'posts-spellings']) {
      const exchange = settled(look, step);
      for (const id of exchange ? submitted(context, exchange) : [])
        if (exchange && ofUnsupported(context, id)) unavailableWith(look, exchange, id, 'not-supported-on-network');
    }
    for (const step of ['one-creator', 'one-post']) {
      const exchange = context.last(step);
      if (exchange) look.status(exchange, 200);
    }
    for (const step of ['creators-long', 'deep-accepted']) {
      const exchange = context.last(step);
      if (exchange && look.status(exchange, 200))
        unavailableWith(look, exchange, 'someone', 'not-supported-on-network');
    }
    const hundred = settled(look, 'creators-hundred');
    for (const id of hundred ? submitted(context, hundred) : [])
      if (hundred && id.startsWith('pad-')) unavailableWith(look, hundred, id, 'not-supported-on-network');
  }),
  check('IDS-07', (look, context) => {
    for (const step of ['creators-batch', 'creators-get', 'posts-batch', 'posts-get', 'creators-long']) {
      const exchange = settled(look, step);
      for (const id of exchange ? submitted(context, exchange) : [])
        if (exchange && ofNobody(id)) unavailableWith(look, exchange, id, 'unparseable-identifier');
    }
  }),
  check('IDS-08', (look, context) => {
    const creators = settled(look, 'creators-hundred', 'ruling');
    for (const id of facts(context, 'creators-hundred', 'unparseable'))
      if (creators && /\/(?:p|video)\//.test(id))
        unavailableWith(look, creators, id, 'unparseable-identifier', 'ruling');
    const posts = settled(look, 'posts-spellings', 'ruling');
    for (const id of facts(context, 'posts-spellings', 'unparseable'))
      if (posts) unavailableWith(look, posts, id, 'unparseable-identifier', 'ruling');
  }),
  check('IDS-09', (look, context) => {
    if (!context.strict) return;
    const head = look.step('creator-head', 'ruling');
    const get = context.last('creator-posts');
    if (head && get?.response.status === 200) look.status(head, 200, 'ruling');
    const single = look.step('post-analysis', 'ruling');
    if (single) look.status(single, [200, 202], 'ruling');
    const exchange = settled(look, 'creators-hundred', 'ruling');
    const handle = nameOf(context, 'netA');
    const spellings = facts(context, 'creators-hundred', 'held');
    if (!exchange || handle === undefined) return;
    if (
      spellings.some((id) => placeOf(exchange, id).in === 'fetching') &&
      context.last('creators-get')?.response.status !== 200
    )
      return look.miss('the creator was not held yet', 'ruling');
    const documents = dataOf(exchange).filter((document) => isCreator(document, 'netA', handle));
    look.that(
      documents.length === spellings.length,
      exchange,
      '/data',
      `${handle} ${spellings.length} times, once for each of ${shown(spellings)}`,
      documents.length,
      'ruling',
    );
    look.that(
      new Set(documents.map((document) => JSON.stringify(document['channels']))).size <= 1,
      exchange,
      '/data',
      'the same document each time',
      'different ones',
      'ruling',
    );
  }),
  check('IDS-10', (look, context) => {
    if (!context.strict) return;
    const exchange = settled(look, 'creators-hundred', 'ruling');
    if (!exchange) return;
    unavailableWith(look, exchange, '  padded  ', 'not-supported-on-network', 'ruling');
    const blank = unavailableOf(exchange).find(({ id }) => typeof id === 'string' && id.trim() === '');
    look.that(blank === undefined, exchange, '/unavailable', 'blank items to be dropped', blank, 'ruling');
    for (const id of facts(context, 'creators-hundred', 'held').filter((each) => each !== each.trim())) {
      const place = placeOf(exchange, id);
      look.that(
        place.in !== 'unavailable',
        exchange,
        '/unavailable',
        `${short(id)} without its blanks`,
        place,
        'ruling',
      );
    }
  }),
  check('IDS-11', (look, context) => {
    if (!context.strict) return;
    const cap = look.step('creators-101', 'ruling');
    if (cap) look.status(cap, 400, 'ruling');
    const exchange = settled(look, 'creators-hundred', 'ruling');
    if (!exchange) return;
    const twice = `${context.target.unsupportedNetwork}:twice`;
    const count = unavailableOf(exchange).filter(({ id }) => id === twice).length;
    look.that(count === 1, exchange, '/unavailable', `${twice}, submitted twice, answered once`, count, 'ruling');
    const spellings = facts(context, 'creators-hundred', 'held');
    const rest = spellings.filter((id) => placeOf(exchange, id).in === 'elsewhere').length;
    look.that(
      dataOf(exchange).length === rest,
      exchange,
      '/data',
      `each of ${shown(spellings)} answered`,
      dataOf(exchange).length,
      'ruling',
    );
  }),
  check('IDS-12', (look, context) => {
    if (!context.strict) return;
    const exchange = settled(look, 'posts-spellings', 'ruling');
    if (!exchange) return;
    echoes(look, context, exchange, 'ruling');
    for (const [list, network] of [
      ['sameA', 'netA'],
      ['sameB', 'netB'],
    ] as const) {
      const spellings = facts(context, 'posts-spellings', list);
      if (spellings.some((id) => placeOf(exchange, id).in === 'fetching'))
        look.note(`some of ${shown(spellings)} were still being fetched`);
      const inData = spellings.filter((id) => placeOf(exchange, id).in === 'elsewhere').length;
      look.that(
        inData === spellings.length,
        exchange,
        '/data',
        `all of ${shown(spellings)} held`,
        `${inData} of them`,
        'ruling',
      );
      const ids = dataOf(exchange)
        .filter((post) => post['network'] === network && post['externalId'] !== null)
        .map((post) => post['externalId']);
      const others = facts(context, 'posts-spellings', 'other').filter(
        (id) => id.startsWith(`${network}:`) && placeOf(exchange, id).in === 'elsewhere',
      ).length;
      look.that(
        ids.length === 0 || new Set(ids).size === 1 + others,
        exchange,
        '/data',
        `${1 + others} posts of ${network}: case counts, the spelling around it does not`,
        ids,
        'ruling',
      );
    }
  }),
  check('IDS-13', (look, context) => {
    if (!context.strict) return;
    const exchange = settled(look, 'creators-hundred', 'ruling');
    if (!exchange) return;
    for (const id of facts(context, 'creators-hundred', 'unparseable'))
      if (!/\/(?:p|video)\//.test(id)) unavailableWith(look, exchange, id, 'unparseable-identifier', 'ruling');
    for (const id of facts(context, 'creators-hundred', 'foreign'))
      unavailableWith(look, exchange, id, 'not-supported-on-network', 'ruling');
    const posts = settled(look, 'posts-spellings', 'ruling');
    for (const id of facts(context, 'posts-spellings', 'formless'))
      if (posts) unavailableWith(look, posts, id, 'unparseable-identifier', 'ruling');
  }),
  check('IDS-14', (look, { strict }) => {
    if (!strict) return;
    bad(look, 'posts-neither', 'ruling');
    const exchange = settled(look, 'creators-other', 'ruling');
    if (exchange) echoes(look, look.context, exchange, 'ruling');
    const single = look.step('post-analysis', 'ruling');
    const document = single && look.status(single, [200, 202], 'ruling') ? documentOf(single) : undefined;
    const analysis = isObject(document?.['analysis']) ? document['analysis'] : undefined;
    for (const key of facts(look.context, 'post-analysis', 'include'))
      if (single && analysis)
        look.that(key in analysis, single, `/data/analysis/${key}`, 'what any include names', 'no such key', 'ruling');
  }),
];
