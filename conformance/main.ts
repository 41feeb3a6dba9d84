#!/usr/bin/env node
/** The suite as a program: `conformance --target FILE`, `conformance report FILE`, `conformance diff A B`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

import { readKnownFailures } from './known.ts';
import type { Profile, Report } from './model.ts';
import { describePlan, planFor } from './plan/plan.ts';
import { readyNames, targetFile } from './ready.ts';
import { readRules } from './rules.ts';
import { startTarget } from './start.ts';
import { runSuite } from './suite.ts';
import { ConfigurationError, describeTarget, readTargetFile } from './target-file.ts';
import type { Target } from './target.ts';

const help = `Judges any implementation of the lookup contract over HTTP.

Usage: conformance --target FILE [options]
       conformance report FILE [--out DIR]     rebuild the reports from a report.json
       conformance diff A B                    show what differs between two report.json

  --target FILE        the target's description (YAML or JSON), or the name of a ready one: ${readyNames().join(', ')}
  --strict             judge our rulings too, not only what the specification says
  --profile NAME       core (default), extended (as much again, of other principals), rate-limit or all
  --plan               show what would be sent, as whom, and how long it takes; send nothing
  --only ID[,ID]       judge only these rules
  --known FILE         known failures: a list of { id, reason, link, expires }
  --out DIR            write report.json, and the reports made of it, to this folder
  --deadline SECONDS   do not wait for re-reads that are due later than this (default 120)
  --timeout SECONDS    give up on one request after this long (default 15)
  --quiet              no progress line
  --help               show this help

Tokens and the base URL come from the environment (CONFORMANCE_BASE_URL, CONFORMANCE_TOKEN_FULL, …), which wins over the file.
Exit: 0 conformant for the profile · 1 failed · 2 configuration or harness, target not there · 3 something required was not exercised
`;

const options = {
  target: { type: 'string' },
  strict: { type: 'boolean', default: false },
  profile: { type: 'string', default: 'core' },
  plan: { type: 'boolean', default: false },
  only: { type: 'string' },
  known: { type: 'string' },
  out: { type: 'string' },
  deadline: { type: 'string', default: '120' },
  timeout: { type: 'string', default: '15' },
  quiet: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

type Values = ReturnType<typeof argumentsOf>['values'];

const argumentsOf = (argv: readonly string[]) => parseArgs({ args: [...argv], options, allowPositionals: true });

function numberOf(text: string, name: string): number {
  const number = Number(text);
  if (text.trim() === '' || !(number > 0) || number > 86_400)
    throw new ConfigurationError(`--${name} has to be a number of seconds, not "${text}"`);
  return number;
}

function profileOf(text: string): Profile {
  if (text === 'core' || text === 'extended' || text === 'rate-limit' || text === 'all') return text;
  throw new ConfigurationError(`--profile has to be core, extended, rate-limit or all, not "${text}"`);
}

function onlyOf(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  const known = new Set(readRules().map(({ id }) => id));
  const ids = text
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
  const odd = ids.find((id) => !known.has(id));
  if (odd !== undefined || ids.length === 0) throw new ConfigurationError(`--only: there is no rule "${odd ?? ''}"`);
  return ids;
}

async function run(values: Values): Promise<number> {
  if (values.target === undefined) throw new ConfigurationError('--target is missing; --help tells more');
  const file = readTargetFile(targetFile(values.target));
  const settings = {
    profile: profileOf(values.profile),
    deadlineSeconds: numberOf(values.deadline, 'deadline'),
    timeoutMilliseconds: numberOf(values.timeout, 'timeout') * 1000,
    only: onlyOf(values.only),
    knownFailures: values.known === undefined ? [] : readKnownFailures(values.known),
    strict: values.strict,
  };
  const started =
    file.start && process.env['CONFORMANCE_BASE_URL'] === undefined ? await startTarget(file.start) : undefined;
  try {
    const target = describeTarget(file, process.env, started?.says);
    process.stdout.write(`${describePlan(target, planFor(target, settings))}\n`);
    return values.plan ? 0 : await judge(values, target, settings);
  } finally {
    await started?.stop();
  }
}

type Settings = {
  profile: Profile;
  deadlineSeconds: number;
  timeoutMilliseconds: number;
  only: string[] | undefined;
  knownFailures: ReturnType<typeof readKnownFailures>;
  strict: boolean;
};

async function judge(values: Values, target: Target, { only, ...settings }: Settings): Promise<number> {
  const report = await runSuite({
    ...settings,
    ...(only ? { only } : {}),
    target,
    ...(values.quiet ? {} : { onProgress }),
  });
  if (!values.quiet && process.stderr.isTTY) process.stderr.write('\r\u001B[K');
  const text = summary(report);
  const files = values.out === undefined ? [] : await writeReports(report, values.out);
  const leak = leakIn([text, JSON.stringify(report), ...files], target);
  process.stdout.write(leak === null ? text : '');
  if (leak === null) return report.exitCode;
  process.stderr.write(`error: the credential of the role ${leak} stands in the output; do not publish it\n`);
  return 2;
}

/** One line that is written over on a terminal; elsewhere only what has to be waited for. */
function onProgress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${line.slice(0, 100)}`);
  else if (line.startsWith('waiting')) process.stderr.write(`${line}\n`);
}

const shortestCredential = 6;

/** The role whose credential stands in any output, or null. */
export function leakIn(outputs: readonly string[], target: Target): string | null {
  const found = Object.entries(target.tokens).find(
    ([, { token }]) => token.length >= shortestCredential && outputs.some((output) => output.includes(token)),
  );
  return found?.[0] ?? null;
}

/** `report.json` and everything made of it, into the folder; the texts that were written. */
async function writeReports(report: Report, folder: string): Promise<string[]> {
  const { rendered } = await import('./report/index.ts');
  const files = Object.entries(rendered(report));
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
  return files.map(([, text]) => text);
}

function summary(report: Report): string {
  const { totals } = report;
  const nothingSeen = report.problem !== null && report.exchanges.length === 0;
  const lines = report.results
    .filter(({ verdict, how }) => how !== 'W' && verdict !== 'passed' && !nothingSeen)
    .map(({ id, verdict, reason, findings, text }) => {
      const first = findings.filter(
        ({ level }) => verdict !== 'failed' || report.strict || level === 'specification',
      )[0];
      const why = first
        ? `expected ${first.expected}, seen ${first.seen} at ${first.pointer || 'the answer'} (${first.exchangeId})`
        : reason;
      return `${verdict.toUpperCase().padEnd(15)} ${id}  ${text}\n${' '.repeat(16)}${why ?? ''}`;
    });
  const counts = `${totals.passed} passed, ${totals.failed} failed, ${totals.notExercised} not exercised, ${totals.notApplicable} not applicable, ${totals.observed} observed, ${totals.error} errors; ${totals.outside} rules not testable from outside`;
  const spent = Object.entries(report.requests.byPrincipal)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
  return [
    ...lines,
    ...report.hints.map((hint) => `HINT ${hint}`),
    ...report.knownFailures.map(
      ({ id, state, reason, expires }) => `KNOWN ${id} is ${state} (${reason}, until ${expires})`,
    ),
    ...(report.problem === null ? [] : [`STOPPED ${report.target.baseUrl} ${report.problem}`]),
    `${report.target.name}: ${counts}`,
    `${report.requests.sent} requests of at most ${report.requests.plannedAtMost} (${spent}); exit ${report.exitCode}`,
    '',
  ].join('\n');
}

/** `report FILE [--out DIR]`: all reports again from the one JSON. */
async function reportAgain(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: { out: { type: 'string' }, help: { type: 'boolean' } },
    allowPositionals: true,
  });
  const [file] = positionals;
  if (values.help) process.stdout.write(help);
  else if (file === undefined || positionals.length > 1)
    throw new ConfigurationError('report takes one report.json; --help tells more');
  else {
    const { readReport, writeReports: write } = await import('./report/index.ts');
    for (const path of write(readReport(file), values.out ?? dirname(file))) process.stdout.write(`${path}\n`);
  }
  return 0;
}

/** `diff A B`: exit 1 where a rule got another verdict. */
async function difference(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: { help: { type: 'boolean' } },
    allowPositionals: true,
  });
  const [one, other] = positionals;
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  if (one === undefined || other === undefined || positionals.length > 2)
    throw new ConfigurationError('diff takes two report.json; --help tells more');
  const { readReport, diff, diffText } = await import('./report/index.ts');
  const [before, after] = [readReport(one), readReport(other)];
  process.stdout.write(diffText(before, after));
  return diff(before, after).changes.length > 0 ? 1 : 0;
}

async function main(argv: readonly string[]): Promise<number> {
  const [command, ...rest] = argv;
  if (command === 'report') return reportAgain(rest);
  if (command === 'diff') return difference(rest);
  const { values, positionals } = argumentsOf(argv);
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  if (positionals.length > 0)
    throw new ConfigurationError(`there is no command "${positionals[0]}"; --help tells more`);
  return run(values);
}

const stoppedByHand = (): never => {
  process.stderr.write('\nerror: stopped by hand, so nothing was judged\n');
  process.exit(2);
};

if (import.meta.main) {
  process.once('SIGINT', stoppedByHand).once('SIGTERM', stoppedByHand);
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const usage =
      error instanceof ConfigurationError ||
      (error as Error).constructor.name === 'NoReport' ||
      String(code).startsWith('ERR_PARSE_ARGS');
    process.stderr.write(`error: ${usage ? message.split('\n')[0] : `the suite itself failed: ${message}`}\n`);
    process.exitCode = 2;
  }
}
