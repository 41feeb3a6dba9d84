/** JUnit XML: a suite per section, a case per rule. Exit codes and skipped ones mean what they mean in the report. */
import type { Report, RuleResult } from '../model.ts';
import { escape } from './escape.ts';

const seconds = (report: Report): number =>
  Math.max(0, (Date.parse(report.finishedAt) - Date.parse(report.startedAt)) / 1000);

const details = (result: RuleResult): string =>
  result.findings
    .map(
      ({ expected, seen, pointer, curl }) =>
        `expected: ${expected}\nseen: ${seen}\nat: ${pointer || 'the response'}\n${curl}`,
    )
    .join('\n\n');

/** In one line, as most pages of CI show nothing else. */
function summary({ findings: [first], text }: RuleResult): string {
  return first ? `expected ${first.expected}, seen ${first.seen} at ${first.pointer || 'the response'}` : text;
}

function outcomeOf(result: RuleResult): string {
  const reason = escape(result.reason ?? result.verdict);
  if (result.verdict === 'failed')
    return `<failure message="${escape(summary(result))}">${escape(details(result))}</failure>`;
  if (result.verdict === 'error') return `<error message="${reason}"></error>`;
  return result.verdict === 'passed' ? '' : `<skipped message="${escape(result.verdict)}: ${reason}"></skipped>`;
}

const caseOf = (result: RuleResult): string =>
  `    <testcase classname="conformance.${result.section}" name="${escape(`${result.id} ${result.text}`)}">${outcomeOf(result)}</testcase>`;

const numberOf = (results: readonly RuleResult[], verdict: (result: RuleResult) => boolean): number =>
  results.filter(verdict).length;

const figures = (results: readonly RuleResult[]): string =>
  `tests="${results.length}" failures="${numberOf(results, ({ verdict }) => verdict === 'failed')}" errors="${numberOf(results, ({ verdict }) => verdict === 'error')}" ` +
  `skipped="${numberOf(results, ({ verdict }) => !['passed', 'failed', 'error'].includes(verdict))}"`;

const suiteOf = (section: string, results: readonly RuleResult[]): string =>
  [`  <testsuite name="${escape(section)}" ${figures(results)}>`, ...results.map(caseOf), '  </testsuite>'].join('\n');

export function junit(report: Report): string {
  const sections = Map.groupBy(report.results, ({ section }) => section);
  const suites = [...sections].map(([section, results]) => suiteOf(section, results));
  // A run that stopped early must not look green to a reader that only counts failures.
  const problem = report.problem
    ? [
        `  <testsuite name="run" tests="1" failures="0" errors="1" skipped="0"><testcase classname="conformance" name="the run"><error message="${escape(report.problem)}"></error></testcase></testsuite>`,
      ]
    : [];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="conformance of ${escape(report.target.name)}" time="${seconds(report)}" ${figures(report.results)}>`,
    ...problem,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}
