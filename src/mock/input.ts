import type { IncomingMessage } from 'node:http';
import { trimBlanks } from './identifiers.ts';
import { Refusal } from './refusal.ts';

/** What a batch asks for, in a query or in a body: the same fields and the same rules (CRB-07). */
export interface BatchInput {
  readonly ids: readonly string[];
  readonly network: string;
  readonly asOrg?: string | undefined;
  readonly asProfile?: string | undefined;
}

const mostBodyBytes = 1024 * 1024;
const mostIds = 100;
const defaultNetwork = 'netA';
const invalid = (message: string): Refusal => new Refusal('invalid-input', message);

const character =
  /%[0-7][0-9a-f]|%[cd][0-9a-f]%[89ab][0-9a-f]|%e[0-9a-f](?:%[89ab][0-9a-f]){2}|%f[0-7](?:%[89ab][0-9a-f]){3}|%/gi;

/** A parsed query in which a broken escape stays as written (CRE-10); URLSearchParams alone would replace its characters. */
export function queryOf(text: string): URLSearchParams {
  const whole = text.replace(character, (escape) => {
    try {
      decodeURIComponent(escape);
      return escape;
    } catch {
      return escape.replaceAll('%', '%25');
    }
  });
  // It takes a first "?" off.
  return new URLSearchParams(`?${whole}`);
}

/** A parameter that may be given once; twice is an error (IDS-14). Undefined when absent. */
export function single(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  if (values.length > 1) throw invalid(`the parameter ${name} was given ${values.length} times`);
  return values[0];
}

/** A comma-separated list; given several times, the lists are joined. Blanks around items and empty items are dropped (IDS-04). */
export function list(query: URLSearchParams, name: string): string[] {
  return query
    .getAll(name)
    .flatMap((value) => value.split(','))
    .map(trimBlanks)
    .filter((item) => item !== '');
}

/** What `include` names, each once; a value that is not allowed is an error (CRE-07, PST-05). */
export function included(query: URLSearchParams, allowed: readonly string[]): string[] {
  const named = [...new Set(list(query, 'include'))];
  const odd = named.find((value) => !allowed.includes(value));
  if (odd !== undefined) throw invalid(`include does not take "${odd.slice(0, 60)}"; it takes ${allowed.join(', ')}`);
  return named;
}

/** Counts as submitted, then answers the same string once (IDS-05, IDS-11). */
function counted(ids: readonly string[]): string[] {
  if (ids.length === 0) throw invalid('ids holds no identifier: 1 to 100 are needed');
  if (ids.length > mostIds) throw invalid(`ids holds ${ids.length} identifiers: at most 100 are allowed`);
  return [...new Set(ids)];
}

export function batchOfQuery(query: URLSearchParams): BatchInput {
  const [network, asOrg, asProfile] = [single(query, 'network'), single(query, 'asOrg'), single(query, 'asProfile')];
  return { ids: counted(list(query, 'ids')), network: network || defaultNetwork, asOrg, asProfile };
}

const tooLarge = (): Refusal => invalid('the body is larger than 1 MiB');

/** Reads the body's bytes up to the limit into one buffer, however small its chunks are. */
function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? mostBodyBytes);
  return new Promise((resolve, reject) => {
    if (declared > mostBodyBytes) return reject(tooLarge());
    const bytes = Buffer.allocUnsafeSlow(declared);
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      if (size + chunk.length > declared) {
        request.removeAllListeners('data');
        return reject(tooLarge());
      }
      size += chunk.copy(bytes, size);
    });
    request.once('end', () => resolve(bytes.subarray(0, size)));
    request.once('close', () => reject(invalid('the body ended before it was complete')));
  });
}

const jsonType = /^application\/json *(?:;(?! *charset=)[^;]*|; *charset=(?:utf-?8|"utf-8") *)*$/i;

export async function jsonOf(request: IncomingMessage): Promise<unknown> {
  if (!jsonType.test(request.headers['content-type'] ?? ''))
    throw invalid('the body must be application/json in UTF-8');
  if (!/^(?:identity)?$/i.test(request.headers['content-encoding'] ?? ''))
    throw invalid('the body must not be compressed');
  const bytes = await bytesOf(request);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw invalid('the body is not JSON');
  }
}

function optional(body: Record<string, unknown>, name: string, type: 'string' | 'boolean'): unknown {
  if (!Object.hasOwn(body, name)) return undefined;
  if (typeof body[name] !== type) throw invalid(`${name} must be a ${type}`);
  return body[name];
}

export function batchOfBody(json: unknown): BatchInput {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw invalid('the body must be an object');
  const body = json as Record<string, unknown>;
  const ids = Object.hasOwn(body, 'ids') ? body['ids'] : undefined;
  if (!Array.isArray(ids) || ids.some((id) => typeof id !== 'string')) throw invalid('ids must be an array of strings');
  const text = (name: string) => optional(body, name, 'string') as string | undefined;
  const [network, asOrg, asProfile] = [text('network'), text('asOrg'), text('asProfile')];
  optional(body, 'creatorDeepAnalysis', 'boolean');
  const kept = (ids as string[]).filter((id) => trimBlanks(id) !== '');
  return { ids: counted(kept), network: network || defaultNetwork, asOrg, asProfile };
}
