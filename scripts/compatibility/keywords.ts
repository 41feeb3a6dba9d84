/**
 * The keywords of a schema that have no schema inside: whether a change of one lets more values through than before, or fewer. Both
 * schemas that are compared have the same single type.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Schema } from '../bundle.ts';

/** Who sends the values: a client (`request`) or the service (`response`). */
export type Direction = 'request' | 'response';

/** What a change does to the set of values that pass. `other`: it adds some and removes some, or nobody can tell. */
type Drift = 'same' | 'wider' | 'narrower' | 'other';

/** A request may be allowed more than before, and a response may hold less. */
const breaks = (drift: Drift, direction: Direction): boolean =>
  drift === 'other' || drift === (direction === 'request' ? 'narrower' : 'wider');

const driftOf = (isWider: boolean, isNarrower: boolean): Drift =>
  isWider ? (isNarrower ? 'other' : 'wider') : isNarrower ? 'narrower' : 'same';

export const missing = (some: readonly string[], from: readonly string[]): string[] =>
  some.filter((one) => !from.includes(one));

const lowerBounds = ['minimum', 'exclusiveMinimum', 'minItems', 'minLength', 'minProperties', 'minContains'];
const upperBounds = ['maximum', 'exclusiveMaximum', 'maxItems', 'maxLength', 'maxProperties', 'maxContains'];

/** Keywords that some function judges: one of this file, or of schema.ts where there is a schema inside. */
const judged = new Set(
  'type enum const format pattern default uniqueItems oneOf anyOf items properties required additionalProperties $ref'
    .split(' ')
    .concat(lowerBounds, upperBounds),
);
const annotations = new Set('title summary description example examples deprecated externalDocs $comment'.split(' '));

/** Breaking changes of the keywords of this file, a line each. */
export function keywordChanges(before: Schema, after: Schema, where: string, direction: Direction): string[] {
  return [
    ...valueChanges(before, after, where, direction),
    ...formChanges(before, after, where, direction),
    ...boundChanges(before, after, where, direction),
    ...defaultChanges(before, after, where, direction),
    ...unjudgedChanges(before, after, where),
  ];
}

/** Without an enumeration any value passes. */
function valueChanges({ enum: old }: Schema, { enum: now }: Schema, where: string, direction: Direction): string[] {
  const extra = (some?: unknown[], others?: unknown[]): unknown[] =>
    others === undefined ? [] : (some?.filter((value) => !others.includes(value)) ?? ['any']);
  const [added, removed] = [extra(now, old), extra(old, now)];
  if (!breaks(driftOf(added.length > 0, removed.length > 0), direction)) return [];
  const told = [...added.map((value) => `+${String(value)}`), ...removed.map((value) => `-${String(value)}`)];
  return [`${where}: values ${told.join(' ')}`];
}

/** Words of at least three letters, alternatives of one another: `posts`, `narration|transcript`. */
const wordLists = /[A-Za-z]{3,}(?:\|[A-Za-z]{3,})*/g;
const lookaround = /\(\?<?[!=]/;

/** A list of words inside a pattern may gain or lose some; of any other change nobody can tell what it does. */
function patternDrift(before?: string, after?: string): Drift {
  if (before === after) return 'same';
  if (before === undefined) return 'narrower';
  if (after === undefined) return 'wider';
  if (lookaround.test(before) || before.replaceAll(wordLists, 'w') !== after.replaceAll(wordLists, 'w')) return 'other';
  const listsOf = (pattern: string): string[][] => (pattern.match(wordLists) ?? []).map((list) => list.split('|'));
  const [old, now] = [listsOf(before), listsOf(after)];
  return driftOf(
    now.some((list, index) => missing(list, old[index] ?? []).length > 0),
    old.some((list, index) => missing(list, now[index] ?? []).length > 0),
  );
}

function formatDrift(before?: string, after?: string): Drift {
  if (before === after) return 'same';
  return before === undefined ? 'narrower' : after === undefined ? 'wider' : 'other';
}

function formChanges(before: Schema, after: Schema, where: string, direction: Direction): string[] {
  const text = (schema: Schema, name: string) => schema[name] as string | undefined;
  const [wasUnique, isUnique] = [before['uniqueItems'] === true, after['uniqueItems'] === true];
  const drifts: [string, Drift][] = [
    ['format', formatDrift(text(before, 'format'), text(after, 'format'))],
    ['pattern', patternDrift(text(before, 'pattern'), text(after, 'pattern'))],
    ['uniqueItems', driftOf(wasUnique && !isUnique, isUnique && !wasUnique)],
  ];
  return drifts.filter(([, drift]) => breaks(drift, direction)).map(([name]) => `${where}: ${name} changed`);
}

function boundChanges(before: Schema, after: Schema, where: string, direction: Direction): string[] {
  const drift = (name: string, none: number, sign: 1 | -1): Drift => {
    const [old, now] = [(before[name] as number | undefined) ?? none, (after[name] as number | undefined) ?? none];
    return driftOf(sign * now > sign * old, sign * now < sign * old);
  };
  const drifts: [string, Drift][] = [
    ...lowerBounds.map((name): [string, Drift] => [name, drift(name, -Infinity, -1)]),
    ...upperBounds.map((name): [string, Drift] => [name, drift(name, Infinity, 1)]),
  ];
  return drifts
    .filter(([, drift]) => breaks(drift, direction))
    .map(([name]) => `${where}: ${name} from ${String(before[name] ?? 'none')} to ${String(after[name] ?? 'none')}`);
}

/** A client that leaves a field out relies on its default. */
function defaultChanges(before: Schema, after: Schema, where: string, direction: Direction): string[] {
  if (direction === 'response' || isDeepStrictEqual(before.default, after.default)) return [];
  return [
    `${where}: default from ${JSON.stringify(before.default) ?? 'none'} to ${JSON.stringify(after.default) ?? 'none'}`,
  ];
}

/** A keyword that nothing here judges (`allOf`, `not`, `multipleOf` …) may mean anything, so a change of it is refused. */
function unjudgedChanges(before: Schema, after: Schema, where: string): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => !judged.has(name) && !annotations.has(name) && !name.startsWith('x-'))
    .filter((name) => !isDeepStrictEqual(before[name], after[name]))
    .map((name) => `${where}: ${name} changed`);
}
