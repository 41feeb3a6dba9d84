/** The bundled contract, generated/openapi.json, as far as the scripts look into it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  items?: Schema | boolean;
  properties?: Record<string, Schema | boolean>;
  required?: string[];
  [keyword: string]: unknown;
}

export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  style?: string;
  explode?: boolean;
  allowReserved?: boolean;
  schema?: Schema;
  content?: Record<string, Media>;
}

export interface Header {
  $ref?: string;
  required?: boolean;
  schema: Schema;
}

export interface Media {
  schema: Schema;
  examples?: Record<string, Reference | Example>;
}

export interface Example {
  summary?: string;
  value: unknown;
}

export interface Response {
  $ref?: string;
  headers?: Record<string, Header>;
  content?: Record<string, Media>;
}

export interface Body {
  $ref?: string;
  required?: boolean;
  content: Record<string, Media>;
}

export interface Server {
  url: string;
}

export interface Operation {
  operationId: string;
  servers?: Server[];
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: Body;
  responses: Record<string, Response>;
}

export interface Reference {
  $ref: string;
}

export interface Bundle {
  openapi: string;
  servers?: Server[];
  security?: Record<string, string[]>[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; [kind: string]: Record<string, unknown> };
}

export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

export const bundleOf = (root: string): Bundle => readBundle(join(root, 'generated/openapi.json'));

export const readBundle = (file: string | URL = new URL('../generated/openapi.json', import.meta.url)): Bundle =>
  JSON.parse(readFileSync(file, 'utf8')) as Bundle;

/** What a local `$ref` stands for; the thing itself where there is none. */
export function resolve<Thing extends object>(bundle: Bundle, thing: Thing): Thing {
  if (!('$ref' in thing) || typeof thing.$ref !== 'string') return thing;
  let found: unknown = bundle;
  for (const step of thing.$ref.slice(2).split('/')) found = (found as Record<string, unknown>)[step];
  if (found === undefined) throw new Error(`${thing.$ref} is not in the bundle`);
  return resolve(bundle, found as Thing);
}

/** The operations with their method and path, in the order of the document; each has what its path says for all of them. */
export function operationsOf(bundle: Bundle): { method: string; path: string; operation: Operation }[] {
  return Object.entries(bundle.paths).flatMap(([path, item]) => {
    const shared = item as unknown as Pick<Operation, 'parameters' | 'servers'>;
    return methods.flatMap((method) => {
      const own = item[method];
      if (own === undefined) return [];
      const parameters = [...(shared.parameters ?? []), ...(own.parameters ?? [])];
      const operation = { ...(shared.servers && { servers: shared.servers }), ...own, parameters };
      return [{ method, path, operation }];
    });
  });
}
