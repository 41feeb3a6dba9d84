/**
 * `npm run prism-opinion`: a second opinion on the service, by somebody else's reading of the contract. The HTTP tests of the service and
 * the conformance suite run as they are and every exchange is written down; each then goes through `prism proxy`, which judges status,
 * headers and body. Not the live service behind it, since some of these requests end Prism's process and would take the run with them.
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startVitest } from 'vitest/node';
import { runCommand } from './command.ts';
import { temporaryFolder } from './ending.ts';
import { runSuite } from '../conformance/suite.ts';
import { describeTarget, readTargetFile } from '../conformance/target-file.ts';
import { startReference } from './conformance-service.ts';
import type { Finding } from './prism-opinion/finding.ts';
import { ownFaults } from './prism-opinion/own-faults.ts';
import { recordTo } from './prism-opinion/record.ts';
import type { RecordedExchange } from './prism-opinion/recorded.ts';
import { replayThroughPrism } from './prism-opinion/replay.ts';

const usage = `Usage: npm run prism-opinion

Sends every exchange of the HTTP tests and of the conformance suite through prism proxy and tells what Prism has against it.

  --help   this text

Exit: 0 nothing but Prism's own faults (scripts/prism-opinion/own-faults.ts); 1 something else; 2 the exchanges could not be had
`;

class NothingToJudge extends Error {}

async function recordTests(file: string): Promise<void> {
  const tests = await startVitest('test', ['src/http/'], {
    watch: false,
    reporters: [['default', { summary: false }]],
    setupFiles: [join(import.meta.dirname, 'prism-opinion/record.ts')],
    env: { RECORDED_EXCHANGES: file },
  });
  const failed = tests.state.getCountOfFailedTests();
  await tests.close();
  if (failed > 0) throw new NothingToJudge(`${failed} of the HTTP tests fail`);
}

async function recordSuite(file: string): Promise<void> {
  const stop = recordTo(file);
  const reference = await startReference();
  const said = { baseUrl: reference.baseUrl, tokens: reference.tokens, organizations: reference.organizations };
  const target = readTargetFile(join(import.meta.dirname, '../conformance/targets/service.yaml'));
  const report = await runSuite({ target: describeTarget(target, {}, said), strict: true });
  await reference.service.close();
  stop();
  if (report.exitCode !== 0) throw new NothingToJudge('the service does not pass the conformance suite');
}

const linesOf = (file: string): RecordedExchange[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RecordedExchange);

async function recorded(): Promise<{ tests: RecordedExchange[]; suite: RecordedExchange[] }> {
  const folder = temporaryFolder('exchanges-');
  const [tests, suite] = [join(folder, 'tests.ndjson'), join(folder, 'suite.ndjson')];
  try {
    await Promise.all([recordTests(tests), recordSuite(suite)]);
    return { tests: linesOf(tests), suite: linesOf(suite) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const shown = ({ is, text, exchange: { request, response } }: Finding): string =>
  `${is}: ${text}\n    ${response.status} ${request.method} ${request.target.slice(0, 160)} ${bodyShown(request.body)}`;

const bodyShown = (base64: string): string => JSON.stringify(Buffer.from(base64, 'base64').toString().slice(0, 160));

/** Prints what was found; answers how much of it is not Prism's own. */
function tell(findings: readonly Finding[]): number {
  const byFault = Map.groupBy(findings, (finding) => ownFaults.find((fault) => fault.covers(finding)) ?? null);
  for (const fault of ownFaults) {
    const count = byFault.get(fault)?.length ?? 0;
    console.log(`prism's own  ${String(count).padStart(3)}  ${fault.name}: ${fault.why}`);
    if (count === 0) console.log(`             ${fault.name} no longer occurs: take it off the list`);
  }
  const others = byFault.get(null) ?? [];
  for (const finding of others) console.log(`VIOLATION    ${shown(finding)}`);
  return others.length;
}

/** Exit code: 0 nothing that counts, 1 a violation, 2 there is nothing to judge. */
async function judge(): Promise<number> {
  const { tests, suite } = await recorded();
  const whole = [...tests, ...suite].filter(({ request }) => request.isWhole);
  const left = tests.length + suite.length - whole.length;
  console.log(`${tests.length} exchanges of the HTTP tests and ${suite.length} of the conformance suite`);
  if (left > 0) console.log(`${left} left out: the service refused their bodies before it had read them`);
  const others = tell(await replayThroughPrism(whole));
  console.log(`${whole.length} exchanges through prism proxy: ${others} violations that are not Prism's own`);
  return others === 0 ? 0 : 1;
}

await runCommand({
  name: 'prism-opinion',
  usage,
  options: {},
  run: () =>
    judge().catch((error: unknown) => {
      if (!(error instanceof NothingToJudge)) throw error;
      console.error(`error: ${error.message}`);
      return 2;
    }),
});
