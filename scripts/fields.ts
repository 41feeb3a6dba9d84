/**
 * Compares the fields of scripts/fields.yaml against the schemas of the bundle, name by name with type,
 * nullability and presence (DOC-01).
 */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { bundleOf } from './bundle.ts';
import type { Bundle, Schema } from './bundle.ts';
import { rootOption, runCommand } from './command.ts';

/** Schema name → field (with `?` when optional) → type. */
export type Tables = Readonly<Record<string, Readonly<Record<string, string>>>>;

export const readTables = (file: string | URL = new URL('fields.yaml', import.meta.url)): Tables =>
  parse(readFileSync(file, 'utf8')) as Tables;

const typesOf = ({ type }: Schema): string[] => (type === undefined ? [] : [type].flat());

const quoted = (value: unknown): string => (typeof value === 'string' ? JSON.stringify(value) : String(value));

function objectText(schema: Schema): string {
  const fields = fieldsOf(schema).map(([name, type]) => `${name}: ${type}`);
  return `{ ${fields.join(', ')} }`;
}

function singleType(schema: Schema, type: string): string {
  if (type === 'array') return `array of ${typeText(schema.items ?? {})}`;
  return type === 'object' ? objectText(schema) : type;
}

/** A schema in the notation of fields.yaml. Null stands last. */
export function typeText(schema: Schema | boolean): string {
  if (typeof schema === 'boolean') return schema ? 'opaque' : 'never';
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? '';
  if (schema.const !== undefined) return quoted(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(quoted).join(' | ');
  const parts = schema.oneOf ? schema.oneOf.map(typeText) : typesOf(schema).map((type) => singleType(schema, type));
  return parts.length === 0 ? 'opaque' : parts.join(' | ');
}

/** Fields of an object schema with their types, `name?` where it is not required. */
export function fieldsOf(schema: Schema): [string, string][] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).map(([name, property]) => [
    required.has(name) ? name : `${name}?`,
    typeText(property),
  ]);
}

/** One line a difference; empty when tables and schemas agree. */
export function differences(tables: Tables, bundle: Bundle): string[] {
  const { schemas } = bundle.components;
  const found: string[] = [];
  for (const name of Object.keys(schemas)) if (!tables[name]) found.push(`${name}: a schema without a table`);
  for (const [name, want] of Object.entries(tables)) {
    const got = new Map(schemas[name] ? fieldsOf(schemas[name]) : []);
    if (!schemas[name]) found.push(`${name}: in scripts/fields.yaml, without a schema`);
    else found.push(...tableDifferences(name, want, got));
  }
  return found;
}

function tableDifferences(name: string, want: Readonly<Record<string, string>>, got: Map<string, string>): string[] {
  const found: string[] = [];
  for (const [field, type] of Object.entries(want)) {
    if (!got.has(field)) found.push(`${name}.${field}: not in the schema`);
    else if (got.get(field) !== type)
      found.push(`${name}.${field}: ${type} in scripts/fields.yaml, ${got.get(field)} in the schema`);
  }
  for (const field of got.keys()) if (!(field in want)) found.push(`${name}.${field}: not in scripts/fields.yaml`);
  return found;
}

function printCounts(tables: Tables, bundle: Bundle): void {
  let total = 0;
  for (const [name, fields] of Object.entries(tables)) {
    const count = Object.keys(fields).length;
    total += count;
    const inSchema = fieldsOf(bundle.components.schemas[name] ?? {}).length;
    console.log(
      `${name.padEnd(28)} ${String(count).padStart(4)} in the table ${String(inSchema).padStart(4)} in the schema`,
    );
  }
  console.log(`${'all'.padEnd(28)} ${String(total).padStart(4)}`);
}

const usage = `Usage: node scripts/fields.ts [--root <folder>]

Prints how many fields each schema has, in scripts/fields.yaml and in generated/openapi.json; exit 1 names each difference.

  --root <folder>   the checkout whose contract is compared (default: this one)
  --help            this text
`;

if (import.meta.main)
  await runCommand({
    name: 'fields',
    usage,
    options: rootOption,
    run({ root }) {
      const [tables, bundle] = [readTables(), bundleOf(root)];
      printCounts(tables, bundle);
      const found = differences(tables, bundle);
      for (const line of found) console.error(line);
      return found.length > 0 ? 1 : 0;
    },
  });
