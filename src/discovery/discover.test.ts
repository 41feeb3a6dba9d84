import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import type { Instant, Obtained, Source } from '../model.ts';
import { limitsOf } from '../service.ts';
import { createClock } from '../testing/engines.ts';
import { createDiscover } from './discover.ts';
import { createLane } from './lane.ts';
import type { Claim, WorkerParts } from './ports.ts';

const START: Instant = Date.UTC(2026, 0, 1);
const claimOf = (name: string, attempt = 1): Claim => ({
  key: `creator:netA:${name}`,
  attempt,
  startedAt: START,
  aheadMilliseconds: 0,
  account: 'acc',
  organization: 'org',
  profile: null,
  deep: false,
  owner: 'me',
});

function attempting(obtain: Source['obtain'], changed: Partial<WorkerParts['limits']> = {}) {
  const timer = createClock(0);
  const limits = { ...limitsOf(readConfig({})), circuitFailures: 1, circuitSeconds: 15, ...changed };
  const lane = createLane({ network: 'netA', obtain, expectedSeconds: () => 1 }, timer, limits);
  const retried: number[] = [];
  const discoveries = { retry: async (_: Claim, at: Instant) => retried.push((at - START) / 1_000) };
  const log = { info() {}, warn() {}, error() {} };
  const parts = { discoveries, clock: timer, timer, random: () => 1, limits, log } as unknown as WorkerParts;
  const discover = createDiscover(parts);
  const run = (claim: Claim) => discover(claim, lane, new AbortController().signal);
  return { timer, lane, retried, run };
}

describe('an attempt', () => {
  it('that fails is put back for twice as long each time, up to the longest wait', async () => {
    const fails = async (): Promise<Obtained> => {
      throw new Error('down');
    };
    const { retried, run } = attempting(fails, { attempts: 20, circuitFailures: 100, backoffMaxSeconds: 10 });
    for (const attempt of [1, 2, 3, 4, 5, 19]) await run(claimOf('ada', attempt));
    expect(retried).toEqual([1, 2, 4, 8, 10, 10]);
  });

  it('F7 that an open circuit keeps back says nothing of the network: the one probe is still the only one', async () => {
    let calls = 0;
    const { timer, lane, run } = attempting(() => {
      calls += 1;
      return calls === 1 ? Promise.reject(new Error('down')) : new Promise(() => {});
    });
    await run(claimOf('ada'));
    expect(lane.circuit.isOpen()).toBe(true);
    timer.pass(15_000);
    void run(claimOf('ben'));
    for (const name of ['cleo', 'dan', 'eve']) await run(claimOf(name));
    timer.pass(600_000);
    void run(claimOf('fay'));
    await nextTurn();
    expect(calls).toBe(2);
  });
});
