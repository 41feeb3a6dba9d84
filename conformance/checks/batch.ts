/** What CRB and PST-02 ask of a batch, of creators or of posts. */
import {
  dataOf,
  documentOf,
  fetchingOf,
  headerOf,
  headersOf,
  isObject,
  shown,
  unavailableOf,
  valueAt,
  waitOf,
  type Json,
} from '../answer.ts';
import { instantOf } from '../contract.ts';
import type { Look } from '../look.ts';
import type { CheckContext, Exchange } from '../model.ts';
import { batches, objects, placeOf, short, submitted } from './check.ts';
import { eachItsOwn, sameOrderAndSnapshots } from './same.ts';

export type Steps = readonly string[];

/** CRB-01: 200, and all three lists. */
export function envelope(look: Look, context: CheckContext, steps: Steps): void {
  for (const step of steps) {
    if (!look.step(step)) continue;
    for (const exchange of context.of(step)) {
      if (!look.status(exchange, 200)) continue;
      const body = isObject(exchange.response.json) ? exchange.response.json : {};
      for (const list of ['data', 'fetching', 'unavailable'])
        look.that(Array.isArray(body[list]), exchange, `/${list}`, 'an array', body[list]);
    }
  }
}

/** CRB-02: each identifier in one bucket, and in one only. */
export function buckets(look: Look, context: CheckContext, steps: Steps): void {
  for (const exchange of batches(context, steps)) {
    const wanted = [...new Set(submitted(context, exchange))];
    const listed = [...fetchingOf(exchange), ...unavailableOf(exchange)].map(({ id }) => id);
    for (const id of new Set(listed)) {
      const count = listed.filter((each) => each === id).length;
      look.that(count === 1, exchange, '', `${short(String(id))} in one bucket, once`, `${count} entries`);
    }
    const held = wanted.filter((id) => placeOf(exchange, id).in === 'elsewhere');
    look.that(
      dataOf(exchange).length === held.length,
      exchange,
      '/data',
      `${held.length} entries: what was submitted and is neither fetching nor unavailable`,
      dataOf(exchange).length,
    );
    if (!manyNames.has(exchange.step)) eachItsOwn(look, context, exchange);
  }
}

/** Batches that name one entity in many ways on purpose. */
const manyNames: ReadonlySet<string> = new Set(['creators-hundred', 'posts-spellings']);

/** CRB-04: one instant, and the header exactly when there is something to wait for. */
export function waits(look: Look, context: CheckContext, steps: Steps): void {
  for (const exchange of batches(context, steps)) {
    const fetching = fetchingOf(exchange);
    const header = headersOf(exchange.response, 'retry-after');
    const expected = fetching.length > 0 ? 'there, as something is fetching' : 'no such header, as nothing is fetching';
    look.that(header.length > 0 === fetching.length > 0, exchange, 'header:Retry-After', expected, header[0]);
    look.that(header.length <= 1, exchange, 'header:Retry-After', 'one value', header);
    const instants = new Set(fetching.map(({ retryAfter }) => retryAfter));
    look.that(instants.size <= 1, exchange, '/fetching', 'the same retryAfter in all entries', [...instants]);
    const [instant] = instants;
    if (typeof instant === 'string') agreement(look, exchange, instant);
  }
}

const withDateSeconds = 2;
const withoutDateSeconds = 3;
/** No rounding and no clock explains that much: a wait that is over, or that belongs to something else. */
const absurdSeconds = 600;

/** Header and instant name one moment: by the answer's `Date`, which is cut to whole seconds, or by the reader's clock. */
export function agreement(look: Look, exchange: Exchange, instant: string): void {
  const seconds = waitOf(exchange);
  if (seconds === null) return;
  const date = Date.parse(headerOf(exchange.response, 'date') ?? '');
  const from = Number.isNaN(date) ? exchange.receivedAt : date;
  const apart = Math.abs(instantOf(instant) - from - seconds * 1000) / 1000;
  const allowed = Number.isNaN(date) ? withoutDateSeconds : withDateSeconds;
  look.that(
    apart <= allowed + 0.05,
    exchange,
    'header:Retry-After',
    `the moment that retryAfter names, ${instant}`,
    `${seconds} s after ${new Date(from).toISOString()}, which is ${apart.toFixed(1)} s apart from it`,
    apart > absurdSeconds && !Number.isNaN(date) ? 'specification' : 'ruling',
  );
}

/** CRB-05: nothing but what was submitted, letter for letter. */
export function echoes(look: Look, context: CheckContext, steps: Steps): void {
  for (const exchange of batches(context, steps)) {
    const wanted = new Set(submitted(context, exchange));
    look.at(exchange);
    for (const list of ['fetching', 'unavailable'] as const) {
      const entries = list === 'fetching' ? fetchingOf(exchange) : unavailableOf(exchange);
      for (const [index, { id }] of entries.entries())
        look.that(
          typeof id === 'string' && wanted.has(id),
          exchange,
          `/${list}/${index}/id`,
          'an identifier as submitted',
          id,
        );
    }
  }
}

const ofPosts = ['outside-recent-media-window', 'author-unresolved'];
const ofCreators = ['account-not-discoverable'];

const terminal = new Set([
  'account-not-discoverable',
  'not-supported-on-network',
  'outside-recent-media-window',
  'unparseable-identifier',
]);

/** CRB-06: `retryable` is true or absent, and goes with a failure on the service's side. */
export function retryability(look: Look, exchange: Exchange, pointer: string, entry: Json): void {
  const { reason, retryable } = entry;
  look.that(
    !('retryable' in entry) || retryable === true,
    exchange,
    `${pointer}/retryable`,
    'true, or no such key',
    retryable,
  );
  const isCreator = !['getPosts', 'batchPosts'].includes(exchange.operation ?? '');
  const foreign = isCreator ? ofPosts : ofCreators;
  look.that(
    !foreign.includes(String(reason)),
    exchange,
    `${pointer}/reason`,
    `no reason that is for ${isCreator ? 'posts' : 'creators'} only`,
    reason,
    isCreator ? 'specification' : 'ruling',
  );
  if (terminal.has(String(reason)))
    look.that(
      !('retryable' in entry),
      exchange,
      `${pointer}/retryable`,
      `no such key, as ${String(reason)} is terminal`,
      retryable,
    );
  if (reason === 'author-unresolved')
    look.that(!('retryable' in entry), exchange, `${pointer}/retryable`, 'no such key', retryable, 'ruling');
  if (reason === 'internal-error')
    look.that(retryable === true, exchange, `${pointer}/retryable`, "true, as the failure is the service's", retryable);
}

export function retryable(look: Look, context: CheckContext, steps: Steps, broken: string | undefined): void {
  let seen = false;
  for (const exchange of batches(context, steps)) {
    look.at(exchange);
    for (const [index, entry] of unavailableOf(exchange).entries()) {
      retryability(look, exchange, `/unavailable/${index}`, entry);
      seen ||= entry['retryable'] === true;
    }
  }
  if (broken === undefined) return look.miss("the target declares no identifier that fails on the service's side");
  for (const exchange of batches(context, steps)) {
    const place = placeOf(exchange, broken);
    if (place.in === 'unavailable')
      look.that(
        place.entry['retryable'] === true,
        exchange,
        '/unavailable',
        `${short(broken)} to be retryable`,
        place.entry,
      );
    else if (submitted(context, exchange).includes(broken) && place.in === 'elsewhere')
      look.fail(
        exchange,
        '/unavailable',
        `${short(broken)}, declared to fail, unavailable`,
        'neither fetching nor unavailable',
      );
  }
  if (!seen) look.note(`${broken} was still being fetched`);
}

/** A value with its keys in order, so that two can be compared. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'undefined';
  return `{${Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)
    .join(',')}}`;
}

const without = (document: Json, keys: readonly string[]): Json =>
  Object.fromEntries(Object.entries(document).filter(([key]) => !keys.includes(key)));

/** A signature, which an address may get anew in each answer. */
const signature = /^(https?:\/\/[^?#]+)[?#].*$/;

/** What has to be the same wherever a snapshot is answered; the figures of one that has no instant may have moved on. */
const core = (document: Json): Json => {
  const undated = typeof madeAt(document) !== 'string';
  return JSON.parse(JSON.stringify(without(document, ['posts', 'analysis'])), (key, value: unknown) => {
    if (key === 'updatedAt' || (undated && typeof value === 'number')) return undefined;
    return typeof value === 'string' ? value.replace(signature, '$1') : value;
  }) as Json;
};

const madeAt = (document: Json): unknown => (objects(document['channels'])[0] ?? document)['updatedAt'];

/** What names the entity of a document, and the second of its snapshot, as one answer may tell it more precisely than another. */
function snapshotOf(document: Json): string {
  const channel = objects(document['channels'])[0] ?? document;
  const { network, externalId, username, updatedAt } = channel;
  const named = typeof externalId === 'string' ? [externalId] : [username, document['url']];
  const made = typeof updatedAt === 'string' ? Math.floor(instantOf(updatedAt) / 1000) : null;
  return canonical([network, ...named, made]);
}

/** Whether two of one second are of one instant too, as far as both tell it. */
function sameInstant(one: Json, other: Json): boolean {
  const told = [madeAt(one), madeAt(other)].map((instant) =>
    typeof instant === 'string' ? instantOf(instant) : Number.NaN,
  );
  return told.some((instant) => !(instant % 1000 > 0)) || told[0] === told[1];
}

const entityOf = (document: Json): string => {
  const channel = objects(document['channels'])[0] ?? document;
  return canonical([channel['network'], channel['externalId']]);
};

/** CRB-07: the same list by POST and by GET, entry for entry. What was still fetching at one of them says nothing. */
export function sameAnswer(look: Look, post: Exchange, get: Exchange, ids: readonly string[]): void {
  look.at(post);
  if (
    !look.that(
      get.response.status === post.response.status,
      get,
      'status',
      `${post.response.status}, as by POST`,
      get.response.status,
    )
  )
    return;
  const moving = ids.filter((id) => [post, get].some((exchange) => placeOf(exchange, id).in === 'fetching'));
  for (const id of ids.filter((each) => !moving.includes(each))) {
    const [one, other] = [placeOf(post, id), placeOf(get, id)];
    const same =
      one.in === other.in &&
      (one.in === 'elsewhere' || other.in === 'elsewhere' || canonical(one.entry) === canonical(other.entry));
    look.that(same, get, '', `${short(id)} as by POST: ${describe(one)}`, describe(other));
  }
  if (moving.length === 0) {
    sameSet(look, post, get);
    sameOrderAndSnapshots(look, post, get);
  }
  sameDocuments(look, dataOf(post), get, dataOf(get), `the same as by POST (${post.id})`);
}

const describe = (place: ReturnType<typeof placeOf>): string =>
  place.in === 'elsewhere' ? 'in data' : `${place.in} ${shown(place.entry)}`;

function sameSet(look: Look, post: Exchange, get: Exchange): void {
  const names = (exchange: Exchange): string => canonical(dataOf(exchange).map(entityOf).toSorted());
  look.that(
    names(post) === names(get),
    get,
    '/data',
    'the same documents as by POST',
    `${dataOf(get).length} entries, by POST ${dataOf(post).length}`,
  );
}

/** Without what depends on the marketplace credentials of the organization acted for (DOC-13). */
const forWhomever = (document: Json): Json =>
  isObject(document['author']) ? { ...document, author: without(document['author'], ['verified']) } : document;

/** Documents of one snapshot are equal wherever they are answered. */
export function sameDocuments(
  look: Look,
  one: readonly Json[],
  exchange: Exchange,
  other: readonly Json[],
  expected: string,
): void {
  const bySnapshot = new Map(one.map((document) => [snapshotOf(document), document]));
  const told = /[?&]asOrg=/.test(exchange.request.path) ? (document: Json) => forWhomever(core(document)) : core;
  for (const [index, document] of other.entries()) {
    const twin = bySnapshot.get(snapshotOf(document));
    if (!twin || !sameInstant(twin, document) || canonical(told(twin)) === canonical(told(document))) continue;
    const pointer = firstDifference(told(twin), told(document), '');
    look.fail(
      exchange,
      documentOf(exchange) ? `/data${pointer}` : `/data/${index}${pointer}`,
      `${expected}, as it is of one snapshot: ${shown(valueAt(told(twin), pointer))}`,
      shown(valueAt(told(document), pointer)),
    );
  }
}

function firstDifference(one: unknown, other: unknown, pointer: string): string {
  if (isObject(one) && isObject(other)) {
    const key = [...new Set([...Object.keys(one), ...Object.keys(other)])].find(
      (each) => canonical(one[each]) !== canonical(other[each]),
    );
    return key === undefined ? pointer : firstDifference(one[key], other[key], `${pointer}/${key}`);
  }
  if (!Array.isArray(one) || !Array.isArray(other)) return pointer;
  const index = one.findIndex((each, at) => canonical(each) !== canonical(other[at]));
  return index < 0 ? pointer : firstDifference(one[index], other[index], `${pointer}/${index}`);
}
