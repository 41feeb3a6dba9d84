/**
 * The suite's own guard: each exchange is held to the bundled contract, whatever it was sent for. What only our document
 * says, and the specification leaves open, is told apart (`level: 'ruling'`), so that a legal stranger passes.
 */
import { readFileSync } from 'node:fs';

import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';

import { headerOf, headersOf, isObject, shown, valueAt } from './answer.ts';
import type { Exchange, Level, OperationId } from './model.ts';

export interface Breach {
  readonly level: Level;
  readonly area: 'status' | 'type' | 'header' | 'body';
  /** JSON Schema keyword that failed (`required`, `type`, …), or '' outside the body. */
  readonly keyword: string;
  readonly pointer: string;
  readonly expected: string;
  readonly seen: string;
  readonly exchangeId: string;
}

export interface Contract {
  readonly version: string;
  /** Everything in which the exchange differs from the document; remembered per exchange. */
  breaches(exchange: Exchange): readonly Breach[];
}

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly info: { readonly version: string };
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<string, { readonly operationId?: string; readonly responses?: Readonly<Record<string, unknown>> }>
      >
    >
  >;
}

const documentId = 'https://contract.invalid/openapi.json';

/** ISO 8601 with a time zone: offsets, fractions and the basic form of the offset are all fine (GEN-05). */
export const isoInstant =
  /^[+-]?\d{4,6}-?\d\d-?\d\d[Tt ]\d\d(?::?\d\d(?::?\d\d(?:[.,]\d+)?)?)?(?:[Zz]|[+-]\d\d(?::?\d\d)?)$/;

export const readContract = (file: string | URL = new URL('../generated/openapi.json', import.meta.url)): Contract =>
  createContract(JSON.parse(readFileSync(file, 'utf8')) as Document);

export function createContract(document: Document): Contract {
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: true, logger: false });
  ajv.addFormat('date-time', (text: string) => isoInstant.test(text) && !Number.isNaN(instantOf(text)));
  for (const open of ['uri', 'email', 'int32', 'int64', 'float', 'double', 'byte', 'date']) ajv.addFormat(open, true);
  ajv.addSchema(document, documentId);
  const statuses = documentedStatuses(document);
  const remembered = new WeakMap<Exchange, readonly Breach[]>();
  const schemaOf = (name: string): ValidateFunction => {
    const found = ajv.getSchema(`${documentId}#/components/schemas/${name}`);
    if (!found) throw new Error(`generated/openapi.json has no schema ${name}`);
    return found;
  };
  return {
    version: document.info.version,
    breaches(exchange) {
      const known = remembered.get(exchange) ?? judge(exchange, statuses, schemaOf, document);
      remembered.set(exchange, known);
      return known;
    },
  };
}

/** Milliseconds since the epoch of an ISO instant that `Date` may be too strict for; NaN where it names no moment. */
export function instantOf(text: string): number {
  const offset = text
    .replace(/[tT ]/, 'T')
    .replace(/,(\d)/, '.$1')
    .replace(/([+-]\d\d)(\d\d)$/, '$1:$2')
    .replace(/(T.*[+-]\d\d)$/, '$1:00');
  return Date.parse(offset.replace(/(\.\d{3})\d+/, '$1').replace(/z$/, 'Z'));
}

function documentedStatuses(document: Document): Map<string, Set<number>> {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  return new Map(
    operations.flatMap(({ operationId, responses }) =>
      operationId && responses ? [[operationId, new Set(Object.keys(responses).map(Number))] as const] : [],
    ),
  );
}

const errorSchemas: Readonly<Record<number, string>> = {
  400: 'InvalidInputError',
  401: 'UnauthorizedError',
  403: 'ForbiddenError',
  404: 'NotFoundError',
  405: 'MethodNotAllowedError',
  429: 'RateLimitedError',
  500: 'InternalError',
  503: 'DependencyUnavailableError',
};

/** Name of the schema that a body has to follow, or null where the contract has none for the status. */
export function schemaName(operation: OperationId | null, status: number, path: string): string | null {
  if (status !== 200 && status !== 202) return errorSchemas[status] ?? null;
  if (operation === null) return null;
  if (status === 202) return 'FetchingResponse';
  if (operation === 'getCreator') return 'CreatorResponse';
  if (operation === 'listCreators' || operation === 'batchCreators') return 'CreatorBatch';
  if (operation === 'batchPosts') return 'PostBatch';
  return /[?&]ids=/.test(path) ? 'PostBatch' : 'PostResponse';
}

function judge(
  exchange: Exchange,
  statuses: Map<string, Set<number>>,
  schemaOf: (name: string) => ValidateFunction,
  document: Document,
): Breach[] {
  const { response, operation, request } = exchange;
  if (response.status === 0 || request.method === 'HEAD') return [];
  const breach = (part: Omit<Breach, 'exchangeId'>): Breach => ({ ...part, exchangeId: exchange.id });
  const name = schemaName(operation, response.status, request.path);
  if (operation !== null && !statuses.get(operation)?.has(response.status)) {
    const documented = [...(statuses.get(operation) ?? [])].join(', ');
    return [
      breach({
        level: 'specification',
        area: 'status',
        keyword: '',
        pointer: 'status',
        expected: `one of ${documented}`,
        seen: String(response.status),
      }),
    ];
  }
  if (name === null) return [];
  const level: Level = operation === null ? 'ruling' : 'specification';
  if (response.json === undefined) {
    return [
      breach({ level, area: 'type', keyword: '', pointer: '', expected: 'a JSON body', seen: shown(response.body) }),
    ];
  }
  const extra = undocumentedKeys(document, { $ref: `#/components/schemas/${name}` }, response.json, '');
  return [
    ...judgeHeaders(exchange, level).map(breach),
    ...judgeBody(response.json, schemaOf(name)).map((found) =>
      breach(level === 'ruling' ? { ...found, level } : found),
    ),
    ...extra.map((pointer) =>
      breach({
        level: 'ruling',
        area: 'body',
        keyword: 'additionalProperties',
        pointer,
        expected: 'no key that the contract lacks',
        seen: 'an undocumented key',
      }),
    ),
  ];
}

function judgeHeaders({ response, operation }: Exchange, level: Level): Omit<Breach, 'exchangeId'>[] {
  const found: Omit<Breach, 'exchangeId'>[] = [];
  const type = headerOf(response, 'content-type') ?? '';
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    found.push({
      level,
      area: 'type',
      keyword: '',
      pointer: 'header:Content-Type',
      expected: 'application/json',
      seen: type || 'no such header',
    });
  }
  const charset = /;\s*charset="?([^";\s]+)/i.exec(type)?.[1];
  if (/\+json/i.test(type) || (charset !== undefined && !/^utf-?8$/i.test(charset))) {
    found.push({
      level: 'ruling',
      area: 'type',
      keyword: '',
      pointer: 'header:Content-Type',
      expected: 'application/json, in UTF-8',
      seen: type,
    });
  }
  const waits = headersOf(response, 'retry-after');
  if (operation !== null && (response.status === 202 || response.status === 429) && waits.length === 0) {
    found.push({
      level,
      area: 'header',
      keyword: '',
      pointer: 'header:Retry-After',
      expected: 'whole seconds, 1 or more',
      seen: 'no such header',
    });
  }
  return found;
}

function judgeBody(body: unknown, validate: ValidateFunction): Omit<Breach, 'exchangeId'>[] {
  if (validate(body)) return [];
  return (validate.errors ?? [])
    .filter(({ keyword }) => !['oneOf', 'anyOf', 'if'].includes(keyword))
    .map((error) => ofError(error, body));
}

function ofError(error: ErrorObject, body: unknown): Omit<Breach, 'exchangeId'> {
  const at = pointerOf(error);
  const value = valueAt(body, at);
  return {
    level: levelOf(error, body),
    area: 'body',
    keyword: error.keyword,
    pointer: at,
    expected: expectedBy(error),
    seen: isExtra(error) ? 'an undocumented key' : value === undefined ? 'no such key' : shown(value),
  };
}

/** Pointers of the keys that no schema on the way names; below an opaque value nothing is looked at (DOC-12). */
function undocumentedKeys(document: Document, schema: Schema, value: unknown, pointer: string): string[] {
  const parts = partsOf(document, schema);
  if (Array.isArray(value)) {
    const items = parts.find((part) => part.items)?.items;
    return items ? value.flatMap((item, index) => undocumentedKeys(document, items, item, `${pointer}/${index}`)) : [];
  }
  const named = parts.filter((part) => part.properties);
  if (!isObject(value) || named.length === 0) return [];
  const properties = Object.assign({}, ...named.map((part) => part.properties)) as Record<string, Schema>;
  return Object.entries(value).flatMap(([key, member]) =>
    Object.hasOwn(properties, key)
      ? undocumentedKeys(document, properties[key] ?? {}, member, `${pointer}/${key}`)
      : [`${pointer}/${key}`],
  );
}

/** A schema with everything that it refers to or combines, flat. */
function partsOf(document: Document, schema: Schema): Schema[] {
  const name = schema.$ref?.split('/').at(-1);
  const referred = name === undefined ? undefined : document.components.schemas[name];
  const combined = [
    ...(schema.oneOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.allOf ?? []),
    ...(referred ? [referred] : []),
  ];
  return [schema, ...combined.flatMap((each) => partsOf(document, each))];
}

const isExtra = ({ keyword }: ErrorObject): boolean =>
  keyword === 'additionalProperties' || keyword === 'unevaluatedProperties';

function pointerOf(error: ErrorObject): string {
  const { missingProperty, additionalProperty, unevaluatedProperty } = error.params as Record<
    string,
    string | undefined
  >;
  const last = missingProperty ?? additionalProperty ?? unevaluatedProperty;
  return last === undefined
    ? error.instancePath
    : `${error.instancePath}/${last.replace(/~/g, '~0').replace(/\//g, '~1')}`;
}

function expectedBy(error: ErrorObject): string {
  if (error.keyword === 'required') return 'this key to be there, as it is required';
  if (isExtra(error)) return 'no key that the contract lacks';
  const { allowedValue, allowedValues } = error.params as Record<string, unknown>;
  if (error.keyword === 'const') return JSON.stringify(allowedValue);
  if (error.keyword === 'enum') return `one of ${JSON.stringify(allowedValues)}`;
  if (error.keyword === 'type') return [(error.params as { type: string | string[] }).type].flat().join(' or ');
  return error.message ?? error.keyword;
}

/** Keywords by which our document is narrower than the specification's tables. */
const ours = new Set([
  'additionalProperties',
  'unevaluatedProperties',
  'minimum',
  'maximum',
  'pattern',
  'maxLength',
  'minLength',
  'maxItems',
  'multipleOf',
  'uniqueItems',
  'not',
]);

function levelOf(error: ErrorObject, body: unknown): Level {
  if (ours.has(error.keyword)) return 'ruling';
  if (error.keyword === 'format' && (error.params as { format?: string }).format !== 'date-time') return 'ruling';
  if (error.keyword === 'type' && typeof valueAt(body, error.instancePath) === 'number') {
    if ((error.params as { type?: unknown }).type === 'integer') return 'ruling';
  }
  if (/\/analysis\//.test(error.instancePath)) return 'ruling';
  if (error.keyword === 'minItems' && !error.instancePath.endsWith('/channels')) return 'ruling';
  return inGroupOfAnotherNetwork(error.instancePath, body) ? 'ruling' : 'specification';
}

/** DOC-03: what a channel's group of another network contains is a ruling. */
function inGroupOfAnotherNetwork(pointer: string, body: unknown): boolean {
  const match = /^(.*\/channels\/\d+)\/(netA|netB)(?=\/|$)/.exec(pointer);
  const channel = match ? valueAt(body, match[1] ?? '') : undefined;
  const group = match?.[2] ?? '';
  if (!isObject(channel) || !isObject(channel[group])) return false;
  return channel['network'] !== group;
}
