import { expect, it } from 'vitest';
import type { Obtained, Source } from '../model.ts';
import { measured } from './measured.ts';
import { SourceThrottled } from './source.ts';

const entity = { kind: 'creator', network: 'netA', name: 'ada' } as const;
const held = { is: 'creator' } as Obtained;
const unavailable = (retryable: boolean): Obtained => ({ is: 'unavailable', reason: 'x', retryable });

it.each<[string, () => Promise<Obtained>]>([
  ['obtained', async () => held],
  ['unavailable', async () => unavailable(false)],
  ['failed', async () => unavailable(true)],
  ['failed', async () => Promise.reject(new Error('no'))],
  ['throttled', async () => Promise.reject(new SourceThrottled(1))],
])('a call is told of once, as %s, and what came is handed on', async (outcome, obtain) => {
  const told: unknown[] = [];
  let now = 0;
  const source: Source = { network: 'netA', expectedSeconds: () => 1, obtain: () => ((now += 250), obtain()) };
  const same = measured(
    source,
    () => now,
    (...call) => void told.push(call),
  );
  const { signal } = new AbortController();
  const result = (from: Source) => from.obtain(entity, { deep: false, signal }).catch((error: Error) => error.message);
  expect(await result(same)).toEqual(await result(source));
  expect(told).toEqual([['netA', outcome, 0.25]]);
});

it('F8 one that never ends is told of as abandoned when its attempt does, and no second time', async () => {
  const told: unknown[] = [];
  const attempt = new AbortController();
  let answer: (obtained: Obtained) => void = () => {};
  const source = {
    network: 'netA',
    expectedSeconds: () => 1,
    obtain: () => new Promise<Obtained>((end) => (answer = end)),
  };
  const call = measured(
    source,
    () => 0,
    (...call) => void told.push(call),
  ).obtain(entity, { deep: false, signal: attempt.signal });
  attempt.abort();
  answer(held);
  await call;
  expect(told).toEqual([['netA', 'abandoned', 0]]);
});
