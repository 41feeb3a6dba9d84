import { creatorKey, leftOver, pause, untilHeld, type Bench } from './bench.ts';
import { atMost, exactly, type Fault, type Figure } from './fault.ts';
import type { ServiceProcess } from './node.ts';
import type { Behaviour, MadSource } from './source.ts';
import type { Store } from './store.ts';

const leaseSeconds = 2;
const attemptSeconds = 0.6;
/** Between a discovery's end and the bench's seeing it: two polls of the worker, two of ours, and a busy machine. */
const seeingSeconds = 1;
const perRound = 5;

const steady: Behaviour = async (_call, reply) => {
  await pause(attemptSeconds * 1000);
  reply.proper();
};

interface Stage {
  readonly bench: Bench;
  readonly store: Store;
  readonly source: MadSource;
  readonly token: string;
}

/** Asks the one node, kills it at a random point of the discovery, and waits for the other to finish. Seconds from the kill. */
async function killedMidway({ bench, token }: Stage, victim: ServiceProcess, other: ServiceProcess, round: number) {
  const handles = Array.from({ length: perRound }, (_, index) => `midway${round}n${index}`);
  await bench.caller({ port: victim.port, token }).creators(handles);
  await pause(bench.random() * (attemptSeconds * 1000 + 150));
  victim.signal('SIGKILL');
  return { handles, seconds: (await untilHeld(bench.caller({ port: other.port, token }), handles, 30)) / 1000 };
}

async function run(bench: Bench): Promise<Figure[]> {
  const [store, source] = [await bench.store(), await bench.source()];
  const stage = { bench, store, source, token: await store.issue(1_000_000) };
  source.behave = steady;
  const rounds = bench.quick ? 3 : 20;
  const asked: string[] = [];
  const times: number[] = [];
  let victim = await bench.node(store, source, 'node0');
  for (let round = 1; round <= rounds; round += 1) {
    const other = await bench.node(store, source, `node${round}`);
    const { handles, seconds } = await killedMidway(stage, victim, other, round);
    asked.push(...handles);
    times.push(seconds);
    bench.say(`killed ${round} of ${rounds}, all held ${seconds.toFixed(2)} s later`);
    victim = other;
  }
  const bound = leaseSeconds + attemptSeconds + seeingSeconds;
  return [
    atMost(`longest from the kill to held, ${rounds} kills at random points`, Math.max(...times), bound, 's'),
    exactly(`documents missing, of ${asked.length}`, asked.length - (await store.held(asked.map(creatorKey))), 0),
    exactly('discoveries stuck', await leftOver(store), 0),
  ];
}

export const deadWorker: Fault = {
  id: 'F3',
  title: 'worker killed with SIGKILL in mid-discovery',
  mustHold: 'the lease ends and another node finishes: within lease (2 s), one attempt (0.6 s) and 1 s to see it',
  engines: ['sqlite', 'postgres'],
  run,
};
