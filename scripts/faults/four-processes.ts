import { Balancer } from './balancer.ts';
import { clients, eventually, leftOver, pause, type Bench } from './bench.ts';
import { Tally } from './caller.ts';
import { doubleCalls, toldDoubles } from './doubles.ts';
import { atLeast, exactly, type Fault, type Figure } from './fault.ts';
import type { ServiceProcess } from './node.ts';
import type { MadSource } from './source.ts';
import type { Store } from './store.ts';
import { callersOf, Told } from './told.ts';

const perMinute = 60;
const settings = { LEASE_SECONDS: '5' };

/**
 * Four live at a time. Those that will take a dead one's place are started before and stopped (SIGSTOP), since a start takes seconds that the
 * minute has not.
 */
async function startAll(
  bench: Bench,
  store: Store,
  source: MadSource,
  spares: number,
): Promise<[string, ServiceProcess][]> {
  const names = Array.from({ length: 4 + spares }, (_, index) => `life${index + 1}`);
  const nodes = await Promise.all(names.map((name) => bench.node(store, source, name, settings)));
  for (const spare of nodes.slice(4)) spare.signal('SIGSTOP');
  return names.map((name, index) => [name, nodes[index]!]);
}

/** Every few seconds one is killed, and another begins. */
async function keepKilling(
  bench: Bench,
  balancer: Balancer,
  spares: [string, ServiceProcess][],
): Promise<Map<string, number>> {
  const ends = new Map<string, number>();
  for (const [next, spare] of spares) {
    await pause(3_000 + bench.random() * 2_000);
    const living = [...balancer.nodes];
    const [name, node] = living[Math.floor(bench.random() * living.length)]!;
    node.signal('SIGKILL');
    const now = performance.now();
    ends.set(name, now);
    balancer.nodes.delete(name);
    spare.signal('SIGCONT');
    balancer.nodes.set(next, spare);
    bench.say(`${ends.size} killed`);
  }
  await pause(2_000);
  return ends;
}

async function run(bench: Bench): Promise<Figure[]> {
  const [store, source] = [await bench.store(), await bench.source()];
  source.behave = async (_call, reply) => {
    await pause(100);
    reply.proper();
  };
  const balancer = bench.owns(new Balancer(), (each) => each.close());
  const kills = bench.quick ? 3 : 14;
  const lives = await startAll(bench, store, source, kills);
  for (const [name, node] of lives.slice(0, 4)) balancer.nodes.set(name, node);
  await balancer.look();
  await balancer.listen();
  const told = new Told();
  let going = true;
  const load = told.load(callersOf(bench, 10, balancer.port, await store.issue(1_000_000)), 'load', () => going);
  const small = await Promise.all(Array.from({ length: 5 }, () => store.issue(perMinute)));
  const budgets = spend(bench, balancer.port, small, bench.quick ? 9 : 50);
  const start = performance.now();
  const ends = await keepKilling(bench, balancer, lives.slice(4));
  const seconds = (performance.now() - start) / 1000;
  going = false;
  await load;
  const spent = await budgets;
  bench.say(`${told.tally}; budgets ${spent.join(' / ')}`);
  for (const line of toldDoubles(source.calls, ends)) bench.say(line);
  const [asked, held] = [told.keys('asked'), told.keys('held')];
  await eventually(async () => (await store.held(asked)) === asked.length, 30, 250);
  return [
    atLeast(`seconds of load in which ${ends.size} processes were killed`, seconds, bench.quick ? 8 : 55, 's'),
    exactly(
      `wrong statuses, of ${told.tally.total} (${told.tally})`,
      told.tally.count(202, 400, 401, 403, 404, 429, 500, 503),
      0,
    ),
    exactly(
      `documents lost, of ${held.length} told as held`,
      held.length - (await store.held(held)) + told.lost.size,
      0,
    ),
    exactly(`discoveries lost, of ${asked.length} asked for`, asked.length - (await store.held(asked)), 0),
    exactly(
      `double discoveries beyond what the dead held, of ${source.calls.length} calls`,
      doubleCalls(source.calls, ends).length,
      0,
    ),
    exactly(
      'budgets of 60 overdrawn, or not spent but for what was cut off, of 5',
      spent.filter((each) => !isExact(each)).length,
      0,
    ),
    exactly('discoveries left', await leftOver(store), 0),
  ];
}

/** Within one window: as many as the budget has, but for those whose answer a killed process took with it. */
function isExact(tally: Tally): boolean {
  const cutOff = tally.others(200, 429);
  return tally.count(200) <= perMinute && tally.count(200) + cutOff >= perMinute;
}

async function spend(bench: Bench, port: number, tokens: readonly string[], seconds: number): Promise<Tally[]> {
  const tallies = tokens.map(() => new Tally());
  const until = performance.now() + seconds * 1000;
  const callers = tokens.map((token) => bench.caller({ port, token }));
  await clients(
    tokens.length,
    () => performance.now() < until,
    async (client) => {
      tallies[client]!.add(await callers[client]!.creators(['ada']));
      await pause((seconds * 1000) / (5 * perMinute));
    },
  );
  return tallies;
}

export const fourProcesses: Fault = {
  id: 'F22',
  title: '4 processes, one killed every few seconds for a minute, under load',
  mustHold: 'no wrong answer, no lost document, no double discovery beyond those the dead held, budgets exact',
  engines: ['postgres'],
  run,
};
