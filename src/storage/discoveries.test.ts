import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { creatorOf } from '../testing/documents.ts';
import { createClock, enginesAndSpread, type TestStore } from '../testing/engines.ts';
import type { Database, Parameter } from './database.ts';
import { createDiscoveries, type Claimed, type Discoveries, type StartOptions } from './discoveries.ts';
import { dueOf } from './discovery-statements.ts';
import { createDocuments } from './documents.ts';

const key = 'creator:netA:ada';
const by: StartOptions = {
  account: 'acc_a',
  organization: 'org_a',
  profile: null,
  deep: false,
};
const ask = (...keys: string[]) => keys.map((one) => ({ key: one, waitSeconds: 2 }));
const roomsOf = (rooms: Record<string, number>) => new Map(Object.entries(rooms));
const hold = (owner: string, limit = 10) => ({
  owner,
  leaseSeconds: 15,
  limit,
  rooms: roomsOf({ netA: 100, netB: 100 }),
});

describe.each(enginesAndSpread)('discoveries on $name', ({ name, createStore }) => {
  const clock = createClock();
  let store: TestStore;
  let database: Database;
  let discoveries: Discoveries;

  beforeAll(async () => void (store = await createStore(clock)));
  afterAll(() => store.close());
  beforeEach(async () => {
    database = await store.open();
    discoveries = createDiscoveries(database, { clock });
    await database.query('delete from work');
    await database.query('delete from deep');
    clock.pass(5_000);
  });

  it('STA-01 the first read starts, the next ones join and are told the same instant', async () => {
    const first = (await discoveries.startOrJoin(ask(key), by)).get(key);
    expect(first).toEqual({ started: true, retryAt: clock() + 2_000, attempt: 0 });
    clock.pass(500);
    expect((await discoveries.startOrJoin(ask(key), by)).get(key)).toEqual({ ...first, started: false });
    await discoveries.claim(hold('n'));
    expect((await discoveries.startOrJoin(ask(key), by)).get(key)).toMatchObject({
      started: false,
      retryAt: first!.retryAt,
    });
  });

  it('STA-01 of many reads at once on several nodes, each key is started once, and none deadlocks', async () => {
    const nodes = [
      discoveries,
      ...(await Promise.all([0, 1].map(async () => createDiscoveries(await store.open(), { clock })))),
    ];
    const keys = Array.from({ length: 100 }, (_, n) => `creator:netA:k${n}`);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => {
        const turned = [...keys.slice(n * 3), ...keys.slice(0, n * 3)];
        return nodes[n % 3]!.startOrJoin(ask(...(n % 2 ? turned.reverse() : turned)), by);
      }),
    );
    const started = answers.flatMap((answer) =>
      [...answer].filter(([, { started: mine }]) => mine).map(([one]) => one),
    );
    expect(started.sort()).toEqual([...keys].sort());
    expect(answers.every((answer) => answer.size === 100)).toBe(true);
    const claims = await Promise.all(nodes.map((node, n) => node.claim(hold(`node-${n}`, 50))));
    const claimed = claims.flat().map((claim) => claim.key);
    expect(new Set(claimed).size, 'nobody claims what another holds').toBe(claimed.length);
  });

  it('STA-01 a read that looked before a discovery ended starts no second one', async () => {
    const documents = createDocuments(database, { cacheBytes: 1_000, clock });
    const entity = { kind: 'creator', network: 'netA', name: 'ended' } as const;
    const [ended, failed] = ['creator:netA:ended', 'creator:netA:failed'];
    await documents.put({ entity, document: creatorOf('ended') }, { startedAt: clock(), freshUntil: clock() + 60_000 });
    await documents.putFailure(failed, {
      reason: 'x',
      retryable: false,
      rememberedUntil: clock() + 60_000,
      startedAt: clock(),
    });
    const late = await discoveries.startOrJoin(ask(ended, failed), by);
    expect([...late.values()]).toEqual(
      [ended, failed].map(() => ({ started: false, retryAt: clock() + 1_000, attempt: 0 })),
    );
    expect((await discoveries.startOrJoin(ask(ended), { ...by, deep: true })).get(ended)!.started, 'CRB-09 deep').toBe(
      true,
    );
    clock.pass(60_001);
    expect((await discoveries.startOrJoin(ask(failed), by)).get(failed)!.started).toBe(true);
  });

  it('CRE-02 a read that looked before a discovery ended is not told the time of the next refresh', async () => {
    const documents = createDocuments(database, { cacheBytes: 1_000, clock });
    const entity = { kind: 'creator', network: 'netA', name: 'refreshed' } as const;
    const refreshed = 'creator:netA:refreshed';
    await discoveries.startOrJoin(ask(refreshed), { ...by, deep: true });
    const claim = (await discoveries.claim(hold('n')))[0]!;
    const freshUntil = clock() + 86_400_000;
    const options = { startedAt: claim.startedAt, freshUntil, relatedDiscovery: claim };
    await documents.put({ entity, document: creatorOf('refreshed') }, options);
    await discoveries.done(claim, { refreshAt: freshUntil });
    const late = (await discoveries.startOrJoin(ask(refreshed), by)).get(refreshed);
    expect(late).toEqual({ started: false, retryAt: clock() + 1_000, attempt: 0 });
  });

  it('F15 what waits is due though the clock is set back, and told a wait of its own', async () => {
    await discoveries.startOrJoin(ask(key), by);
    clock.pass(-3_600_000);
    const claims = await discoveries.claim(hold('n'));
    const joined = (await discoveries.startOrJoin(ask(key), by)).get(key)!;
    clock.pass(3_600_000);
    expect(claims).toMatchObject([{ key, attempt: 1 }]);
    expect(joined.retryAt).toBe(clock() - 3_600_000 + 2_000);
  });

  it('F15 what a dead process held is claimed though the clock is set back', async () => {
    await discoveries.startOrJoin(ask(key), by);
    await discoveries.claim(hold('dead'));
    clock.pass(-10_000);
    const early = await discoveries.claim(hold('next'));
    clock.pass(-3_600_000);
    const claims = await discoveries.claim(hold('next'));
    clock.pass(3_610_000);
    expect(early, 'its lease may have been renewed still').toEqual([]);
    expect(claims).toMatchObject([{ key, attempt: 2, owner: 'next' }]);
  });

  it('STA-01 of two claims that overlap, the one whose statement began first takes nothing of the other', async () => {
    await discoveries.startOrJoin(ask(key), by);
    let other: readonly Claimed[] = [];
    const overtaken: Database = {
      ...database,
      async query<Row>(text: string, values: readonly Parameter[] = []) {
        const isClaim = text.includes("set state = 'running'");
        if (!isClaim) return database.query<Row>(text, values);
        clock.pass(1);
        other = await discoveries.claim(hold('other'));
        clock.pass(-1);
        return database.query<Row>(text, values);
      },
    };
    const mine = await createDiscoveries(overtaken, { clock }).claim(hold('mine'));
    expect(other).toMatchObject([{ key, owner: 'other' }]);
    expect(mine).toEqual([]);
  });

  it('F9 of each network no more is claimed than there is room for, of all together no more than the limit', async () => {
    for (const network of ['netA', 'netB', 'netC'])
      await discoveries.startOrJoin(ask(...['a', 'b', 'c', 'd'].map((one) => `creator:${network}:${one}`)), by);
    const claim = async (rooms: Record<string, number>, limit = 10): Promise<string> => {
      const claims = await discoveries.claim({ ...hold('n', limit), rooms: roomsOf(rooms) });
      const names = claims.map((each) => each.key.slice('creator:net'.length));
      await discoveries.release('n');
      return names.sort().join(' ');
    };
    expect(await claim({ netA: 0, netB: 3 })).toBe('B:a B:b B:c');
    expect(await claim({ netA: 1, netB: 2 })).toBe('A:a B:a B:b');
    expect(await claim({ netA: 4, netB: 4 }, 3)).toHaveLength('A:a A:b A:c'.length);
  });

  it('F19 work of a network that this node does not know is left to one that does, queued, failed or of a dead node', async () => {
    const [waiting, dead, scheduled] = ['creator:netC:a', 'creator:netC:b', 'creator:netC:c'];
    await discoveries.startOrJoin(ask(waiting, dead, scheduled), by);
    const rooms = roomsOf({ netC: 10 });
    const knowing = { ...hold('knowing'), rooms };
    const claims = await discoveries.claim(knowing);
    const claimOf = (one: string | undefined) => claims.find((claim) => claim.key === one)!;
    await discoveries.retry(claimOf(waiting), clock() + 1_000);
    await discoveries.done(claimOf(scheduled), { refreshAt: clock() + 1_000 });
    clock.pass(3_600_000);
    expect(await discoveries.claim(hold('other'))).toEqual([]);
    expect(await discoveries.sweep(['netA', 'netB'], 10), 'due for less than an hour').toBe(0);
    expect(await discoveries.claim(knowing)).toHaveLength(3);
  });

  it('F19 what nobody has taken for an hour is removed, by who does not know its network alone, and started anew by who does', async () => {
    const stranded = ['creator:netC:a', 'creator:netC:b', 'creator:netC:c'];
    await discoveries.startOrJoin(ask(...stranded, key), by);
    await discoveries.claim({ ...hold('dead', 1), rooms: roomsOf({ netC: 1 }) });
    clock.pass(3_600_000 + 15_000);
    expect(await discoveries.sweep(['netA', 'netB', 'netC'], 10)).toBe(0);
    expect(await discoveries.sweep(['netA', 'netB'], 2)).toBe(2);
    expect(await discoveries.sweep(['netA', 'netB'], 2)).toBe(1);
    expect(await database.query('select key from work')).toEqual([{ key }]);
    expect((await discoveries.startOrJoin(ask(stranded[0]!), by)).get(stranded[0]!)!.started).toBe(true);
  });

  it('F19 what a node older than the column has queued is found once it is swept', async () => {
    await discoveries.startOrJoin(ask(key), by);
    await database.query('update work set network = null');
    await discoveries.sweep(['netA'], 10);
    expect(await discoveries.claim(hold('n'))).toMatchObject([{ key }]);
  });

  it('F9 what a dead node held is claimed within the room of its network too', async () => {
    await discoveries.startOrJoin(ask('creator:netA:a', 'creator:netA:b', 'creator:netB:a', 'creator:netB:b'), by);
    expect(await discoveries.claim(hold('dead'))).toHaveLength(4);
    clock.pass(15_001);
    const suspects = { fromAttempt: 2, limit: 1 };
    const claim = (netA: number, netB: number) =>
      discoveries.claim({ ...hold('n'), rooms: roomsOf({ netA, netB }), suspects });
    expect((await claim(0, 1)).map(({ key: one }) => one.slice(0, -1))).toEqual(['creator:netB:']);
    expect(await claim(2, 2)).toHaveLength(3);
  });

  it('STA-01 what is over when it is claimed is ended, not done again', async () => {
    const documents = createDocuments(database, { cacheBytes: 1_000, clock });
    const entity = { kind: 'creator', network: 'netA', name: 'over' } as const;
    const over = 'creator:netA:over';
    await discoveries.startOrJoin(ask(over), by);
    const died = (await discoveries.claim(hold('dead')))[0]!;
    const options = { startedAt: died.startedAt, freshUntil: clock() + 60_000, relatedDiscovery: died };
    await documents.put({ entity, document: creatorOf('over') }, options);
    clock.pass(16_000);
    expect(await discoveries.claim(hold('other'))).toEqual([]);
    expect(await database.query('select key from work')).toEqual([]);
    await discoveries.startOrJoin(ask(over), { ...by, deep: true });
    expect(await discoveries.claim(hold('other')), 'CRB-09 deep').toHaveLength(1);
  });

  it('STA-06 the work of a dead node is claimed once its lease has ended, and counted as an attempt', async () => {
    await discoveries.startOrJoin(ask(key), by);
    const [first] = await discoveries.claim(hold('dead'));
    expect(first).toMatchObject({
      key,
      attempt: 1,
      account: 'acc_a',
      organization: 'org_a',
      profile: null,
      deep: false,
      owner: 'dead',
    });
    clock.pass(14_000);
    expect(await discoveries.claim(hold('other'))).toEqual([]);
    clock.pass(1_000);
    expect(await discoveries.claim(hold('other'))).toMatchObject([{ key, attempt: 2, owner: 'other' }]);
  });

  it('F4 a late owner renews, ends and puts back nothing', async () => {
    await discoveries.startOrJoin(ask(key), by);
    const late = (await discoveries.claim(hold('late')))[0]!;
    clock.pass(20_000);
    const mine = (await discoveries.claim(hold('mine')))[0]!;
    expect(await discoveries.renew([late], 15)).toEqual(new Set());
    expect(await discoveries.done(late)).toBe(false);
    expect(await discoveries.retry(late, clock())).toBe(false);
    expect(await discoveries.renew([mine], 15)).toEqual(new Set([key]));
    clock.pass(10_000);
    expect(await discoveries.claim(hold('other')), 'renewed').toEqual([]);
    expect(await discoveries.done(mine)).toBe(true);
    expect(await discoveries.depth()).toMatchObject({ queued: 0, running: 0 });
  });

  it('a retry is due at its instant', async () => {
    await discoveries.startOrJoin(ask(key), by);
    const claim = (await discoveries.claim(hold('n')))[0]!;
    expect(await discoveries.retry(claim, clock() + 3_000)).toBe(true);
    expect(await discoveries.claim(hold('n'))).toEqual([]);
    expect((await discoveries.startOrJoin(ask(key), by)).get(key)).toMatchObject({
      started: false,
      retryAt: clock() + 5_000,
    });
    clock.pass(3_000);
    expect(await discoveries.claim(hold('n'))).toMatchObject([{ attempt: 2 }]);
  });

  it('a scheduled refresh runs when due, and a read may start it before', async () => {
    await discoveries.startOrJoin(ask(key), { ...by, profile: 'prf_1' });
    const claim = (await discoveries.claim(hold('n')))[0]!;
    await discoveries.done(claim, { refreshAt: clock() + 60_000 });
    expect(await discoveries.depth()).toMatchObject({ queued: 0, running: 0 });
    expect(await discoveries.claim(hold('n'))).toEqual([]);
    clock.pass(60_000);
    const again = await discoveries.claim(hold('n'));
    expect(again).toMatchObject([{ attempt: 1, profile: 'prf_1' }]);
    await discoveries.done(again[0]!, { refreshAt: clock() + 60_000 });
    expect((await discoveries.startOrJoin(ask(key), by)).get(key)).toMatchObject({ started: true });
  });

  it('CRB-10 refreshes are deep while the window lasts; CRB-09 joining deep runs it again, deep', async () => {
    const documents = createDocuments(database, { cacheBytes: 1_000, clock });
    await discoveries.startOrJoin(ask(key), by);
    const shallow = (await discoveries.claim(hold('n')))[0]!;
    expect(shallow.deep).toBe(false);
    await discoveries.startOrJoin(ask(key), { ...by, deep: true });
    expect(await discoveries.done(shallow, { refreshAt: clock() + 60_000 })).toBe(true);
    const deep = (await discoveries.claim(hold('n')))[0]!;
    expect(deep).toMatchObject({ deep: true, attempt: 1 });
    await documents.setDeep([key], 90);
    await discoveries.done(deep, { refreshAt: clock() + 60_000 });
    clock.pass(60_000);
    const within = (await discoveries.claim(hold('n')))[0]!;
    expect(within.deep).toBe(true);
    await discoveries.done(within, { refreshAt: clock() + 60_000 });
    clock.pass(60_000);
    expect((await discoveries.claim(hold('n')))[0]!.deep).toBe(false);
  });

  it('CRB-09 what ends while a deep read joins it is run again, deep', async () => {
    await discoveries.startOrJoin(ask(key), by);
    const shallow = (await discoveries.claim(hold('n')))[0]!;
    const ending: Database = {
      ...database,
      async query<Row>(text: string, values: readonly Parameter[] = []) {
        const rows = await database.query<Row>(text, values);
        if (text.includes('insert into work')) await discoveries.done(shallow);
        return rows;
      },
    };
    const told = await createDiscoveries(ending, { clock }).startOrJoin(ask(key), { ...by, deep: true });
    expect(told.get(key)).toMatchObject({ started: false });
    expect(await discoveries.claim(hold('n'))).toMatchObject([{ key, deep: true }]);
  });

  it("F17 another principal's first identifier waits behind few of a large one's", async () => {
    const many = Array.from({ length: 500 }, (_, n) => `creator:netA:m${n}`);
    for (let n = 0; n < 5; n += 1) await discoveries.startOrJoin(ask(...many.slice(n * 100, n * 100 + 100)), by);
    await discoveries.claim(hold('n', 100));
    await discoveries.startOrJoin(ask('creator:netA:small'), { ...by, account: 'acc_small' });
    const next = await discoveries.claim(hold('n', 10));
    expect(next).toHaveLength(10);
    expect(next.map((claim) => claim.key)).toContain('creator:netA:small');
  });

  it('F17 the same where the large one asks for all at once', async () => {
    const batches = Array.from({ length: 5 }, (_, batch) =>
      Array.from({ length: 100 }, (_each, n) => `creator:netA:b${batch}n${n}`),
    );
    await Promise.all(batches.map((batch) => discoveries.startOrJoin(ask(...batch), by)));
    clock.pass(2_000);
    await discoveries.startOrJoin(ask('creator:netA:small'), { ...by, account: 'acc_small' });
    const next = await discoveries.claim(hold('n', 10));
    expect(next.map((claim) => claim.key)).toContain('creator:netA:small');
  });

  it('the queue is bounded in all and for each account; what has no room is told to come back', async () => {
    const bounded = createDiscoveries(database, { clock, queueLimit: 5, queueLimitPerAccount: 3 });
    const started = async (account: string, ...keys: string[]) => {
      const answer = await bounded.startOrJoin(ask(...keys), { ...by, account });
      expect(answer.size).toBe(keys.length);
      expect([...answer.values()].every(({ retryAt }) => retryAt > clock())).toBe(true);
      return [...answer.values()].filter((one) => one.started).length;
    };
    expect(await started('acc_a', 'a1', 'a2', 'a3', 'a4')).toBe(3);
    expect(await started('acc_a', 'a1', 'a4')).toBe(0);
    expect(await started('acc_b', 'b1', 'b2', 'b3')).toBe(2);
    expect(await bounded.depth()).toMatchObject({ queued: 5, running: 0 });
  });

  it('F6 a process that shuts down gives its work back uncounted', async () => {
    await discoveries.startOrJoin(ask(key, 'creator:netA:b'), by);
    await discoveries.claim(hold('leaving'));
    expect(await discoveries.depth()).toMatchObject({ queued: 0, running: 2 });
    expect(await discoveries.release('leaving')).toBe(2);
    expect(await discoveries.claim(hold('next'))).toMatchObject([{ attempt: 1 }, { attempt: 1 }]);
  });

  it('a claim looks through no long queue, neither of its network nor of another', async () => {
    await database.query(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
       insert into work (key, network, state, due_at, turn, retry_at, started_at, attempts, account, organization, deep)
       select 'creator:netA:q' || i, 'netA', case when i % 2 = 0 then 'queued' else 'idle' end, 0, i, 0, 0, 0, 'acc', 'org', 0 from n`,
    );
    await database.exec('analyze work');
    const explain = name === 'sqlite' ? 'explain query plan' : 'explain';
    const plan = JSON.stringify(
      await database.query(explain + dueOf(2, 64), [2, 1, '["netA","netB"]', 15_000, 'netA', 'netB']),
    );
    expect(plan).toMatch(/index/i);
    expect(plan).not.toMatch(/Seq Scan|SCAN work|Bitmap/);
  });
});
