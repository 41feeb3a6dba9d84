/** Equivalences between answers of one run: they need no golden data, so they hold at any deployment. */
import { dataOf, detailsOf, documentOf, isObject, shown, type Json } from '../answer.ts';
import type { Look } from '../look.ts';
import type { CheckContext, Exchange } from '../model.ts';
import { batches, facts, objects, placeOf, short, submitted } from './check.ts';

const hostOf = (url: string): string | undefined =>
  /^https?:\/\/(?:www\.|m\.)?([^/?#]+)/i.exec(url)?.[1]?.toLowerCase();

/** The network that a batch reads an identifier on; undefined for one that belongs to nobody known. */
function networkOf(context: CheckContext, step: string, id: string): string | undefined {
  const { networks } = context.target;
  const host = hostOf(id);
  if (host !== undefined)
    return Object.keys(networks).find((name) => hostOf(networks[name]?.urls.profile ?? '') === host);
  const prefix = /^([A-Za-z][\w-]*):/.exec(id.trim())?.[1] ?? facts(context, step, 'network')[0] ?? 'netA';
  return prefix in networks ? prefix : undefined;
}

/** The one network that all channels of a creator, or a post, are of. */
function ofDocument(document: Json): unknown {
  const named = Array.isArray(document['channels'])
    ? objects(document['channels']).map(({ network }) => network)
    : [document['network']];
  return new Set(named).size === 1 ? named[0] : undefined;
}

const counted = (values: readonly unknown[]): Json =>
  Object.fromEntries(
    [...new Set(values.map(String))].toSorted().map((value) => [value, values.filter((one) => one === value).length]),
  );

/** IDS-01, IDS-02: as many documents of each network as identifiers name it. Networks nobody knows leave it open. */
export function onTheirNetworks(look: Look, context: CheckContext, exchange: Exchange): void {
  const inData = [...new Set(submitted(context, exchange))].filter((id) => placeOf(exchange, id).in === 'elsewhere');
  const wanted = inData.map((id) => networkOf(context, exchange.step, id));
  const found = dataOf(exchange).map(ofDocument);
  if (wanted.length !== found.length || wanted.includes(undefined)) return;
  if (!found.every((name) => typeof name === 'string' && name in context.target.networks)) return;
  const expected = shown(counted(wanted));
  look.that(expected === shown(counted(found)), exchange, '/data', `documents by network ${expected}`, counted(found));
}

/** Whether an identifier of a batch is another spelling of a name on a network. */
function names(context: CheckContext, step: string, id: string, network: string, name: string): boolean {
  const urls = context.target.networks[network]?.urls;
  const spellings = [
    `${network}:${name}`,
    urls?.profile?.replaceAll('{handle}', name),
    urls?.post?.replaceAll('{post}', name),
  ];
  return spellings.includes(id) || (id === name && networkOf(context, step, id) === network);
}

/**
 * A single read and the entry of a batch say the same: a miss has its reason there too, what was answered with a document is
 * not looked for later. `step` has the facts `network` and `name`.
 */
export function asInBatches(look: Look, context: CheckContext, step: string, steps: readonly string[]): void {
  const single = context.last(step);
  const [network = '', name = ''] = [...facts(context, step, 'network'), ...facts(context, step, 'name')];
  if (!single || name === '') return;
  for (const exchange of batches(context, steps)) {
    for (const id of submitted(context, exchange).filter((one) => names(context, exchange.step, one, network, name)))
      compare(look, single, exchange, id);
  }
}

function compare(look: Look, single: Exchange, exchange: Exchange, id: string): void {
  const place = placeOf(exchange, id);
  const said = place.in === 'elsewhere' ? 'in data' : `${place.in} ${shown(place.entry)}`;
  if (documentOf(single) && exchange.sentAt >= single.receivedAt)
    look.that(place.in === 'elsewhere', exchange, '/data', `${short(id)}, as ${single.id} answered it`, said);
  const details = single.response.status === 404 ? detailsOf(single) : undefined;
  if (typeof details?.['reason'] !== 'string' || place.in === 'fetching') return;
  const same =
    place.in === 'unavailable' &&
    place.entry['reason'] === details['reason'] &&
    place.entry['retryable'] === details['retryable'];
  look.that(
    same,
    exchange,
    '/unavailable',
    `${short(id)} unavailable as alone (${single.id}): ${shown(details)}`,
    said,
  );
}

/** What a batch has answered under one name is not looked for under another. */
export function sameByEachName(look: Look, context: CheckContext, first: string, then: string): void {
  const [one, other] = [context.last(first), context.last(then)];
  if (one?.response.status !== 200 || other?.response.status !== 200) return;
  const names = facts(context, then, 'again');
  for (const [index, before] of facts(context, then, 'before').entries()) {
    const name = names[index] ?? '';
    if (submitted(context, one).includes(before) && placeOf(one, before).in === 'elsewhere')
      look.that(
        placeOf(other, name).in === 'elsewhere',
        other,
        '/data',
        `${short(name)}, as ${one.id} answered it as ${short(before)}`,
        placeOf(other, name).in,
      );
  }
}

/** Every name of the entity of a document. */
const entities = (document: Json): string[] =>
  (Array.isArray(document['channels']) ? objects(document['channels']) : [document]).map(({ network, externalId }) =>
    JSON.stringify([network, externalId]),
  );

/** The document of a single read is of an entity that a batch with the same identifier has too. */
export function amongBatch(look: Look, context: CheckContext, step: string, exchange: Exchange | undefined): void {
  const single = context.last(step);
  const document = single && documentOf(single);
  const [network = '', name = ''] = [...facts(context, step, 'network'), ...facts(context, step, 'name')];
  if (!single || !document || !exchange || name === '') return;
  const held = submitted(context, exchange).some(
    (id) => names(context, exchange.step, id, network, name) && placeOf(exchange, id).in === 'elsewhere',
  );
  if (!held) return;
  const there = new Set(dataOf(exchange).flatMap(entities));
  const wanted = entities(document);
  look.that(
    wanted.some((one) => there.has(one)),
    single,
    '/data',
    `an entity that ${exchange.id} answers for the same identifier`,
    wanted.join(', '),
  );
}

const between = (template: string | undefined, part: string, id: string): string | undefined => {
  const [before = '', after = ''] = template?.split(`{${part}}`) ?? [];
  return before !== '' && id.startsWith(before) && id.endsWith(after)
    ? id.slice(before.length, id.length - after.length)
    : undefined;
};

/** The entity that an identifier names, as far as the target's own URLs tell. */
function entityNamed(context: CheckContext, step: string, id: string): string | undefined {
  const network = networkOf(context, step, id);
  const urls = network === undefined ? undefined : context.target.networks[network]?.urls;
  if (network === undefined) return undefined;
  const post = between(urls?.post, 'post', id);
  if (post !== undefined) return JSON.stringify([network, post]);
  const handle = hostOf(id) === undefined ? id.replace(`${network}:`, '') : between(urls?.profile, 'handle', id);
  return handle && JSON.stringify([network, step.startsWith('creators') ? handle.toLowerCase() : handle]);
}

/** Names of different entities are not answered with one and the same: as many documents differ as names do. */
export function eachItsOwn(look: Look, context: CheckContext, exchange: Exchange): void {
  const held = submitted(context, exchange).filter((id) => placeOf(exchange, id).in === 'elsewhere');
  const wanted = held.map((id) => entityNamed(context, exchange.step, id));
  if (wanted.includes(undefined)) return;
  const found = dataOf(exchange).map((document) => entities(document).join());
  const unknown = found.filter((entity) => /",(?!")/.test(entity));
  const different = new Set(found.filter((entity) => !unknown.includes(entity))).size + unknown.length;
  const names = new Set(wanted).size;
  look.that(
    different >= Math.min(names, found.length),
    exchange,
    '/data',
    `a document of its own for each of ${names} names`,
    `${different} different ones among ${found.length}`,
  );
}

/** The post is the one that its URL names, if the document tells by any of its own names. */
export function postNamed(look: Look, context: CheckContext, step: string): void {
  const exchange = context.last(step);
  const post = exchange && documentOf(exchange);
  const [network, name = ''] = [facts(context, step, 'network')[0], facts(context, step, 'name')[0]];
  if (!exchange || !post || name === '' || post['network'] !== network) return;
  const own = network === 'netA' && isObject(post['netA']) ? post['netA']['shortcode'] : post['externalId'];
  const told = typeof own !== 'string' || own === name || String(post['url']).includes(name);
  look.that(told, exchange, '/data', `the post ${name}, as the URL names it`, own);
}

const snapshots = (exchange: Exchange): Map<string, unknown> =>
  new Map(
    dataOf(exchange).map((document) => {
      const channel = objects(document['channels'])[0] ?? document;
      return [entities(document)[0] ?? '', channel['updatedAt']];
    }),
  );

/** What only we promise of POST and GET: one order, and a snapshot that stays while nothing was fetched. */
export function sameOrderAndSnapshots(look: Look, post: Exchange, get: Exchange): void {
  const order = (exchange: Exchange): string =>
    dataOf(exchange)
      .map((document) => entities(document)[0])
      .join();
  look.that(order(post) === order(get), get, '/data', 'the order of the answer by POST', order(get), 'ruling');
  const ids = (exchange: Exchange): string => JSON.stringify(unavailable(exchange));
  look.that(ids(post) === ids(get), get, '/unavailable', 'the order of the answer by POST', ids(get), 'ruling');
  const [before, after] = [snapshots(post), snapshots(get)];
  const common = [...before.keys()].filter((entity) => after.has(entity));
  look.that(
    common.length < 2 || common.some((entity) => before.get(entity) === after.get(entity)),
    get,
    '/data',
    'snapshots that stay the same while nothing is fetched',
    'another updatedAt in each document',
    'ruling',
  );
}

function unavailable({ response }: Exchange): unknown[] {
  const list = isObject(response.json) ? response.json['unavailable'] : undefined;
  return Array.isArray(list) ? list.map((entry) => (isObject(entry) ? entry['id'] : null)) : [];
}
