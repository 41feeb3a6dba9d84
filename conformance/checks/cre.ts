/** CRE: one creator. */
import {
  detailsOf,
  documentOf,
  errorOf,
  fetchingOf,
  headerOf,
  isFetching,
  reasonOf,
  shown,
  waitOf,
} from '../answer.ts';
import type { Look } from '../look.ts';
import type { Check, CheckContext, Exchange } from '../model.ts';
import { agreement, retryability } from './batch.ts';
import { check, creatorPosts, facts, isCreator, objects, placeOf, short, unavailableWith } from './check.ts';
import { amongBatch } from './same.ts';

/** A read of something held: 200 with its document. 202 is left to STA-02's ruling; without any 200 nothing was shown. */
export function heldRead(look: Look, steps: readonly string[], key: string): void {
  let seen = false;
  for (const step of steps) {
    const exchange = look.step(step);
    if (!exchange) continue;
    if (exchange.response.status === 202) look.fail(exchange, 'status', '200, as it is held', '202', 'ruling');
    else if (look.status(exchange, 200)) {
      seen = true;
      look.that(
        documentOf(exchange)?.[key] !== undefined,
        exchange,
        '/data',
        `a document with ${key}`,
        exchange.response.json,
      );
      const wait = headerOf(exchange.response, 'retry-after');
      look.that(wait === undefined, exchange, 'header:Retry-After', 'no such header', wait, 'ruling');
    }
  }
  if (!seen) look.miss('no read of something held was answered 200');
}

/** Whether an earlier run may have read the name already: one without `{uuid}` is the same in each. */
const mayBeUsedUp = ({ target }: CheckContext, kind: 'creators' | 'posts'): boolean =>
  Object.values(target.networks).some((network) => network[kind].notHeld?.includes('{uuid}') === false);

/** CRE-02 and its like: the first read of something new. */
export function firstRead(look: Look, context: CheckContext, step: string, kind: 'creators' | 'posts'): void {
  const exchange = context.first(step);
  if (!exchange) return void look.step(step);
  if (exchange.response.status === 404 && reasonOf(exchange) !== undefined)
    return look.miss('the new identifier cannot be had at the target');
  if (documentOf(exchange) !== undefined && mayBeUsedUp(context, kind))
    return look.miss(
      'what the target calls not held was answered at once: is the name used up? {uuid} in it makes it new',
    );
  if (!look.status(exchange, 202)) return;
  look.that(fetchingOf(exchange).length === 1, exchange, '/fetching', 'exactly one entry', fetchingOf(exchange).length);
  look.that((waitOf(exchange) ?? 0) >= 1, exchange, 'header:Retry-After', 'whole seconds, 1 or more', waitOf(exchange));
  const instant = fetchingOf(exchange)[0]?.['retryAfter'];
  if (typeof instant === 'string') agreement(look, exchange, instant);
}

/** CRE-03 and its like: the same request once the wait, and some patience, is over. */
export function reRead(look: Look, context: CheckContext, step: string): void {
  const all = context.of(step);
  const last = all.at(-1);
  if (!last) return void look.step(step);
  look.at(last);
  if (!isFetching(all[0] ?? last)) return look.miss('there was nothing to wait for');
  const stopped = context.absence(`${step}:poll`);
  if (stopped !== undefined && isFetching(last)) return look.miss(stopped);
  if (isFetching(last)) {
    const seconds = Math.round((last.receivedAt - (all[0] ?? last).receivedAt) / 1000);
    const waited = `${last.response.status}, still fetching ${seconds} s after the first read`;
    return look.fail(last, 'status', '200, or 404 where it cannot be had, once the wait is over', waited);
  }
  if (look.status(last, [200, 404]) && last.response.status === 404)
    look.that(typeof reasonOf(last) === 'string', last, '/error/details/reason', 'why it cannot be had', errorOf(last));
}

/** CRE-04 and its like: what cannot be had is 404 with its reason, and terminal. */
export function miss(look: Look, context: CheckContext, step: string, batch: string): void {
  const exchange = look.step(step);
  if (!exchange) return;
  const pending = context.last(batch);
  if (exchange.response.status === 202 && pending && isFetching(pending))
    return look.miss('it was still being looked for');
  if (!look.refusal(exchange, 404, 'not-found')) return;
  const reason = reasonOf(exchange);
  look.that(
    typeof reason === 'string' && reason !== '',
    exchange,
    '/error/details/reason',
    'the cause',
    errorOf(exchange),
  );
  look.that(
    reason !== 'unparseable-identifier' && reason !== 'not-supported-on-network',
    exchange,
    '/error/details/reason',
    'the cause: it is well written, and its network is supported',
    reason,
  );
  const details = detailsOf(exchange);
  if (details) retryability(look, exchange, '/error/details', details);
}

/** The `id` of a 202 is what the caller wrote. */
export function echo(look: Look, context: CheckContext, step: string): void {
  const exchange = context.first(step);
  if (!exchange) return void look.step(step, 'ruling');
  if (exchange.response.status !== 202) return;
  const [id = ''] = facts(context, step, 'id');
  look.that(
    fetchingOf(exchange)[0]?.['id'] === id,
    exchange,
    '/fetching/0/id',
    shown(id),
    fetchingOf(exchange)[0]?.['id'],
    'ruling',
  );
}

/** The document is of the network, and of the handle that the target calls held. */
function rightOne(look: Look, context: CheckContext, step: string): void {
  const exchange = context.last(step);
  const document = exchange && documentOf(exchange);
  const [network = '', name = ''] = [...facts(context, step, 'network'), ...facts(context, step, 'name')];
  if (!exchange || !document || objects(document['channels']).length === 0) return;
  look.that(
    isCreator(document, network, name),
    exchange,
    '/data/channels',
    `${name} of ${network}`,
    objects(document['channels']).map((channel) => [channel['network'], channel['username']]),
  );
}

const withPosts = (exchange: Exchange): unknown => documentOf(exchange)?.['posts'];

export const cre: readonly Check[] = [
  check('CRE-01', (look, context) => {
    heldRead(look, ['creator-held', 'creator-posts'], 'channels');
    for (const step of ['creator-held', 'creator-posts']) {
      rightOne(look, context, step);
      amongBatch(look, context, step, context.last('creators-get'));
    }
  }),
  check('CRE-02', (look, context) => firstRead(look, context, 'creator-fetch', 'creators')),
  check('CRE-03', (look, context) => {
    reRead(look, context, 'creator-fetch');
    rightOne(look, context, 'creator-fetch');
  }),
  check('CRE-04', (look, context) => {
    miss(look, context, 'creator-missing', 'creators-batch');
    if (context.planned('creator-broken')) miss(look, context, 'creator-broken', 'creators-batch');
  }),
  check('CRE-05', (look) => {
    const exchange = look.step('creator-unsupported');
    if (!exchange || !look.refusal(exchange, 404, 'not-found')) return;
    look.that(
      reasonOf(exchange) === 'not-supported-on-network',
      exchange,
      '/error/details/reason',
      '"not-supported-on-network"',
      reasonOf(exchange),
      'ruling',
    );
  }),
  check('CRE-06', (look, context) => {
    const asked = look.step('creator-posts');
    if (asked?.response.status === 200)
      look.that(Array.isArray(withPosts(asked)), asked, '/data/posts', 'an array', withPosts(asked));
    else if (asked) look.miss('the read with include=posts was not answered 200');
    for (const other of [context.last('creator-silent'), context.last('early-first')])
      if (other?.response.status === 200)
        look.that(Array.isArray(withPosts(other)), other, '/data/posts', 'an array', withPosts(other));
    for (const exchange of [look.step('creator-held'), ...context.of('creator-fetch')]) {
      if (exchange?.response.status === 200)
        look.that(withPosts(exchange) === undefined, exchange, '/data/posts', 'no such key', withPosts(exchange));
    }
  }),
  check('CRE-07', (look) => {
    const exchange = look.step('creator-include');
    if (exchange) look.refusal(exchange, 400, 'invalid-input');
  }),
  check('CRE-08', (look, context) => {
    for (const { found, posts } of creatorPosts(context)) {
      look.at(found.exchange);
      const names = posts.flatMap(({ network, externalId }) =>
        typeof externalId === 'string' ? [`${String(network)}:${externalId}`] : [],
      );
      const twice = names.filter((name, index) => names.indexOf(name) < index);
      look.that(twice.length === 0, found.exchange, `${found.pointer}/posts`, 'each post once', twice, 'ruling');
      const instants = posts.map(({ postedAt }) => (typeof postedAt === 'string' ? Date.parse(postedAt) : Number.NaN));
      const known = instants
        .map((instant, index) => ({ instant, index }))
        .filter(({ instant }) => !Number.isNaN(instant));
      for (const [at, { instant, index }] of known.entries()) {
        const before = known[at - 1];
        if (before && before.instant < instant)
          look.fail(
            found.exchange,
            `${found.pointer}/posts/${index}/postedAt`,
            'the newest first',
            `newer than its predecessor`,
            'ruling',
          );
      }
    }
  }),
  check('CRE-09', (look, context) => {
    echo(look, context, 'creator-fetch');
    echo(look, context, 'post-fetch');
  }),
  check('CRE-10', (look, context) => {
    if (!context.strict) return;
    const percent = look.step('path-percent', 'ruling');
    if (percent && look.refusal(percent, 404, 'not-found', 'ruling'))
      look.that(
        reasonOf(percent) === 'unparseable-identifier',
        percent,
        '/error/details/reason',
        '"unparseable-identifier"',
        reasonOf(percent),
        'ruling',
      );
    const network = look.step('creator-unsupported', 'ruling');
    if (network && look.status(network, 404, 'ruling'))
      look.that(
        reasonOf(network) === 'not-supported-on-network',
        network,
        '/error/details/reason',
        'the network to be noticed before the handle',
        reasonOf(network),
        'ruling',
      );
    const other = look.step('creators-other', 'ruling');
    for (const id of facts(context, 'creators-other', 'longest')) {
      const place = other?.response.status === 200 ? placeOf(other, id) : undefined;
      const reason = place?.in === 'unavailable' ? place.entry['reason'] : undefined;
      if (other)
        look.that(
          reason !== 'unparseable-identifier',
          other,
          '/unavailable',
          `${short(id)} understood`,
          reason,
          'ruling',
        );
    }
    const batch = look.step('creators-hundred', 'ruling');
    for (const id of facts(context, 'creators-hundred', 'unparseable'))
      if (batch?.response.status === 200 && !/^\w+:\/\//.test(id))
        unavailableWith(look, batch, id, 'unparseable-identifier', 'ruling');
  }),
];
