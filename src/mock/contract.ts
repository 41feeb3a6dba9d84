import { readFileSync } from 'node:fs';

/** The parts of a JSON schema that the mock reads. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

export interface Contract {
  readonly info: { readonly version: string };
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The bundled contract; the package has it at the same place beside the built files. */
export const readContract = (): Contract =>
  JSON.parse(readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8')) as Contract;

/** The keys of an object schema, its own and those of the schemas it combines. */
export function propertiesOf(contract: Contract, schema: Schema): Record<string, Schema> {
  const found = resolve(contract, schema);
  return Object.assign(
    {},
    ...(found.allOf ?? []).map((part) => propertiesOf(contract, part)),
    found.properties ?? {},
  ) as Record<string, Schema>;
}

function resolve(contract: Contract, schema: Schema): Schema {
  const name = schema.$ref?.replace('#/components/schemas/', '');
  return name === undefined ? schema : resolve(contract, contract.components.schemas[name] ?? {});
}

const typesOf = ({ type }: Schema): readonly string[] =>
  type === undefined ? [] : typeof type === 'string' ? [type] : type;

/** The value of something not yet observed: null where that is allowed, else empty, false, or an object of such values (DOC-03). */
export function unobserved(contract: Contract, schema: Schema): unknown {
  const found = resolve(contract, schema);
  const choices = found.anyOf ?? found.oneOf;
  if (choices?.some((choice) => typesOf(resolve(contract, choice)).includes('null')) || typesOf(found).includes('null'))
    return null;
  if (choices?.[0]) return unobserved(contract, choices[0]);
  if (found.const !== undefined) return found.const;
  if (found.enum) return found.enum[0];
  if (typesOf(found).includes('boolean')) return false;
  if (typesOf(found).includes('array')) return [];
  if (typesOf(found).includes('string')) return '';
  if (typesOf(found).includes('number') || typesOf(found).includes('integer')) return 0;
  return unobservedObject(contract, found);
}

/** Every required key of an object, unobserved; an optional one is left out. */
function unobservedObject(contract: Contract, schema: Schema): Record<string, unknown> {
  const parts = [schema, ...(schema.allOf ?? []).map((part) => resolve(contract, part))];
  const required = new Set(parts.flatMap((part) => part.required ?? []));
  const properties = Object.entries(propertiesOf(contract, schema)).filter(([name]) => required.has(name));
  return Object.fromEntries(properties.map(([name, property]) => [name, unobserved(contract, property)]));
}
