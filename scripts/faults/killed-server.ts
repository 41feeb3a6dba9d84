import { clients, creatorKey, eventually, leftOver, pause, type Bench } from './bench.ts';
import { batchOf, Tally, type Caller } from './caller.ts';
import { exactly, type Fault, type Figure } from './fault.ts';
import type { ServiceProcess } from './node.ts';

interface Told {
  readonly held: Set<string>;
  readonly fetching: Set<string>;
}

/** Asks for ever new creators, and for some again; remembers what it was told of each. */
async function ask(caller: Caller, name: string, turn: number, told: Told, tally: Tally): Promise<void> {
  const handles = [turn, turn - 1, turn - 5].filter((each) => each >= 0).map((each) => `${name}t${each}`);
  const answered = await caller.creators(handles);
  tally.add(answered);
  if (answered.status !== 200 || answered.body === null) return pause(50);
  const { fetching } = batchOf(answered);
  const later = new Set(fetching.map(({ id }) => id));
  for (const handle of handles) (later.has(handle) ? told.fetching : told.held).add(handle);
  await pause(10);
}

async function run(bench: Bench): Promise<Figure[]> {
  const [store, source] = [await bench.store(), await bench.source()];
  const token = await store.issue(1_000_000);
  source.behave = async (_call, reply) => {
    await pause(50);
    reply.proper();
  };
  const told: Told = { held: new Set(), fetching: new Set() };
  const tally = new Tally();
  const kills = bench.quick ? 2 : 8;
  for (let kill = 1; kill <= kills; kill += 1) {
    const node = await bench.node(store, source, `life${kill}`);
    await loadUntilKilled(bench, node, token, kill, told, tally);
    bench.say(`killed ${kill} of ${kills}: told held ${told.held.size}, told fetching ${told.fetching.size}`);
  }
  await bench.node(store, source, 'last');
  // Nobody asks any more: what was told to be fetched comes out of the queue that survived.
  const all = [...new Set([...told.held, ...told.fetching])].map(creatorKey);
  await eventually(async () => (await store.held(all)) === all.length, 60, 250);
  return [
    exactly(
      `documents lost, of ${told.held.size} told as held`,
      told.held.size - (await store.held([...told.held].map(creatorKey))),
      0,
    ),
    exactly(`discoveries lost, of ${all.length} asked for`, all.length - (await store.held(all)), 0),
    exactly('discoveries left', await leftOver(store), 0),
    exactly(`wrong statuses (${tally})`, tally.count(400, 401, 403, 404, 429, 500, 503), 0),
  ];
}

async function loadUntilKilled(
  bench: Bench,
  node: ServiceProcess,
  token: string,
  life: number,
  told: Told,
  tally: Tally,
): Promise<void> {
  const callers = Array.from({ length: 6 }, () => bench.caller({ port: node.port, token }));
  let going = true;
  const load = clients(
    6,
    () => going,
    (client, turn) => ask(callers[client]!, `life${life}c${client}`, turn, told, tally),
  );
  await pause(800 + bench.random() * 1_500);
  node.signal('SIGKILL');
  going = false;
  await load;
}

export const killedServer: Fault = {
  id: 'F5',
  title: 'server killed under load, restarted on the same store',
  mustHold: 'documents and queue survive',
  engines: ['sqlite', 'postgres'],
  run,
};
