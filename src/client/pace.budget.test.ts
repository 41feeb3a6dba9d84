/** The client's count of its budget, with the service's answers told by hand; what a whole client does is in `pace.test.ts`. */
import { describe, expect, it } from 'vitest';
import { createPace } from './pace.ts';
import { handTime } from './testing.ts';

const told = (q: number, r: number, t?: number): Headers =>
  new Headers({
    'RateLimit-Policy': `"default";q=${q};w=60`,
    RateLimit: `"default";r=${r}${t === undefined ? '' : `;t=${t}`}`,
  });

function paceOf(budgetPerMinute: number | null = null) {
  const { state, time } = handTime();
  const pace = createPace(time, budgetPerMinute);
  const start = state.now;
  /** Sends one request; answers how many seconds after the start it was let go. */
  const admit = async () => ({ ...(await pace.admit({})), second: (state.now - start) / 1000 });
  const seconds = async (times: number): Promise<number[]> => {
    const all: number[] = [];
    for (let time = 0; time < times; time += 1) all.push((await admit()).second);
    return all;
  };
  return { state, pace, admit, seconds };
}

describe('the budget as the client counts it', () => {
  it('RAT-01 requests go one at a time until an answer has told the budget', async () => {
    const { admit } = paceOf();
    const first = await admit();
    let admitted = false;
    const second = admit().then(() => (admitted = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(admitted).toBe(false);
    first.answered(told(60, 59, 60));
    expect(await second).toBe(true);
  });

  it('RAT-01 a budget that was raised is used as soon as it is told', async () => {
    const { admit, seconds } = paceOf();
    (await admit()).answered(told(600, 599, 60));
    expect(new Set(await seconds(599))).toEqual(new Set([0]));
  });

  it('RAT-06 RAT-07 what others have spent of the window is taken from the count, and what is in flight', async () => {
    const { admit, seconds } = paceOf();
    (await admit()).answered(told(60, 10, 30));
    const [one, other] = [await admit(), await admit()];
    one.answered(told(60, 5, 30));
    expect(await seconds(5)).toEqual([0, 0, 0, 0, 30]);
    other.lost();
  });

  it('RAT-07 an answer that tells more than was counted, overtaken by a later request, gives nothing back', async () => {
    const { admit, seconds } = paceOf();
    const early = await admit();
    early.answered(told(3, 2, 60));
    const late = await admit();
    late.answered(told(3, 2, 60));
    expect(await seconds(2)).toEqual([0, 60]);
  });

  it('RAT-03 an answer of the last window says nothing of the one that has begun', async () => {
    const { state, admit, seconds } = paceOf();
    (await admit()).answered(told(2, 1, 10));
    const slow = await admit();
    state.now += 10_000;
    const next = await admit();
    slow.answered(told(2, 0, 60));
    next.answered(told(2, 1, 60));
    expect(await seconds(2)).toEqual([10, 70]);
  });

  it('RAT-03 without its end told, a window ends a minute after its first answer, as the service began it by then', async () => {
    const { state, admit, seconds } = paceOf();
    const first = await admit();
    state.now += 20_000;
    first.answered(told(1, 0));
    expect(await seconds(1)).toEqual([80]);
  });

  it('a budget of none is taken for one, so that the client does not wait for ever', async () => {
    const { admit, seconds } = paceOf();
    (await admit()).answered(told(0, 0, 30));
    expect(await seconds(2)).toEqual([30, 90]);
  });
});
