import type { Analysis } from '../model.ts';
import { unobservedAnalysis } from './unobserved.ts';

/** A schema of the contract's bundle, as far as repairing reads it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly minItems?: number;
}
export type Schemas = Readonly<Record<string, Schema>>;

/** Thrown when a value cannot be made into a document of the contract. */
export class BeyondRepair extends Error {}

/** Makes a value of the named schema out of whatever was received. @throws BeyondRepair */
export type Repair = (name: string, value: unknown) => unknown;

const longestText = 100_000;
const longestList = 10_000;
const longestGroup = 100_000;
const deepest = 32;
const isoInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isNestedBeyond = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isNestedBeyond(inner, levels - 1)));

/** A free-form group stays as received (DOC-12), within bounds: one batch may repeat it a hundred times. @throws BeyondRepair */
function freeForm(value: unknown): unknown {
  const group = value ?? null;
  if (isNestedBeyond(group, deepest) || JSON.stringify(group).length > longestGroup)
    throw new BeyondRepair('too large, or nested too deeply');
  return group;
}

/**
 * Repairs by schema (F10): a key that is missing or has a wrong type becomes null where that is allowed, or else an empty list or
 * `false`; unknown keys, and list items that cannot be repaired, are dropped. Anything else is beyond repair.
 */
export function createRepair(schemas: Schemas): Repair {
  function resolve(schema: Schema): Schema {
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined ? schema : (schemas[name] ?? {});
  }

  function repair(given: Schema, value: unknown, depth: number): unknown {
    if (depth > deepest) throw new BeyondRepair('nested too deeply');
    const schema = resolve(given);
    if (schema.oneOf !== undefined) return orNull(schema.oneOf[0] ?? {}, value, depth);
    const types = [schema.type ?? []].flat();
    if (types.length === 0 && schema.enum === undefined) return freeForm(value);
    const repaired = ofType(schema, types, value, depth);
    if (repaired !== undefined) return repaired;
    if (types.includes('null')) return null;
    throw new BeyondRepair(`not ${types.join(' or ')}`);
  }

  function orNull(schema: Schema, value: unknown, depth: number): unknown {
    if (value === null || value === undefined) return null;
    try {
      return repair(schema, value, depth + 1);
    } catch {
      return null;
    }
  }

  /** Undefined: the value is not of these types. */
  function ofType(schema: Schema, types: readonly string[], value: unknown, depth: number): unknown {
    const nullable = types.includes('null');
    if (types.includes('object')) return ofObject(schema, nullable, value, depth);
    if (types.includes('array')) return ofArray(schema, nullable, value, depth);
    if (schema.enum !== undefined) return schema.enum.includes(value) ? value : undefined;
    if (types.includes('string')) return textOf(schema, value);
    if (types.includes('number') || types.includes('integer')) return Number.isFinite(value) ? value : undefined;
    if (typeof value === 'boolean') return value;
    return nullable ? undefined : false;
  }

  function textOf(schema: Schema, value: unknown): string | undefined {
    if (typeof value !== 'string' || value.length > longestText) return undefined;
    const isInstant = isoInstant.test(value) && !Number.isNaN(Date.parse(value));
    return schema.format === 'date-time' && !isInstant ? undefined : value.toWellFormed();
  }

  function ofArray(schema: Schema, nullable: boolean, value: unknown, depth: number): unknown {
    if (!Array.isArray(value) && nullable) return undefined;
    const items = Array.isArray(value) ? value.slice(0, longestList) : [];
    const kept = items.flatMap((item) => attempted(schema.items ?? {}, item, depth));
    if (kept.length < (schema.minItems ?? 0)) throw new BeyondRepair('too few items');
    return kept;
  }

  function attempted(schema: Schema, value: unknown, depth: number): unknown[] {
    try {
      return [repair(schema, value, depth + 1)];
    } catch {
      return [];
    }
  }

  function ofObject(schema: Schema, nullable: boolean, value: unknown, depth: number): unknown {
    if (!isObject(value) && nullable) return undefined;
    const source = isObject(value) ? value : {};
    const entries = Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
      const own = Object.hasOwn(source, key) ? source[key] : undefined;
      if (schema.required?.includes(key)) return [[key, repair(property, own, depth + 1)] as const];
      return own === undefined ? [] : attempted(property, own, depth).map((repaired) => [key, repaired] as const);
    });
    return Object.fromEntries(entries);
  }

  return (name, value) => repair({ $ref: `#/components/schemas/${name}` }, value, 0);
}

/** All 19 keys of `analysis`: what can be used of the value received, null for the others. */
export function repairAnalysis(repair: Repair, value: unknown): Required<Analysis> {
  const repaired = repair('Analysis', value) as Partial<Analysis>;
  return { ...unobservedAnalysis, ...repaired };
}
