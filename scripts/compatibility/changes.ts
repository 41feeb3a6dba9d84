/** Compares two versions of the contract, operation by operation, and names what would break a client of the first (VER-02). */
import { isDeepStrictEqual } from 'node:util';
import { operationsOf, resolve } from '../bundle.ts';
import type { Body, Bundle, Header, Media, Operation, Parameter, Response } from '../bundle.ts';
import { securityChanges, serverChanges } from './access.ts';
import type { Direction } from './keywords.ts';
import { schemaChanges, type Documents, type Pair } from './schema.ts';

const pairOf = (documents: Documents, direction: Direction): Pair => ({ ...documents, direction, seen: new Set() });

const byKey = <Thing>(things: readonly Thing[], key: (thing: Thing) => string): Map<string, Thing> =>
  new Map(things.map((thing) => [key(thing), thing]));

/** Every change that breaks a client of `before`, a line each; empty when `after` may take its place. */
export function breakingChanges(before: Bundle, after: Bundle): string[] {
  const now = byKey(operationsOf(after), ({ method, path }) => `${method} ${path}`);
  return operationsOf(before).flatMap(({ method, path, operation }) => {
    const other = now.get(`${method} ${path}`)?.operation;
    return other
      ? operationChanges(operation, other, { before, after })
      : [`${operation.operationId}: ${method.toUpperCase()} ${path} removed`];
  });
}

function operationChanges(before: Operation, after: Operation, documents: Documents): string[] {
  const where = before.operationId;
  return [
    ...(after.operationId === where ? [] : [`${where}: renamed to ${after.operationId}`]),
    ...serverChanges(before, after, documents),
    ...securityChanges(before, after, documents),
    ...parameterChanges(before, after, where, documents),
    ...bodyChanges(before, after, where, documents),
    ...responsesChanges(before, after, where, documents),
  ];
}

function parameterChanges(before: Operation, after: Operation, where: string, documents: Documents): string[] {
  const parametersOf = (bundle: Bundle, operation: Operation): Map<string, Parameter> =>
    byKey(
      (operation.parameters ?? []).map((parameter) => resolve(bundle, parameter)),
      (one) => `${one.in} ${one.name}`,
    );
  const [old, now] = [parametersOf(documents.before, before), parametersOf(documents.after, after)];
  const changes = [...now]
    .filter(([key, { required }]) => required === true && old.get(key)?.required !== true)
    .map(([key]) => `${where} ${key}: now required`);
  for (const [key, parameter] of old) {
    const other = now.get(key);
    if (!other) changes.push(`${where} ${key}: removed`);
    else changes.push(...oneParameterChanges(parameter, other, `${where} ${key}`, documents));
  }
  return changes;
}

function oneParameterChanges(before: Parameter, after: Parameter, where: string, documents: Documents): string[] {
  const [old, now] = [encodingOf(before), encodingOf(after)];
  const changes = (['style', 'explode', 'content'] as const)
    .filter((name) => !isDeepStrictEqual(old[name], now[name]))
    .map((name) => `${where}: ${name} changed`);
  if (old.allowReserved && !now.allowReserved) changes.push(`${where}: reserved characters are no longer allowed`);
  return [...changes, ...schemaChanges(before.schema ?? {}, after.schema ?? {}, where, pairOf(documents, 'request'))];
}

/** How a parameter is written in a request, with the defaults of OpenAPI where the document says nothing. */
function encodingOf(parameter: Parameter) {
  const style = parameter.style ?? (['query', 'cookie'].includes(parameter.in) ? 'form' : 'simple');
  const { explode = style === 'form', allowReserved = false, content } = parameter;
  return { style, explode, allowReserved, content };
}

function bodyChanges(before: Operation, after: Operation, where: string, documents: Documents): string[] {
  const body = (bundle: Bundle, operation: Operation): Body | null =>
    operation.requestBody ? resolve(bundle, operation.requestBody) : null;
  const [old, now] = [body(documents.before, before), body(documents.after, after)];
  const changes = now?.required === true && old?.required !== true ? [`${where} body: now required`] : [];
  if (old && !now) changes.push(`${where} body: removed`);
  if (old && now)
    changes.push(...contentChanges(old.content, now.content, `${where} body`, pairOf(documents, 'request')));
  return changes;
}

function contentChanges(
  before: Record<string, Media>,
  after: Record<string, Media>,
  where: string,
  pair: Pair,
): string[] {
  return Object.entries(before).flatMap(([type, media]) =>
    after[type] ? schemaChanges(media.schema, after[type].schema, where, pair) : [`${where} ${type}: removed`],
  );
}

/** A client handles an error status that it does not know by its class, but can't know what a new success means. */
function responsesChanges(before: Operation, after: Operation, where: string, documents: Documents): string[] {
  const changes = Object.keys(after.responses)
    .filter((status) => !before.responses[status] && !/^[45]/.test(status))
    .map((status) => `${where} ${status}: new`);
  for (const [status, response] of Object.entries(before.responses)) {
    const other = after.responses[status];
    if (!other) changes.push(`${where} ${status}: removed`);
    else changes.push(...responseChanges(response, other, `${where} ${status}`, documents));
  }
  return changes;
}

function responseChanges(before: Response, after: Response, where: string, documents: Documents): string[] {
  const [old, now] = [resolve(documents.before, before), resolve(documents.after, after)];
  // Names of headers are the same in any case.
  const headersNow = byKey(Object.entries(now.headers ?? {}), ([name]) => name.toLowerCase());
  const headers = Object.entries(old.headers ?? {}).flatMap(([name, header]) =>
    headerChanges(header, headersNow.get(name.toLowerCase())?.[1], `${where} header ${name}`, documents),
  );
  return [...headers, ...contentChanges(old.content ?? {}, now.content ?? {}, where, pairOf(documents, 'response'))];
}

function headerChanges(before: Header, after: Header | undefined, where: string, documents: Documents): string[] {
  if (!after) return [`${where}: removed`];
  const [old, now] = [resolve(documents.before, before), resolve(documents.after, after)];
  const optional = old.required === true && now.required !== true ? [`${where}: no longer always there`] : [];
  return [...optional, ...schemaChanges(old.schema, now.schema, where, pairOf(documents, 'response'))];
}
