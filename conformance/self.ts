#!/usr/bin/env node
/**
 * `npm run conformance:self`: can the suite's verdicts be trusted? Every rule that can be tested has a check, every check a
 * fault that it catches, every fault a rule; and a right but unusual server raises no alarm.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { variants, type WireVariant } from './benign/variants.ts';
import { readContract } from './contract.ts';
import type { Document } from './faults/generated.ts';
import { blindSpots } from './faults/blind.ts';
import { faults as allFaults } from './faults/index.ts';
import { judge, record, type Recording } from './faults/replay.ts';
import type { Fault, RuleResult } from './model.ts';
import { readRules } from './rules.ts';
import { alarms, closeLoop, killAllGenerated, killByReplay, type Grounds, type Kill } from './self/proof.ts';
import { explained } from './self/explained.ts';
import { inParallel, runLive } from './self/live.ts';
import { isBadTarget, openTarget, type OpenTarget } from './self/reference.ts';
import type { Target } from './target.ts';

const usage = `Usage: npm run conformance:self -- [--quick] [--target FILE] [--repeat N] [--json]

Proves the suite against a right server (default: the service of this repository): which faults its checks catch, and that
no unusual but legal server raises an alarm.

  --quick        without the faults that need a real window of the budget (62 s) and without live runs of the faults
  --target FILE  another right server; it needs budgets that hundreds of runs don't exhaust
  --repeat N     also run the suite N times against the server itself: not one may fail (default 3)
  --json         the figures as JSON

Exit: 0 all caught and no false alarm, 1 not, 2 configuration.`;

const contract = readContract();
const grounds: Grounds = { contract, rules: readRules() };
const document = JSON.parse(readFileSync(new URL('../generated/openapi.json', import.meta.url), 'utf8')) as Document;

const shortSleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.min(milliseconds, 1000)));
const realSleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

interface Alarm {
  readonly where: string;
  readonly result: RuleResult;
}

const alarmsOf = (where: string, results: readonly RuleResult[]): Alarm[] =>
  alarms(results).map((result) => ({ where, result }));

const recordOf = (target: Target, strict: boolean): Promise<Recording> =>
  record({ target, profile: 'core', strict, sleep: shortSleep });

/** Rules that only the rate-limit profile shows. */
const needsWindow = ({ breaks, family }: Fault): boolean => family === 'RAT' && breaks !== 'RAT-07';

async function killHandWritten(
  target: Target,
  recordings: { plain: Recording; strict: Recording },
  quick: boolean,
): Promise<Kill[]> {
  const [windowed, others] = [
    allFaults(target).filter(needsWindow),
    allFaults(target).filter((fault) => !needsWindow(fault)),
  ];
  const kills: Kill[] = [];
  for (const fault of others) kills.push(await killByReplay(fault, recordings, grounds));
  if (quick) return kills;
  const recording = await record({ target, profile: 'rate-limit', strict: true, sleep: realSleep });
  for (const fault of windowed) kills.push(await killByReplay(fault, { plain: recording, strict: recording }, grounds));
  return kills;
}

/** The same through a real proxy and the whole suite: a fault that changes what the suite sends next shows only here. */
async function killLive(target: Target): Promise<Kill[]> {
  const faults = allFaults(target).filter((fault) => !needsWindow(fault));
  return inParallel(faults, 4, async (fault) => {
    const strict =
      fault.level === 'ruling' || grounds.rules.find(({ id }) => id === fault.breaks)?.whollyRuling === true;
    const report = await runLive({ target, strict, alter: fault.alter });
    const result = report.results.find(({ id }) => id === fault.breaks);
    const killed = result?.verdict === 'failed';
    return {
      name: fault.name,
      family: `${fault.family} live`,
      breaks: fault.breaks,
      killed,
      reason: killed ? null : `its check says "${result?.verdict}": ${report.problem ?? result?.reason ?? ''}`,
    };
  });
}

async function alarmsOfVariant(target: Target, variant: WireVariant): Promise<Alarm[]> {
  const levels = variant.strict === 'may speak' ? [false] : [false, true];
  const found: Alarm[] = [];
  for (const strict of levels) {
    const report = await runLive({
      target,
      strict,
      alter: variant.alter,
      ...(variant.write ? { write: variant.write } : {}),
    });
    found.push(
      ...alarmsOf(
        `variant "${variant.name}"${strict ? ', strict' : ''}${report.problem ? ` (${report.problem})` : ''}`,
        report.results,
      ),
    );
  }
  return found;
}

async function alarmsOfRepeats(target: Target, times: number): Promise<Alarm[]> {
  const runs = await inParallel(
    Array.from({ length: times }, (_, index) => index),
    2,
    async (index) => {
      const recording = await recordOf(target, true);
      return alarmsOf(
        `run ${index + 1} of the reference`,
        judge(recording, recording.exchanges, contract, grounds.rules),
      );
    },
  );
  return runs.flat();
}

function printKills(title: string, kills: readonly Kill[]): void {
  console.log(`\n${title}`);
  for (const [family, ones] of Map.groupBy(kills, (kill) => kill.family)) {
    const killed = ones.filter((kill) => kill.killed).length;
    console.log(
      `  ${family.padEnd(28)} ${String(killed).padStart(4)} of ${String(ones.length).padStart(4)} killed  ${((100 * killed) / ones.length).toFixed(1)} %`,
    );
  }
  const survivors = kills.filter(({ killed }) => !killed);
  console.log(
    `  ${'all'.padEnd(28)} ${String(kills.length - survivors.length).padStart(4)} of ${String(kills.length).padStart(4)} killed  ${((100 * (kills.length - survivors.length)) / Math.max(1, kills.length)).toFixed(1)} %`,
  );
  for (const { name, breaks, reason } of survivors)
    console.log(`  survived: ${breaks} "${name}": ${explained(name) ?? reason}`);
}

const printAlarms = (found: readonly Alarm[]): void => {
  console.log(`\nfalse alarms: ${found.length}`);
  for (const { where, result } of found)
    console.log(
      `  ${where}: ${result.id} ${result.verdict}: ${result.findings[0] ? `${result.findings[0].pointer} expected ${result.findings[0].expected}, seen ${result.findings[0].seen}` : result.reason}`,
    );
};

/** Every hand-written fault, and of the generated ones at least 99 in 100 and each survivor explained. */
const good = (
  hand: readonly Kill[],
  generated: readonly Kill[],
  found: readonly Alarm[],
  gaps: readonly string[],
): boolean => {
  const survivors = generated.filter(({ killed }) => !killed);
  return (
    hand.every(({ killed }) => killed) &&
    survivors.length <= generated.length / 100 &&
    survivors.every(({ name }) => explained(name) !== undefined) &&
    found.length === 0 &&
    gaps.length === 0
  );
};

interface Options {
  readonly quick: boolean;
  readonly repeat: number;
  readonly json: boolean;
}

async function prove({ target }: OpenTarget, { quick, repeat, json }: Options): Promise<number> {
  const started = performance.now();
  const recordings = { plain: await recordOf(target, false), strict: await recordOf(target, true) };
  const reference = [recordings.plain, recordings.strict].flatMap((recording) =>
    alarmsOf('the reference', judge(recording, recording.exchanges, contract, grounds.rules)),
  );
  const { gaps } = closeLoop(grounds.rules, allFaults(target));
  const generated = killAllGenerated(document, recordings, grounds);
  const [replayed, live, unusual, repeats] = await Promise.all([
    killHandWritten(target, recordings, quick),
    quick ? [] : killLive(target),
    inParallel(variants, 4, (variant) => alarmsOfVariant(target, variant)),
    alarmsOfRepeats(target, repeat),
  ]);
  const found = [...reference, ...unusual.flat(), ...repeats];
  const hand = [...replayed, ...live];
  const passed = good(hand, generated, found, gaps);
  const seconds = Math.round((performance.now() - started) / 1000);
  if (json)
    console.log(
      JSON.stringify(
        {
          passed,
          seconds,
          gaps,
          blindSpots,
          hand,
          generated,
          variants: variants.length,
          repeats: repeat,
          falseAlarms: found,
        },
        null,
        2,
      ),
    );
  else {
    printKills(
      `faults written by hand (${new Set(hand.map(({ breaks }) => breaks)).size} rules), each counted only if its own rule's check catches it`,
      hand,
    );
    printKills('faults generated from the schemas, each counted only if a finding names the very place', generated);
    console.log(
      `\n${variants.length} unusual but legal servers (${variants.filter(({ strict }) => strict === 'silent').length} silent at both levels), ${repeat + 2} runs of the reference itself`,
    );
    printAlarms(found);
    console.log(`\nknown blind spots, not part of the figures: ${blindSpots.length}`);
    for (const { rule, fault, why } of blindSpots) console.log(`  ${rule} "${fault}": ${why}`);
    console.log(
      `\nclosed loop: ${gaps.length === 0 ? 'every testable rule has a check, every check a fault, every fault a rule' : gaps.join('; ')}`,
    );
    console.log(`${passed ? 'proved' : 'NOT proved'} in ${seconds} s`);
  }
  return passed ? 0 : 1;
}

function optionsOf(argv: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const;
  return parseArgs({
    args: [...argv],
    options: {
      quick: flag,
      json: flag,
      help: flag,
      target: { type: 'string' },
      repeat: { type: 'string', default: '3' },
    },
  }).values;
}

async function main(argv: readonly string[]): Promise<number> {
  let open: OpenTarget | undefined;
  try {
    const options = optionsOf(argv);
    if (options.help) return (console.log(usage), 0);
    const repeat = Number(options.repeat);
    if (!Number.isSafeInteger(repeat) || repeat < 0)
      throw new TypeError(`--repeat takes a whole number, not "${options.repeat}"`);
    open = await openTarget(options.target ?? null);
    return await prove(open, { quick: options.quick, repeat, json: options.json });
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (
      !isBadTarget(error) &&
      !(error instanceof TypeError && (code?.startsWith('ERR_PARSE_ARGS') || message.startsWith('--')))
    )
      throw error;
    console.error(`conformance:self: ${message.split('. ')[0]}`);
    return 2;
  } finally {
    await open?.close();
  }
}

process.exitCode = await main(process.argv.slice(2));
