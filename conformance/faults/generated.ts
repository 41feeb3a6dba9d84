/**
 * Faults made from the contract's own schemas: at every place of a schema where a document of the recording has a value, a
 * required key is dropped, null is put where it may not be, the type is wrong, and so on.
 */
import { schemaName } from '../contract.ts';
import type { Exchange, Level } from '../model.ts';

export type Kind =
  | 'required key dropped'
  | 'null where not allowed'
  | 'wrong type'
  | 'value outside a closed set'
  | 'broken format'
  | 'extra key'
  | 'bad header';

export interface GeneratedFault {
  readonly name: string;
  readonly family: Kind;
  readonly level: Level;
  readonly exchangeId: string;
  /** JSON pointer or `header:Name` that a finding has to name. */
  readonly pointer: string;
  alter(exchange: Exchange): Exchange;
}

type Schema = Readonly<Record<string, unknown>>;
type Json = Record<string, unknown>;
export interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

interface Place {
  /** `CreatorResponse/data/channels/*` + `/netA`: the same for all items of a list. */
  readonly path: string;
  readonly pointer: string;
  readonly schema: Schema;
  readonly value: unknown;
  readonly exchange: Exchange;
}

const types = (schema: Schema): readonly string[] => [schema['type']].flat().filter((type) => typeof type === 'string');
const list = (value: unknown): readonly Schema[] => (Array.isArray(value) ? (value as Schema[]) : []);

/** A schema with references followed and `allOf` merged; of alternatives the one that is not null. */
function flat(document: Document, schema: Schema): Schema {
  const reference = schema['$ref'];
  const named =
    typeof reference === 'string'
      ? flat(document, document.components.schemas[reference.split('/').at(-1) ?? ''] ?? {})
      : {};
  const { $ref: _, allOf, ...rest } = schema;
  const parts = [named, ...list(allOf).map((part) => flat(document, part)), rest];
  const merged = parts.reduce<Json>(
    (all, part) => ({
      ...all,
      ...part,
      ...both('properties', all, part),
      required: [...new Set([...asList(all['required']), ...asList(part['required'])])],
    }),
    {},
  );
  const alternatives = [...list(merged['anyOf']), ...list(merged['oneOf'])];
  const [only, ...others] = alternatives.filter((one) => !types(one).includes('null') || types(one).length > 1);
  const nullable = alternatives.some((one) => types(one).join() === 'null');
  // A real choice between shapes is not walked into: what it allows is not one thing.
  if (only === undefined || others.length > 0) return merged;
  const chosen = flat(document, only);
  return { ...merged, ...chosen, ...(nullable ? { type: [...types(chosen), 'null'] } : {}) };
}

const asList = (value: unknown): readonly string[] => (Array.isArray(value) ? (value as string[]) : []);
const both = (key: string, all: Json, part: Schema): Json =>
  isObject(all[key]) || isObject(part[key]) ? { [key]: { ...(all[key] as Json), ...(part[key] as Json) } } : {};

function* places(document: Document, start: Place): Generator<Place> {
  const schema = flat(document, start.schema);
  yield { ...start, schema };
  const { value } = start;
  if (Array.isArray(value) && isObject(schema['items'])) {
    for (const [index, item] of value.entries())
      yield* places(document, {
        ...start,
        path: `${start.path}/*`,
        pointer: `${start.pointer}/${index}`,
        schema: schema['items'],
        value: item,
      });
  }
  if (!isObject(value) || !isObject(schema['properties'])) return;
  for (const [key, property] of Object.entries(schema['properties'])) {
    if (key in value && isObject(property))
      yield* places(document, {
        ...start,
        path: `${start.path}/${key}`,
        pointer: `${start.pointer}/${escaped(key)}`,
        schema: property,
        value: value[key],
      });
  }
}

/** One place for each path of a schema, at a value that is not null where there is one. */
export function placesOf(document: Document, exchanges: readonly Exchange[]): Place[] {
  const found = new Map<string, Place>();
  for (const exchange of exchanges) {
    const name = schemaName(exchange.operation, exchange.response.status, exchange.request.path);
    const schema = name ? document.components.schemas[name] : undefined;
    if (!schema || exchange.operation === null || exchange.request.method === 'HEAD') continue;
    for (const place of places(document, {
      path: name ?? '',
      pointer: '',
      schema,
      value: exchange.response.json,
      exchange,
    })) {
      const known = found.get(place.path);
      if (known === undefined || (known.value === null && place.value !== null)) found.set(place.path, place);
    }
  }
  return [...found.values()];
}

const bodyChanged = (exchange: Exchange, pointer: string, edit: (holder: Json, key: string) => void): Exchange => {
  const json = structuredClone(exchange.response.json);
  const parts = pointer.split('/').slice(1).map(unescaped);
  const key = parts.pop() ?? '';
  const holder = parts.reduce<unknown>((at, part) => (at as Json)[part], json);
  edit(holder as Json, key);
  return { ...exchange, response: { ...exchange.response, json, body: JSON.stringify(json) } };
};

const wrong: Readonly<Record<string, unknown>> = {
  string: 7,
  number: 'seven',
  integer: 'seven',
  boolean: 'yes',
  array: 'a,b',
  object: 'text',
};

const levelOf = (place: Place): Level =>
  /\/analysis\//.test(place.pointer) || differentNetwork(place) ? 'ruling' : 'specification';
/** What the group of another network holds is a ruling (DOC-03). */
function differentNetwork({ pointer, exchange }: Place): boolean {
  const match = /^(.*\/channels\/\d+)\/(netA|netB)\//.exec(pointer);
  if (!match) return false;
  const channel = (match[1] ?? '')
    .split('/')
    .slice(1)
    .reduce<unknown>((at, part) => (at as Json)[part], exchange.response.json) as Json;
  return channel['network'] !== match[2];
}

function ofPlace(place: Place): GeneratedFault[] {
  const { schema, value, pointer, path, exchange } = place;
  const made: GeneratedFault[] = [];
  const add = (
    family: Kind,
    at: string,
    name: string,
    edit: (holder: Json, key: string) => void,
    level: Level = levelOf(place),
  ): void => {
    made.push({
      name: `${family}: ${name}`,
      family,
      level,
      exchangeId: exchange.id,
      pointer: at,
      alter: (one) => bodyChanged(one, at, edit),
    });
  };
  const allowed = types(schema);
  if (isObject(value)) {
    for (const key of asList(schema['required'])) {
      const lower = { ...place, pointer: `${pointer}/${escaped(key)}` };
      if (key in value)
        add('required key dropped', lower.pointer, `${path}/${key}`, (holder) => delete holder[key], levelOf(lower));
    }
    // The document leaves objects open for what v1 may add (VER-02); that ours adds nothing is a ruling (GEN-04).
    if (isObject(schema['properties']))
      add('extra key', `${pointer}/undocumentedKey`, path, (holder, key) => (holder[key] = 1), 'ruling');
  }
  if (pointer === '' || allowed.length === 0) return made;
  if (!allowed.includes('null')) add('null where not allowed', pointer, path, (holder, key) => (holder[key] = null));
  const type = allowed.find((one) => one !== 'null') ?? '';
  if (type in wrong) add('wrong type', pointer, path, (holder, key) => (holder[key] = wrong[type]));
  if (value !== null && (Array.isArray(schema['enum']) || 'const' in schema) && type !== 'boolean')
    add('value outside a closed set', pointer, path, (holder, key) => (holder[key] = 'no such value'));
  if (schema['format'] === 'date-time' && value !== null)
    for (const broken of ['yesterday', '2026-02-30 12:00', '1789689600'])
      add('broken format', pointer, `${path} = ${broken}`, (holder, key) => (holder[key] = broken));
  return made;
}

const badHeaders: readonly {
  readonly name: string;
  readonly when: (exchange: Exchange) => boolean;
  readonly values: readonly (string | null)[];
  readonly level: Level;
}[] = [
  { name: 'x-request-id', when: () => true, values: [null, ''], level: 'specification' },
  { name: 'Content-Type', when: () => true, values: ['text/plain'], level: 'specification' },
  {
    name: 'Retry-After',
    when: ({ response }) => response.headers.some(([name]) => name.toLowerCase() === 'retry-after'),
    values: ['soon', '0', '-3', '2.5', null],
    level: 'specification',
  },
  {
    name: 'WWW-Authenticate',
    when: ({ response }) => response.status === 401,
    values: [null, 'Digest'],
    level: 'ruling',
  },
  { name: 'Cache-Control', when: () => true, values: [null, 'public'], level: 'ruling' },
  {
    name: 'RateLimit',
    when: ({ response }) => response.headers.some(([name]) => name.toLowerCase() === 'ratelimit'),
    values: [null, 'sixty'],
    level: 'ruling',
  },
  {
    name: 'RateLimit-Policy',
    when: ({ response }) => response.headers.some(([name]) => name.toLowerCase() === 'ratelimit-policy'),
    values: [null, 'sixty'],
    level: 'ruling',
  },
];

const withHeader = (exchange: Exchange, name: string, value: string | null): Exchange => {
  const others = exchange.response.headers.filter(([key]) => key.toLowerCase() !== name.toLowerCase());
  return {
    ...exchange,
    response: { ...exchange.response, headers: value === null ? others : [...others, [name, value]] },
  };
};

/** Bad headers on the first answer of each operation and status. */
function ofHeaders(exchanges: readonly Exchange[]): GeneratedFault[] {
  const answered = exchanges.filter(
    ({ operation, response, request }) => operation !== null && response.status > 0 && request.method !== 'HEAD',
  );
  const first = [...Map.groupBy(answered, ({ operation, response }) => `${operation} ${response.status}`)].map(
    ([label, [exchange]]) => ({ label, exchange }),
  );
  return first.flatMap(({ label, exchange }) =>
    exchange === undefined
      ? []
      : badHeaders
          .filter(({ when }) => when(exchange))
          .flatMap(({ name, values, level }) =>
            values.map((value): GeneratedFault => ({
              name: `bad header: ${label} ${name} = ${value ?? 'absent'}`,
              family: 'bad header',
              level,
              exchangeId: exchange.id,
              pointer: `header:${name}`,
              alter: (one) => withHeader(one, name, value),
            })),
          ),
  );
}

export const generatedFaults = (document: Document, exchanges: readonly Exchange[]): GeneratedFault[] => [
  ...placesOf(document, exchanges).flatMap(ofPlace),
  ...ofHeaders(exchanges),
];
