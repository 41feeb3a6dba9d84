/** What differs between two runs: the mock and the service, last week and today. */
import type { Report, RuleResult } from '../model.ts';
import { findingsOf } from './order.ts';

export interface Change {
  readonly id: string;
  readonly text: string;
  /** null where the rule is not in that report. */
  readonly before: string | null;
  readonly after: string | null;
  readonly kind: 'worse' | 'better' | 'other';
}

export interface Difference {
  readonly changes: readonly Change[];
  readonly same: number;
}

const bad = ['failed', 'error'];
const kindOf = (before: string | null, after: string | null): Change['kind'] => {
  if (after !== null && bad.includes(after) && !bad.includes(before ?? '')) return 'worse';
  if (before === 'passed' && after !== 'passed') return 'worse';
  return after === 'passed' || (before !== null && bad.includes(before) && !bad.includes(after ?? ''))
    ? 'better'
    : 'other';
};

const indexed = (report: Report): Map<string, RuleResult> =>
  new Map(report.results.map((result) => [result.id, result]));

/** Changed verdicts in the order of the rules, worse ones first. */
export function diff(a: Report, b: Report): Difference {
  const [before, after] = [indexed(a), indexed(b)];
  const ids = [...new Set([...before.keys(), ...after.keys()])];
  const changes = ids.flatMap((id): Change[] => {
    const [one, other] = [before.get(id), after.get(id)];
    const [was, is] = [one?.verdict ?? null, other?.verdict ?? null];
    return was === is ? [] : [{ id, text: (other ?? one)?.text ?? '', before: was, after: is, kind: kindOf(was, is) }];
  });
  const order = ['worse', 'other', 'better'];
  return {
    changes: changes.toSorted((x, y) => order.indexOf(x.kind) - order.indexOf(y.kind)),
    same: ids.length - changes.length,
  };
}

/** What is expected and seen now, of a rule that became worse. */
const whyOf = (report: Report, id: string): string[] => {
  const result = report.results.find((one) => one.id === id);
  const [finding] = result ? findingsOf(result) : [];
  if (!finding) return result?.reason ? [`       ${result.reason}`] : [];
  const { expected, seen, pointer } = finding.first;
  return [`       expected ${expected}, seen ${seen} at ${pointer || 'the response'} (${finding.exchanges.join(' ')})`];
};

export function diffText(a: Report, b: Report): string {
  const { changes, same } = diff(a, b);
  const lines = changes.flatMap(({ id, before, after, kind, text }) => [
    `${kind.padEnd(6)} ${id}  ${before ?? 'absent'} → ${after ?? 'absent'}  ${text}`,
    ...(kind === 'worse' ? whyOf(b, id) : []),
  ]);
  return [
    `${a.target.name} (${a.startedAt}) → ${b.target.name} (${b.startedAt})`,
    ...lines,
    `${changes.length} rules differ, ${same} are the same`,
    '',
  ].join('\n');
}
