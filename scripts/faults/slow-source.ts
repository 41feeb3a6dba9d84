import { pause, untilHeld, type Bench } from './bench.ts';
import { atLeast, atMost, exactly, type Fault, type Figure } from './fault.ts';
import { p99Of, unchanged } from './latency.ts';

const concurrency = 16;
const held = Array.from({ length: 20 }, (_, index) => `known${index}`);

async function run(bench: Bench): Promise<Figure[]> {
  const [store, source] = [await bench.store(), await bench.source()];
  const settings = { DISCOVERY_CONCURRENCY: String(concurrency), DISCOVERY_TIMEOUT_SECONDS: '60' };
  const node = await bench.node(store, source, 'one', settings);
  const token = await store.issue(1_000_000);
  const callers = Array.from({ length: 4 }, () => bench.caller({ port: node.port, token }));
  await untilHeld(callers[0]!, held, 20);
  const before = await p99Of(bench, callers, held);
  source.behave = async (_call, reply) => {
    await pause(30_000);
    reply.proper();
  };
  for (let batch = 0; batch < 3; batch += 1)
    await callers[0]!.creators(Array.from({ length: 100 }, (_, index) => `slowly${batch}n${index}`));
  const during = await p99Of(bench, callers, held);
  return [
    unchanged(before.milliseconds, during.milliseconds),
    exactly(`held reads that were not 200, of ${during.total}`, during.others, 0),
    atMost('calls in flight, of 300 asked for', source.mostInFlight, concurrency),
    atLeast('calls in flight while it was measured', source.inFlight, concurrency / 2),
  ];
}

export const slowSource: Fault = {
  id: 'F8',
  title: 'source takes 30 s',
  mustHold: 'reads stay fast, work in flight is bounded',
  engines: ['sqlite', 'postgres'],
  run,
};
