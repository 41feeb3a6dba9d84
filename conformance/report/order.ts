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

export interface Finding {
  readonly first: RuleResult['findings'][number];
  /** Exchanges that show the same, the first one's among them. */
  readonly exchanges: readonly string[];
}

/** One fault shows in many answers: what differs in nothing but the exchange is one finding; what the specification says, first. */
export function findingsOf({ findings }: RuleResult): Finding[] {
  const alike = Map.groupBy(findings, ({ level, expected, seen, pointer }) =>
    JSON.stringify([level, expected, seen, pointer]),
  );
  return [...alike.values()]
    .flatMap((ones) => (ones[0] ? [{ first: ones[0], exchanges: ones.map(({ exchangeId }) => exchangeId) }] : []))
    .toSorted((one, other) => Number(one.first.level === 'ruling') - Number(other.first.level === 'ruling'));
}

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
