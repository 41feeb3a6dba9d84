import { describe, expect, it } from 'vitest';
import { createClock } from '../testing/engines.ts';
import { createPace } from './pace.ts';

/** One call a second, and four of them together after a quiet time. */
const paceOf = () => {
  const timer = createClock(0);
  return { timer, pace: createPace(timer, { callsPerMinute: 60, callsBurst: 4 }) };
};

describe('F9 the pace of a network', () => {
  it('lets a burst go, then a call as each falls due', () => {
    const { timer, pace } = paceOf();
    for (let call = 0; call < 4; call += 1) pace.take();
    expect([pace.ready(), pace.waitMilliseconds()]).toEqual([0, 1_000]);
    timer.pass(1_000);
    expect([pace.ready(), pace.waitMilliseconds()]).toEqual([1, 0]);
    timer.pass(3_600_000);
    expect(pace.ready()).toBe(4);
  });

  it('stands still for as long as the network asked, in which nothing is saved up for a burst', () => {
    const { timer, pace } = paceOf();
    pace.throttled(30);
    expect([pace.blockedMilliseconds(), pace.ready()]).toEqual([30_000, 0]);
    timer.pass(30_000);
    expect([pace.blockedMilliseconds(), pace.ready()]).toEqual([0, 0]);
    expect(pace.waitMilliseconds()).toBeGreaterThan(1_900);
  });

  it('is halved once for calls that were in flight together, and waits for the longest wait that one was told', () => {
    const { pace } = paceOf();
    for (const seconds of [10, 60, 20]) pace.throttled(seconds);
    expect([pace.perSecond(), pace.blockedMilliseconds()]).toEqual([0.5, 60_000]);
  });

  it('never falls below a 64th, and comes back by a twentieth a minute', () => {
    const { timer, pace } = paceOf();
    for (let time = 0; time < 20; time += 1) {
      pace.throttled(1);
      timer.pass(1_000);
    }
    expect(pace.perSecond()).toBeCloseTo(1 / 64, 2);
    expect(pace.perSecond()).toBeGreaterThanOrEqual(1 / 64);
    timer.pass(600_000);
    expect(pace.perSecond()).toBeCloseTo(1 / 64 + 0.5, 2);
    timer.pass(3_600_000);
    expect(pace.perSecond()).toBe(1);
  });

  it('is never blocked for longer than an hour, nor for less than a second', () => {
    const { pace } = paceOf();
    pace.throttled(0);
    expect(pace.blockedMilliseconds()).toBe(1_000);
    pace.throttled(1_000_000);
    expect(pace.blockedMilliseconds()).toBe(3_600_000);
  });
});
