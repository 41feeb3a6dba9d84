/** The embedded engine: one file, `node:sqlite`, write-ahead log. Statements run at once; only their answers are promises. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { entityOf, type Clock } from '../model.ts';
import type { Database, Parameter } from './database.ts';

export interface SqliteOptions {
  /** File, created with its folder; `:memory:` is allowed. */
  readonly path: string;
  readonly clock: Clock;
  /** Longest wait for another process's write, during which other requests are still answered (F8). */
  readonly busyMilliseconds?: number;
}

const rowLock = /\bfor (?:update|share)(?: of \w+)?(?: skip locked)?/g;

const textAsHeld = /(\w+\.\w+)::text/g;

/**
 * The shared text as SQLite reads it: `?1` for `$1`, no row locks (a writer is alone anyway), and for `e.document::text` the bytes as they lie in
 * the file: a string made of them only to be encoded again was about a third of what a batch from the store costs.
 */
export const sqliteText = (sql: string): string =>
  sql
    .replace(rowLock, '')
    .replace(textAsHeld, 'cast($1 as blob)')
    .replace(/\$(\d+)/g, '?$1');

/** A JavaScript number would be bound as REAL and turn integer arithmetic into fractions. */
const bound = (value: Parameter): string | number | bigint | null =>
  typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;

export function openSqlite(options: SqliteOptions): Promise<Database> {
  return Promise.resolve().then(() => connect(options));
}

function connect({ path, clock, busyMilliseconds = 5_000 }: SqliteOptions): Database {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
  const file = new DatabaseSync(path);
  file.exec(`pragma busy_timeout = ${busyMilliseconds}; pragma journal_mode = wal; pragma synchronous = normal`);
  // From here on SQLite's own wait, which stops the event loop, gives way to `whenFree`.
  file.exec('pragma busy_timeout = 0');
  file.function('now_ms', () => BigInt(Math.floor(clock())));
  // Readers of this process are told by the code that writes, those of another by `pragma data_version`.
  file.function('notify_document', (_key: unknown) => null);
  file.function('network_of', { deterministic: true }, (key: unknown) => entityOf(String(key)).network);
  const statements = new Map<string, StatementSync>();
  const version = file.prepare('pragma data_version');

  /** Asked once in each turn of the event loop, however many requests come up in it: a look costs 2.4 µs, and each request takes three. */
  let seen: number | null = null;
  function dataVersion(): number {
    if (seen !== null) return seen;
    setImmediate(() => (seen = null));
    return (seen = (version.get() as { data_version: number }).data_version);
  }

  function prepared(sql: string): StatementSync {
    let statement = statements.get(sql);
    if (!statement) {
      statement = file.prepare(sqliteText(sql));
      statements.set(sql, statement);
    }
    return statement;
  }

  /** Transactions of one process wait for one another here: they share the one connection. */
  let last: Promise<unknown> = Promise.resolve();

  const database: Database = {
    engine: 'sqlite',
    query<Row>(sql: string, parameters: readonly Parameter[] = []) {
      return whenFree(busyMilliseconds, () => prepared(sql).all(...parameters.map(bound)) as Row[]);
    },
    async exec(sql) {
      file.exec(sql);
    },
    exclusively(work) {
      const mine = last.then(() => transaction(file, () => work(database)));
      last = mine.catch(() => {});
      return mine;
    },
    onDocumentChange() {},
    dataVersion,
    async close() {
      if (file.isOpen) file.close();
    },
  };
  return database;
}

async function transaction<Result>(file: DatabaseSync, work: () => Promise<Result>): Promise<Result> {
  await whenFree(migratingMilliseconds, () => file.exec('begin immediate'));
  try {
    const result = await work();
    file.exec('commit');
    return result;
  } catch (error) {
    if (file.isTransaction) file.exec('rollback'); // A full disk has ended it already.
    throw error;
  }
}

/** As long as another process may take to bring a large store to this version. */
const migratingMilliseconds = 30_000;
const pauseMilliseconds = 10;
const sqliteBusy = 5;

const isBusy = (error: unknown): boolean => (((error as { errcode?: number }).errcode ?? 0) & 0xff) === sqliteBusy;

/**
 * Runs a statement that another connection's transaction may be in the way of, until it no longer is; so refused, it has changed nothing.
 * The other may be of this very process.
 */
async function whenFree<Result>(milliseconds: number, run: () => Result): Promise<Result> {
  for (let waited = 0; ; waited += pauseMilliseconds) {
    try {
      return run();
    } catch (error) {
      if (waited >= milliseconds || !isBusy(error)) throw error;
    }
    await pause(pauseMilliseconds);
  }
}
