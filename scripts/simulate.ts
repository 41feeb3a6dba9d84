/** `npm run simulate`: thousands of seeded minutes of several nodes; the first that goes wrong is printed with its seed. */
import { createSimulator } from '../src/testing/simulation/simulate.ts';
import { runCommand, wholeNumber } from './command.ts';

const usage = `Usage: npm run simulate [-- --seed <n>] [--runs <n>]

Runs the service's look-up, worker and storage on simulated time, with readers, crashes, pauses, a store that is cut off and networks that
fail, and ends with 1 and the seed as soon as something happens that may never happen.

  --seed <n>   first seed (default 1); with --runs 1 the same minute again
  --runs <n>   how many seeds, one after the other (default 1000)
  --help       this text
`;

async function simulate(first: number, runs: number): Promise<number> {
  const simulator = await createSimulator();
  const start = performance.now();
  const sum = { steps: 0, reads: 0, calls: 0, crashes: 0 };
  for (let seed = first; seed < first + runs; seed += 1) {
    try {
      const simulated = await simulator.simulate(seed);
      for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += simulated[name];
    } catch (error) {
      console.error(`seed ${seed}: ${(error as Error).message}\nagain: npm run simulate -- --seed ${seed} --runs 1`);
      await simulator.close();
      return 1;
    }
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const { steps, reads, calls, crashes } = sum;
  console.log(
    `${runs} runs from seed ${first} in ${seconds} s: ${steps} interleaved steps, ${reads} reads, ${calls} calls of networks, ` +
      `${crashes} nodes killed; nothing went wrong`,
  );
  await simulator.close();
  return 0;
}

if (import.meta.main)
  await runCommand({
    name: 'simulate',
    usage,
    options: { seed: { type: 'string', default: '1' }, runs: { type: 'string', default: '1000' } },
    run: ({ seed, runs }) =>
      simulate(
        wholeNumber('seed', seed, { least: 0, most: 999_999_999 }),
        wholeNumber('runs', runs, { least: 1, most: 999_999_999 }),
      ),
  });
