import { expect, it } from 'vitest';
import type { Entity, Obtained, Source } from '../model.ts';
import { withUsualTime } from './usual-time.ts';

const creator: Entity = { kind: 'creator', network: 'netA', name: 'ada' };
const post: Entity = { kind: 'post', network: 'netA', name: 'C1' };

function taking() {
  let now = 0;
  let took = 0;
  const slow: Source = {
    network: 'netA',
    expectedSeconds: () => 2,
    obtain: async () => {
      now += took * 1_000;
      if (took > 60) throw new Error('no answer');
      return { is: 'creator' } as Obtained;
    },
  };
  const source = withUsualTime(slow, () => now);
  const call = async (entity: Entity, seconds: number): Promise<void> => {
    took = seconds;
    await source.obtain(entity, { deep: false, signal: new AbortController().signal }).catch(() => {});
  };
  return { source, call };
}

it('CRB-04 expects what the source says until it has answered, then what its answers took', async () => {
  const { source, call } = taking();
  expect(source.expectedSeconds(creator)).toBe(2);
  for (let count = 0; count < 50; count += 1) await call(creator, 0.5);
  expect(source.expectedSeconds(creator)).toBeCloseTo(0.5, 3);
  for (let count = 0; count < 50; count += 1) await call(creator, 10);
  expect(source.expectedSeconds(creator)).toBeGreaterThan(9);
});

it('CRB-04 expects more of a source that varies, and each kind by itself', async () => {
  const { source, call } = taking();
  for (let count = 0; count < 50; count += 1) await call(creator, count % 2 === 0 ? 1 : 3);
  expect(source.expectedSeconds(creator)).toBeGreaterThan(2.5);
  expect(source.expectedSeconds(post)).toBe(2);
});

it('CRB-04 learns nothing of calls that fail', async () => {
  const { source, call } = taking();
  await call(creator, 1);
  const before = source.expectedSeconds(creator);
  await call(creator, 100);
  expect(source.expectedSeconds(creator)).toBe(before);
});
