/** What a distributed PostgreSQL needs: each hot statement names rows by one column, and opens no partition but theirs. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entityOf, type Key } from '../model.ts';
import { analysis, creatorOf, postOf } from '../testing/documents.ts';
import { createClock, enginesAndSpread, type TestStore } from '../testing/engines.ts';
import type { Database, Parameter } from './database.ts';
import { createDiscoveries, type Claimed, type Discoveries } from './discoveries.ts';
import { createDocuments, type Documents } from './documents.ts';
import { countHits } from './hits.ts';

const rooms = new Map([['netA', 10]]);
interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Actual Loops'?: number;
  readonly Plans?: readonly Plan[];
}

interface Opened {
  readonly sql: string;
  readonly partitions: ReadonlySet<string>;
}

class Undone extends Error {}

const table = /^(entity|work|deep|hit)_\d+$/;

/** Partitions that were really looked into, not only planned for. */
function openedBy(plan: Plan): string[] {
  const relation = plan['Relation Name'] ?? '';
  const own = table.test(relation) && (plan['Actual Loops'] ?? 0) > 0 ? [relation] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(openedBy)];
}

/** The same database, that runs each statement twice: once to see its plan, undone, and once for real. */
function watched(database: Database, opened: Opened[]): Database {
  async function explain(sql: string, parameters: readonly Parameter[]): Promise<void> {
    const run = async (alone: Pick<Database, 'query'>): Promise<never> => {
      const [row] = await alone.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `explain (analyze, costs off, timing off, summary off, format json) ${sql}`,
        parameters,
      );
      opened.push({ sql, partitions: new Set(openedBy(row!['QUERY PLAN'][0].Plan)) });
      throw new Undone();
    };
    await database.exclusively(run).catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error;
    });
  }
  return {
    ...database,
    async query<Row>(sql: string, parameters: readonly Parameter[] = []) {
      await explain(sql, parameters);
      return database.query<Row>(sql, parameters);
    },
  };
}

/** These two look at the queue as a whole: what is due, once a poll, and how long it is, once a second. */
const isWholeQueue = ({ sql }: Opened): boolean => /union all|group by state/.test(sql);

const rows = 40_000;
const minute = 60_000;

describe('the hot statements on tables spread by their column', () => {
  const clock = createClock();
  const opened: Opened[] = [];
  let store: TestStore;
  let plain: Database;
  let documents: Documents;
  let discoveries: Discoveries;
  /** Keys of one partition, of many. */
  let keys: Key[];
  let part: string;

  beforeAll(async () => {
    store = await enginesAndSpread.find(({ name }) => name === 'partitioned postgres')!.createStore(clock);
    plain = await store.open();
    await fill();
    [{ part }] = (await plain.query<{ part: string }>(
      "select right(tableoid::regclass::text, 1) as part from entity where key = 'creator:netA:full1'",
    )) as [{ part: string }];
    const found = await plain.query<{ key: Key }>(`select key from entity_${part} order by key limit 3`);
    keys = found.map(({ key }) => key);
    const database = watched(plain, opened);
    documents = createDocuments(database, { cacheBytes: 1, clock });
    discoveries = createDiscoveries(database, { clock });
  });
  afterAll(() => store.close());

  /** Enough rows that no plan reads a whole partition. */
  async function fill(): Promise<void> {
    const names = JSON.stringify(Array.from({ length: rows }, (_, index) => `creator:netA:full${index}`));
    const all = 'from json_each(cast($1 as text))';
    await plain.query(`insert into entity (key, document, fresh_until, started_at) select value, '{}', 0, 0 ${all}`, [
      names,
    ]);
    await plain.query(
      `insert into work (key, state, due_at, turn, retry_at, started_at, attempts, account, organization, deep)
       select value, 'idle', now_ms() + ${minute}, 0, 0, 0, 0, 'acc', 'org', 0 ${all}`,
      [names],
    );
    await plain.query(`insert into deep (key, until) select value, 0 ${all}`, [names]);
    await plain.query(`insert into hit (account, start, n) select value, 0, 0 ${all}`, [names]);
    await plain.exec('analyze');
  }

  async function partitionsOf(run: () => Promise<unknown>): Promise<Opened[]> {
    opened.length = 0;
    await run();
    return opened.filter((each) => !isWholeQueue(each));
  }

  const by = { account: 'acc', organization: 'org', profile: null, deep: true };
  const start = () =>
    discoveries.startOrJoin(
      keys.map((key) => ({ key, waitSeconds: 1 })),
      by,
    );
  const claim = async (): Promise<Claimed> => {
    await start();
    return (await discoveries.claim({ owner: 'n', leaseSeconds: 15, limit: 1, rooms }))[0]!;
  };
  const put = async () => {
    const mine = await claim();
    const options = { startedAt: mine.startedAt, freshUntil: clock() + minute, relatedDiscovery: mine };
    await documents.put({ entity: entityOf(mine.key), document: creatorOf('x') }, options);
    const failure = { reason: 'x', retryable: true, rememberedUntil: 0, startedAt: mine.startedAt };
    await documents.putFailure(mine.key, { ...failure, relatedDiscovery: mine });
    await discoveries.renew([mine], 15);
    await discoveries.retry(mine, clock());
  };

  it.each<[string, () => Promise<unknown>]>([
    ['a read of one', () => documents.load([keys[0]!])],
    ['a read of many', () => documents.load(keys)],
    ['starting', start],
    ['joining, deep', start],
    ['a claim, its document, its failure, its renewal, its retry', put],
    ['deferring', async () => discoveries.defer(await claim(), clock())],
    ['ending', async () => discoveries.done(await claim())],
    ['scheduling', async () => discoveries.done(await claim(), { refreshAt: clock() + minute })],
    ['the deep window', () => documents.setDeep(keys, 60)],
    ['making stale', () => documents.expire(keys[0]!)],
  ])('%s opens the partition of its keys alone', async (_, run) => {
    const statements = await partitionsOf(run);
    expect(statements.length).toBeGreaterThan(0);
    const others = statements.filter(({ partitions }) => [...partitions].some((name) => !name.endsWith(`_${part}`)));
    expect(others).toEqual([]);
  });

  it('the budget opens no partition but those of its accounts', async () => {
    const [{ sql, partitions }] = (await partitionsOf(() =>
      countHits(watched(plain, opened), new Map([['acc', 1]]), minute),
    )) as [Opened];
    expect(sql).toContain('insert into hit');
    expect(partitions.size).toBe(0);
  });

  it('this test would see one that looks everywhere', async () => {
    const [{ partitions }] = (await partitionsOf(() =>
      watched(plain, opened).query("select key from work where account = 'acc'"),
    )) as [Opened];
    expect(partitions.size).toBe(4);
  });

  it('a post keeps its partition whoever its author is', async () => {
    const entity = { kind: 'post', network: 'netA', name: 'C1' } as const;
    const statements = await partitionsOf(() =>
      documents.put({ entity, document: postOf('C1'), analysis }, { startedAt: clock(), freshUntil: clock() + minute }),
    );
    expect(statements.every(({ partitions }) => partitions.size === 0)).toBe(true);
  });
});
