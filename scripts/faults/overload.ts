import { clients, pause, untilHeld, type Bench } from './bench.ts';
import { Tally, type Caller } from './caller.ts';
import { atLeast, atMost, exactly, type Fault, type Figure } from './fault.ts';

const held = Array.from({ length: 100 }, (_, index) => `known${index}`);
/** An answer that comes later than this is none: the caller has gone. */
const patienceMilliseconds = 5_000;

/** As many as it answers when it is kept busy: the best of some numbers of clients. */
async function peakOf(bench: Bench, callers: readonly Caller[]): Promise<number> {
  let peak = 0;
  for (const count of [4, 8, 16]) {
    const tally = new Tally();
    const seconds = bench.quick ? 2 : 5;
    const until = performance.now() + seconds * 1000;
    await clients(
      count,
      () => performance.now() < until,
      async (client) => tally.add(await callers[client]!.creators(held)),
    );
    peak = Math.max(peak, tally.count(200) / seconds);
  }
  return peak;
}

/** Requests that arrive at that rate whatever becomes of those before them. */
async function offered(caller: Caller, perSecond: number, seconds: number): Promise<Tally> {
  const tally = new Tally();
  const pending: Promise<void>[] = [];
  const start = performance.now();
  for (let count = 0; performance.now() - start < seconds * 1000;) {
    const due = Math.floor(((performance.now() - start) / 1000) * perSecond);
    for (; count < due; count += 1) pending.push(caller.creators(held).then((answered) => tally.add(answered)));
    await pause(5);
  }
  await Promise.all(pending);
  return tally;
}

async function run(bench: Bench): Promise<Figure[]> {
  const [store, source] = [await bench.store(), await bench.source()];
  // Without memory each answer is worked for, so that one client can offer five times what the node can do.
  const node = await bench.node(store, source, 'one', { CACHE_BYTES: '1' });
  const token = await store.issue(1_000_000);
  const callers = Array.from({ length: 16 }, () => bench.caller({ port: node.port, token }));
  await untilHeld(callers[0]!, held, 30);
  const peak = await peakOf(bench, callers);
  bench.say(`peak ${peak.toFixed(0)} batches of 100 a second`);
  const figures: Figure[] = [];
  for (const times of [2, 5]) {
    const crowd = bench.caller({ port: node.port, token, connections: 4_000, patienceMilliseconds });
    const seconds = bench.quick ? 4 : 10;
    const tally = await offered(crowd, peak * times, seconds);
    const goodput = tally.count(200) / seconds;
    bench.say(`${times} times: ${goodput.toFixed(0)} a second; ${tally}`);
    figures.push(
      atLeast(
        `goodput at ${times} times the capacity of ${peak.toFixed(0)} a second (${tally})`,
        (100 * goodput) / peak,
        90,
        '%',
      ),
      exactly(`${times} times: statuses other than 200 and 503`, tally.count(400, 401, 403, 404, 429, 500), 0),
    );
    await pause(1_000);
  }
  const after = new Tally();
  for (let turn = 0; turn < 20; turn += 1) after.add(await callers[0]!.creators(held));
  figures.push(atMost('slowest answer once the crowd has gone', after.percentile(1), 1_000, 'ms'));
  return figures;
}

export const overload: Fault = {
  id: 'F13',
  title: 'overload, twice and five times the capacity',
  mustHold: 'cheap refusals: goodput stays at 90 % of the peak',
  engines: ['sqlite', 'postgres'],
  run,
};
