import { creatorKey, eventually, leftOver, pause, untilHeld, type Bench } from './bench.ts';
import { exactly, holds, type Fault, type Figure } from './fault.ts';
import { Gate, type Behaviour } from './source.ts';
import type { Store } from './store.ts';

/** What the paused worker's call brings, and what the other's does. */
const late = 1_111;
const right = 2_222;

/** The paused node's answer waits for the gate; both say in `followersCount` whose call it was. */
function answersBy(pausedNode: string, gate: Gate): Behaviour {
  return async ({ node }, reply) => {
    const body = await reply.document();
    body['creator'].channels[0].followersCount = node === pausedNode ? late : right;
    if (node === pausedNode) await gate.passed;
    reply.json(body);
  };
}

async function followersOf(store: Store, handle: string): Promise<number> {
  const snapshot = (await store.documents.load([creatorKey(handle)])).get(creatorKey(handle));
  const document = JSON.parse(snapshot?.document?.full.toString() ?? 'null') as {
    channels: { followersCount: number }[];
  } | null;
  return document?.channels[0]?.followersCount ?? 0;
}

async function run(bench: Bench): Promise<Figure[]> {
  const [store, source] = [await bench.store(), await bench.source()];
  const token = await store.issue(1_000_000);
  const nodes = await Promise.all(['one', 'two'].map((name) => bench.node(store, source, name)));
  const rounds = bench.quick ? 2 : 10;
  let accepted = 0;
  let bothCalled = 0;
  for (let round = 0; bothCalled < rounds && round < 4 * rounds; round += 1) {
    const handle = `paused${round}`;
    const gate = new Gate();
    const [name, paused, other] = [round % 2 ? 'two' : 'one', nodes[round % 2]!, nodes[(round + 1) % 2]!];
    source.behave = answersBy(name, gate);
    await bench.caller({ port: paused.port, token }).creator(handle);
    await eventually(() => source.callsOf(creatorKey(handle)).length > 0, 5);
    // Whoever polls first may claim what the other was asked for: then there is nothing to pause, and another round instead.
    if (source.callsOf(creatorKey(handle))[0]?.node !== name) continue;
    paused.signal('SIGSTOP');
    await untilHeld(bench.caller({ port: other.port, token }), [handle], 15);
    gate.open();
    await pause(100);
    paused.signal('SIGCONT');
    await pause(1_000);
    const held = await followersOf(store, handle);
    bothCalled += 1;
    if (held !== right) accepted += 1;
    bench.say(
      `paused ${bothCalled} of ${rounds}: ${held === right ? 'the late write was refused' : `held is ${held}`}`,
    );
  }
  return [
    exactly(`stale writes accepted, of ${bothCalled} workers paused past their lease`, accepted, 0),
    holds('at least one was paused in mid-discovery', bothCalled > 0),
    exactly('discoveries stuck', await leftOver(store), 0),
  ];
}

export const pausedWorker: Fault = {
  id: 'F4',
  title: 'worker paused past its lease (SIGSTOP), then let go on',
  mustHold: 'its late write is refused',
  engines: ['sqlite', 'postgres'],
  run,
};
