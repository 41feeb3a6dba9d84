import { clients, pause, untilHeld, type Bench } from './bench.ts';
import { Tally, type Answered, type Caller } from './caller.ts';
import { connectionFloods } from './connection-floods.ts';
import { atLeast, atMost, exactly, type Fault, type Figure } from './fault.ts';

const held = Array.from({ length: 40 }, (_, index) => `known${index}`);
/** An answer that comes later than this is none: the caller has gone. */
const patienceMilliseconds = 5_000;
const connections = 400;
const noneFree: Answered = { status: 0, error: 'no connection free', headers: {}, body: null, milliseconds: 0 };

/** As many a second as it answers when it is kept busy. */
async function peakOf(bench: Bench, callers: readonly Caller[]): Promise<number> {
  const tally = new Tally();
  const start = performance.now();
  const until = start + (bench.quick ? 2_000 : 6_000);
  await clients(
    callers.length,
    () => performance.now() < until,
    async (client) => tally.add(await callers[client]!.creators(held)),
  );
  return (1000 * tally.count(200)) / (performance.now() - start);
}

/** Every connection of the crowd is there before it comes, as those of a balancer are. */
const warm = (crowd: Caller): Promise<unknown> =>
  Promise.all(Array.from({ length: connections }, () => crowd.creator(held[0]!)));

/** Requests that arrive at that rate whatever becomes of those before them, each on a connection that is free. */
async function offered(crowd: Caller, perSecond: number, seconds: number): Promise<Tally> {
  const tally = new Tally();
  const pending = new Set<Promise<void>>();
  const start = performance.now();
  for (let count = 0; performance.now() - start < seconds * 1000;) {
    const due = Math.floor(((performance.now() - start) / 1000) * perSecond);
    for (; count < due; count += 1) {
      if (pending.size >= connections) tally.add(noneFree);
      else {
        const answered = crowd.creators(held).then((each) => tally.add(each));
        pending.add(answered);
        void answered.finally(() => pending.delete(answered));
      }
    }
    await pause(5);
  }
  await Promise.all(pending);
  return tally;
}

const run = async (bench: Bench): Promise<Figure[]> => [
  ...(await tooManyRequests(bench)),
  ...(await connectionFloods(bench)),
];

async function tooManyRequests(bench: Bench): Promise<Figure[]> {
  const [store, source] = [await bench.store(), await bench.source()];
  // Without memory each answer is worked for, so that one client can offer five times what the node can do.
  const node = await bench.node(store, source, 'one', { CACHE_BYTES: '1' });
  const token = await store.issue(1_000_000);
  const callers = Array.from({ length: 8 }, () => bench.caller({ port: node.port, token }));
  await untilHeld(callers[0]!, held, 30);
  const figures: Figure[] = [];
  for (const times of [2, 5]) {
    const seconds = bench.quick ? 4 : 10;
    const before = await bench.guard.afterwards(() => peakOf(bench, callers));
    const crowd = bench.caller({ port: node.port, token, connections, patienceMilliseconds });
    await bench.guard.afterwards(() => warm(crowd));
    const tally = await bench.guard.afterwards(() => offered(crowd, before * times, seconds));
    await pause(1_000);
    // Before and after: what the machine has to give changes while it is measured.
    const peak = (before + (await bench.guard.afterwards(() => peakOf(bench, callers)))) / 2;
    const goodput = tally.count(200) / seconds;
    bench.say(`${times} times ${peak.toFixed(0)} a second: ${goodput.toFixed(0)} answered; ${tally}`);
    figures.push(
      atLeast(
        `goodput at ${times} times the capacity of ${peak.toFixed(0)} batches of 40 a second (${tally})`,
        (100 * goodput) / peak,
        90,
        '% of it',
      ),
      exactly(`${times} times: statuses other than 200 and 503`, tally.count(400, 401, 403, 404, 429, 500), 0),
    );
    crowd.close();
  }
  const after = new Tally();
  for (let turn = 0; turn < 20; turn += 1) after.add(await callers[0]!.creators(held));
  figures.push(atMost('slowest answer once the crowd has gone', after.percentile(1), 1_000, 'ms'));
  return figures;
}

export const overload: Fault = {
  id: 'F13',
  title: 'overload, twice and five times the capacity, over 400 kept connections; floods of new and of silent ones',
  mustHold:
    'cheap refusals: goodput stays at 90 % of the peak; polite callers go on being answered, and all is well at once afterwards',
  engines: ['sqlite', 'postgres'],
  run,
};
