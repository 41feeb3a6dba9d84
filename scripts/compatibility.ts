/**
 * The compatibility gate: compares the contract with the last released one and refuses what would break a client (VER-02).
 *
 *     npm run check:compatibility                compares generated/openapi.json with spec/released/openapi-1.0.0.json
 *     npm run check:compatibility -- --release   makes the present contract the released one
 *
 * What is judged how is in scripts/compatibility.test.ts, a case a line.
 */
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { operationsOf, readBundle, resolve, rootOf } from './bundle.ts';
import type { Body, Bundle, Header, Media, Operation, Parameter, Response } from './bundle.ts';
import { schemaChanges } from './compatibility-schema.ts';
import type { Direction, Pair } from './compatibility-schema.ts';

const bundleIn = (root: string): string => join(root, 'generated/openapi.json');
const releasedIn = (root: string): string => join(root, 'spec/released/openapi-1.0.0.json');

interface Documents {
  readonly before: Bundle;
  readonly after: Bundle;
}

const pairOf = (documents: Documents, direction: Direction): Pair => ({ ...documents, direction, seen: new Set() });

const byKey = <Thing>(things: readonly Thing[], key: (thing: Thing) => string): Map<string, Thing> =>
  new Map(things.map((thing) => [key(thing), thing]));

/** Every change that breaks a client of `before`, a line each; empty when `after` may take its place. */
export function breakingChanges(before: Bundle, after: Bundle): string[] {
  const documents = { before, after };
  const now = byKey(operationsOf(after), ({ method, path }) => `${method} ${path}`);
  const changes = serverChanges(before, after);
  for (const { method, path, operation, shared } of operationsOf(before)) {
    const other = now.get(`${method} ${path}`);
    if (!other) changes.push(`${operation.operationId}: removed`);
    else
      changes.push(
        ...operationChanges(withShared(operation, shared), withShared(other.operation, other.shared), documents),
      );
  }
  return changes;
}

const withShared = (operation: Operation, shared: Parameter[]): Operation => ({
  ...operation,
  parameters: [...shared, ...(operation.parameters ?? [])],
});

function serverChanges({ servers: before = [] }: Bundle, { servers: after = [] }: Bundle): string[] {
  const urls = new Set(after.map(({ url }) => url));
  return before.filter(({ url }) => !urls.has(url)).map(({ url }) => `server ${url}: removed`);
}

function operationChanges(before: Operation, after: Operation, documents: Documents): string[] {
  const where = before.operationId;
  return [
    ...(after.operationId === where ? [] : [`${where}: renamed to ${after.operationId}`]),
    ...securityChanges(before, after, where, documents),
    ...parameterChanges(before, after, where, documents),
    ...bodyChanges(before, after, where, documents),
    ...responsesChanges(before, after, where, documents),
  ];
}

/** A credential that was enough must still be: no scheme and no scope more. */
function securityChanges(before: Operation, after: Operation, where: string, documents: Documents): string[] {
  const old = before.security ?? documents.before.security ?? [{}];
  const now = after.security ?? documents.after.security ?? [{}];
  const enough = (held: Record<string, string[]>, asked: Record<string, string[]>): boolean =>
    Object.entries(asked).every(
      ([scheme, scopes]) => held[scheme] && scopes.every((scope) => held[scheme]?.includes(scope)),
    );
  return old
    .filter((held) => !(now.length === 0 || now.some((asked) => enough(held, asked))))
    .map((held) => `${where}: ${JSON.stringify(held)} is no longer enough`);
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
  const encodings = ['style', 'explode', 'allowReserved'] as const;
  const read = (parameter: Parameter, name: string): unknown => (parameter as unknown as Record<string, unknown>)[name];
  return [
    ...encodings.filter((name) => read(before, name) !== read(after, name)).map((name) => `${where}: ${name} changed`),
    ...schemaChanges(before.schema, after.schema, where, pairOf(documents, 'request')),
  ];
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

/** A client knows what each status means; an error it does not know it treats by its class, a success it can't. */
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
  const headers = Object.entries(old.headers ?? {}).flatMap(([name, header]) =>
    headerChanges(header, now.headers?.[name], `${where} header ${name}`, documents),
  );
  return [...headers, ...contentChanges(old.content ?? {}, now.content ?? {}, where, pairOf(documents, 'response'))];
}

function headerChanges(before: Header, after: Header | undefined, where: string, documents: Documents): string[] {
  if (!after) return [`${where}: removed`];
  const [old, now] = [resolve(documents.before, before), resolve(documents.after, after)];
  const optional = old.required === true && now.required !== true ? [`${where}: no longer always there`] : [];
  return [...optional, ...schemaChanges(old.schema, now.schema, where, pairOf(documents, 'response'))];
}

const usage = `Usage: npm run check:compatibility [-- --release]

Compares generated/openapi.json with the last released contract, spec/released/openapi-1.0.0.json, and names each change
that would break a client; exit 1 if there is one.

  --root <folder>   the checkout to work on (default: this one)
  --release         make the present contract the released one (refused while it breaks the last; a major version has a file of its own)
  --help            this text`;

function options(): { release?: boolean; help?: boolean; root?: string } | null {
  try {
    return parseArgs({ options: { release: { type: 'boolean' }, help: { type: 'boolean' }, root: { type: 'string' } } })
      .values;
  } catch (error) {
    console.error(`compatibility: ${(error as Error).message}`);
    return null;
  }
}

function main(): number {
  const chosen = options();
  if (!chosen) return 2;
  if (chosen.help) return (console.log(usage), 0);
  const root = rootOf(process.argv);
  const [bundleFile, releasedFile] = [bundleIn(root), releasedIn(root)];
  const changes = existsSync(releasedFile) ? breakingChanges(readBundle(releasedFile), readBundle(bundleFile)) : [];
  for (const change of changes) console.error(`breaking: ${change}`);
  if (changes.length > 0) return 1;
  if (chosen.release) copyFileSync(bundleFile, releasedFile);
  if (!existsSync(releasedFile)) return (console.error('compatibility: nothing released yet; use --release'), 1);
  console.log(chosen.release ? 'released' : 'compatible with the released contract');
  return 0;
}

if (import.meta.main) process.exitCode = main();
