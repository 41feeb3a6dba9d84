import { clients, type Bench } from './bench.ts';
import { Tally, type Caller } from './caller.ts';
import type { Figure } from './fault.ts';

const loadClients = 4;
const windows = 3;

/** Latencies of held reads for some seconds: 4 clients, a batch of 20. */
export async function readsFor(seconds: number, callers: readonly Caller[], held: readonly string[]): Promise<Tally> {
  const tally = new Tally();
  const until = performance.now() + seconds * 1000;
  await clients(
    loadClients,
    () => performance.now() < until,
    async (client) => tally.add(await callers[client % callers.length]!.creators(held)),
  );
  return tally;
}

/** The median of the windows' p99 in milliseconds, and all answers of them. */
export async function p99Of(bench: Bench, callers: readonly Caller[], held: readonly string[]) {
  const tallies: Tally[] = [];
  for (let window = 0; window < windows; window += 1) tallies.push(await readsFor(bench.quick ? 1 : 3, callers, held));
  const sorted = tallies.map((tally) => tally.percentile(0.99)).toSorted((left, right) => left - right);
  const others = tallies.reduce((sum, tally) => sum + tally.others(200), 0);
  const total = tallies.reduce((sum, tally) => sum + tally.total, 0);
  return { milliseconds: sorted[Math.floor(windows / 2)] ?? 0, others, total };
}

/** "Unchanged" on a machine that others use too: at most twice what it was, or 20 ms more. */
export function unchanged(before: number, during: number): Figure {
  const bound = Math.max(2 * before, before + 20);
  return {
    name: `p99 of held reads meanwhile (before: ${before.toFixed(1)} ms)`,
    value: `${during.toFixed(1)} ms`,
    bound: `≤ ${bound.toFixed(1)} ms (twice, or 20 ms more)`,
    inside: during <= bound,
  };
}
