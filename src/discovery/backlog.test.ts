import { describe, expect, it } from 'vitest';
import type { Depth } from '../storage/discoveries.ts';
import { createClock } from '../testing/engines.ts';
import { createBacklog } from './backlog.ts';

function backlogOf(standing: Depth['standing']) {
  const clock = createClock();
  let counts = 0;
  const depth = async (): Promise<Depth> => ({ queued: 0, running: (counts += 1), standing });
  return { clock, backlog: createBacklog({ depth }, clock), counted: () => counts };
}

describe('the backlog of a network', () => {
  const standing = [
    { network: 'netA', account: 'many', n: 1_000 },
    { network: 'netA', account: 'few', n: 2 },
    { network: 'netB', account: 'few', n: 50 },
  ];

  it('F17 takes turns: before one more of an account go its own, and of another as many and the one at its turn', async () => {
    const { backlog } = backlogOf(standing);
    await backlog.refresh();
    expect(['new', 'few', 'many'].map((account) => backlog.ahead(account, 'netA'))).toEqual([2, 5, 1_002]);
    backlog.add('few', 'netA');
    expect(backlog.ahead('few', 'netA')).toBe(3 + 4);
  });

  it('is counted once a second, and F15 again when the clock was set back', async () => {
    const { clock, backlog, counted } = backlogOf(standing);
    const countedAfter = async (milliseconds: number): Promise<number> => {
      clock.pass(milliseconds);
      await backlog.refresh();
      return counted();
    };
    expect([await countedAfter(0), await countedAfter(999), await countedAfter(1)]).toEqual([1, 1, 2]);
    expect(await countedAfter(-60_000)).toBe(3);
  });
});
