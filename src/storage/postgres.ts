/** The engine of several nodes: PostgreSQL 15 or later through `pg`. Its clock is everybody's clock (RAT-03). */
import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Clock, Key } from '../model.ts';
import type { Database, Parameter, Runner } from './database.ts';

export interface PostgresOptions {
  readonly url: string;
  /** Connections beside the one that listens. */
  readonly poolSize: number;
  /** Tests only: `now_ms()` answers this clock. Everybody on one database then shares it. */
  readonly clock?: Clock;
  /** Longest wait for a connection, and for an answer. */
  readonly connectMilliseconds?: number;
  readonly queryMilliseconds?: number;
}

/** `select pg_notify` of this channel carries a document's key. */
export const documentChannel = 'lookup_document';
const migrationLock = 7_140_921;
const reconnectMilliseconds = 500;

const integer8 = 20;
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    return oid === integer8 ? Number : pg.types.getTypeParser(oid, format);
  },
};

export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { url, poolSize, clock, connectMilliseconds = 3_000, queryMilliseconds = 10_000 } = options;
  const connection = {
    connectionString: url,
    types,
    connectionTimeoutMillis: connectMilliseconds,
    keepAlive: true,
    application_name: 'lookup',
  };
  const pool = new pg.Pool({ ...connection, max: poolSize, query_timeout: queryMilliseconds });
  pool.on('error', () => {}); // An idle connection died; the next query opens another or says why not.
  const moveClock = clock ? await testClock(pool, clock) : undefined;
  const listener = listen(() => new pg.Client(connection));

  return {
    engine: 'postgres',
    async query<Row>(sql: string, parameters: readonly Parameter[] = []) {
      await moveClock?.();
      return run<Row>(pool, sql, parameters);
    },
    async exec(sql) {
      await pool.query(sql);
    },
    exclusively: (work) => exclusively(pool, work),
    onDocumentChange: listener.add,
    dataVersion: listener.version,
    async close() {
      await listener.close();
      if (!pool.ending) await pool.end();
    },
  };
}

async function run<Row>(to: pg.Pool | pg.ClientBase, sql: string, parameters: readonly Parameter[]): Promise<Row[]> {
  const answer = await to.query({ name: statementName(sql), text: sql, values: [...parameters] });
  return answer.rows as Row[];
}

const names = new Map<string, string>();

/** PostgreSQL plans a statement once per connection and name; a hash, since a name holds 63 bytes. */
function statementName(sql: string): string {
  let name = names.get(sql);
  if (!name) {
    name = createHash('sha256').update(sql).digest('hex').slice(0, 24);
    names.set(sql, name);
  }
  return name;
}

async function exclusively<Result>(pool: pg.Pool, work: (alone: Runner) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  let lost: Error | undefined;
  // A connection that breaks rejects its statement and says so a second time; unheard, that would end the process.
  const onLost = (error: Error): void => void (lost = error);
  client.on('error', onLost);
  const alone: Runner = {
    query: (sql, parameters = []) => run(client, sql, parameters),
    exec: async (sql) => void (await client.query(sql)),
  };
  try {
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(${migrationLock})`);
    const result = await work(alone);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    client.off('error', onLost);
    client.release(lost);
  }
}

/**
 * Keeps one connection on the channel. When it is lost, and again when a new one stands, listeners are told null:
 * what was notified in between went unheard.
 */
function listen(newClient: () => pg.Client) {
  const listeners: ((key: Key | null) => void)[] = [];
  const tell = (key: Key | null): void => listeners.forEach((hear) => hear(key));
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let listening = false;
  let closed = false;
  let unheard = 0;

  function lost(which: pg.Client): void {
    if (client !== which) return;
    client = undefined;
    listening = false;
    void which.end().catch(() => {});
    tell(null);
    if (!closed) retry = setTimeout(() => void open(), reconnectMilliseconds).unref();
  }

  async function open(): Promise<void> {
    const mine = newClient();
    client = mine;
    mine.on('error', () => lost(mine));
    mine.on('end', () => lost(mine));
    mine.on('notification', ({ payload }) => tell(payload ?? null));
    try {
      await mine.connect();
      await mine.query(`listen ${documentChannel}`);
      listening = client === mine;
      tell(null);
    } catch {
      lost(mine);
    }
  }

  void open();
  return {
    add: (hear: (key: Key | null) => void) => void listeners.push(hear),
    version: () => (listening ? 0 : ++unheard),
    async close() {
      closed = true;
      clearTimeout(retry);
      const last = client;
      client = undefined;
      await last?.end().catch(() => {});
    },
  };
}

/** Puts the clock of a test behind `now_ms()`: a row that is written whenever the clock has moved. */
async function testClock(pool: pg.Pool, clock: Clock): Promise<() => Promise<void>> {
  await exclusively(pool, (alone) =>
    alone.exec(`
      create table if not exists test_clock (now bigint);
      create or replace function now_ms() returns bigint language sql stable as 'select now from test_clock';
      delete from test_clock;
      insert into test_clock values (${Math.floor(clock())})`),
  );
  let shown = Number.NaN;
  return async () => {
    const now = Math.floor(clock());
    if (now === shown) return;
    shown = now;
    await pool.query('update test_clock set now = $1', [now]);
  };
}
