import { creatorKey, eventually, type Bench } from './bench.ts';
import { Tally } from './caller.ts';
import { atMost, exactly, type Fault, type Figure } from './fault.ts';
import type { ServiceProcess } from './node.ts';
import { Gate, type MadSource } from './source.ts';
import type { Store } from './store.ts';

const processes = 3;
/**
 * It is the number of discoveries that is measured here, not the time: all processes, the bench and whatever else the machine does share its
 * cores, so neither lease nor attempt nor a request's patience is to end meanwhile.
 */
const settings = { LEASE_SECONDS: '60', DISCOVERY_TIMEOUT_SECONDS: '60', PATIENCE_MILLISECONDS: '60000' };

async function threeNodes(bench: Bench) {
  const store = await bench.store();
  const source = await bench.source();
  const nodes = await Promise.all(['one', 'two', 'three'].map((name) => bench.node(store, source, name, settings)));
  return { store, source, nodes, token: await store.issue(1_000_000) };
}

/** All at once, a part on each node; the source answers nobody before the last of them has been answered. */
async function together(bench: Bench, nodes: readonly ServiceProcess[], source: MadSource, token: string) {
  const gate = new Gate();
  source.behave = async (_call, reply) => {
    await gate.passed;
    reply.proper();
  };
  const count = bench.quick ? 300 : 1_000;
  const tally = new Tally();
  const callers = nodes.map(({ port }) => bench.caller({ port, token, connections: count }));
  const answers = Array.from({ length: count }, (_, index) => callers[index % processes]!.creator('together'));
  for (const answer of answers) tally.add(await answer);
  gate.open();
  return tally;
}

/** The document is there in the end: the joined discovery was a real one. */
async function heldIn(bench: Bench, { store, port, token }: { store: Store; port: number; token: string }) {
  const caller = bench.caller({ port, token });
  return eventually(
    async () => (await caller.creator('together')).status === 200 && (await store.held([key])) === 1,
    10,
  );
}

const key = creatorKey('together');

async function runCold(bench: Bench): Promise<Figure[]> {
  const { store, source, nodes, token } = await threeNodes(bench);
  const tally = await together(bench, nodes, source, token);
  const isHeld = await heldIn(bench, { store, port: nodes[0]!.port, token });
  return [
    exactly('source calls', source.callsOf(key).length, 1),
    exactly(`answers other than 202, of ${tally.total} (${tally})`, tally.others(202), 0),
    exactly('documents held afterwards', isHeld ? 1 : 0, 1),
  ];
}

async function runStale(bench: Bench): Promise<Figure[]> {
  const { store, source, nodes, token } = await threeNodes(bench);
  await heldIn(bench, { store, port: nodes[0]!.port, token });
  await store.documents.expire(key);
  const before = source.callsOf(key).length;
  const tally = await together(bench, nodes, source, token);
  return [
    exactly('source calls of the refresh', source.callsOf(key).length - before, 1),
    exactly(
      `answers other than 200 while the source held its answer back, of ${tally.total} (${tally})`,
      tally.others(200),
      0,
    ),
    atMost('slowest of them', tally.percentile(1) / 1000, 30, 's'),
  ];
}

export const coldTogether: Fault = {
  id: 'F1',
  title: '1,000 concurrent reads of one cold identifier, three processes',
  mustHold: 'one discovery',
  engines: ['sqlite', 'postgres'],
  run: runCold,
};

export const staleTogether: Fault = {
  id: 'F2',
  title: '1,000 concurrent reads of one stale identifier, three processes',
  mustHold: '200 with the held document at once, one refresh',
  engines: ['sqlite', 'postgres'],
  run: runStale,
};
