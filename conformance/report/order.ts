/** The order and the words that all reports share. */
import type { Report, RuleResult, Verdict } from '../model.ts';

/** What needs a reader first. */
export const verdicts: readonly Verdict[] = [
  'failed',
  'error',
  'not exercised',
  'observed',
  'not applicable',
  'passed',
];

export const verdictOf = (result: RuleResult): Verdict | 'outside' =>
  result.how === 'W' && result.verdict === 'not applicable' ? 'outside' : result.verdict;

const rank = (result: RuleResult): number =>
  verdictOf(result) === 'outside' ? verdicts.length : verdicts.indexOf(result.verdict);

/** Failures first; within one verdict in the order of the rules. */
export const inOrder = (results: readonly RuleResult[]): RuleResult[] => results.toSorted((a, b) => rank(a) - rank(b));

export const headline = (report: Report): string =>
  ({ 0: 'conformant', 1: 'not conformant', 2: 'not judged', 3: 'not wholly exercised' })[report.exitCode];

export const counts = ({ totals }: Report): readonly (readonly [string, number])[] => [
  ['failed', totals.failed],
  ['error', totals.error],
  ['not exercised', totals.notExercised],
  ['observed', totals.observed],
  ['not applicable', totals.notApplicable],
  ['passed', totals.passed],
  ['outside', totals.outside],
];
