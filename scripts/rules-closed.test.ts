import { describe, expect, it } from 'vitest';
import { proofFaults } from './rules-closed.ts';
import type { Rule } from './rules.ts';

const rule = (id: string, how: Rule['how']): Rule => ({
  id,
  section: id.slice(0, 3),
  how,
  text: 'x',
  ruling: null,
  whollyRuling: false,
});

describe('what proves the rules that nobody sees over HTTP', () => {
  const rules = [rule('STA-02', 'W'), rule('GEN-01', 'B')];
  const read = (file: string): string | null => (file === 'a.test.ts' ? `it('STA-02 a stale read', () => {})` : null);
  const faultOf = (proofs: Parameters<typeof proofFaults>[1]): string => proofFaults(rules, proofs, read).join('\n');

  it('is a test that exists and names the rule', () => {
    expect(faultOf({ 'STA-02': { file: 'a.test.ts', test: 'STA-02 a stale read' } })).toBe('');
  });

  it.each([
    ['is named for each of them', {}, /nothing is named that proves STA-02/],
    ['is in a file that exists', { 'STA-02': { file: 'b.test.ts', test: 'STA-02 x' } }, /does not exist/],
    ['has its name there', { 'STA-02': { file: 'a.test.ts', test: 'STA-02 another' } }, /has no test/],
    ['names the rule', { 'STA-02': { file: 'a.test.ts', test: 'a stale read' } }, /does not name STA-02/],
  ])('%s', (_, proofs, complaint) => expect(faultOf(proofs)).toMatch(complaint));

  it('is not named for a rule that a check sees', () => {
    const proof = { file: 'a.test.ts', test: 'STA-02 a stale read' };
    expect(faultOf({ 'STA-02': proof, 'GEN-01': proof })).toMatch(/GEN-01 can be seen/);
  });
});
