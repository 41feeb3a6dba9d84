import { creatorKey, leftOver, pause, untilHeld, type Bench } from './bench.ts';
import type { Caller } from './caller.ts';
import { atMost, exactly, type Fault, type Figure } from './fault.ts';
import type { ServiceProcess } from './node.ts';
import type { Behaviour } from './source.ts';

const leaseSeconds = 2;
const attemptSeconds = 0.6;
/** Until it is seen that a lease has ended, and that a document is held: two polls of the worker, two of ours, on a busy machine. */
const seeingSeconds = 1.5;
const perVictim = 4;
/** Killed in one round, each at a point of its own. */
const victims = 4;

const steady: Behaviour = async (_call, reply) => {
  await pause(attemptSeconds * 1000);
  reply.proper();
};

interface Stage {
  readonly bench: Bench;
  readonly token: string;
}

const handlesOf = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name}n${index}`);

/** Asks each victim for its own, kills it at a random point of the discovery, and waits for the survivor to finish. Seconds from the last kill. */
async function killedMidway(
  { bench, token }: Stage,
  nodes: readonly ServiceProcess[],
  survivor: Caller,
  round: number,
) {
  const handles = await Promise.all(
    nodes.map(async (node, index) => {
      const own = handlesOf(`midway${round}v${index}`, perVictim);
      await bench.caller({ port: node.port, token }).creators(own);
      await pause(bench.random() * (attemptSeconds * 1000 + 150));
      node.signal('SIGKILL');
      return own;
    }),
  );
  return { handles: handles.flat(), seconds: (await untilHeld(survivor, handles.flat(), 30)) / 1000 };
}

async function run(bench: Bench): Promise<Figure[]> {
  const [store, source] = [await bench.store(), await bench.source()];
  const stage = { bench, store, token: await store.issue(1_000_000) };
  source.behave = steady;
  const rounds = bench.quick ? 1 : 5;
  const asked: string[] = [];
  const [calm, times] = [[] as number[], [] as number[]];
  const survivor = bench.caller({ port: (await bench.node(store, source, 'survivor')).port, token: stage.token });
  for (let round = 1; round <= rounds; round += 1) {
    const starting = Array.from({ length: victims }, (_, index) =>
      bench.node(store, source, `victim${round}n${index}`),
    );
    const nodes = await Promise.all(starting);
    calm.push((await untilHeld(survivor, handlesOf(`calm${round}`, perVictim * victims), 30)) / 1000);
    const { handles, seconds } = await killedMidway(stage, nodes, survivor, round);
    asked.push(...handles);
    times.push(seconds);
    bench.say(`killed ${round * victims} of ${rounds * victims}, all held ${seconds.toFixed(2)} s later`);
  }
  const attempt = Math.max(...calm);
  const missing = asked.length - (await store.held(asked.map(creatorKey)));
  return [
    atMost(
      `longest from the kill to held, ${rounds * victims} kills at random points: lease ${leaseSeconds} s, undisturbed attempt here ${attempt.toFixed(2)} s, ${seeingSeconds} s to see it`,
      Math.max(...times),
      leaseSeconds + attempt + seeingSeconds,
      's',
    ),
    exactly(`documents missing, of ${asked.length}`, missing, 0),
    exactly('discoveries stuck', await leftOver(store), 0),
  ];
}

export const deadWorker: Fault = {
  id: 'F3',
  title: 'worker killed with SIGKILL in mid-discovery',
  mustHold: 'the lease ends and another finishes: held within lease and one attempt, nothing stuck',
  engines: ['sqlite', 'postgres'],
  run,
};
