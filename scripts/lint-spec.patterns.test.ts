/** The patterns of the document say exactly what the rules say, for any text: compared with the rule written as code. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import bundle from '../generated/openapi.json' with { type: 'json' };

const { parameters, schemas } = bundle.components;
const matches = (pattern: string, text: string): boolean => new RegExp(pattern, 'u').test(text);
const blanks = /^[ \t\n\v\f\r]+|[ \t\n\v\f\r]+$/g;
const tokens = (text: string): string[] => text.split(',').flatMap((token) => token.replace(blanks, '') || []);

const analysisKeys = Object.keys(schemas.Analysis.properties);
const blank = fc.constantFrom('', ' ', '\t', '\r\n', '\v', '\f');
const oddity = fc.constantFrom('x', '\u00a0', '\u0000', 'Posts', 'transcriptx', 'posts posts', '\u2028', '');

const lists = (values: readonly string[]): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(blank, fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...values) }, oddity), blank))
    .map((parts) => parts.map((part) => part.join('')).join(','));

describe('patterns of the document', () => {
  it.each([
    ['CreatorInclude', parameters.CreatorInclude.schema.pattern, ['posts']],
    ['PostInclude', parameters.PostInclude.schema.pattern, analysisKeys],
  ] as [string, string, string[]][])(
    'PST-09 %s takes its values between blanks and commas, and nothing else',
    (_, pattern, values) => {
      fc.assert(
        fc.property(lists(values), (text) => {
          expect(matches(pattern, text)).toBe(tokens(text).every((token) => values.includes(token)));
        }),
        { numRuns: 1000 },
      );
    },
  );

  it('PST-04 include names each of the 19 keys of analysis', () => {
    expect(analysisKeys).toHaveLength(19);
    for (const key of analysisKeys) expect(matches(parameters.PostInclude.schema.pattern, key)).toBe(true);
  });

  it('PST-09 a long list that fails at its end is refused at once', () => {
    const text = `${' transcript ,'.repeat(4000)}!`;
    const start = performance.now();
    expect(matches(parameters.PostInclude.schema.pattern, text)).toBe(false);
    expect(performance.now() - start).toBeLessThan(1000);
  });

  it.each([
    ['CreatorIds', parameters.CreatorIds.schema.pattern],
    ['PostIds', parameters.PostIds.schema.pattern],
  ])('IDS-05 %s wants at least one identifier', (_, pattern) => {
    fc.assert(fc.property(lists(['a', 'netB:ada']), (text) => matches(pattern, text) === tokens(text).length > 0));
  });

  it('IDS-10 a body wants at least one identifier that is not blank', () => {
    const { pattern } = schemas.BatchRequest.properties.ids.contains;
    expect(['', ' ', '\t\n', 'a', ' a ', '\u00a0', ','].map((text) => matches(pattern, text))).toEqual([
      false,
      false,
      false,
      true,
      true,
      true,
      true,
    ]);
  });
});
