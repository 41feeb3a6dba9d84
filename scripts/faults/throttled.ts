import { creatorKey, pause, untilHeld, type Bench } from './bench.ts';
import { atLeast, atMost, exactly, type Fault, type Figure } from './fault.ts';
import type { Behaviour } from './source.ts';

/** What the network allows; the node thinks that it may call three times as often, and has to halve its pace twice. */
const allowedPerSecond = 5;
const settings = { CALLS_PER_MINUTE: String(16 * 60), CALLS_BURST: '2' };
const retryAfterSeconds = 2;

/** A network with a bucket of calls: who comes when it is empty is told 429. */
function limiter(refused: number[]): Behaviour {
  let tokens = allowedPerSecond;
  let filledAt = performance.now();
  return (_call, reply) => {
    const now = performance.now();
    tokens = Math.min(allowedPerSecond, tokens + ((now - filledAt) / 1000) * allowedPerSecond);
    filledAt = now;
    if (tokens >= 1) {
      tokens -= 1;
      return reply.proper();
    }
    refused.push(now);
    return reply.status(429, { 'retry-after': String(retryAfterSeconds) });
  };
}

async function run(bench: Bench): Promise<Figure[]> {
  const [store, source] = [await bench.store(), await bench.source()];
  const node = await bench.node(store, source, 'one', settings);
  const caller = bench.caller({ port: node.port, token: await store.issue(1_000_000) });
  const refused: number[] = [];
  const waitAtFirst = Number((await caller.creator('first')).headers['retry-after']);
  source.behave = limiter(refused);
  const handles = Array.from({ length: bench.quick ? 60 : 100 }, (_, index) => `wanted${index}`);
  const start = performance.now();
  await caller.creators(handles);
  await pause(4_000);
  const waitThen = Number((await caller.creator('second')).headers['retry-after']);
  const seconds = (await untilHeld(caller, handles, 120)) / 1000;
  const middle = start + (seconds * 1000) / 2;
  return [
    exactly(`429s in the second half, of ${source.calls.length} calls`, refused.filter((at) => at > middle).length, 0),
    atMost('429s in all: two halvings of the pace, of what was in flight', refused.length, 2 * 16),
    atLeast('wait told to a new reader (seconds)', waitThen, waitAtFirst + 1, 's'),
    exactly(
      `not held in the end, of ${handles.length}: a 429 burns no attempt`,
      handles.length - (await store.held(handles.map(creatorKey))),
      0,
    ),
    atMost('time to hold them all', seconds, (handles.length / allowedPerSecond) * 2.5 + 10, 's'),
  ];
}

export const throttled: Fault = {
  id: 'F9',
  title: 'source answers 429 with Retry-After',
  mustHold: 'the pace drops, waits grow; no 429 after the first few',
  engines: ['sqlite', 'postgres'],
  run,
};
