import { creatorKey, leftOver, pause, untilHeld, type Bench } from './bench.ts';
import { atMost, exactly, type Fault, type Figure } from './fault.ts';
import type { ServiceProcess } from './node.ts';
import type { Behaviour, MadSource } from './source.ts';
import type { Store } from './store.ts';

const leaseSeconds = 2;
const attemptSeconds = 0.6;
/** Until it is seen that a lease has ended, and that a document is held: two polls of the worker, two of ours, on a busy machine. */
const seeingSeconds = 1.5;
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

const handlesOf = (name: string, round: number): string[] =>
  Array.from({ length: perRound }, (_, index) => `${name}${round}n${index}`);

/** What an attempt takes when nobody is killed, in seconds; on a busy machine more than the source's 0.6. */
async function undisturbed({ bench, token }: Stage, node: ServiceProcess, round: number): Promise<number> {
  return (await untilHeld(bench.caller({ port: node.port, token }), handlesOf('calm', round), 30)) / 1000;
}

/** Asks the one node, kills it at a random point of the discovery, and waits for the other to finish. Seconds from the kill. */
async function killedMidway({ bench, token }: Stage, victim: ServiceProcess, other: ServiceProcess, round: number) {
  const handles = handlesOf('midway', round);
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
  const [calm, times] = [[] as number[], [] as number[]];
  let victim = await bench.node(store, source, 'node0');
  for (let round = 1; round <= rounds; round += 1) {
    const other = await bench.node(store, source, `node${round}`);
    calm.push(await undisturbed(stage, other, round));
    const { handles, seconds } = await killedMidway(stage, victim, other, round);
    asked.push(...handles);
    times.push(seconds);
    bench.say(`killed ${round} of ${rounds}, all held ${seconds.toFixed(2)} s later`);
    victim = other;
  }
  const attempt = Math.max(...calm);
  const missing = asked.length - (await store.held(asked.map(creatorKey)));
  return [
    atMost(
      `longest from the kill to held, ${rounds} kills at random points: lease ${leaseSeconds} s, undisturbed attempt here ${attempt.toFixed(2)} s, ${seeingSeconds} s to see it`,
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
