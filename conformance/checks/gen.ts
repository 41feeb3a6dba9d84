/** GEN: what holds for every operation. */
import { errorOf, headerOf, headersOf, isObject, unavailableOf } from '../answer.ts';
import { instantOf, isoInstant } from '../contract.ts';
import type { Check, CheckContext, Exchange, Level, OperationId } from '../model.ts';
import { strangeOrigin } from '../plan/reads.ts';
import { answered, channels, check, creatorPosts, documents, objects, submitted, underInterface } from './check.ts';

const operations: readonly OperationId[] = ['getCreator', 'listCreators', 'batchCreators', 'getPosts', 'batchPosts'];

/** Outside the interface's paths only a ruling of ours says what an answer looks like. */
const levelOf = ({ step }: Exchange): Level =>
  ['path-version', 'path-broken-line', 'path-slash'].includes(step) ? 'ruling' : 'specification';

/** Every string that has to be an instant, with its pointer. */
function* instants(context: CheckContext): Generator<{ exchange: Exchange; pointer: string; value: unknown }> {
  for (const { exchange, pointer, channel } of channels(context))
    yield { exchange, pointer: `${pointer}/updatedAt`, value: channel['updatedAt'] };
  for (const { found, posts } of creatorPosts(context)) {
    for (const [index, post] of posts.entries())
      yield { exchange: found.exchange, pointer: `${found.pointer}/posts/${index}/postedAt`, value: post['postedAt'] };
  }
  for (const { exchange, pointer, document } of documents(context, 'post')) {
    for (const key of ['postedAt', 'updatedAt']) yield { exchange, pointer: `${pointer}/${key}`, value: document[key] };
  }
  for (const exchange of answered(context)) {
    const fetching = isObject(exchange.response.json) ? objects(exchange.response.json['fetching']) : [];
    for (const [index, entry] of fetching.entries())
      yield { exchange, pointer: `/fetching/${index}/retryAfter`, value: entry['retryAfter'] };
  }
}

export const gen: readonly Check[] = [
  check('GEN-01', (look, context) => {
    for (const operation of operations) {
      const sent = answered(context).filter((exchange) => exchange.operation === operation && exchange.role === 'full');
      for (const exchange of sent) look.at(exchange);
      const last = sent.at(-1);
      if (!last) look.miss(`${operation} was not asked`);
      else if (!sent.some(({ response }) => response.status === 200 || response.status === 202)) {
        look.fail(
          last,
          'status',
          `${operation} to answer 200 or 202 to a right request`,
          sent.map(({ response }) => response.status).join(', '),
        );
      }
    }
  }),
  check('GEN-02', (look, context) => {
    const seen = new Map<string, Exchange>();
    for (const exchange of answered(context)) {
      if (exchange.step === 'path-broken-line') continue;
      const id = headerOf(exchange.response, 'x-request-id') ?? '';
      look.that(
        id.trim() !== '',
        exchange,
        'header:x-request-id',
        'a value',
        headersOf(exchange.response, 'x-request-id')[0],
        levelOf(exchange),
      );
      const ids = headersOf(exchange.response, 'x-request-id');
      look.that(ids.length <= 1, exchange, 'header:x-request-id', 'one value', ids, levelOf(exchange));
      const before = seen.get(id);
      if (id !== '' && before)
        look.fail(
          exchange,
          'header:x-request-id',
          'a value that no other request got',
          `the one of ${before.id}`,
          levelOf(exchange),
        );
      seen.set(id, exchange);
    }
  }),
  check('GEN-03', (look, context) => {
    for (const exchange of answered(context)) {
      const { status, json, body } = exchange.response;
      if (
        status === 200 ||
        status === 202 ||
        exchange.request.method === 'HEAD' ||
        exchange.step === 'path-broken-line'
      )
        continue;
      const envelope = isObject(json) && isObject(json['error']);
      if (
        !look.that(envelope, exchange, '', 'the envelope { error: { code, message } }', json ?? body, levelOf(exchange))
      )
        continue;
      for (const { area, pointer, expected, seen, level } of context.breaches(exchange)) {
        if (area === 'type' && pointer !== '') look.fail(exchange, pointer, expected, seen, level);
        if (area === 'status') look.fail(exchange, pointer, expected, seen, 'specification');
      }
    }
  }),
  check('GEN-04', (look, context) => {
    for (const exchange of underInterface(context)) {
      const { status, json, body } = exchange.response;
      if ((status !== 200 && status !== 202) || exchange.operation === null) continue;
      look.that(isObject(json), exchange, '', 'a JSON object', json ?? body);
      for (const { area, keyword, pointer, expected, seen, level } of context.breaches(exchange)) {
        const relevant =
          area === 'type' ||
          ['required', 'additionalProperties', 'unevaluatedProperties'].includes(keyword) ||
          !pointer.startsWith('/data/');
        if (relevant) look.fail(exchange, pointer, expected, seen, level);
      }
    }
  }),
  check('GEN-05', (look, context) => {
    for (const { exchange, pointer, value } of instants(context)) {
      if (value === null || value === undefined) look.at(exchange);
      else
        look.that(
          typeof value === 'string' && isoInstant.test(value) && !Number.isNaN(instantOf(value)),
          exchange,
          pointer,
          'an ISO 8601 instant with its time zone',
          value,
        );
    }
    for (const exchange of answered(context)) {
      for (const wait of headersOf(exchange.response, 'retry-after')) {
        look.that(
          /^\d+$/.test(wait) && Number(wait) >= 1,
          exchange,
          'header:Retry-After',
          'whole seconds, 1 or more',
          wait,
        );
      }
    }
  }),
  check('GEN-06', (look) => {
    for (const step of ['creators-other', 'creators-hundred', 'posts-spellings']) {
      const exchange = look.step(step, 'ruling');
      if (exchange) look.status(exchange, 200, 'ruling');
    }
  }),
  check('GEN-07', (look) => {
    const version = look.step('path-version', 'ruling');
    if (version) look.refusal(version, 404, 'not-found', 'ruling');
    const slash = look.step('path-slash', 'ruling');
    if (slash)
      look.that(
        slash.response.status !== 401,
        slash,
        'status',
        'an answer that needs no credential',
        slash.response.status,
        'ruling',
      );
    const method = look.step('path-method', 'ruling');
    if (method && look.refusal(method, 405, 'method-not-allowed', 'ruling')) {
      const allow = headerOf(method.response, 'allow') ?? '';
      for (const name of ['GET', 'HEAD'])
        look.that(
          allow.split(/\s*,\s*/).includes(name),
          method,
          'header:Allow',
          `a list with ${name}`,
          allow,
          'ruling',
        );
      look.that(
        !/\b(?:POST|PUT|PATCH|DELETE)\b/.test(allow),
        method,
        'header:Allow',
        'no method that the path lacks',
        allow,
        'ruling',
      );
    }
    for (const exchange of [version, slash, method]) {
      if (exchange)
        look.that(
          headerOf(exchange.response, 'ratelimit') === undefined,
          exchange,
          'header:RateLimit',
          'no such header',
          headerOf(exchange.response, 'ratelimit'),
          'ruling',
        );
    }
    const head = look.step('creator-head', 'ruling');
    if (!head || !look.status(head, [200, 202], 'ruling')) return;
    look.that(head.response.body === '', head, '', 'no body', head.response.body, 'ruling');
    for (const name of ['Content-Type', 'RateLimit'])
      look.that(headerOf(head.response, name) !== undefined, head, `header:${name}`, 'as for GET', undefined, 'ruling');
  }),
  check('GEN-08', (look, context) => {
    const word = (exchange: Exchange, pointer: string, value: unknown, nullable: boolean): void => {
      look.that(
        (typeof value === 'string' && value !== '') || (nullable && value === null),
        exchange,
        pointer,
        'a word',
        value,
      );
    };
    for (const { exchange, pointer, channel } of channels(context)) {
      word(exchange, `${pointer}/network`, channel['network'], false);
      const group = isObject(channel['netA']) ? channel['netA'] : {};
      for (const key of ['gender', 'ageBucket'])
        if (key in group) word(exchange, `${pointer}/netA/${key}`, group[key], true);
      if (Array.isArray(group['badges']))
        for (const badge of group['badges'] as unknown[])
          look.that(typeof badge === 'string', exchange, `${pointer}/netA/badges`, 'strings', badge);
    }
    for (const { exchange, pointer, document } of documents(context, 'post'))
      word(exchange, `${pointer}/network`, document['network'], false);
    for (const exchange of answered(context))
      for (const [index, entry] of unavailableOf(exchange).entries())
        word(exchange, `/unavailable/${index}/reason`, entry['reason'], false);
    const unsupported = look.step('creator-unsupported');
    if (unsupported)
      look.that(
        unsupported.response.status !== 400,
        unsupported,
        'status',
        'an unknown network not to be invalid input',
        400,
      );
  }),
  check('GEN-09', (look) => {
    const exchange = look.step('path-broken-line', 'ruling');
    if (!exchange || !look.status(exchange, 400, 'ruling')) return;
    look.that(
      errorOf(exchange)['code'] === 'invalid-input',
      exchange,
      '/error/code',
      '"invalid-input"',
      exchange.response.json ?? exchange.response.body,
      'ruling',
    );
    look.that(
      Boolean(headerOf(exchange.response, 'x-request-id')),
      exchange,
      'header:x-request-id',
      'a value',
      undefined,
      'ruling',
    );
  }),
  check('GEN-10', (look, context) => {
    for (const exchange of underInterface(context)) {
      const caching = headersOf(exchange.response, 'cache-control').join(', ');
      look.that(
        /(?:^|[\s,])no-store(?:$|[\s,])/i.test(caching),
        exchange,
        'header:Cache-Control',
        'no-store',
        caching || undefined,
        'ruling',
      );
      look.that(
        headerOf(exchange.response, 'etag') === undefined,
        exchange,
        'header:ETag',
        'no such header',
        headerOf(exchange.response, 'etag'),
        'ruling',
      );
      look.that(exchange.response.status !== 304, exchange, 'status', 'no 304', exchange.response.status, 'ruling');
    }
  }),
  check('GEN-11', (look, context) => {
    const exchange = look.step('creators-long', 'ruling');
    if (!exchange || !look.status(exchange, 200, 'ruling')) return;
    look.that(
      unavailableOf(exchange).length === submitted(context, exchange).length,
      exchange,
      '/unavailable',
      '100 entries',
      unavailableOf(exchange).length,
      'ruling',
    );
  }),
  check('GEN-13', (look, context) => {
    const exchange = look.step('path-slash', 'ruling');
    if (exchange) look.refusal(exchange, 404, 'not-found', 'ruling');
    for (const other of underInterface(context)) {
      const { status } = other.response;
      look.that(status < 300 || status >= 400, other, 'status', 'no redirect', status, 'ruling');
      const origin = headerOf(other.response, 'access-control-allow-origin');
      look.that(
        origin !== '*' && origin !== strangeOrigin,
        other,
        'header:Access-Control-Allow-Origin',
        'no origin let in unnamed',
        origin,
        'ruling',
      );
    }
  }),
];
