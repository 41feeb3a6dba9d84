#!/usr/bin/env node
/**
 * `npm run conformance:self`: can the suite's verdicts be trusted? Every rule that can be tested has a check, every check a
 * fault that it catches, every fault a rule; and a right but unusual server raises no alarm.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { variants } from './benign/variants.ts';
import { readContract } from './contract.ts';
import type { Document } from './faults/generated.ts';
import { blindSpots } from './faults/blind.ts';
import { faults as allFaults } from './faults/index.ts';
import { judge, record, type Recording } from './faults/replay.ts';
import { readRules } from './rules.ts';
import { alarmsOf, alarmsOfRepeats, alarmsOfVariants } from './self/alarms.ts';
import { explained } from './self/explained.ts';
import { killByRecording, killLive } from './self/hand-written.ts';
import { shortSleep } from './self/live.ts';
import { closeLoop, killAllGenerated, type Grounds } from './self/proof.ts';
import { isBadTarget, openTarget } from './self/reference.ts';
import { sayAlarms, sayProof, type Proof } from './self/say.ts';
import type { Target } from './target.ts';

const usage = `Usage: npm run conformance:self -- [--quick] [--target FILE] [--repeat N] [--repeats-only] [--json]

Proves the suite against a right server (default: the service of this repository): which faults its checks catch, and that
no unusual but legal server raises an alarm.

  --quick         without the faults that need a real window of the budget (65 s) and without live runs of the faults
  --target FILE   another right server; it needs budgets that hundreds of runs don't exhaust
  --repeat N      also run the suite N times against the server itself: not one may fail (default 3)
  --repeats-only  nothing but those runs
  --json          the figures as JSON

Exit: 0 all caught and no false alarm, 1 not, 2 configuration.`;

const contract = readContract();
const grounds: Grounds = { contract, rules: readRules() };
const document = JSON.parse(readFileSync(new URL('../generated/openapi.json', import.meta.url), 'utf8')) as Document;

const recordOf = (target: Target, strict: boolean): Promise<Recording> =>
  record({ target, profile: 'core', strict, sleep: shortSleep });

/** Every hand-written fault, and of the generated ones at least 99 in 100 and each survivor explained. */
const good = ({ hand, generated, falseAlarms, gaps }: Omit<Proof, 'passed' | 'seconds'>): boolean => {
  const survivors = generated.filter(({ killed }) => !killed);
  return (
    hand.every(({ killed }) => killed) &&
    survivors.length <= generated.length / 100 &&
    survivors.every(({ name }) => explained(name) !== undefined) &&
    falseAlarms.length === 0 &&
    gaps.length === 0
  );
};

interface Options {
  readonly quick: boolean;
  readonly repeat: number;
  readonly 'repeats-only': boolean;
  readonly json: boolean;
}

const onProgress = (line: string): void => console.error(`repeats: ${line}`);

async function prove(target: Target, { quick, repeat }: Options): Promise<Omit<Proof, 'passed' | 'seconds'>> {
  const recordings = { plain: await recordOf(target, false), strict: await recordOf(target, true) };
  const reference = Object.values(recordings).flatMap((recording) =>
    alarmsOf('the reference', judge(recording, recording.exchanges, contract, grounds.rules)),
  );
  const generated = killAllGenerated(document, recordings, grounds);
  const [replayed, live, unusual, repeats] = await Promise.all([
    killByRecording(target, recordings, grounds, quick),
    quick ? [] : killLive(target, grounds),
    alarmsOfVariants(target),
    alarmsOfRepeats(target, repeat, grounds, onProgress),
  ]);
  return {
    hand: [...replayed, ...live],
    generated,
    repeats,
    falseAlarms: [...reference, ...unusual, ...repeats.alarms],
    gaps: closeLoop(grounds.rules, allFaults(target)).gaps,
  };
}

async function wholeProof(target: Target, options: Options): Promise<number> {
  const started = performance.now();
  const found = await prove(target, options);
  const seconds = Math.round((performance.now() - started) / 1000);
  const proof: Proof = { ...found, passed: good(found), seconds };
  console.log(
    options.json ? JSON.stringify({ ...proof, blindSpots, variants: variants.length }, null, 2) : sayProof(proof),
  );
  return proof.passed ? 0 : 1;
}

async function repeatsOnly(target: Target, { repeat, json }: Options): Promise<number> {
  const started = performance.now();
  const { alarms, runs, requests } = await alarmsOfRepeats(target, repeat, grounds, onProgress);
  const seconds = Math.round((performance.now() - started) / 1000);
  if (json) console.log(JSON.stringify({ runs, requests, seconds, falseAlarms: alarms }, null, 2));
  else console.log([...sayAlarms(alarms), `${runs} runs, ${requests} requests, ${seconds} s`].join('\n'));
  return alarms.length === 0 ? 0 : 1;
}

function optionsOf(argv: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    args: [...argv],
    options: {
      quick: flag,
      json: flag,
      help: flag,
      'repeats-only': flag,
      target: { type: 'string' },
      repeat: { type: 'string', default: '3' },
    },
  });
  const repeat = Number(values.repeat);
  if (!Number.isSafeInteger(repeat) || repeat < 0)
    throw new TypeError(`--repeat takes a whole number, not "${values.repeat}"`);
  return { ...values, repeat };
}

async function main(argv: readonly string[]): Promise<number> {
  try {
    const options = optionsOf(argv);
    if (options.help) return (console.log(usage), 0);
    const open = await openTarget(options.target ?? null);
    try {
      return await (options['repeats-only'] ? repeatsOnly : wholeProof)(open.target, options);
    } finally {
      await open.close();
    }
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    const usageError = error instanceof TypeError && (code?.startsWith('ERR_PARSE_ARGS') || message.startsWith('--'));
    const expected = isBadTarget(error) || usageError;
    console.error(`conformance:self: ${expected ? message.split('. ')[0] : `the proof itself failed: ${message}`}`);
    return 2;
  }
}

process.exitCode = await main(process.argv.slice(2));
