import { trimBlanks } from '../lookup/identifier.ts';
import { badRequest } from './errors.ts';

/** Everything a caller may pass beside the path, in a query or in a body. */
export interface Parameters {
  readonly ids: readonly string[] | null;
  readonly url: string | null;
  readonly network: string;
  readonly include: readonly string[];
  readonly asOrg: string | null;
  readonly asProfile: string | null;
  readonly deep: boolean;
}

export type QueryName = 'ids' | 'url' | 'network' | 'include' | 'asOrg' | 'asProfile';
export type Query = { readonly [name in QueryName]?: readonly string[] };

/** The parameters that are not lists. */
const SINGLE = ['url', 'network', 'asOrg', 'asProfile'] as const;
const MAX_IDS = 100;
const MAX_ECHO = 80;

/**
 * The decoded values of the known names in a query string, in the order given. Other names are ignored (GEN-06), so `ids[]` means
 * nothing and 10⁵ ampersands cost nothing. A broken escape stays as written and does not affect what stands beside it (CRE-10).
 */
export function readQuery(text: string, known: ReadonlySet<string>): Query {
  const query: Record<string, string[]> = Object.create(null);
  for (let start = 0; start < text.length;) {
    const ampersand = text.indexOf('&', start);
    const end = ampersand === -1 ? text.length : ampersand;
    if (end > start) readPair(text.slice(start, end), known, query);
    start = end + 1;
  }
  return query;
}

function readPair(pair: string, known: ReadonlySet<string>, query: Record<string, string[]>): void {
  const equals = pair.indexOf('=');
  const name = decode(equals === -1 ? pair : pair.slice(0, equals));
  if (!known.has(name)) return;
  (query[name] ??= []).push(equals === -1 ? '' : decode(pair.slice(equals + 1)));
}

/** Sequences of escapes that are valid UTF-8 (RFC 3629) and can be decoded even where others in the text cannot. */
const TAIL = '%[89ab][0-9a-f]';
const ESCAPED = new RegExp(
  [
    '%[0-7][0-9a-f]',
    `%(?:c[2-9a-f]|d[0-9a-f])${TAIL}`,
    `%(?:e0%[ab][0-9a-f]|e[1-9a-cef]${TAIL}|ed%[89][0-9a-f])${TAIL}`,
    `%(?:f0%[9ab][0-9a-f]|f[1-3]${TAIL}|f4%8[0-9a-f])${TAIL}${TAIL}`,
  ].join('|'),
  'gi',
);

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced.replace(ESCAPED, decodeURIComponent);
  }
}

/** @throws Refusal invalid-input when a parameter that is not a list is given more than once (IDS-14). */
export function parametersOfQuery(query: Query): Parameters {
  for (const name of SINGLE) {
    const times = query[name]?.length ?? 0;
    if (times > 1) throw badRequest(`Query parameter "${name}" was given ${times} times; give it once.`);
  }
  return {
    ids: query.ids === undefined ? null : splitLists(query.ids),
    url: query.url?.[0] ?? null,
    network: query.network?.[0] || 'netA',
    include: query.include === undefined ? [] : [...new Set(splitLists(query.include))],
    asOrg: query.asOrg?.[0] ?? null,
    asProfile: query.asProfile?.[0] ?? null,
    deep: false,
  };
}

/** IDS-04, PST-09: split on commas, blanks around them ignored, empty tokens dropped. */
function splitLists(texts: readonly string[]): string[] {
  const tokens: string[] = [];
  for (const text of texts)
    for (const piece of text.split(',')) {
      const token = trimBlanks(piece);
      if (token !== '') tokens.push(token);
    }
  return tokens;
}

/**
 * The parameters of a batch body. Fields that the contract does not name are ignored (GEN-06).
 * @throws Refusal invalid-input naming the field, what it is and what it has to be.
 */
export function parametersOfBody(body: unknown): Parameters {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  if (!isObject) throw badRequest(`The body is ${kindOf(body)}; it has to be a JSON object with "ids".`);
  const field = (name: string): unknown =>
    Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : undefined;
  return {
    ids: idsOfBody(field('ids')),
    url: null,
    network: textOf('network', field('network')) || 'netA',
    include: [],
    asOrg: textOf('asOrg', field('asOrg')),
    asProfile: textOf('asProfile', field('asProfile')),
    deep: flagOf('creatorDeepAnalysis', field('creatorDeepAnalysis')),
  };
}

/** IDS-10: drops empty and blank items before anything is counted; the others stay as submitted. */
function idsOfBody(ids: unknown): string[] | null {
  if (ids === undefined) return null;
  if (!Array.isArray(ids)) throw badRequest(`Body field "ids" is ${kindOf(ids)}; it has to be an array of strings.`);
  return ids.filter((id: unknown, index): id is string => {
    if (typeof id !== 'string') throw badRequest(`Body field "ids[${index}]" is ${kindOf(id)}; it has to be a string.`);
    return trimBlanks(id) !== '';
  });
}

function textOf(name: string, value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value !== 'string') throw badRequest(`Body field "${name}" is ${kindOf(value)}; it has to be a string.`);
  return value;
}

function flagOf(name: string, value: unknown): boolean {
  if (value === undefined) return false;
  if (typeof value !== 'boolean')
    throw badRequest(`Body field "${name}" is ${kindOf(value)}; it has to be true or false.`);
  return value;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'missing';
  return Array.isArray(value) ? 'an array' : `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`;
}

/**
 * The identifiers of a batch, 1 to 100 of them as submitted (IDS-05, IDS-11).
 * @throws Refusal invalid-input for none or too many.
 */
export function batchIds({ ids }: Parameters): readonly string[] {
  if (ids === null) throw badRequest(`"ids" is missing; name 1 to ${MAX_IDS} identifiers.`);
  if (ids.length > 0 && ids.length <= MAX_IDS) return ids;
  throw badRequest(`"ids" names ${ids.length} identifiers; 1 to ${MAX_IDS} are allowed.`);
}

/**
 * The values of `include`, each one of those allowed.
 * @throws Refusal invalid-input for another (CRE-07, PST-05).
 */
export function includeOf<Value extends string>({ include }: Parameters, allowed: readonly Value[]): readonly Value[] {
  return include.map((value) => {
    const known = allowed.find((one) => one === value);
    if (known === undefined) throw badRequest(`"include" names ${quoted(value)}; allowed: ${allowed.join(', ')}.`);
    return known;
  });
}

function quoted(text: string): string {
  return JSON.stringify(text.length > MAX_ECHO ? `${text.slice(0, MAX_ECHO)}…` : text);
}
