/** A summary for a pull request: the figures, what failed, what was not exercised. */
import type { Report, RuleResult } from '../model.ts';
import { counts, findingsOf, headline, type Finding } from './order.ts';

const most = 20;
const cell = (text: string): string =>
  text.replace(/[|\\]/g, '\\$&').replace(/</g, '&lt;').replace(/\s+/g, ' ').slice(0, 300);
const code = (text: string): string => `\`${cell(text).replaceAll('`', "'")}\``;

const findingTable = (findings: readonly Finding[]): string[] => [
  '| expected | seen | at | in |',
  '|---|---|---|---|',
  ...findings.slice(0, 3).map(({ first: { expected, seen, pointer }, exchanges: [first, ...others] }) => {
    const where = others.length > 0 ? `${first} and ${others.length} more` : first;
    return `| ${cell(expected)} | ${cell(seen)} | ${code(pointer || 'the response')} | ${where} |`;
  }),
  ...(findings.length > 3 ? [`| and ${findings.length - 3} other findings | | | |`] : []),
];

const failureLines = (result: RuleResult): string[] => [
  `### ${result.id}`,
  '',
  result.text,
  '',
  ...(result.findings.length > 0 ? findingTable(findingsOf(result)) : [cell(result.reason ?? '')]),
  '',
  ...(result.findings[0]?.curl ? ['```sh', result.findings[0].curl.replaceAll('```', "'''"), '```', ''] : []),
];

const listOf = (title: string, results: readonly RuleResult[]): string[] =>
  results.length === 0
    ? []
    : [
        `<details><summary>${title} (${results.length})</summary>`,
        '',
        ...results.map(({ id, reason }) => `- **${id}** ${cell(reason ?? '')}`),
        '',
        '</details>',
        '',
      ];

const table = (report: Report): string[] => {
  const shown = counts(report);
  return [
    `| ${shown.map(([name]) => name).join(' | ')} |`,
    `|${'---|'.repeat(shown.length)}`,
    `| ${shown.map(([, number]) => number).join(' | ')} |`,
    '',
  ];
};

export function markdown(report: Report): string {
  const failed = report.results.filter(({ verdict }) => verdict === 'failed' || verdict === 'error');
  return (
    [
      `## Conformance of ${cell(report.target.name)}: ${headline(report)}`,
      '',
      `Contract ${report.contractVersion}, profile ${report.profile}${report.strict ? ', strict' : ''}, ${report.requests.sent} requests, ${report.startedAt}.`,
      '',
      ...[report.problem, ...report.hints].flatMap((text) => (text === null ? [] : [`> ${cell(text)}`, ''])),
      ...table(report),
      ...failed.slice(0, most).flatMap(failureLines),
      ...(failed.length > most ? [`and ${failed.length - most} more rules failed: see the page.`, ''] : []),
      ...listOf(
        'Not exercised',
        report.results.filter(({ verdict }) => verdict === 'not exercised'),
      ),
      ...listOf(
        'Observed, not failed',
        report.results.filter(({ verdict }) => verdict === 'observed'),
      ),
      ...report.knownFailures.map(
        ({ id, state, reason, link, expires }) =>
          `- known failure **${id}** (${state}, until ${expires}): ${cell(reason)} ${link}`,
      ),
    ]
      .join('\n')
      .trimEnd() + '\n'
  );
}
