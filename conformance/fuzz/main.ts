#!/usr/bin/env node
/** `npm run fuzz`: Schemathesis against a target of the contract, its results as a report of ours. */
import { randomBytes, randomInt } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readContract } from '../contract.ts';
import type { Exchange, Finding } from '../model.ts';
import { NoReport, readReport, writeReports } from '../report/index.ts';
import { curlOf } from '../send.ts';
import { isBadTarget, openTarget, type OpenTarget } from '../self/reference.ts';
import { findEngine } from './engine.ts';
import { downFrom, endingOf, resultsOf, seenOf, unfinished, unthrottled, type Guard } from './fold.ts';
import { isLoopback, parseOptions, profileFor, Unusable, usage, type FuzzOptions } from './options.ts';
import { foldInto, reportOf, type Judged } from './result.ts';
import { phasesOf, runFuzz, type Ran, type Run } from './run.ts';

const packageFile = new URL('../../package.json', import.meta.url);

function runOf(options: FuzzOptions, { target: described }: OpenTarget): Run {
  const target = options.url ? { ...described, baseUrl: options.url } : described;
  const token = process.env['FUZZ_TOKEN'] || target.tokens.full?.token;
  if (!token) throw new Unusable('no token: set FUZZ_TOKEN, or give the target file a token of the role "full"');
  return {
    target,
    token,
    profile: profileFor(options, target.baseUrl),
    seed: options.seed ?? randomInt(2 ** 31),
    unique: options.run ?? randomBytes(4).toString('hex'),
    requests: options.requests,
    rateLimit: options.rateLimit ?? (isLoopback(target.baseUrl) ? null : '50/m'),
    withoutMethods: options.noMethodNotAllowed,
    engine: findEngine(options.engine),
    out: options.out,
  };
}

const replayLine = (options: FuzzOptions, run: Run): string =>
  [
    'npm run fuzz --',
    ...(options.target ? ['--target', options.target] : []),
    ...(options.url ? ['--url', options.url] : []),
    '--profile',
    run.profile,
    '--seed',
    run.seed,
    '--run',
    run.unique,
    ...(run.requests ? ['--requests', run.requests] : []),
    ...(run.withoutMethods ? ['--no-405'] : []),
  ].join(' ');

/** Only what the specification says: a stranger is not failed for rulings of ours. */
const guardOf =
  (contract: ReturnType<typeof readContract>): Guard =>
  (exchange: Exchange): readonly Finding[] =>
    contract
      .breaches(exchange)
      .filter(({ level }) => level === 'specification')
      .map(({ level, expected, seen, pointer, exchangeId }) => ({ level, expected, seen, pointer, exchangeId }));

function judge(run: Run, ran: Ran, guard: Guard): Judged {
  const folded = unthrottled(ran.folded);
  const results = resultsOf(folded, guard, (exchange) => curlOf(exchange, run.target));
  const guarded = results.find(({ id }) => id === 'FUZZ-contract_guard')?.findings.length ?? 0;
  const missing = ran.summary ? unfinished(ran.summary, phasesOf(run.profile)) : [];
  const capped = run.requests !== null && !ran.stopped;
  const { exitCode, says } = endingOf(ran.code, ran.summary, seenOf(folded, guarded, capped, missing));
  const down = downFrom(folded);
  return {
    results,
    exchanges: folded.exchanges,
    exitCode,
    says: [
      says,
      ...(down === null ? [] : [down]),
      ...(missing.length > 0 ? [`not exercised: ${missing.join(', ')}`] : []),
    ].join('; '),
  };
}

/** No report may hold the credential, whoever wrote it. */
function refuseLeak(folder: string, token: string): void {
  const leaking = readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(token));
  if (leaking.length > 0)
    throw new Unusable(`the token stands in ${leaking.join(', ')} of ${folder}: don't publish it`);
}

function publish(options: FuzzOptions, run: Run, judged: Judged, startedAt: Date): void {
  const contract = readContract();
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
  const about = {
    name: `${run.target.name} (fuzzing, ${run.profile}, seed ${run.seed})`,
    baseUrl: run.target.baseUrl,
    contractVersion: contract.version,
    suiteVersion: version,
    startedAt: startedAt.toISOString(),
    finishedAt: new Date().toISOString(),
  };
  writeReports(reportOf(judged, about), run.out);
  refuseLeak(run.out, run.token);
  if (options.into) writeReports(foldInto(readReport(options.into), judged), join(options.into, '..'));
}

function say(judged: Judged, run: Run, replay: string): void {
  for (const { id, verdict, findings } of judged.results.filter((result) => result.verdict === 'failed')) {
    const [{ expected = '', seen = '', pointer = '', curl = '' } = {}] = findings;
    const at = pointer === '' ? '' : ` at ${pointer}`;
    console.log(
      `${verdict} ${id}: ${findings.length} times, for example\n  expected ${expected}\n  seen     ${seen}${at}\n  ${curl}`,
    );
  }
  console.log(
    `fuzz: ${judged.says} (${judged.exchanges.length} exchanges, all held to the contract too); reports in ${run.out}`,
  );
  console.log(`again: ${replay}`);
}

async function fuzz(options: FuzzOptions): Promise<number> {
  const open = await openTarget(options.target);
  try {
    const run = runOf(options, open);
    const replay = replayLine(options, run);
    console.log(
      `fuzz: ${run.profile} against ${run.target.baseUrl}, seed ${run.seed}, ${run.engine.is === 'docker' ? 'in a container' : 'by a local command'}\nagain: ${replay}`,
    );
    const startedAt = new Date();
    const ran = await runFuzz(run);
    const judged = judge(run, ran, guardOf(readContract()));
    publish(options, run, judged, startedAt);
    say(judged, run, replay);
    return judged.exitCode;
  } finally {
    await open.close();
  }
}

async function main(argv: readonly string[]): Promise<number> {
  try {
    const options = parseOptions(argv);
    if (!options.help) return await fuzz(options);
    console.log(usage);
    return 0;
  } catch (error) {
    const expected = error instanceof Unusable || error instanceof NoReport || isBadTarget(error);
    console.error(`fuzz: ${expected ? '' : 'the harness itself failed: '}${(error as Error).message}`);
    return 2;
  }
}

process.exitCode = await main(process.argv.slice(2));
