/**
 * What a change of a schema does to a client that was built against the old one (VER-02). It depends on the direction: a request
 * must not be asked for more than before (narrower), a response must not bring what was excluded before (wider).
 */
import { isDeepStrictEqual } from 'node:util';
import { resolve } from './bundle.ts';
import type { Bundle, Schema } from './bundle.ts';

export type Direction = 'request' | 'response';

export interface Pair {
  readonly before: Bundle;
  readonly after: Bundle;
  readonly direction: Direction;
  /** Pairs of references that are being compared or were: a schema may contain itself. */
  readonly seen: Set<string>;
}

/** Fields whose inside is outside the v1 promise: they may change as they like, but not vanish. */
const outsideThePromise = new Set([
  'audienceDemographics',
  'creatorEngagedAccountsBreakdowns',
  'audienceDistributions',
  'analysis',
]);

const lowerBounds = ['minimum', 'exclusiveMinimum', 'minItems', 'minLength', 'minProperties', 'minContains'];
const upperBounds = ['maximum', 'exclusiveMaximum', 'maxItems', 'maxLength', 'maxProperties', 'maxContains'];
const judged = new Set([
  'type',
  'enum',
  'const',
  'oneOf',
  'anyOf',
  'items',
  'properties',
  'required',
  'format',
  'pattern',
  'default',
  'additionalProperties',
  '$ref',
  ...lowerBounds,
  ...upperBounds,
]);
const annotations = new Set([
  'title',
  'summary',
  'description',
  'example',
  'examples',
  'deprecated',
  'externalDocs',
  '$comment',
]);

type Drift = 'same' | 'wider' | 'narrower' | 'other';

const breaks = (drift: Drift, direction: Direction): boolean =>
  drift === 'other' || drift === (direction === 'request' ? 'narrower' : 'wider');

const drift = (isWider: boolean, isNarrower: boolean): Drift =>
  isWider ? (isNarrower ? 'other' : 'wider') : isNarrower ? 'narrower' : 'same';

function ofType(schema: Schema, type: string): Schema {
  const one: Schema = { ...schema, type };
  if (schema.enum) one.enum = schema.enum.filter((value) => (value === null) === (type === 'null'));
  return one;
}

/** A schema as alternatives that have one type each, so that `[string, null]`, `oneOf` with null and an enum with null are one thing. */
function alternatives(bundle: Bundle, schema: Schema): Schema[] {
  const found = resolve(bundle, schema);
  const choices = found.oneOf ?? found.anyOf;
  if (choices) return choices.flatMap((choice) => alternatives(bundle, choice));
  return Array.isArray(found.type) ? found.type.map((type) => ofType(found, type)) : [found];
}

/** All that `inner` lets through has a type that `outer` lets through. */
const covers = (outer: Schema, inner: Schema): boolean =>
  outer.type === undefined || outer.type === inner.type || (outer.type === 'number' && inner.type === 'integer');

/** Breaking changes from one schema to the other, a line each. */
export function schemaChanges(before: Schema | boolean, after: Schema | boolean, where: string, pair: Pair): string[] {
  if (typeof before === 'boolean' || typeof after === 'boolean')
    return isDeepStrictEqual(before, after) ? [] : [`${where}: may it be there? changed`];
  const key = `${before.$ref} ${after.$ref}`;
  if (before.$ref !== undefined && after.$ref !== undefined) {
    if (pair.seen.has(key)) return [];
    pair.seen.add(key);
  }
  return alternativeChanges(alternatives(pair.before, before), alternatives(pair.after, after), where, pair);
}

/** Each alternative of a response must have been possible before; each of a request must still be. */
function alternativeChanges(before: Schema[], after: Schema[], where: string, pair: Pair): string[] {
  const [inner, outer] = pair.direction === 'request' ? [before, after] : [after, before];
  return inner.flatMap((one) => {
    const candidates = outer.filter((other) => covers(other, one));
    if (candidates.length === 0)
      return [`${where}: ${one.type ?? 'anything'} is ${pair.direction === 'request' ? 'no longer accepted' : 'new'}`];
    return closest(candidates, (other) => {
      const trial = { ...pair, seen: new Set(pair.seen) };
      return pair.direction === 'request'
        ? singleChanges(one, other, where, trial)
        : singleChanges(other, one, where, trial);
    });
  });
}

/** The changes against the candidate that has fewest. */
const closest = (candidates: Schema[], changesTo: (candidate: Schema) => string[]): string[] =>
  candidates.map(changesTo).reduce((best, changes) => (changes.length < best.length ? changes : best));

/** Both schemas have one type. */
function singleChanges(before: Schema, after: Schema, where: string, pair: Pair): string[] {
  return [
    ...valueChanges(before, after, where, pair),
    ...formChanges(before, after, where, pair),
    ...boundChanges(before, after, where, pair),
    ...defaultChanges(before, after, where, pair),
    ...otherKeywordChanges(before, after, where),
    ...propertyChanges(before, after, where, pair),
    ...(before.items !== undefined || after.items !== undefined
      ? schemaChanges(before.items ?? {}, after.items ?? {}, `${where}[]`, pair)
      : []),
  ];
}

const valuesOf = (schema: Schema): unknown[] | null =>
  schema.const === undefined ? (schema.enum ?? null) : [schema.const];

function valueChanges(before: Schema, after: Schema, where: string, { direction }: Pair): string[] {
  const [old, now] = [valuesOf(before), valuesOf(after)];
  const added =
    now === null ? (old === null ? [] : ['any']) : old === null ? [] : now.filter((value) => !old.includes(value));
  const removed =
    old === null ? (now === null ? [] : ['any']) : now === null ? [] : old.filter((value) => !now.includes(value));
  const change = drift(added.length > 0, removed.length > 0);
  if (!breaks(change, direction)) return [];
  return [
    `${where}: values ${[...added.map((value) => `+${String(value)}`), ...removed.map((value) => `-${String(value)}`)].join(' ')}`,
  ];
}

const missing = (some: readonly string[], from: readonly string[]): string[] =>
  some.filter((one) => !from.includes(one));

const words = /[A-Za-z]{3,}/g;
const lists = /[A-Za-z]{3,}(\|[A-Za-z]{3,})*/g;

/** A pattern that is a list of words may gain or lose some; of any other change nothing is known. */
function patternDrift(before: string | undefined, after: string | undefined): Drift {
  if (before === after) return 'same';
  if (before === undefined) return 'narrower';
  if (after === undefined) return 'wider';
  if (before.replaceAll(lists, 'w') !== after.replaceAll(lists, 'w')) return 'other';
  const [old, now]: [string[], string[]] = [before.match(words) ?? [], after.match(words) ?? []];
  return drift(missing(now, old).length > 0, missing(old, now).length > 0);
}

function formatDrift(before: string | undefined, after: string | undefined): Drift {
  if (before === after) return 'same';
  return before === undefined ? 'narrower' : after === undefined ? 'wider' : 'other';
}

function formChanges(before: Schema, after: Schema, where: string, { direction }: Pair): string[] {
  const drifts: [string, Drift][] = [
    ['format', formatDrift(before['format'] as string | undefined, after['format'] as string | undefined)],
    ['pattern', patternDrift(before['pattern'] as string | undefined, after['pattern'] as string | undefined)],
  ];
  return drifts.filter(([, change]) => breaks(change, direction)).map(([name]) => `${where}: ${name} changed`);
}

function boundChanges(before: Schema, after: Schema, where: string, { direction }: Pair): string[] {
  const driftOf = (name: string, none: number, sign: 1 | -1): Drift => {
    const [old, now] = [(before[name] as number | undefined) ?? none, (after[name] as number | undefined) ?? none];
    return drift(sign * now > sign * old, sign * now < sign * old);
  };
  const drifts: [string, Drift][] = [
    ...lowerBounds.map((name): [string, Drift] => [name, driftOf(name, -Infinity, -1)]),
    ...upperBounds.map((name): [string, Drift] => [name, driftOf(name, Infinity, 1)]),
  ];
  return drifts
    .filter(([, change]) => breaks(change, direction))
    .map(([name]) => `${where}: ${name} from ${String(before[name])} to ${String(after[name])}`);
}

/** Whoever leaves a field out relies on its default. */
function defaultChanges(before: Schema, after: Schema, where: string, { direction }: Pair): string[] {
  if (direction === 'response' || isDeepStrictEqual(before.default, after.default)) return [];
  return [`${where}: default from ${JSON.stringify(before.default)} to ${JSON.stringify(after.default)}`];
}

/** A keyword that is not judged here may mean anything, so a change of it is refused. */
function otherKeywordChanges(before: Schema, after: Schema, where: string): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => !judged.has(name) && !annotations.has(name) && !name.startsWith('x-'))
    .filter((name) => !isDeepStrictEqual(before[name], after[name]))
    .map((name) => `${where}: ${name} changed`);
}

function propertyChanges(before: Schema, after: Schema, where: string, pair: Pair): string[] {
  const [old, now] = [before.properties ?? {}, after.properties ?? {}];
  const changes = requiredChanges(before, after, where, pair.direction);
  if (pair.direction === 'request' && after.additionalProperties === false && before.additionalProperties !== false)
    changes.push(`${where}: other fields are now refused`);
  for (const [name, schema] of Object.entries(old)) {
    const path = `${where}.${name}`;
    if (now[name] === undefined) changes.push(`${path}: removed`);
    else if (!outsideThePromise.has(name)) changes.push(...schemaChanges(schema, now[name], path, pair));
  }
  return changes;
}

function requiredChanges(before: Schema, after: Schema, where: string, direction: Direction): string[] {
  const [old, now] = [before.required ?? [], after.required ?? []];
  if (direction === 'request') return missing(now, old).map((name) => `${where}.${name}: now required`);
  return missing(old, now)
    .filter((name) => after.properties?.[name] !== undefined)
    .map((name) => `${where}.${name}: no longer always there`);
}
