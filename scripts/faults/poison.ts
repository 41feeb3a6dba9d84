import { creatorKey, eventually, pause, untilHeld, type Bench } from './bench.ts';
import { batchOf, type Caller } from './caller.ts';
import { atMost, exactly, type Fault, type Figure } from './fault.ts';
import type { ServiceProcess } from './node.ts';

const attempts = 3;
/** One that breaks the collector, and one that takes the node with it that asks. */
const [crashing, deadly] = ['crashing', 'deadly'];

async function run(bench: Bench): Promise<Figure[]> {
  const [store, source] = [await bench.store(), await bench.source()];
  const token = await store.issue(1_000_000);
  const settings = { DISCOVERY_ATTEMPTS: String(attempts), CIRCUIT_FAILURES: '5' };
  let node: ServiceProcess | null = null;
  let lives = 0;
  const live = async (): Promise<ServiceProcess> =>
    (node = await bench.node(store, source, `life${(lives += 1)}`, settings));
  source.behave = ({ key }, reply) => {
    if (key === creatorKey(crashing)) return reply.reset();
    if (key === creatorKey(deadly)) return node?.signal('SIGKILL');
    return reply.proper();
  };
  const others = Array.from({ length: 20 }, (_, index) => `healthy${index}`);
  const caller = (port: number): Caller => bench.caller({ port, token });
  await caller((await live()).port).creators([crashing, deadly, ...others]);
  const given = await eventually(async () => {
    if (node === null) return false;
    const { status, body } = await caller(node.port).creators([crashing, deadly]);
    if (status === 0) await live();
    return status === 200 && batchOf({ body } as never).unavailable.length === 2;
  }, 60);
  const answer = await caller(node!.port).creators([crashing, deadly]);
  const { unavailable } = batchOf(answer);
  const healthy = await untilHeld(caller(node!.port), others, 20);
  await pause(500);
  return [
    atMost('attempts at the one that breaks the source', source.callsOf(creatorKey(crashing)).length, attempts),
    atMost('attempts at the one that kills the node', source.callsOf(creatorKey(deadly)).length, attempts),
    exactly('given up as internal-error, retryable', given ? unavailable.filter(isOurs).length : 0, 2),
    exactly(`others not held, of ${others.length}`, Number.isFinite(healthy) ? 0 : others.length, 0),
    exactly('processes that died of it', lives - 1, attempts),
  ];
}

const isOurs = ({ reason, retryable }: { reason: string; retryable?: true }): boolean =>
  reason === 'internal-error' && retryable === true;

export const poison: Fault = {
  id: 'F16',
  title: "an identifier that crashes a source's parser, and one that takes the process with it",
  mustHold: 'given up after N = 3 attempts; others unaffected',
  engines: ['sqlite', 'postgres'],
  run,
};
