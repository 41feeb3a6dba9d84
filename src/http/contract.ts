import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { AnalysisKey } from '../model.ts';
import type { AnyAnswer, OperationId } from './answer.ts';
import { isPieces } from './answer.ts';

/** The bundled OpenAPI document, as far as the guard reads it. */
export interface ContractDocument {
  readonly servers?: readonly { readonly url: string }[];
  readonly paths: Record<
    string,
    Record<string, { operationId: string; responses: Record<string, Referable<ResponseObject>> }>
  >;
  readonly components: Record<string, Record<string, unknown>>;
}
type Referable<Value> = Value | { readonly $ref: string };
interface ResponseObject {
  readonly headers?: Record<string, Referable<HeaderObject>>;
  readonly content?: Record<string, { schema: Schema }>;
}
interface HeaderObject {
  readonly required?: boolean;
  readonly schema: Schema;
}
type Schema = Record<string, unknown>;

/** Says what broke the contract and where. Its message is for the log, never for a caller (ERR-04). */
export class ContractViolation extends Error {}

export interface Contract {
  /**
   * Checks an answer against the contract: that the operation documents the status, the headers and the body. Without an operation (an
   * unknown path, a request that the parser refused) it checks the error envelope of the status. Of a body in pieces it checks the
   * envelope only: `checkPiece` has checked the documents inside.
   * @throws ContractViolation
   */
  check(operation: OperationId | null, answer: AnyAnswer): void;
  /** The same for a response as received, with its whole body; for tests. */
  checkWhole(operation: OperationId | null, status: number, headers: Record<string, string>, body: unknown): void;
  /**
   * Checks stored bytes against a schema of the contract, once for each buffer, so that a damaged row is never sent.
   * @param schema JSON pointer into the bundle, one of `pieceOf`.
   * @throws ContractViolation
   */
  checkPiece(piece: Buffer, schema: string): Buffer;
  /** Checks a value against a schema of the contract, given as a JSON pointer. @throws ContractViolation */
  checkValue(value: unknown, schema: string): void;
  /** The keys of `analysis`, as the document lists them. */
  readonly analysisKeys: readonly AnalysisKey[];
}

interface Documented {
  readonly headers: ReadonlyMap<
    string,
    { readonly name: string; readonly required: boolean; readonly valid: ValidateFunction; readonly integer: boolean }
  >;
  readonly required: readonly string[];
  readonly body: ValidateFunction;
}

/** A URL, because ajv cannot resolve references against a `urn:`. */
const ID = 'https://contract.invalid/openapi.json';
const SHAPED_BY_HTTP = new Set([
  'content-type',
  'content-length',
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'vary',
  'access-control-allow-origin',
  'access-control-expose-headers',
]);

export function createContract(bundle: ContractDocument): Contract {
  const closed = close(structuredClone(bundle)) as ContractDocument;
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateSchema: false });
  addFormats.default(ajv);
  ajv.addSchema(closed, ID);
  const validators = new Map<string, ValidateFunction>();
  const validator = (pointer: string): ValidateFunction => {
    const known = validators.get(pointer) ?? ajv.compile({ $ref: `${ID}#${pointer}` });
    validators.set(pointer, known);
    return known;
  };
  const documented = documentedResponses(closed, validator);
  const errors = errorResponses(documented);
  const intact = new WeakMap<Buffer, string>();

  function find(operation: OperationId | null, status: number): Documented {
    const found = operation === null ? errors.get(status) : documented.get(`${operation} ${status}`);
    if (found === undefined)
      throw new ContractViolation(`${operation ?? 'no operation'}: status ${status} is not documented`);
    return found;
  }

  return {
    check(operation, { status, headers, body }) {
      const { body: valid, ...response } = find(operation, status);
      const where = `${operation ?? 'no operation'} ${status}`;
      checkHeaders(where, response, headers);
      hold(valid, isPieces(body) ? body.envelope : body, where, isPieces(body) && body.envelope === null);
    },
    checkWhole(operation, status, headers, body) {
      const { body: valid, ...response } = find(operation, status);
      const where = `${operation ?? 'no operation'} ${status}`;
      if (!/^application\/json(; charset=utf-8)?$/.test(headers['content-type'] ?? '')) {
        throw new ContractViolation(`${where}: content type ${headers['content-type']}`);
      }
      checkHeaders(where, response, headers);
      hold(valid, body, where, false);
    },
    checkPiece(piece, schema) {
      if (intact.get(piece) === schema) return piece;
      hold(validator(schema), parsed(piece, schema), schema, false);
      intact.set(piece, schema);
      return piece;
    },
    checkValue: (value, schema) => hold(validator(schema), value, schema, false),
    analysisKeys: analysisKeysOf(bundle),
  };
}

function analysisKeysOf({ components: { schemas = {} } }: ContractDocument): AnalysisKey[] {
  const analysis = schemas['Analysis'] as { readonly properties: object };
  return Object.keys(analysis.properties) as AnalysisKey[];
}

/** JSON pointers of the schemas that stored pieces are checked against. */
export const pieceOf = {
  creator: '/components/schemas/CreatorEntry',
  creatorPosts: '/components/schemas/Creator/properties/posts',
  post: '/components/schemas/Post',
  analysis: '/components/schemas/Analysis',
} as const;

function parsed(piece: Buffer, where: string): unknown {
  try {
    return JSON.parse(piece.toString());
  } catch {
    throw new ContractViolation(`${where}: stored bytes are no JSON`);
  }
}

function hold(valid: ValidateFunction, value: unknown, where: string, unchecked: boolean): void {
  if (unchecked || valid(value)) return;
  const [error] = valid.errors ?? [];
  const extra = JSON.stringify(error?.params ?? {}).slice(0, 200);
  throw new ContractViolation(`${where}: body${error?.instancePath ?? ''} ${error?.message ?? 'is wrong'} ${extra}`);
}

function checkHeaders(
  where: string,
  { headers, required }: Omit<Documented, 'body'>,
  given: AnyAnswer['headers'],
): void {
  let found = 0;
  for (const name in given) {
    const value = given[name];
    if (value === undefined) continue;
    const header = headers.get(name) ?? headers.get(name.toLowerCase());
    if (header === undefined && SHAPED_BY_HTTP.has(name.toLowerCase())) continue;
    if (header === undefined) throw new ContractViolation(`${where}: header ${name} is not documented`);
    const read = header.integer && /^[0-9]+$/.test(String(value)) ? Number(value) : value;
    if (!header.valid(read)) throw new ContractViolation(`${where}: header ${name} is ${JSON.stringify(value)}`);
    if (header.required) found += 1;
  }
  if (found < required.length) throw new ContractViolation(`${where}: of ${required.join(', ')} a header is missing`);
}

/** `operationId status` → what the document says of that response. */
function documentedResponses(
  bundle: ContractDocument,
  validator: (pointer: string) => ValidateFunction,
): Map<string, Documented> {
  const found = new Map<string, Documented>();
  for (const [path, item] of Object.entries(bundle.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      for (const [status, response] of Object.entries(operation.responses ?? {})) {
        const pointer = `/paths/${escape(path)}/${method}/responses/${status}`;
        found.set(`${operation.operationId} ${status}`, documentedResponse(bundle, response, pointer, validator));
      }
    }
  }
  return found;
}

function documentedResponse(
  bundle: ContractDocument,
  response: Referable<ResponseObject>,
  at: string,
  validator: (pointer: string) => ValidateFunction,
): Documented {
  const { value, pointer } = resolve(bundle, response, at);
  const headers: (readonly [string, { name: string; required: boolean; valid: ValidateFunction; integer: boolean }])[] =
    Object.entries(value.headers ?? {}).map(([name, header]) => {
      const resolved = resolve(bundle, header, `${pointer}/headers/${escape(name)}`);
      const required = resolved.value.required === true;
      const integer = resolved.value.schema.type === 'integer';
      return [name, { name, required, integer, valid: validator(`${resolved.pointer}/schema`) }];
    });
  const lower = headers.map(([name, header]) => [name.toLowerCase(), header] as const);
  return {
    headers: new Map([...headers, ...lower]),
    required: headers.flatMap(([name, { required }]) => (required ? [name] : [])),
    body: validator(`${pointer}/content/application~1json/schema`),
  };
}

/** Error responses are the same in every operation, so an answer without an operation is checked against those of any. */
function errorResponses(documented: Map<string, Documented>): Map<number, Documented> {
  const entries = [...documented].map(([name, response]) => [Number(name.split(' ')[1]), response] as const);
  return new Map(entries.filter(([status]) => status >= 400));
}

function resolve<Value extends object>(
  bundle: ContractDocument,
  value: Referable<Value>,
  at: string,
): { value: Value; pointer: string } {
  if (!('$ref' in value)) return { value, pointer: at };
  const pointer = value.$ref.replace(/^#/, '');
  const target = pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((node, step) => (node as Schema)[unescape(step)], bundle);
  return resolve(bundle, target as Referable<Value>, pointer);
}

const escape = (step: string): string => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'));
const unescape = (step: string): string => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');

/** Closes every object schema. The document leaves them open so that clients accept new fields; we send nothing undocumented (GEN-04). */
function close(node: unknown): unknown {
  if (Array.isArray(node)) node.forEach(close);
  else if (typeof node === 'object' && node !== null) {
    Object.values(node).forEach(close);
    if (isObjectSchema(node)) Object.assign(node, { additionalProperties: false });
  }
  return node;
}

function isObjectSchema(node: object): boolean {
  return (
    'properties' in node && typeof node.properties === 'object' && !('additionalProperties' in node) && 'type' in node
  );
}
