import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { Refusal, type Principal } from '../model.ts';
import type { Database, Parameter } from '../storage/database.ts';
import { createClock, enginesAndSpread, type TestStore } from '../testing/engines.ts';
import { createBudget, createMemoryBudget, type Budget } from './budget.ts';

let count = 0;
const principal = (perMinute = 60): Principal => ({
  account: `acc_${(count += 1)}`,
  organization: 'org_a',
  scopes: new Set(),
  perMinute,
});

describe.each(enginesAndSpread)('budget on $name', ({ name, createStore }) => {
  const clock = createClock();
  let store: TestStore;
  let budget: Budget;

  beforeAll(async () => {
    store = await createStore(clock);
    budget = createBudget(await store.open(), clock);
  });
  afterAll(() => store.close());
  const spend = async (who: Principal, times: number) => {
    const all = [];
    for (let n = 0; n < times; n += 1) all.push(await budget.spend(who));
    return all;
  };

  it('RAT-01 RAT-02 the request over the budget is refused for the rest of the window', async () => {
    const who = principal(3);
    expect(await spend(who, 1)).toEqual([{ allowed: true, limit: 3, remaining: 2, resetSeconds: 60 }]);
    clock.pass(17_500);
    expect((await spend(who, 3)).map(({ allowed }) => allowed)).toEqual([true, true, false]);
    expect(await budget.spend(who)).toEqual({ allowed: false, limit: 3, remaining: 0, resetSeconds: 43 });
    clock.pass(42_499);
    expect(await budget.spend(who)).toMatchObject({ allowed: false, resetSeconds: 1 });
  });

  it('RAT-03 a window is fixed, and the next starts with the first request after it', async () => {
    const who = principal(2);
    await spend(who, 2);
    clock.pass(90_000);
    expect(await spend(who, 1)).toEqual([{ allowed: true, limit: 2, remaining: 1, resetSeconds: 60 }]);
    clock.pass(59_999);
    expect((await spend(who, 2)).map(({ allowed }) => allowed)).toEqual([true, false]);
    clock.pass(1);
    expect((await budget.spend(who)).allowed).toBe(true);
  });

  it('RAT-06 accounts do not share; two tokens of one do', async () => {
    const [one, other] = [principal(1), principal(1)];
    expect((await budget.spend(one)).allowed).toBe(true);
    expect((await budget.spend({ ...one, scopes: new Set(['posts:read']) })).allowed).toBe(false);
    expect((await budget.spend(other)).allowed).toBe(true);
  });

  it('F14 100 requests at once: exactly the budget is let in', async () => {
    const who = principal();
    const spent = await Promise.all(Array.from({ length: 100 }, () => budget.spend(who)));
    expect(spent.filter(({ allowed }) => allowed)).toHaveLength(60);
  });

  it('F15 a clock set back an hour never locks anybody out for longer than a window', async () => {
    const who = principal(1);
    await spend(who, 2);
    clock.pass(-3_600_000);
    expect(await budget.spend(who)).toMatchObject({ allowed: true, resetSeconds: 60 });
    clock.pass(7_200_000);
    expect(await budget.spend(who)).toMatchObject({ allowed: true, resetSeconds: 60 });
  });

  if (name !== 'sqlite')
    it('RAT-08 three nodes together let in exactly the budget', async () => {
      const who = principal();
      const nodes = await Promise.all([0, 1, 2].map(async () => createBudget(await store.open(), clock)));
      const spent = await Promise.all(Array.from({ length: 200 }, (_, n) => nodes[n % 3]!.spend(who)));
      expect(spent.filter(({ allowed }) => allowed)).toHaveLength(60);
    });

  if (name !== 'sqlite')
    it('F11 a store that cannot count neither lets in nor refuses', async () => {
      const gone = await store.open();
      const broken = createBudget(gone, clock);
      await gone.close();
      await expect(broken.spend(principal())).rejects.toMatchObject({ code: 'dependency-unavailable' });
      await expect(broken.spend(principal())).rejects.toBeInstanceOf(Refusal);
    });

  if (name !== 'sqlite')
    it('F12 a store that only reads: the node counts by itself, and with the others as soon as it can', async () => {
      const database = await store.open();
      let writable = false;
      const readOnly = <Row>(sql: string, parameters?: readonly Parameter[]): Promise<Row[]> =>
        database.exclusively(async (alone) => {
          await alone.exec('set transaction read only');
          return alone.query<Row>(sql, parameters);
        });
      const query: Database['query'] = (...statement) => (writable ? database.query : readOnly)(...statement);
      const node = createBudget({ ...database, query }, clock);
      const who = principal(2);
      const alone = [await node.spend(who), await node.spend(who), await node.spend(who)];
      expect(alone.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
        [true, 1],
        [true, 0],
        [false, 0],
      ]);
      writable = true;
      clock.pass(1_000);
      await budget.spend(who);
      expect(await node.spend(who)).toMatchObject({ allowed: true, remaining: 0 });
    });
});

it('F15 after the clock was set back within a window nobody is told to wait longer than 60 s', async () => {
  const clock = createClock();
  const budget = createMemoryBudget(clock);
  const who = principal();
  await budget.spend(who);
  clock.pass(-30_000);
  expect(await budget.spend(who)).toMatchObject({ remaining: 58, resetSeconds: 60 });
});

describe('budget in a shared store', () => {
  /** A store that answers what it is told to, of windows that began so many milliseconds before its clock. */
  function storeOf(answer: (account: string) => { ago: number } | Error) {
    const asked: string[] = [];
    const query = async <Row>(_sql: string, [list]: readonly Parameter[] = []): Promise<Row[]> => {
      const account = Object.keys(JSON.parse(String(list)))[0]!;
      asked.push(account);
      const told = answer(account);
      if (told instanceof Error) throw told;
      return [{ account, start: -told.ago, n: 1, now: 0 } as Row];
    };
    return { asked, database: { engine: 'postgres', query } as Database };
  }

  it.each([
    ['one that ended while the statement waited for its row', 60_001, 1],
    ['one that begins later, as the clock was set back', -30_000, 60],
  ])('F15 Retry-After is 1 to 60 in a window: %s', async (_what, ago, resetSeconds) => {
    const { database } = storeOf(() => ({ ago }));
    expect(await createBudget(database, createClock()).spend(principal())).toMatchObject({ resetSeconds });
  });

  it('F12 F15 is asked again after a second without a write, or once the clock was set back by more', async () => {
    const clock = createClock();
    const readOnly = Object.assign(new Error('read only'), { code: '25006' });
    const { asked, database } = storeOf(() => readOnly);
    const budget = createBudget(database, clock);
    const spendAfter = async (milliseconds: number): Promise<number> => {
      clock.pass(milliseconds);
      expect((await budget.spend(principal())).allowed).toBe(true);
      return asked.length;
    };
    expect([await spendAfter(0), await spendAfter(999), await spendAfter(1)]).toEqual([1, 1, 2]);
    expect(await spendAfter(-3_600_000)).toBe(3);
  });
});

it('F15 never more than twice the budget in any 60 s, and Retry-After is 1 to 60, at whatever moments', async () => {
  const moments = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(moments, async (steps) => {
      const clock = createClock();
      const budget = createMemoryBudget(clock);
      const who = principal(5);
      const letIn: number[] = [];
      for (const step of steps) {
        clock.pass(step);
        const { allowed, resetSeconds } = await budget.spend(who);
        expect(resetSeconds).toBeGreaterThanOrEqual(1);
        expect(resetSeconds).toBeLessThanOrEqual(60);
        if (allowed) letIn.push(clock());
      }
      for (const at of letIn)
        expect(letIn.filter((one) => one >= at && one < at + 60_000).length).toBeLessThanOrEqual(10);
    }),
  );
});
