import { clients, pause, untilHeld, type Bench } from './bench.ts';
import { Tally } from './caller.ts';
import { exactly, type Fault, type Figure } from './fault.ts';

const perMinute = 60;
const people = 100;

/** Two nodes that share a budget; the embedded store is one process's. */
async function run(bench: Bench): Promise<Figure[]> {
  const [store, source] = [await bench.store(), await bench.source()];
  const names = bench.engine === 'postgres' ? ['one', 'two'] : ['one'];
  const nodes = await Promise.all(names.map((name) => bench.node(store, source, name)));
  await untilHeld(bench.caller({ port: nodes[0]!.port, token: await store.issue(1_000_000) }), ['known'], 20);
  const tokens = await Promise.all(Array.from({ length: people }, () => store.issue(perMinute)));
  const callers = tokens.map((token) => nodes.map(({ port }) => bench.caller({ port, token })));
  const tallies = tokens.map(() => new Tally());
  // Past one edge in the full run: each then has had two windows.
  const windows = bench.quick ? 1 : 2;
  const start = performance.now();
  const going = (): boolean => {
    const seconds = (performance.now() - start) / 1000;
    if (bench.quick) return tallies.some(({ total }) => total < 80);
    // The third window begins after two minutes; a slow machine needs most of the second to spend it.
    return seconds < 75 || (seconds < 115 && tallies.some((tally) => tally.count(200) < perMinute * windows));
  };
  await clients(people, going, async (client, turn) => {
    const mine = callers[client]!;
    tallies[client]!.add(await mine[turn % mine.length]!.creator('known'));
    await pause(bench.quick ? 1 : 100);
  });
  const wrong = tallies.filter((tally) => tally.count(200) !== perMinute * windows);
  const total = tallies.reduce((sum, tally) => sum + tally.total, 0);
  bench.say(`${total} requests; ${wrong.length === 0 ? tallies[0] : wrong[0]}`);
  return [
    exactly(
      `clients with another number accepted than ${perMinute} a window, ${windows} window(s), of ${people}`,
      wrong.length,
      0,
    ),
    exactly(
      `accepted of ${total} in all`,
      tallies.reduce((sum, tally) => sum + tally.count(200), 0),
      people * perMinute * windows,
    ),
    exactly(
      'answers other than 200 and 429',
      tallies.reduce((sum, tally) => sum + tally.others(200, 429), 0),
      0,
    ),
  ];
}

export const ignoredWait: Fault = {
  id: 'F14',
  title: '100 clients ignore Retry-After',
  mustHold: 'the budget is exact: 60 a window each',
  engines: ['sqlite', 'postgres'],
  run,
};
