import { expect, it } from 'vitest';
import { median, percentile } from './statistics.ts';

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => count - index);

it.each([
  [[3, 1, 2], 2],
  [[4, 1, 3, 2], 2.5],
  [[10, 9], 9.5],
  [[7], 7],
])('the median of %j is %d', (numbers, middle) => expect(median(numbers)).toBe(middle));

it('the median of nothing is no number', () => expect(median([])).toBeNaN());

it.each([
  [100, 0.5, 50],
  [100, 0.99, 99],
  [101, 0.99, 100],
  [10, 0.99, 10],
  [7, 1, 7],
  [7, 0, 1],
  [0, 0.5, 0],
])('of the numbers 1 to %d, the share %d lies at or below %d', (count, share, figure) => {
  expect(percentile(upTo(count), share)).toBe(figure);
});
