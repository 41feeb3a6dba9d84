import { describe, expect, it } from 'vitest';

import type { Exchange } from '../model.ts';
import { budgetOf } from './budget.ts';

const told = (...headers: [string, string][]): unknown => {
  const { quota, window, remaining, ends } = budgetOf({ response: { headers } } as unknown as Exchange);
  return [quota, window, remaining, ends];
};

describe('RAT-07 the fields of the budget', () => {
  it.each<[string, [string, string][], number[]]>([
    [
      'one policy',
      [
        ['RateLimit-Policy', '"default";q=60;w=60'],
        ['RateLimit', '"default";r=59;t=42'],
      ],
      [60, 60, 59, 42],
    ],
    [
      'parameters in another order, with blanks, and one nobody knows',
      [
        ['ratelimit-policy', '"minute"; w=60; pk=:YQ==:; q=60'],
        ['ratelimit', '"minute"; t=42; r=59'],
      ],
      [60, 60, 59, 42],
    ],
    [
      'several policies, of which the shortest counts',
      [
        ['RateLimit-Policy', '"day, q=1;w=1";q=86400;w=86400, "minute";q=60;w=60'],
        ['RateLimit', '"day, q=1;w=1";r=9;t=8'],
        ['RateLimit', '"minute";r=59'],
      ],
      [60, 60, 59, Number.NaN],
    ],
    [
      'several policies, of which one is near its end',
      [
        ['RateLimit-Policy', '"minute";q=60;w=60, "day";q=86400;w=86400'],
        ['RateLimit', '"day";r=9;t=8'],
      ],
      [86400, 86400, 9, 8],
    ],
    ['nothing', [], [Number.NaN, Number.NaN, Number.NaN, Number.NaN]],
    ['no list', [['RateLimit', 'limit=60, remaining=59']], [Number.NaN, Number.NaN, Number.NaN, Number.NaN]],
  ])('%s', (_, headers, expected) => {
    expect(told(...headers)).toEqual(expected);
  });
});
