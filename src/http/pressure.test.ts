import { describe, expect, it } from 'vitest';
import { createPressure, type Place } from './pressure.ts';

function underHand() {
  const hand = { now: 0, turns: [] as (() => void)[] };
  const pressure = createPressure({
    timer: () => hand.now,
    patienceMilliseconds: 1_000,
    afterTurn: (run) => void hand.turns.push(run),
  });
  return { hand, pressure };
}

/** So many at once, each of which takes that long. */
function crowd({ hand, pressure }: ReturnType<typeof underHand>, count: number, milliseconds: number): void {
  const places: Place[] = Array.from({ length: count }, () => pressure.enter());
  hand.now += milliseconds;
  for (const place of places) place.end();
}

const letIn = ({ pressure }: ReturnType<typeof underHand>): number => {
  let count = 0;
  for (; count < 2_000 && pressure.refusal() === null; count += 1) pressure.enter();
  return count;
};

describe('F13 pressure', () => {
  it('lets in whatever comes while all goes quickly', () => {
    const parts = underHand();
    crowd(parts, 500, 100);
    expect(letIn(parts)).toBe(2_000);
  });

  it('lets in as many as can be answered in time, once some were not', () => {
    const parts = underHand();
    crowd(parts, 400, 4_000);
    parts.hand.turns[0]?.();
    // 400 in four seconds, on average 200 beside each: 50 in one.
    expect(letIn(parts)).toBe(51);
  });

  it('lets in more again as they are answered quickly', () => {
    const parts = underHand();
    crowd(parts, 400, 4_000);
    crowd(parts, 50, 10);
    crowd(parts, 50, 10);
    parts.hand.turns[0]?.();
    expect(letIn(parts)).toBe(151);
  });

  it('refuses who comes up late in a turn of the event loop, and nobody in the next', () => {
    const { hand, pressure } = underHand();
    expect(pressure.refusal()).toBeNull();
    hand.now += 1_001;
    const refusal = pressure.refusal();
    expect(refusal?.code).toBe('dependency-unavailable');
    expect(refusal?.headers).toEqual({ 'Retry-After': '1' });
    hand.turns[0]?.();
    expect(pressure.refusal()).toBeNull();
  });

  it('F18 does not count who waits for a slow body', () => {
    const parts = underHand();
    const slow = Array.from({ length: 500 }, () => parts.pressure.enter());
    for (const place of slow) place.leave();
    parts.hand.now += 60_000;
    for (const place of slow) {
      place.back();
      place.end();
    }
    expect(letIn(parts)).toBe(2_000);
  });
});
