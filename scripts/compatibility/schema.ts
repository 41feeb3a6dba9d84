/**
 * What a change of a schema does to a client that was built against the old one (VER-02). It depends on the direction: a request must
 * still be accepted as it was, a response must not bring what was excluded before.
 */
import { resolve } from '../bundle.ts';
import type { Bundle, Schema } from '../bundle.ts';
import { keywordChanges, missing, type Direction } from './keywords.ts';

/** The two documents that are compared. */
export interface Documents {
  readonly before: Bundle;
  readonly after: Bundle;
}

/** One comparison of schemas of both documents. */
export interface Pair extends Documents {
  readonly direction: Direction;
  /** Pairs of references whose comparison has begun: a schema may contain itself. */
  readonly seen: Set<string>;
}

/** Fields whose inside is outside the v1 promise (DOC-12): they may change as they like, but not vanish. */
const outsideThePromise = new Set([
  'audienceDemographics',
  'creatorEngagedAccountsBreakdowns',
  'audienceDistributions',
  'analysis',
]);

/** Breaking changes from one schema to the other, a line each that begins with `where`. */
export function schemaChanges(before: Schema | boolean, after: Schema | boolean, where: string, pair: Pair): string[] {
  if (before === after) return [];
  const key = `${referenceOf(before)} ${referenceOf(after)}`;
  if (referenceOf(before) !== '' && referenceOf(after) !== '') {
    if (pair.seen.has(key)) return [];
    pair.seen.add(key);
  }
  const [old, now] = [alternatives(pair.before, before), alternatives(pair.after, after)];
  const changes = alternativeChanges(old, now, where, pair);
  return changes.length > 0 ? changes : lostShapes(old, now, where, pair);
}

const referenceOf = (schema: Schema | boolean): string => (typeof schema === 'boolean' ? '' : (schema.$ref ?? ''));

/**
 * A schema as alternatives of one type each, so that it does not matter how a choice is written: a list of types, `oneOf`, `anyOf`, or an
 * enumeration with null. `false` has none; one without `type` in the result lets any type through.
 */
function alternatives(bundle: Bundle, schema: Schema | boolean): Schema[] {
  if (typeof schema === 'boolean') return schema ? [{}] : [];
  const found = resolve(bundle, schema);
  const choices = found.oneOf ?? found.anyOf;
  if (choices) return choices.flatMap((choice) => alternatives(bundle, together(found, resolve(bundle, choice))));
  const values = found.const === undefined ? found.enum : [found.const];
  const types = found.type ?? values?.map(typeOf);
  if (types === undefined) return [found];
  return [...new Set([types].flat())].flatMap((type) => ofType(found, type, values));
}

/** One choice of `oneOf` or `anyOf`, with what stands beside them: that holds for each choice. */
function together({ oneOf: _oneOf, anyOf: _anyOf, ...beside }: Schema, choice: Schema): Schema {
  const merged: Schema = { ...beside, ...choice };
  if (beside.properties) merged.properties = { ...beside.properties, ...choice.properties };
  if (beside.required) merged.required = [...beside.required, ...(choice.required ?? [])];
  return merged;
}

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
};

/** The part of a schema that is of this type; none when no value of its enumeration is. */
function ofType({ const: _const, ...schema }: Schema, type: string, values: readonly unknown[] | undefined): Schema[] {
  const own = values?.filter((value) => covers(type, typeOf(value)));
  if (own?.length === 0) return [];
  if (type === 'null') return [{ type }];
  return [own ? { ...schema, type, enum: own } : { ...schema, type }];
}

/** Every value of the type `inner` is one of the type `outer`. */
const covers = (outer: string, inner: unknown): boolean =>
  outer === inner || (outer === 'number' && inner === 'integer');

/** Each alternative of a response must have been possible before; each of a request must still be. */
function alternativeChanges(before: Schema[], after: Schema[], where: string, pair: Pair): string[] {
  const isRequest = pair.direction === 'request';
  const [inner, outer] = isRequest ? [before, after] : [after, before];
  return inner.flatMap((one) => {
    const candidates = outer.filter(({ type }) => type === undefined || covers(type as string, one.type));
    if (candidates.length === 0)
      return [`${where}: ${one.type ?? 'anything'} is ${isRequest ? 'no longer accepted' : 'new'}`];
    const attempts = candidates.map((other) => ({
      isAlike: fieldsOf(other) === fieldsOf(one),
      changes: trial(isRequest ? [one, other] : [other, one], where, pair),
    }));
    return leastChanges(attempts);
  });
}

const fieldsOf = ({ properties }: Schema): string =>
  Object.keys(properties ?? {})
    .toSorted()
    .join();

/** None where a candidate fits; else those against the candidate that is probably meant, as it has the same fields. */
function leastChanges(attempts: readonly { readonly isAlike: boolean; readonly changes: string[] }[]): string[] {
  const alike = attempts.filter(({ isAlike }) => isAlike);
  const fits = attempts.some(({ changes }) => changes.length === 0);
  const told = (fits || alike.length === 0 ? attempts : alike).map(({ changes }) => changes);
  return told.reduce((least, changes) => (changes.length < least.length ? changes : least));
}

/** A comparison that may be dropped for a better one, so what it has seen is forgotten with it. */
const trial = ([before, after]: readonly [Schema, Schema], where: string, pair: Pair): string[] =>
  singleChanges(before, after, where, { ...pair, seen: new Set(pair.seen) });

/** Objects of several shapes in a response: none may vanish, as one is what a client asked for (a post, or a batch). */
function lostShapes(before: Schema[], after: Schema[], where: string, pair: Pair): string[] {
  const shapes = before.filter(({ type }) => type === 'object');
  if (pair.direction === 'request' || shapes.length < 2) return [];
  return shapes
    .filter((shape) => !after.some((other) => trial([shape, other], where, pair).length === 0))
    .map(({ properties }) => `${where}: the shape { ${Object.keys(properties ?? {}).join(', ')} } is gone`);
}

/** Both schemas have one type. */
function singleChanges(before: Schema, after: Schema, where: string, pair: Pair): string[] {
  return [
    ...keywordChanges(before, after, where, pair.direction),
    ...propertyChanges(before, after, where, pair),
    ...requiredChanges(before, after, where, pair.direction),
    ...otherFieldChanges(before, after, where, pair),
    ...schemaChanges(before.items ?? true, after.items ?? true, `${where}[]`, pair),
  ];
}

function propertyChanges(before: Schema, after: Schema, where: string, pair: Pair): string[] {
  return Object.entries(before.properties ?? {}).flatMap(([name, old]) => {
    const [path, now] = [`${where}.${name}`, after.properties?.[name] ?? false];
    if (old !== false && now === false) return [`${path}: removed`];
    return outsideThePromise.has(name) ? [] : schemaChanges(old, now, path, pair);
  });
}

function requiredChanges(before: Schema, after: Schema, where: string, direction: Direction): string[] {
  const [old, now] = [before.required ?? [], after.required ?? []];
  if (direction === 'request') return missing(now, old).map((name) => `${where}.${name}: now required`);
  const isRemoved = (name: string): boolean => name in (before.properties ?? {}) && !(name in (after.properties ?? {}));
  return missing(old, now)
    .filter((name) => !isRemoved(name))
    .map((name) => `${where}.${name}: no longer always there`);
}

/** Fields that `properties` does not name. A response that had none may bring some (VER-02). */
function otherFieldChanges(before: Schema, after: Schema, where: string, pair: Pair): string[] {
  type Others = Schema | boolean | undefined;
  const [old, now] = [before['additionalProperties'] as Others, after['additionalProperties'] as Others];
  if (pair.direction === 'response' && old === false) return [];
  return schemaChanges(old ?? true, now ?? true, `${where}: other fields`, pair);
}
