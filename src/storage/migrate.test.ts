/** Old and new together (F19): a store that is older than this version, and one that is newer. */
import { afterEach, describe, expect, it } from 'vitest';
import { entityOf } from '../model.ts';
import { creatorOf } from '../testing/documents.ts';
import { createClock, createPostgresDatabase } from '../testing/engines.ts';
import type { Database } from './database.ts';
import { createDiscoveries } from './discoveries.ts';
import { createDocuments } from './documents.ts';
import { migrate } from './migrate.ts';
import { migrations, type Migration } from './migrations/index.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

const rooms = new Map([['netA', 10]]);
const key = 'creator:netA:ada';
const clock = createClock();

async function openEmpty(name: string): Promise<{ database: Database; remove: () => Promise<void> }> {
  if (name === 'sqlite') return { database: await openSqlite({ path: ':memory:', clock }), remove: async () => {} };
  const { url, drop } = await createPostgresDatabase();
  return { database: await openPostgres({ url, poolSize: 2, clock }), remove: drop };
}

/** A discovery from its start to the document that a read finds. */
async function goThrough(database: Database): Promise<string> {
  const documents = createDocuments(database, { cacheBytes: 1, clock });
  const discoveries = createDiscoveries(database, { clock });
  const by = { account: 'acc', organization: 'org', profile: null, deep: false };
  await discoveries.startOrJoin([{ key, waitSeconds: 1 }], by);
  const claim = (await discoveries.claim({ owner: 'n', leaseSeconds: 15, limit: 1, rooms }))[0]!;
  const options = { startedAt: claim.startedAt, freshUntil: clock() + 60_000, relatedDiscovery: claim };
  await documents.put({ entity: entityOf(key), document: creatorOf('ada') }, options);
  await discoveries.done(claim);
  return String((await documents.load([key])).get(key)!.document!.full);
}

describe.each(['sqlite', 'postgres'])('versions on %s', (name) => {
  let opened: Awaited<ReturnType<typeof openEmpty>>;
  const open = async (): Promise<Database> => (opened = await openEmpty(name)).database;
  afterEach(async () => {
    await opened.database.close();
    await opened.remove();
  });

  it('F19 a newer version has added a table and a column: this one starts and works beside it', async () => {
    const database = await open();
    const later: Migration = {
      number: 9_999,
      sql: `create table later (id text primary key);
        alter table work add column later text; alter table entity add column later text`,
    };
    await migrate(database, [...migrations, later]);
    await migrate(database);
    expect(await goThrough(database)).toContain('The ada');
    expect((await database.query<{ number: number }>('select number from migration')).length).toBe(
      migrations.length + 1,
    );
  });

  it.each(migrations.slice(0, -1).map(({ number }) => number))(
    'F19 a store of migration %i is brought here with all it holds, and what waits in its queue is done',
    async (number) => {
      const database = await open();
      await migrate(
        database,
        migrations.filter((migration) => migration.number <= number),
      );
      await database.query(
        `insert into work (key, state, due_at, turn, retry_at, started_at, attempts, account, organization, deep)
         values ($1, 'queued', 0, 0, 0, 0, 0, 'acc', 'org', 0)`,
        [key],
      );
      await database.query(
        `insert into entity (key, document, fresh_until, started_at) values ('creator:netA:old', '{}', 0, 0)`,
      );
      await migrate(database);
      const depth = await createDiscoveries(database, { clock }).depth();
      expect(depth.standing).toMatchObject([{ network: 'netA', account: 'acc', n: 1 }]);
      expect(await goThrough(database)).toContain('The ada');
      const documents = createDocuments(database, { cacheBytes: 1, clock });
      expect(await documents.show('creator:netA:old')).not.toBeNull();
    },
  );
});

describe('a connection that breaks while it migrates', () => {
  it('AUT-08 fails what it did, and neither the process nor what comes after it', async () => {
    const { database, remove } = await openEmpty('postgres');
    const broken = database.exclusively((alone) => alone.exec('select pg_terminate_backend(pg_backend_pid())'));
    await expect(broken).rejects.toThrow();
    await migrate(database);
    expect(await goThrough(database)).toContain('The ada');
    await database.close();
    await remove();
  });
});
