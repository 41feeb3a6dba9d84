import { describe, expect, it } from 'vitest';
import { BeyondRepair, createRepair, type Schema } from './repair.ts';

const repairAs = (schema: Schema, value: unknown): unknown => createRepair({ Thing: schema })('Thing', value);
const nullable = (type: string, more: Schema = {}): Schema => ({ type: [type, 'null'], ...more });

describe('F10 what came is repaired to its schema', () => {
  it.each([
    ['a text', nullable('string'), 'ada', 'ada'],
    ['half a surrogate pair, which is not UTF-8', nullable('string'), 'a\ud800', 'a\ufffd'],
    ['a text of another type', nullable('string'), 7, null],
    ['a text that is too long', nullable('string'), 'x'.repeat(100_001), null],
    ['a number', nullable('number'), 7, 7],
    ['a number that JSON has not', nullable('number'), Number.NaN, null],
    ['a flag that is missing', { type: 'boolean' }, undefined, false],
    ['a word that an enum lacks', nullable('string', { enum: ['low', null] }), 'huge', null],
    ['an instant', nullable('string', { format: 'date-time' }), '2026-01-01T12:00:00Z', '2026-01-01T12:00:00Z'],
    ['a day that does not exist', nullable('string', { format: 'date-time' }), '2026-13-41T12:00:00Z', null],
    ['a day without a time', nullable('string', { format: 'date-time' }), '2026-01-01', null],
    ['items that are wrong', { type: 'array', items: { type: 'string' } }, ['a', 7, 'b'], ['a', 'b']],
    ['a list that is none', { type: 'array', items: { type: 'string' } }, 'a', []],
    ['keys that are unknown', { type: 'object', properties: { a: nullable('string') } }, { a: 'b', c: 1 }, { a: 'b' }],
    [
      'a required key that is missing',
      { type: 'object', required: ['a'], properties: { a: nullable('string') } },
      {},
      { a: null },
    ],
    ['an inherited key', { type: 'object', properties: { constructor: nullable('string') } }, {}, {}],
  ])('%s', (_what, schema, value, want) => expect(repairAs(schema as Schema, value)).toEqual(want));

  it('a list is cut off at 10,000 items', () => {
    const list = repairAs(
      { type: 'array', items: { type: 'integer' } },
      Array.from({ length: 10_001 }, () => 1),
    );
    expect(list).toHaveLength(10_000);
  });

  it.each([
    ['a text that may not be null', { type: 'string' }, null],
    ['too few items', { type: 'array', items: { type: 'string' }, minItems: 1 }, []],
    ['DOC-12 a free-form group that is too large', {}, 'x'.repeat(100_000)],
    ['DOC-12 a free-form group that is nested too deeply', {}, JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`)],
  ])('beyond repair: %s', (_what, schema, value) => {
    expect(() => repairAs(schema as Schema, value)).toThrow(BeyondRepair);
  });

  it('beyond repair: a value as deep as a schema that contains itself allows', () => {
    const thing: Schema = {
      type: 'object',
      required: ['in'],
      properties: { in: { $ref: '#/components/schemas/Thing' } },
    };
    expect(() => repairAs(thing, {})).toThrow('nested too deeply');
  });
});
