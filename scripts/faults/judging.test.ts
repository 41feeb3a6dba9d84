/** What judges the faults has to be able to say no. */
import { describe, expect, it } from 'vitest';
import { doubleCalls } from './doubles.ts';
import { atMost, exactly, type Fault } from './fault.ts';
import { Guard, type Seen } from './guard.ts';
import { isGreen, merged, pageOf, type Verdict } from './page.ts';
import type { Call } from './source.ts';

const call = (node: string, at: number, overAt: number | null): Call => ({
  node,
  key: 'creator:netA:ada',
  at,
  count: 1,
  overAt,
});

describe('double calls', () => {
  const ends = new Map([['dead', 5_000]]);
  it('are those that no death explains', () => {
    expect(doubleCalls([call('one', 0, 100), call('two', 9_000, 9_100)], ends)).toHaveLength(1);
  });
  it('are not those of what a dead process held', () => {
    expect(doubleCalls([call('dead', 4_900, null), call('two', 9_000, 9_100)], ends)).toEqual([]);
  });
  it('are those of what it had finished long before', () => {
    expect(doubleCalls([call('dead', 0, 100), call('two', 9_000, 9_100)], ends)).toHaveLength(1);
  });
});

describe('the guard', () => {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };
  const fetching = { fetching: [{ id: 'ada', retryAfter: '2026-01-01T00:00:00Z' }] };
  const seen = (change: Partial<Seen>): Seen => ({
    method: 'GET',
    path: '/api/v1/creators?ids=ada',
    status: 200,
    headers: { ...headers, 'x-request-id': 'a', 'retry-after': '1', ...budget },
    text: JSON.stringify({ data: [], unavailable: [], ...fetching }),
    asked: ['ada'],
    ...change,
  });
  const budget = { 'ratelimit-policy': '"default";q=60;w=60', ratelimit: '"default";r=59' };
  const breachesOf = (...answers: readonly Seen[]): readonly string[] => {
    const guard = new Guard();
    for (const each of answers) guard.check(each);
    return guard.breaches;
  };

  it('lets a right answer pass', () => expect(breachesOf(seen({}))).toEqual([]));
  it('CRB-02 sees an identifier in no bucket', () =>
    expect(breachesOf(seen({ asked: ['ada', 'milo'] }))).toHaveLength(1));
  it('CRB-02 sees one that was not asked for', () => expect(breachesOf(seen({ asked: ['milo'] }))).toHaveLength(1));
  it('GEN-02 sees a request id that comes again', () => expect(breachesOf(seen({}), seen({}))).toHaveLength(1));
  it('sees a status that is not documented', () => expect(breachesOf(seen({ status: 418 }))).toHaveLength(1));
  it('sees a wrong shape', () => expect(breachesOf(seen({ text: '{"data":1}' }))).toHaveLength(1));
  it('sees what is put off, afterwards', async () => {
    const guard = new Guard();
    await guard.afterwards(async () => guard.check(seen({ status: 418 })));
    expect(guard.breaches).toHaveLength(1);
  });
});

describe('the page', () => {
  const fault: Fault = { id: 'F1', title: 'title', mustHold: 'that', engines: ['sqlite'], run: async () => [] };
  const verdict: Verdict = {
    id: 'F1',
    engine: 'sqlite',
    seed: 7,
    seconds: 1,
    figures: [exactly('calls', 1, 1)],
    notRun: null,
    commit: 'abc',
    machine: '2 cores',
  };
  const broken: Verdict = { ...verdict, figures: [atMost('calls', 2, 1)] };

  it('is green only where all figures are inside, and there are some', () => {
    expect([verdict, broken, { ...verdict, figures: [] }, { ...verdict, notRun: 'no root' }].map(isGreen)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
  it('tells what did not hold', () => {
    const page = pageOf([fault], [broken]);
    expect(page).toContain('0 of 1 held');
    expect(page).toContain('NOT HELD');
    expect(page).toContain('| calls | 2 | ≤ 1 | **no** |');
  });
  it('tells a quick run from a whole one', () => {
    const page = pageOf([fault], [{ ...verdict, quick: true }]);
    expect(page).toContain('| held (quick) |');
    expect(page).toContain('--seed 7 --quick`');
    expect(pageOf([fault], [verdict])).not.toContain('quick');
  });
  it('has the later verdict in the place of the earlier', () => {
    expect(merged([broken, { ...verdict, engine: 'postgres' }], [verdict])).toEqual([
      { ...verdict, engine: 'postgres' },
      verdict,
    ]);
  });
});
