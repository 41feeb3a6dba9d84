/** Stores of any size on both engines, filled by SQL: what a worker would take days for. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { stopAtExit, temporaryFolder } from '../ending.ts';
import { createSandbox } from '../../src/discovery/sources/sandbox.ts';
import { networks } from '../../src/networks/index.ts';
import type { Database } from '../../src/storage/database.ts';
import { createDocuments } from '../../src/storage/documents.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { openPostgres } from '../../src/storage/postgres.ts';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { startEmbeddedPostgres, type EmbeddedServer } from '../../src/testing/embedded-postgres.ts';

export type EngineName = 'SQLite' | 'PostgreSQL';

/** One store with its tables, of its own. */
export interface Store {
  readonly engine: EngineName;
  /** Settings that make the service use it. */
  readonly env: Readonly<Record<string, string>>;
  /** From this process. */
  readonly database: Database;
}

export interface Stores {
  readonly postgres: EmbeddedServer;
  create(engine: EngineName): Promise<Store>;
  /** Closes and removes all of them. */
  close(): Promise<void>;
}

/** Filling a million rows takes longer than any query of the service may. */
const queryMilliseconds = 600_000;
const poolSize = 16;

export async function openStores(): Promise<Stores> {
  const folder = temporaryFolder('bench-stores-');
  const postgres = stopAtExit(await startEmbeddedPostgres());
  const opened: Database[] = [];

  async function sqliteStore(): Promise<Store> {
    const own = join(folder, randomBytes(4).toString('hex'));
    mkdirSync(own);
    const database = await openSqlite({ path: join(own, 'lookup.sqlite'), clock: Date.now });
    return { engine: 'SQLite', env: { DATA_DIR: own }, database };
  }

  async function postgresStore(): Promise<Store> {
    const name = `bench_${randomBytes(4).toString('hex')}`;
    const client = new pg.Client(postgres.url);
    await client.connect();
    await client.query(`create database ${name}`);
    await client.end();
    const url = new URL(`/${name}`, postgres.url).href;
    const database = await openPostgres({ url, poolSize, queryMilliseconds });
    return { engine: 'PostgreSQL', env: { DATABASE_URL: url }, database };
  }

  return {
    postgres,
    async create(engine) {
      const store = await (engine === 'SQLite' ? sqliteStore() : postgresStore());
      opened.push(store.database);
      await migrate(store.database);
      return store;
    },
    async close() {
      await Promise.all(opened.map((database) => database.close()));
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const template = 'silentbench';
export const creatorName = (index: number): string => `silent${index}`;
const rowsAStatement = 20_000;

/** Holds so many creators, copies of one sandbox creator without posts, each under its own name: 1.2 KB of document. */
export async function fillCreators({ database, engine }: Store, count: number): Promise<void> {
  const clock = Date.now;
  const [network] = networks;
  const source = createSandbox(network!, { clock, ordinaryMilliseconds: 0 });
  const entity = { kind: 'creator', network: network!.name, name: template } as const;
  const obtained = await source.obtain(entity, { deep: false, signal: new AbortController().signal });
  if (obtained.is !== 'creator') throw new Error('the sandbox has no template');
  const times = { startedAt: clock(), freshUntil: clock() + 86_400_000 };
  await createDocuments(database, { cacheBytes: 0, clock }).put({ entity, ...obtained }, times);
  const copy = `
    with recursive n(i) as (select cast($1 as bigint) union all select i + 1 from n where i < cast($2 as bigint))
    insert into entity (key, document, posts, fresh_until, started_at, fetched_at)
    select replace(e.key, '${template}', 'silent' || i), replace(e.document, '${template}', 'silent' || i), e.posts,
           e.fresh_until, e.started_at, e.fetched_at
      from n, entity e where e.key = 'creator:${network!.name}:${template}'`;
  if (engine === 'SQLite') await database.exec('begin');
  for (let from = 0; from < count; from += rowsAStatement)
    await database.query(copy, [from, Math.min(count, from + rowsAStatement) - 1]);
  await database.exec(engine === 'SQLite' ? 'commit; analyze' : 'vacuum analyze entity');
}

/** Queues so many discoveries of a hundred accounts, all due. */
export async function fillQueue({ database, engine }: Store, from: number, count: number): Promise<void> {
  const queue = `
    with recursive n(i) as (select cast($1 as bigint) union all select i + 1 from n where i < cast($2 as bigint))
    insert into work (key, network, state, due_at, turn, retry_at, started_at, attempts, owner, account, organization, profile, deep)
    select 'creator:netA:queued' || i, 'netA', 'queued', now_ms(), now_ms() + i, now_ms() + 60000, now_ms(), 0, null,
           'acc_' || (i % 100), 'org', null, 0 from n`;
  if (count > from) await database.query(queue, [from, count - 1]);
  await database.exec(engine === 'SQLite' ? 'analyze' : 'vacuum analyze work');
}
