/** `npm run simulate`: thousands of seeded minutes of several nodes; the first that goes wrong is printed with its seed. */
import { parseArgs } from 'node:util';
import { createSimulator } from '../src/testing/simulation/simulate.ts';

const usage = `Usage: npm run simulate [-- --seed <n>] [--runs <n>]

Runs the service's look-up, worker and storage on simulated time, with readers, crashes, pauses, a store that is cut off and networks that
fail, and ends with 1 and the seed as soon as something happens that may never happen.

  --seed <n>   first seed (default 1); with --runs 1 the same minute again
  --runs <n>   how many seeds, one after the other (default 1000)
  --help       this text
`;

function refuse(line: string): void {
  console.error(`simulate: ${line}`);
  process.exitCode = 2;
}

async function simulate(first: number, runs: number): Promise<void> {
  const simulator = await createSimulator();
  const start = performance.now();
  const sum = { steps: 0, reads: 0, calls: 0, crashes: 0 };
  for (let seed = first; seed < first + runs; seed += 1) {
    try {
      const simulated = await simulator.simulate(seed);
      for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += simulated[name];
    } catch (error) {
      console.error(`seed ${seed}: ${(error as Error).message}\nagain: npm run simulate -- --seed ${seed} --runs 1`);
      process.exitCode = 1;
      return simulator.close();
    }
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const { steps, reads, calls, crashes } = sum;
  console.log(
    `${runs} runs from seed ${first} in ${seconds} s: ${steps} interleaved steps, ${reads} reads, ${calls} calls of networks, ` +
      `${crashes} nodes killed; nothing went wrong`,
  );
  await simulator.close();
}

async function main(): Promise<void> {
  let values;
  try {
    const whole = (fallback: string) => ({ type: 'string', default: fallback }) as const;
    ({ values } = parseArgs({ options: { seed: whole('1'), runs: whole('1000'), help: { type: 'boolean' } } }));
  } catch (error) {
    return refuse((error as Error).message.split('\n')[0] ?? '');
  }
  if (values.help) return console.log(usage.trimEnd());
  const [seed, runs] = [values.seed, values.runs].map((text) => (/^\d{1,9}$/.test(text) ? Number(text) : Number.NaN));
  if (seed === undefined || runs === undefined || !(seed >= 0) || !(runs >= 1))
    return refuse('--seed and --runs are whole numbers, --runs at least 1');
  await simulate(seed, runs);
}

if (import.meta.main) await main();
