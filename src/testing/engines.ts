/**
 * Both engines for tests to loop over: `describe.each(engines)("$name", ({ createStore }) => { … })`. Each `createStore()` is an
 * empty, migrated store of its own, on which any number of databases (nodes) can be opened; all of them share the test's clock.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import type { Clock } from '../model.ts';
import type { Database } from '../storage/database.ts';
import { migrate } from '../storage/migrate.ts';
import { openPostgres } from '../storage/postgres.ts';
import { openSqlite } from '../storage/sqlite.ts';

export interface TestStore {
  /** DATABASE_URL or the SQLite file. */
  readonly place: { readonly url: string } | { readonly path: string };
  /** Another node on this store. Closed with it. */
  open(): Promise<Database>;
  close(): Promise<void>;
}

export interface Engine {
  readonly name: 'sqlite' | 'postgres' | 'partitioned postgres';
  /** An empty store with its tables. */
  createStore(clock: Clock): Promise<TestStore>;
}

/** A clock that tests move by hand; starts at a round instant. */
export interface HandClock {
  (): number;
  now: number;
  pass(milliseconds: number): void;
}

export function createClock(start = Date.UTC(2026, 0, 1)): HandClock {
  const clock = Object.assign(() => clock.now, {
    now: start,
    pass: (milliseconds: number) => void (clock.now += milliseconds),
  });
  return clock;
}

async function store(
  place: TestStore['place'],
  openOne: () => Promise<Database>,
  remove: () => Promise<void>,
): Promise<TestStore> {
  const opened: Database[] = [];
  const open = async (): Promise<Database> => {
    const database = await openOne();
    opened.push(database);
    return database;
  };
  await migrate(await open());
  return {
    place,
    open,
    async close() {
      await Promise.all(opened.map((database) => database.close()));
      await remove();
    },
  };
}

const sqlite: Engine = {
  name: 'sqlite',
  async createStore(clock) {
    const folder = await mkdtemp(join(tmpdir(), 'lookup-sqlite-'));
    const path = join(folder, 'lookup.sqlite');
    return store(
      { path },
      () => openSqlite({ path, clock }),
      () => rm(folder, { recursive: true, force: true }),
    );
  },
};

const postgres: Engine = {
  name: 'postgres',
  async createStore(clock) {
    const { url, drop } = await createPostgresDatabase();
    return store({ url }, () => openPostgres({ url, poolSize: 4, clock }), drop);
  },
};

export const engines: readonly Engine[] = [sqlite, postgres];

/** What a very large user runs: the hot tables spread by the column that their statements name. */
export const partitioned = readFileSync(new URL('../storage/partitioned.sql', import.meta.url), 'utf8');

const partitionedPostgres: Engine = {
  name: 'partitioned postgres',
  async createStore(clock) {
    const made = await postgres.createStore(clock);
    const database = await made.open();
    await database.exec(partitioned);
    return made;
  },
};

/** For tests of the hot statements: they run on spread tables too. */
export const enginesAndSpread: readonly Engine[] = [...engines, partitionedPostgres];

/** An empty database of the run's PostgreSQL server. */
export async function createPostgresDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const server = await serverUrl();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onServer(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onServer(server, `drop database if exists ${name} with (force)`) };
}

async function serverUrl(): Promise<string> {
  const answer = await fetch(inject('postgresStarter'));
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text;
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
