import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import type { Source } from '../model.ts';
import { limitsOf } from '../service.ts';
import type { ClaimOptions } from '../storage/discoveries.ts';
import { createClock } from '../testing/engines.ts';
import { createLane } from './lane.ts';
import type { Claim, WorkerParts } from './ports.ts';
import { createWorker } from './worker.ts';

const limits = { ...limitsOf(readConfig({})), concurrentPerNetwork: 3, callsPerMinute: 60, callsBurst: 2 };
const hanging: Source = { network: 'netA', obtain: () => new Promise(() => {}), expectedSeconds: () => 1 };

describe('a lane', () => {
  it('has room for what its pace and its places leave', () => {
    const lane = createLane(hanging, createClock(0), limits);
    expect([lane.room(), lane.waitMilliseconds()]).toEqual([2, 0]);
    lane.pace.take();
    expect(lane.room()).toBe(1);
    lane.running = 3;
    expect([lane.room(), lane.waitMilliseconds()]).toEqual([0, 250]);
  });

  it('F7 with an open circuit lets claims come to their end at once, whatever the pace, as they call nobody', () => {
    const lane = createLane(hanging, createClock(0), { ...limits, circuitFailures: 1 });
    lane.pace.throttled(60);
    expect([lane.room(), lane.waitMilliseconds()]).toEqual([0, 62_000]);
    lane.circuit.failed('creator:netA:ada');
    expect([lane.room(), lane.waitMilliseconds()]).toEqual([3, 0]);
  });
});

describe('a worker', () => {
  function working(claims: readonly Claim[]) {
    const asked: ClaimOptions[] = [];
    const answers: (() => void)[] = [];
    const timers = new Set<() => void>();
    const parts = {
      discoveries: {
        depth: async () => ({ queued: 1e6, running: 0, standing: [{ network: 'netA', account: 'acc', n: 1e6 }] }),
        claim(options: ClaimOptions) {
          asked.push(options);
          return new Promise((resolve) => answers.push(() => resolve(asked.length === 1 ? claims : [])));
        },
      },
      documents: {},
      sources: [hanging],
      clock: createClock(),
      random: () => 0,
      owner: 'me',
      limits,
      log: { info() {}, warn() {}, error() {} },
      timers: {
        after(milliseconds: number, run: () => void) {
          if (milliseconds === 0) timers.add(run);
          return () => void timers.delete(run);
        },
      },
    } as unknown as WorkerParts;
    /** Runs what is to be run at once. */
    const turn = async (): Promise<void> => {
      await nextTurn();
      const due = [...timers];
      timers.clear();
      due.forEach((run) => run());
      await nextTurn();
    };
    return { worker: createWorker(parts), asked, answers, turn };
  }
  const suspect = { key: 'creator:netA:ada', attempt: limits.attempts, startedAt: 0, account: 'acc' } as Claim;

  it('woken during a look looks again after it, once', async () => {
    const { worker, asked, answers, turn } = working([]);
    worker.start();
    await turn();
    worker.wake();
    await turn();
    worker.wake();
    await turn();
    expect(asked).toHaveLength(1);
    answers[0]!();
    await turn();
    expect(asked).toHaveLength(2);
    answers[1]!();
    await turn();
    expect(asked).toHaveLength(2);
  });

  it('F16 claims no suspect beside another at its last attempt', async () => {
    const { worker, asked, answers, turn } = working([suspect]);
    worker.start();
    await turn();
    answers[0]!();
    worker.wake();
    await turn();
    await turn();
    expect(asked.map(({ suspects }) => suspects?.limit)).toEqual([1, 0]);
  });

  it('CRE-02 tells nobody to wait for more than an hour', async () => {
    const { worker } = working([]);
    worker.start();
    await nextTurn();
    expect(worker.waitSeconds({ kind: 'creator', network: 'netA', name: 'ada' }, 'acc')).toBe(3_600);
  });
});
