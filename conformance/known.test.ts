import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readKnownFailures, stateOf } from './known.ts';
import { sample } from './report/report.fixture.ts';
import { ConfigurationError } from './target-file.ts';

const line = { id: 'IDS-04', reason: 'r', link: 'l', expires: '2027-01-31' };
const [result] = sample.results;
const state = (verdict: 'failed' | 'passed' | 'observed' | 'not applicable', day: string) =>
  stateOf(line, result ? [{ ...result, id: 'IDS-04', verdict }] : [], Date.parse(day));

describe('a known failure', () => {
  it.each([
    ['failed', '2027-01-01', 'known'],
    ['failed', '2027-01-31T23:59:00Z', 'known'],
    ['failed', '2027-02-01', 'expired'],
    ['passed', '2027-01-01', 'stale'],
    ['observed', '2027-01-01', 'known'],
    ['not applicable', '2027-01-01', 'known'],
  ] as const)('whose rule %s on %s is %s', (verdict, day, expected) => expect(state(verdict, day)).toBe(expected));

  it.each([
    ['- { id: IDS-04, link: l, expires: 2027-01-31 }', /entry 1 has no reason/],
    ['- { id: IDS-04, reason: r, link: l, expires: soon }', /has to be a day/],
    ['- { id: XYZ-04, reason: r, link: l, expires: 2027-01-31 }', /there is no rule XYZ-04/],
    ['id: IDS-04', /has to be a list/],
    ['a: [', /cannot read the known failures/],
  ])('%j is refused in one line', (text, message) => {
    const file = join(mkdtempSync(join(tmpdir(), 'known-')), 'known.yaml');
    writeFileSync(file, text);
    expect(() => readKnownFailures(file)).toThrow(ConfigurationError);
    expect(() => readKnownFailures(file)).toThrow(message);
  });
});
