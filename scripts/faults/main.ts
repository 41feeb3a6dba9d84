/**
 * `npm run faults`: brings about F1 to F22 for real and writes one page with fault, seed, figure, bound and verdict. Exit 0 when every figure
 * is inside its bound, 1 when one is not or a fault could not be run, 2 for wrong usage.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand, wholeNumber, WrongUsage } from '../command.ts';
import { Bench } from './bench.ts';
import { faults } from './catalogue.ts';
import { exactly, NotRun, type EngineName, type Fault, type Figure } from './fault.ts';
import { isGreen, merged, pageOf, whereRun, wordOf, type Verdict } from './page.ts';
import { SharedPostgres } from './store.ts';

const usage = `Usage: npm run faults [-- options]

Kills, stops and cuts off real processes of the service, and measures what holds meanwhile.

  --only F3,F7     these faults alone
  --engine NAME    these stores alone: sqlite or postgres
  --quick          fewer rounds, shorter times and each fault on one store, for CI
  --seed N         of everything that is left to chance (default: another one each time)
  --out DIR        where page and verdicts go; those of other faults that are there stay (default docs/faults; with --quick: nowhere)
  --list           what there is
  --help           this text
`;

interface Chosen {
  readonly faults: readonly Fault[];
  readonly engine: EngineName | null;
  readonly quick: boolean;
  readonly seed: number;
  readonly out: string | null;
}

/** @throws WrongUsage where nothing would be run. */
function chosenBy(values: { only?: string; engine?: string; seed?: string; out?: string; quick: boolean }): Chosen {
  const {
    engine = null,
    quick,
    seed = String(Math.floor(Math.random() * 1e6)),
    out = quick ? null : 'docs/faults',
  } = values;
  if (engine !== null && engine !== 'sqlite' && engine !== 'postgres')
    throw new WrongUsage(`--engine is "${engine}", but has to be sqlite or postgres`);
  const some = named(values.only);
  const without = some.find((fault) => enginesOf(fault, engine, quick).length === 0);
  if (without !== undefined && values.only !== undefined)
    throw new WrongUsage(`${without.id} means nothing on ${engine}; --list shows where each does`);
  return { faults: some, engine, quick, seed: wholeNumber('seed', seed, { least: 0, most: 999_999_999 }), out };
}

function named(only: string | undefined): readonly Fault[] {
  if (only === undefined) return faults;
  return only.split(',').map((id) => {
    const found = faults.find((fault) => fault.id.toLowerCase() === id.trim().toLowerCase());
    if (found === undefined)
      throw new WrongUsage(`--only names "${id}", but there is no such fault; --list shows them`);
    return found;
  });
}

const postgres = new SharedPostgres();

async function runAll({ faults: chosen, engine, quick, seed, out }: Chosen): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const fault of chosen) {
    for (const each of enginesOf(fault, engine, quick)) {
      console.log(`── ${fault.id} ${fault.title} (${each}, seed ${seed})`);
      const say = (line: string): void => console.log(`   ${fault.id} ${each}: ${line}`);
      const verdict = await runOne(fault, new Bench({ engine: each, quick, seed, postgres, say }), seed);
      tell(verdict);
      verdicts.push(verdict);
      // After each: what an interrupted run has found is not lost.
      if (out !== null) write(out, [verdict]);
    }
  }
  return verdicts;
}

/** The stores on which the fault is run: all that it concerns; in a quick run one of them, as the two share nearly all of the code. */
function enginesOf(fault: Fault, only: EngineName | null, quick: boolean): readonly EngineName[] {
  if (only !== null) return fault.engines.filter((each) => each === only);
  return quick ? [fault.engines[faults.indexOf(fault) % fault.engines.length]!] : fault.engines;
}

async function runOne(fault: Fault, bench: Bench, seed: number): Promise<Verdict> {
  const start = performance.now();
  let figures: readonly Figure[] = [];
  let notRun: string | null = null;
  try {
    figures = [...(await fault.run(bench)), contractFigure(bench)];
  } catch (thrown) {
    notRun = thrown instanceof NotRun ? thrown.message : `it broke down: ${(thrown as Error).stack ?? String(thrown)}`;
  } finally {
    await bench.end();
  }
  const seconds = (performance.now() - start) / 1000;
  return { id: fault.id, engine: bench.engine, quick: bench.quick, seed, seconds, figures, notRun, ...whereRun() };
}

function contractFigure({ guard, say }: Bench): Figure {
  for (const breach of guard.breaches.slice(0, 5)) say(breach);
  return exactly(`answers that break the contract, of ${guard.answers}`, guard.breaches.length, 0);
}

function tell(verdict: Verdict): void {
  for (const { name, value, bound, inside } of verdict.figures)
    console.log(`   ${inside ? 'ok    ' : 'FAILED'} ${name}: ${value} (${bound})`);
  if (verdict.notRun !== null) console.log(`   not run: ${verdict.notRun}`);
  console.log(`── ${verdict.id} ${verdict.engine}: ${wordOf(verdict)} (${verdict.seconds.toFixed(0)} s)`);
}

async function prove(chosen: Chosen): Promise<number> {
  const verdicts = await runAll(chosen);
  await postgres.stop();
  const green = verdicts.filter(isGreen).length;
  console.log(`${green} held, ${verdicts.length - green} not`);
  return green === verdicts.length ? 0 : 1;
}

const listed = ({ id, title, engines }: Fault): string => `${id.padEnd(4)} ${title} (${engines.join(', ')})`;

function write(folder: string, verdicts: readonly Verdict[]): void {
  mkdirSync(folder, { recursive: true });
  const kept = join(folder, 'verdicts.json');
  const earlier = existsSync(kept) ? (JSON.parse(readFileSync(kept, 'utf8')) as Verdict[]) : [];
  const all = merged(earlier, verdicts);
  writeFileSync(kept, `${JSON.stringify(all, null, 2)}\n`);
  writeFileSync(join(folder, 'README.md'), pageOf(faults, all));
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;

await runCommand({
  name: 'faults',
  usage,
  options: { only: text, engine: text, seed: text, out: text, quick: flag, list: flag },
  run({ list, ...values }) {
    if (!list) return prove(chosenBy(values));
    for (const fault of faults) console.log(listed(fault));
    return 0;
  },
});
