/**
 * `npm run faults`: brings about F1 to F22 for real and writes one page with fault, seed, figure, bound and verdict. Exit 0 when every figure
 * is inside its bound, 1 when one is not or a fault could not be run, 2 for bad usage.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { Bench } from './bench.ts';
import { faults } from './catalogue.ts';
import { exactly, NotRun, type EngineName, type Fault, type Figure } from './fault.ts';
import { isGreen, pageOf, wordOf, type Verdict } from './page.ts';
import { SharedPostgres } from './store.ts';

const usage = `Usage: npm run faults [-- options]

Kills, stops and cuts off real processes of the service, and measures what holds meanwhile.

  --only F3,F7     these faults alone
  --engine NAME    only on sqlite, or only on postgres
  --quick          fewer rounds and shorter times, for CI
  --seed N         of everything that is left to chance (default: another one each time)
  --out FILE       where the page goes (default docs/faults.md; with --only or --quick: nowhere)
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

class BadUsage extends Error {}

function read(): Chosen | 'help' | 'list' {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const options = { only: text, engine: text, seed: text, out: text, quick: flag, list: flag, help: flag };
  const { values } = parseArgs({ options });
  if (values.help) return 'help';
  if (values.list) return 'list';
  const { engine = null, seed = String(Math.floor(Math.random() * 1e6)) } = values;
  if (engine !== null && engine !== 'sqlite' && engine !== 'postgres')
    throw new BadUsage('--engine is sqlite or postgres');
  if (!/^\d{1,9}$/.test(seed)) throw new BadUsage('--seed is a whole number of up to nine digits');
  const whole = values.only === undefined && engine === null && !values.quick;
  const out = values.out ?? (whole ? 'docs/faults.md' : null);
  return { faults: named(values.only), engine, quick: values.quick, seed: Number(seed), out };
}

function named(only: string | undefined): readonly Fault[] {
  if (only === undefined) return faults;
  return only.split(',').map((id) => {
    const found = faults.find((fault) => fault.id.toLowerCase() === id.trim().toLowerCase());
    if (found === undefined) throw new BadUsage(`there is no fault ${id}; --list shows them`);
    return found;
  });
}

const postgres = new SharedPostgres();
let running: Bench | null = null;

async function runAll({ faults: chosen, engine: only, quick, seed }: Chosen): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const fault of chosen) {
    for (const engine of fault.engines.filter((each) => only === null || each === only)) {
      const say = (line: string): void => console.log(`   ${fault.id} ${engine}: ${line}`);
      console.log(`── ${fault.id} ${fault.title} (${engine}, seed ${seed})`);
      const verdict = await runOne(fault, new Bench({ engine, quick, seed, postgres, say }), seed);
      tell(verdict);
      verdicts.push(verdict);
    }
  }
  return verdicts;
}

async function runOne(fault: Fault, bench: Bench, seed: number): Promise<Verdict> {
  running = bench;
  const start = performance.now();
  const common = { fault, engine: bench.engine, seed };
  let figures: readonly Figure[] = [];
  let notRun: string | null = null;
  try {
    figures = [...(await fault.run(bench)), contractFigure(bench)];
  } catch (thrown) {
    notRun = thrown instanceof NotRun ? thrown.message : `it broke down: ${(thrown as Error).stack ?? String(thrown)}`;
  } finally {
    await bench.end();
    running = null;
  }
  return { ...common, figures, notRun, seconds: (performance.now() - start) / 1000 };
}

function contractFigure({ guard, say }: Bench): Figure {
  for (const breach of guard.breaches.slice(0, 5)) say(breach);
  return exactly(`answers that break the contract, of ${guard.answers}`, guard.breaches.length, 0);
}

function tell(verdict: Verdict): void {
  for (const { name, value, bound, inside } of verdict.figures)
    console.log(`   ${inside ? 'ok    ' : 'FAILED'} ${name}: ${value} (${bound})`);
  if (verdict.notRun !== null) console.log(`   not run: ${verdict.notRun}`);
  console.log(`── ${verdict.fault.id} ${verdict.engine}: ${wordOf(verdict)} (${verdict.seconds.toFixed(0)} s)`);
}

/** Nothing outlives the bench: neither a process of the service nor PostgreSQL. */
function endAllOnInterruption(): void {
  const end = (code: number): void => {
    const ended = Promise.resolve(running?.end()).then(() => postgres.stop());
    void ended.finally(() => process.exit(code));
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end(130));
  process.once('uncaughtException', (fault) => {
    console.error(fault);
    end(1);
  });
}

async function main(): Promise<number> {
  let chosen;
  try {
    chosen = read();
  } catch (error) {
    console.error(`faults: ${(error as Error).message.split('\n')[0]}`);
    return 2;
  }
  if (chosen === 'help') return (console.log(usage.trimEnd()), 0);
  if (chosen === 'list') return (faults.forEach((each) => console.log(listed(each))), 0);
  endAllOnInterruption();
  const verdicts = await runAll(chosen);
  await postgres.stop();
  if (chosen.out !== null) write(chosen.out, pageOf(verdicts, `npm run faults -- --seed ${chosen.seed}`));
  const green = verdicts.filter(isGreen).length;
  console.log(`${green} held, ${verdicts.length - green} not`);
  return green === verdicts.length ? 0 : 1;
}

const listed = ({ id, title, engines }: Fault): string => `${id.padEnd(4)} ${title} (${engines.join(', ')})`;

function write(file: string, page: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, page);
  console.log(`written to ${file}`);
}

process.exitCode = await main();
