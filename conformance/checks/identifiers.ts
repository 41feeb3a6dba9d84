/** How the identifiers of a batch were taken: what the checks of IDS have in common. */
import { dataOf, fetchingOf, unavailableOf } from '../answer.ts';
import type { Look } from '../look.ts';
import type { CheckContext, Exchange, Level } from '../model.ts';
import { batches, isCreator, placeOf, short, submitted } from './check.ts';

/** The batch with something settled in `data`, if its step came that far. */
export function settled(look: Look, step: string, level: Level = 'specification'): Exchange | undefined {
  const exchange = look.step(step, level);
  return exchange && look.status(exchange, 200, level) ? exchange : undefined;
}

/** A held creator has to be in `data`, unless it is still fetching: then nothing can be said. */
function held(look: Look, exchange: Exchange, network: string, handle: string, id: string): void {
  const place = placeOf(exchange, id);
  if (place.in === 'fetching') return look.note(`${short(id)} was still being fetched`);
  look.that(
    dataOf(exchange).some((document) => isCreator(document, network, handle)) && place.in !== 'unavailable',
    exchange,
    '/data',
    `${handle} of ${network}, asked for as ${short(id)}`,
    place.in === 'unavailable' ? place.entry : 'no such document',
  );
}

/** Of the creator that the target declares as held there. */
export const nameOf = (context: CheckContext, network: 'netA' | 'netB'): string | undefined =>
  context.target.networks[network]?.creators.held;

/** The creators that the target declares as held, each in its own network by that form of its handle. */
export function inOwnNetwork(
  look: Look,
  context: CheckContext,
  exchange: Exchange,
  forms: readonly ['netA' | 'netB', (handle: string) => string][],
): void {
  for (const [network, form] of forms) {
    const handle = nameOf(context, network);
    if (handle === undefined) look.miss(`the target declares no held creator on ${network}`);
    else held(look, exchange, network, handle, form(handle));
  }
}

/** None of these identifiers is unavailable for that reason; `wanted` says what was to happen to it instead. */
export function neverFor(look: Look, exchange: Exchange, ids: readonly string[], reason: string, wanted: string): void {
  for (const id of ids) {
    const place = placeOf(exchange, id);
    const told = place.in === 'unavailable' ? place.entry['reason'] : undefined;
    look.that(told !== reason, exchange, '/unavailable', `${short(id)} ${wanted}`, told);
  }
}

/** No identifier of a batch is refused for what it looks like. */
export function parsed(look: Look, context: CheckContext, exchange: Exchange, except: (id: string) => boolean): void {
  const ids = submitted(context, exchange).filter((id) => !except(id));
  neverFor(look, exchange, ids, 'unparseable-identifier', 'to be understood');
}

export const ofUnsupported = (context: CheckContext, id: string): boolean =>
  id.startsWith(`${context.target.unsupportedNetwork}:`);
export const ofNobody = (id: string): boolean => id.includes('unknown.invalid');

/** The step was refused as bad input. */
export const bad = (look: Look, step: string, level: Level = 'specification'): void => {
  const exchange = look.step(step, level);
  if (exchange) look.refusal(exchange, 400, 'invalid-input', level);
};

/** Each identifier of a query is answered, and no piece that is none. */
export function echoes(look: Look, context: CheckContext, exchange: Exchange, level: Level = 'specification'): void {
  const wanted = new Set(submitted(context, exchange));
  const listed = [...fetchingOf(exchange), ...unavailableOf(exchange)];
  for (const entry of listed)
    look.that(
      wanted.has(String(entry['id'])),
      exchange,
      '',
      'only pieces between commas, without their blanks',
      entry['id'],
      level,
    );
  const count = listed.length + dataOf(exchange).length;
  look.that(count === wanted.size, exchange, '', `an answer for each of ${wanted.size} identifiers`, count, level);
}

/** No identifier is taken for one of a network that is not supported, but those that are. */
export function neverUnsupported(look: Look, context: CheckContext, exchange: Exchange): void {
  const ids = submitted(context, exchange).filter((id) => !ofUnsupported(context, id));
  neverFor(look, exchange, ids, 'not-supported-on-network', 'to keep its network');
  look.that(batches(context).includes(exchange), exchange, 'status', '200', exchange.response.status);
}
