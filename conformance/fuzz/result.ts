/** The run's results as a report of ours, alone or added to that of the suite. */
import type { Exchange, Report, RuleResult } from '../model.ts';
import { totalsOf } from '../verdict.ts';

export interface Judged {
  readonly results: readonly RuleResult[];
  readonly exchanges: readonly Exchange[];
  readonly exitCode: Report['exitCode'];
  readonly says: string;
}

const mostExchanges = 200;

/** Of thousands of exchanges those that a finding points at. */
const pointedAt = ({ results, exchanges }: Judged): Exchange[] => {
  const ids = new Set(results.flatMap((result) => result.exchanges));
  return exchanges.filter(({ id }) => ids.has(id)).slice(0, mostExchanges);
};

export interface About {
  readonly name: string;
  readonly baseUrl: string;
  readonly contractVersion: string;
  readonly suiteVersion: string;
  readonly startedAt: string;
  readonly finishedAt: string;
}

/** A report of its own, readable by every renderer. */
export function reportOf(judged: Judged, about: About): Report {
  const { name, baseUrl, contractVersion, suiteVersion, startedAt, finishedAt } = about;
  const problem = judged.exitCode === 2 || judged.exitCode === 3 ? judged.says : null;
  return {
    reportVersion: 1,
    suiteVersion,
    contractVersion,
    target: { name, baseUrl },
    profile: 'all',
    strict: false,
    startedAt,
    finishedAt,
    requests: {
      plannedAtMost: judged.exchanges.length,
      sent: judged.exchanges.length,
      byPrincipal: {},
      rateLimitedOnce: false,
    },
    results: judged.results,
    exchanges: pointedAt(judged),
    totals: totalsOf(judged.results),
    knownFailures: [],
    problem,
    hints: [],
    exitCode: judged.exitCode,
  };
}

const worst = (one: Report['exitCode'], other: Report['exitCode']): Report['exitCode'] =>
  ([2, 1, 3, 0] as const).find((code) => code === one || code === other) ?? 0;

/** The suite's report with these results in place of an earlier run's. */
export function foldInto(report: Report, judged: Judged): Report {
  const results = [...report.results.filter(({ section }) => section !== 'FUZZ'), ...judged.results];
  const exchanges = [...report.exchanges.filter(({ step }) => step !== 'fuzz'), ...pointedAt(judged)];
  const problem = report.problem ?? (judged.exitCode === 2 || judged.exitCode === 3 ? `fuzzing: ${judged.says}` : null);
  return {
    ...report,
    results,
    exchanges,
    totals: totalsOf(results),
    problem,
    exitCode: worst(report.exitCode, judged.exitCode),
  };
}
