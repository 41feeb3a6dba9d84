import { creatorKey, eventually, pause, type Bench } from './bench.ts';
import { atLeast, atMost, exactly, type Fault, type Figure } from './fault.ts';

/** What the network allows: 20 calls a second, so that 6,000 identifiers take five minutes. */
const settings = { CALLS_PER_MINUTE: '1200', CALLS_BURST: '20' };
const boundSeconds = 5;

async function run(bench: Bench): Promise<Figure[]> {
  const [store, source] = [await bench.store(), await bench.source()];
  const node = await bench.node(store, source, 'one', settings);
  const greedy = bench.caller({ port: node.port, token: await store.issue(60), connections: 4 });
  source.behave = async (_call, reply) => {
    await pause(50);
    reply.proper();
  };
  const batches = Array.from({ length: 60 }, (_, batch) =>
    greedy.creators(Array.from({ length: 100 }, (_each, index) => `greedy${batch}n${index}`)),
  );
  const answers = await Promise.all(batches);
  const waits: number[] = [];
  const told: number[] = [];
  for (let turn = 0; turn < (bench.quick ? 4 : 15); turn += 1) {
    const modest = bench.caller({ port: node.port, token: await store.issue(60) });
    const handle = `modest${turn}`;
    const start = performance.now();
    told.push(Number((await modest.creator(handle)).headers['retry-after']));
    const held = await eventually(async () => (await store.held([creatorKey(handle)])) === 1, 60, 100);
    waits.push(held ? (performance.now() - start) / 1000 : Number.POSITIVE_INFINITY);
    modest.close();
  }
  const { queued } = await store.discoveries.depth();
  bench.say(
    `waits ${waits.map((wait) => wait.toFixed(1)).join(', ')} s; ${queued} still queued; told ${told.join(', ')} s`,
  );
  return [
    exactly(
      'batches of 100 of the greedy principal that were not 200, of 60',
      answers.filter(({ status }) => status !== 200).length,
      0,
    ),
    atMost(`longest wait of ${waits.length} principals that ask for one`, Math.max(...waits), boundSeconds, 's'),
    atLeast('still queued of the greedy one when the last of them was held', queued, 1_000),
  ];
}

export const greedy: Fault = {
  id: 'F17',
  title: 'one principal asks for 6,000 identifiers a minute',
  mustHold: "others' wait is bounded: the queue is fair between principals",
  engines: ['sqlite', 'postgres'],
  run,
};
