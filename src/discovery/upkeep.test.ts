import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createClock } from '../testing/engines.ts';
import type { Lane } from './lane.ts';
import { createUpkeep } from './upkeep.ts';

interface Network {
  readonly blockedMilliseconds: number;
  readonly isOpen?: boolean;
}

function upkeepOf({ blockedMilliseconds, isOpen = false }: Network, { swept = 0, putOff = async () => {} } = {}) {
  const timer = createClock(0);
  const counts = { swept: 0, putOff: 0 };
  const lane = {
    source: { network: 'netA' },
    pace: { blockedMilliseconds: () => blockedMilliseconds, perSecond: () => 2 },
    circuit: { isOpen: () => isOpen },
  } as Lane;
  const log = { info() {}, warn() {}, error() {} };
  const documents = { sweep: async () => ((counts.swept += 1), swept) };
  const discoveries = { sweep: async () => 0, putOff: () => ((counts.putOff += 1), putOff()) };
  const see = createUpkeep({ documents, discoveries, log } as never, timer, new Map([['netA', lane]]));
  const pollAfter = async (milliseconds: number): Promise<typeof counts> => {
    timer.pass(milliseconds);
    see();
    await nextTurn();
    return { ...counts };
  };
  return { pollAfter };
}

describe('at each poll', () => {
  it('what counts no more is swept once a minute, and again at once while there is more of it', async () => {
    const little = upkeepOf({ blockedMilliseconds: 0 }, { swept: 999 });
    const much = upkeepOf({ blockedMilliseconds: 0 }, { swept: 1_000 });
    for (const [milliseconds, once, again] of [
      [59_999, 0, 0],
      [1, 1, 1],
      [250, 1, 2],
    ] as const) {
      expect((await little.pollAfter(milliseconds)).swept).toBe(once);
      expect((await much.pollAfter(milliseconds)).swept).toBe(again);
    }
  });

  it('F9 the queue of a network that asked to wait is put off, F7 unless its circuit is open: then claims have to end', async () => {
    expect(await upkeepOf({ blockedMilliseconds: 5_000 }).pollAfter(250)).toMatchObject({ putOff: 1 });
    expect(await upkeepOf({ blockedMilliseconds: 0 }).pollAfter(250)).toMatchObject({ putOff: 0 });
    expect(await upkeepOf({ blockedMilliseconds: 5_000, isOpen: true }).pollAfter(250)).toMatchObject({ putOff: 0 });
  });

  it('F9 nothing is put off a second time while a slow store still puts off', async () => {
    let end = (): void => {};
    const slow = () => new Promise<void>((resolve) => (end = resolve));
    const { pollAfter } = upkeepOf({ blockedMilliseconds: 5_000 }, { putOff: slow });
    expect([(await pollAfter(250)).putOff, (await pollAfter(250)).putOff]).toEqual([1, 1]);
    end();
    await nextTurn();
    expect((await pollAfter(250)).putOff).toBe(2);
  });
});
