import { describe, expect, it } from 'vitest';
import type { Exchange, PlannedRequest } from './model.ts';
import type { Plan } from './plan/plan.ts';
import { sample } from './report/report.fixture.ts';
import { runPlan } from './run.ts';

const [some] = sample.exchanges as [Exchange];

/** A run on a clock of its own against a target whose discoveries take so many seconds, and that always says to wait for one. */
async function runAgainst(discoverySeconds: number, deadlineSeconds = 120): Promise<[step: string, second: number][]> {
  let now = 0;
  const exchanges: Exchange[] = [];
  const answer = (planned: PlannedRequest, attempt: number): Exchange => {
    const fetching = now < discoverySeconds * 1000;
    const body = { data: [], fetching: [{ id: 'a', retryAfter: new Date(now + 1000).toISOString() }], unavailable: [] };
    const status = fetching && planned.identifiers === undefined ? 202 : 200;
    const response = {
      status,
      headers: fetching ? [['Retry-After', '1'] as const] : [],
      body: '',
      json: fetching ? body : {},
    };
    return {
      ...some,
      step: planned.step,
      operation: planned.operation,
      attempt,
      response,
      sentAt: now,
      receivedAt: now,
    };
  };
  const request = { method: 'GET', path: '/', role: 'full', purpose: '', phase: 1, rules: [] } as const;
  const plan: Plan = {
    requests: [
      { ...request, step: 'batch', operation: 'listCreators', identifiers: ['a'], polls: 1 },
      { ...request, step: 'single', operation: 'getCreator', polls: 2 },
    ],
    skipped: new Map(),
  };
  await runPlan({
    plan,
    recorder: {
      exchanges,
      send: (planned, attempt) => Promise.resolve((exchanges.push(answer(planned, attempt)), exchanges.at(-1) ?? some)),
    },
    deadlineSeconds,
    now: () => now,
    sleep: (milliseconds) => Promise.resolve(void (now += milliseconds)),
    onProgress: () => {},
  });
  return exchanges.map(({ step, sentAt }) => [step, Math.floor(sentAt / 1000)]);
}

describe('re-reads', () => {
  it('a discovery that ends within its wait is read again once, each by itself', async () => {
    expect((await runAgainst(1)).slice(2)).toEqual([
      ['single', 1],
      ['batch', 1],
    ]);
  });

  it('CRE-03 one that takes longer than it said is given time, and batches are read again when it is over', async () => {
    expect((await runAgainst(15)).slice(2)).toEqual([
      ['single', 1],
      ['single', 20],
      ['batch', 20],
    ]);
  });

  it('patience ends with the deadline', async () => {
    expect((await runAgainst(60, 10)).slice(2)).toEqual([
      ['single', 1],
      ['single', 10],
      ['batch', 10],
    ]);
  });
});
