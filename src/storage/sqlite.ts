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
  /** Longest wait for another process's write, which blocks this one. */
  readonly busyMilliseconds?: number;
}

const rowLock = /\bfor (?:update|share)(?: of \w+)?(?: skip locked)?/g;

/** The shared text as SQLite reads it: `?1` for `$1`, no row locks (a writer is alone anyway). */
export const sqliteText = (sql: string): string => sql.replace(rowLock, '').replace(/\$(\d+)/g, '?$1');

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
    async query<Row>(sql: string, parameters: readonly Parameter[] = []) {
      return prepared(sql).all(...parameters.map(bound)) as Row[];
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
  await begin(file);
  try {
    const result = await work();
    file.exec('commit');
    return result;
  } catch (error) {
    file.exec('rollback');
    throw error;
  }
}

const beginAttempts = 1_500;
const beginPauseMilliseconds = 20;

/** Waits without blocking: the transaction that is in the way may be another connection's of this very process. */
async function begin(file: DatabaseSync): Promise<void> {
  const { timeout } = file.prepare('pragma busy_timeout').get() as { timeout: number };
  file.exec('pragma busy_timeout = 0');
  try {
    for (let attempt = 1; !tryBegin(file, attempt === beginAttempts); attempt += 1) await pause(beginPauseMilliseconds);
  } finally {
    file.exec(`pragma busy_timeout = ${timeout}`);
  }
}

const sqliteBusy = 5;

function tryBegin(file: DatabaseSync, last: boolean): boolean {
  try {
    file.exec('begin immediate');
    return true;
  } catch (error) {
    if (last || (error as { errcode?: number }).errcode !== sqliteBusy) throw error;
    return false;
  }
}
