import { creatorKey, eventually, pause, untilHeld, type Bench } from './bench.ts';
import { batchOf, Tally, type Caller } from './caller.ts';
import { atMost, exactly, type Fault, type Figure } from './fault.ts';
import type { Behaviour, MadSource } from './source.ts';

const probeSeconds = 1;
const settings = { CIRCUIT_SECONDS: String(probeSeconds), DISCOVERY_TIMEOUT_SECONDS: '1', DISCOVERY_ATTEMPTS: '2' };
const held = Array.from({ length: 20 }, (_, index) => `known${index}`);

const ways: Readonly<Record<string, Behaviour>> = {
  'answers 503': (_call, reply) => reply.status(503),
  'never answers': () => {},
};

async function run(bench: Bench): Promise<Figure[]> {
  const [store, source] = [await bench.store(), await bench.source()];
  const node = await bench.node(store, source, 'one', settings);
  const caller = bench.caller({ port: node.port, token: await store.issue(1_000_000), connections: 4 });
  const figures: Figure[] = [];
  for (const [way, behave] of Object.entries(ways)) {
    await untilHeld(caller, held, 20);
    for (const handle of held.slice(10)) await store.documents.expire(creatorKey(handle));
    bench.say(`the source ${way}`);
    source.behave = behave;
    figures.push(...(await downFor(bench.quick ? 8 : 25, way, caller, source)));
    source.behave = (_call, reply) => reply.proper();
    const start = performance.now();
    await eventually(async () => isHeld(caller, `after${way.length}n${Math.floor(performance.now() / 1000)}`), 70, 250);
    figures.push(atMost(`${way}: from its recovery to the next document`, (performance.now() - start) / 1000, 20, 's'));
  }
  return figures;
}

const isHeld = async (caller: Caller, handle: string): Promise<boolean> =>
  (await caller.creator(handle)).status === 200;

async function downFor(seconds: number, way: string, caller: Caller, source: MadSource): Promise<Figure[]> {
  const start = performance.now();
  const passed = (): number => (performance.now() - start) / 1000;
  const reads = new Tally();
  const asked: string[] = [];
  while (passed() < seconds) {
    reads.add(await caller.creators(held));
    const handle = `new${way.length}n${reads.total}`;
    await caller.creator(handle);
    if (passed() < seconds - 6) asked.push(handle);
    await pause(200);
  }
  const late = source.calls.filter(({ at }) => at > start + (seconds * 1000) / 2 && at <= start + seconds * 1000);
  const ended = batchOf(await caller.creators(asked.slice(0, 100))).unavailable;
  const ours = ended.filter(({ reason, retryable }) => reason === 'internal-error' && retryable === true);
  return [
    exactly(`${way}: reads of 20 held, ten of them stale, that were not 200, of ${reads.total}`, reads.others(200), 0),
    exactly(
      `${way}: new ones not ended as internal-error, retryable, of ${Math.min(100, asked.length)}`,
      Math.min(100, asked.length) - ours.length,
      0,
    ),
    atMost(`${way}: calls a second in the second half`, late.length / (seconds / 2), 1 / probeSeconds),
  ];
}

export const sourceDown: Fault = {
  id: 'F7',
  title: 'source answers 5xx or nothing for long',
  mustHold:
    'held documents are served, new ones end as internal-error, retryable, the circuit opens: one probe a second at most',
  engines: ['sqlite', 'postgres'],
  run,
};
