import { Balancer } from './balancer.ts';
import { clients, eventually, leftOver, pause, type Bench } from './bench.ts';
import { Tally } from './caller.ts';
import { doubleCalls, type End } from './doubles.ts';
import { atLeast, exactly, type Fault, type Figure } from './fault.ts';
import type { MadSource } from './source.ts';
import type { Store } from './store.ts';
import { callersOf, Told } from './told.ts';

const perMinute = 60;
const settings = { LEASE_SECONDS: '5' };

interface Killing {
  readonly kills: number;
  readonly ends: ReadonlyMap<string, End>;
}

/** Four lives at a time; every few seconds one is killed, and another begins. */
async function keepKilling(
  bench: Bench,
  store: Store,
  source: MadSource,
  balancer: Balancer,
  seconds: number,
): Promise<Killing> {
  const ends = new Map<string, End>();
  const until = performance.now() + seconds * 1000;
  let kills = 0;
  while (performance.now() < until) {
    await pause(2_000 + bench.random() * 2_500);
    const living = [...balancer.nodes];
    const [name, node] = living[Math.floor(bench.random() * living.length)]!;
    node.signal('SIGKILL');
    const now = performance.now();
    ends.set(name, { from: now, to: now });
    balancer.nodes.delete(name);
    kills += 1;
    const next = `life${4 + kills}`;
    balancer.nodes.set(next, await bench.node(store, source, next, settings));
    bench.say(`${kills} killed`);
  }
  return { kills, ends };
}

async function run(bench: Bench): Promise<Figure[]> {
  const [store, source] = [await bench.store(), await bench.source()];
  source.behave = async (_call, reply) => {
    await pause(100);
    reply.proper();
  };
  const balancer = bench.owns(new Balancer(), (each) => each.close());
  await Promise.all(
    Array.from({ length: 4 }, async (_, index) =>
      balancer.nodes.set(`life${index + 1}`, await bench.node(store, source, `life${index + 1}`, settings)),
    ),
  );
  await balancer.look();
  await balancer.listen();
  const told = new Told();
  const seconds = bench.quick ? 12 : 60;
  let going = true;
  const load = told.load(callersOf(bench, 10, balancer.port, await store.issue(1_000_000)), 'load', () => going);
  const small = await Promise.all(Array.from({ length: 5 }, () => store.issue(perMinute)));
  const budgets = spend(bench, balancer.port, small, Math.min(50, seconds));
  const { kills, ends } = await keepKilling(bench, store, source, balancer, seconds);
  going = false;
  await load;
  const spent = await budgets;
  bench.say(`${told.tally}; budgets ${spent.join(' / ')}`);
  const [asked, held] = [told.keys('asked'), told.keys('held')];
  await eventually(async () => (await store.held(asked)) === asked.length, 30, 250);
  return [
    atLeast('processes killed', kills, bench.quick ? 2 : 10),
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
