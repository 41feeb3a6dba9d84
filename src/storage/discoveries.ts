/**
 * The work of discovery, a row an entity: `queued` (may be claimed once due), `running` (claimed; `due_at` ends the lease)
 * or `idle` (a refresh scheduled for `due_at`). The key is the primary key, so that a read starts or joins (STA-01).
 */
import type { Clock, Instant, Key } from '../model.ts';
import type { Database } from './database.ts';

export interface Claimed {
  readonly key: Key;
  readonly attempt: number;
  /** When this attempt was claimed, by the store's clock; fences every write of it. */
  readonly startedAt: Instant;
  /** How far the clock of this process is ahead of the store's. */
  readonly aheadMilliseconds: number;
  readonly account: string;
  readonly organization: string;
  readonly profile: string | null;
  readonly deep: boolean;
  readonly owner: string;
}

export interface Started {
  /** False: joined; or, with `attempt` 0, the queue has no room or one has only just ended. */
  readonly started: boolean;
  /** By the clock of this process. */
  readonly retryAt: Instant;
  readonly attempt: number;
}

export interface StartOptions {
  /** Process that runs them at once; null: queued for whoever claims first. */
  readonly owner: string | null;
  readonly leaseSeconds: number;
  readonly account: string;
  readonly organization: string;
  readonly profile: string | null;
  readonly deep: boolean;
}

export interface ClaimOptions {
  readonly owner: string;
  readonly leaseSeconds: number;
  readonly limit: number;
  /** Of those that were held by a dead process in this attempt or a later one, how many: one of them may have killed it (F16). */
  readonly suspects?: { readonly fromAttempt: number; readonly limit: number };
}

export interface Discoveries {
  startOrJoin(
    requests: readonly { readonly key: Key; readonly waitSeconds: number }[],
    options: StartOptions,
  ): Promise<Map<Key, Started>>;
  /**
   * What is due: queued work, retries, refreshes and what dead processes held; fair between accounts. What is over by now is ended, not handed
   * out: a process died between its document and the end of its discovery, or a read that had looked before put it back after.
   */
  claim(options: ClaimOptions): Promise<Claimed[]>;
  /** Extends leases; answers the keys that are still ours. */
  renew(claims: readonly Claimed[], leaseSeconds: number): Promise<Set<Key>>;
  /** Ends a discovery; false: it was no longer this claim's. */
  done(claim: Claimed, next?: { readonly refreshAt: Instant | null }): Promise<boolean>;
  /** Puts it back until then. */
  retry(claim: Claimed, at: Instant): Promise<boolean>;
  /** Puts back until then what was never tried, since its network is paced: the attempt does not count. */
  defer(claim: Claimed, at: Instant): Promise<boolean>;
  /** Gives back all that a process holds, uncounted, when it shuts down. */
  release(owner: string): Promise<number>;
  depth(): Promise<Depth>;
}

export interface Depth {
  readonly queued: number;
  readonly running: number;
  /** The queued, by network and account. */
  readonly standing: readonly Standing[];
}

export interface Standing {
  /** Null: queued by an older version's node. */
  readonly network: string | null;
  readonly account: string;
  readonly n: number;
}

export interface DiscoveriesOptions {
  readonly clock: Clock;
  /** Bound of the whole queue, exact within a second's starts. */
  readonly queueLimit?: number;
  /** Bound of one account's part of it, as exact. */
  readonly queueLimitPerAccount?: number;
}

interface StandingRow extends Standing {
  readonly state: 'queued' | 'running';
}

interface ClaimedRow extends WorkRow {
  turn: number;
  is_over: number;
}

interface WorkRow {
  key: Key;
  attempts: number;
  retry_at: Instant;
  started_at: Instant;
  account: string;
  organization: string;
  profile: string | null;
  deep: number;
}

/** What the queue expects to spend on one discovery: spaces an account's turns, so that another's first goes between. */
const turnMilliseconds = 1_000;
const overdueMilliseconds = 2_000;
const fullMilliseconds = 5_000;
const overMilliseconds = 1_000;
const depthAgeMilliseconds = 1_000;

const noSuspects = { fromAttempt: 1_000_000, limit: 0 };

const fence = 'key = $1 and owner = $2 and started_at = $3';

/** Its outcome is there and counts still. */
const isOver = (key: string, deep: string): string => `exists (
       select 1 from entity e where e.key = ${key}
          and (e.failed_until > now_ms() or (e.fresh_until > now_ms() and ${deep} = 0)))`;
const deepNow =
  'case when deep = 1 or exists (select 1 from deep d where d.key = work.key and d.until > now_ms()) then 1 else 0 end';

const sql = {
  // A discovery may have ended between the read's look and this statement: its outcome is there, so none is started.
  // `$1` is {key: wait in ms}, in order of the keys: statements that lock the same rows in one order never deadlock.
  start: `
    insert into work (key, network, state, due_at, turn, retry_at, started_at, attempts, owner, account, organization, profile, deep)
    select asked.key, network_of(asked.key),
           case when cast($2 as text) is null then 'queued' else 'running' end,
           case when cast($2 as text) is null then now_ms() else now_ms() + cast($3 as bigint) end,
           now_ms() + (cast($8 as bigint) + row_number() over (order by asked.key) - 1) * ${turnMilliseconds},
           now_ms() + cast(value as bigint), now_ms(),
           case when cast($2 as text) is null then 0 else 1 end,
           $2, cast($4 as text), cast($5 as text), cast($6 as text), cast($7 as bigint)
      from json_each(cast($1 as text)) asked
     where not ${isOver('asked.key', 'cast($7 as bigint)')}
     order by asked.key
    on conflict (key) do update set
      state = excluded.state, due_at = excluded.due_at, turn = excluded.turn, retry_at = excluded.retry_at,
      started_at = excluded.started_at, attempts = excluded.attempts, owner = excluded.owner,
      account = excluded.account, organization = excluded.organization, profile = excluded.profile, deep = excluded.deep
      where work.state = 'idle'
    returning key, attempts, retry_at, started_at`,
  joined: `
    select key, attempts, retry_at, now_ms() as now from work
     where key in (select value from json_each(cast($1 as text)))`,
  // One that is already running is run again, deep, when it ends: see \`again\`.
  deepen: `
    update work set deep = 1 where key in (
      select key from work where key in (select value from json_each(cast($1 as text))) and deep = 0 and state <> 'idle'
       order by key for update)`,
  standing: `
    select state, network, account, count(*) as n from work where state in ('queued', 'running') group by state, network, account`,
  // A claim is two statements: this one looks through the whole table and locks nothing, the next one takes by key. In one, PostgreSQL 18 reads
  // memory that is not its own where the table is partitioned (execution-time pruning in a re-check after a concurrent update).
  // `+due_at` keeps the planner on the index of the turns, and of the keys: by `due_at` it would sort the whole queue for each claim.
  due: `
    select key from (select key from work where state = 'queued' and +due_at <= now_ms() order by turn limit $1) q
    union all
    select key from (select key from work where state = 'running' and due_at <= now_ms() and attempts < $2 order by due_at limit $1) r
    union all
    select key from (select key from work where state = 'running' and due_at <= now_ms() and attempts >= $2 order by due_at limit $3) d
    union all
    select key from (select key from work where state = 'idle' and due_at <= now_ms() order by due_at limit $1) i`,
  claim: `
    update work set state = 'running', owner = $1, due_at = now_ms() + cast($2 as bigint), started_at = now_ms(),
           retry_at = case when retry_at > now_ms() then retry_at else now_ms() + ${overdueMilliseconds} end,
           attempts = case when state = 'idle' then 1 else attempts + 1 end
     where key in (
       select key from work where key in (select value from json_each(cast($4 as text))) and +due_at <= now_ms()
        order by case when state = 'queued' then turn else due_at end limit $3 for update skip locked)
    returning key, turn, attempts, started_at, account, organization, profile,
      ${deepNow} as deep, case when ${isOver('work.key', deepNow)} then 1 else 0 end as is_over`,
  renew: `
    update work set due_at = now_ms() + cast($2 as bigint) where key in (
      select w.key from json_each(cast($1 as text)) c join work w on w.key = c.key
       where coalesce(w.owner, '') = $3 and w.started_at = cast(c.value as bigint) order by w.key for update of w)
    returning key`,
  end: `delete from work where ${fence} and deep <= $4 returning key`,
  schedule: `
    update work set state = 'idle', due_at = $5, turn = $5, retry_at = $5, attempts = 0, owner = null, deep = 0
     where ${fence} and deep <= $4 returning key`,
  again: `
    update work set state = 'queued', due_at = now_ms(), turn = now_ms(), retry_at = now_ms() + ${overdueMilliseconds},
           attempts = 0, owner = null
     where ${fence} returning key`,
  retry: `
    update work set state = 'queued', due_at = $4, turn = $4, retry_at = cast($4 as bigint) + ${overdueMilliseconds}, owner = null
     where ${fence} returning key`,
  // The turn stays: or what was put back early would go before another account's first (F17).
  defer: `
    update work set state = 'queued', due_at = $4, retry_at = cast($4 as bigint) + ${overdueMilliseconds}, owner = null,
           attempts = case when attempts > 0 then attempts - 1 else 0 end
     where ${fence} returning key`,
  release: `
    update work set state = 'queued', due_at = now_ms(), turn = now_ms(), owner = null,
           attempts = case when attempts > 0 then attempts - 1 else 0 end
     where key in (select key from work where owner = $1 order by key for update) returning key`,
};

export function createDiscoveries(database: Database, options: DiscoveriesOptions): Discoveries {
  const { clock, queueLimit = 20_000, queueLimitPerAccount = 5_000 } = options;
  /** Of this process alone: one count of the queue a second at most, and what it started since. */
  let known: { at: Instant; queued: number; of: Map<string, number> } = {
    at: Number.NEGATIVE_INFINITY,
    queued: 0,
    of: new Map(),
  };
  /** What is being started now, by account: a count made meanwhile may or may not have seen it. */
  const starting = new Map<string, number>();

  async function depth(): Promise<Depth> {
    const rows = await database.query<StandingRow>(sql.standing);
    const total = (wanted: (row: StandingRow) => boolean): number =>
      rows.reduce((sum, row) => sum + (wanted(row) ? row.n : 0), 0);
    const standing = rows.filter(({ state }) => state === 'queued');
    const of = new Map<string, number>();
    for (const { account, n } of standing) of.set(account, (of.get(account) ?? 0) + n);
    const queued = total(({ state }) => state === 'queued');
    known = { at: clock(), queued, of };
    return { queued, running: total(({ state }) => state === 'running'), standing };
  }

  /** Those that ask together count once. */
  let counting: Promise<unknown> | null = null;
  const count = (): Promise<unknown> => (counting ??= depth().finally(() => (counting = null)));

  /** How many more the queue takes of this account, and how many of its own stand there already. */
  function room(account: string): { free: number; pending: number } {
    const pending = (known.of.get(account) ?? 0) + (starting.get(account) ?? 0);
    const all = [...starting.values()].reduce((sum, n) => sum + n, known.queued);
    return { free: Math.max(0, Math.min(queueLimit - all, queueLimitPerAccount - pending)), pending };
  }

  function isStarting(account: string, change: number): void {
    const now = (starting.get(account) ?? 0) + change;
    if (now === 0) starting.delete(account);
    else starting.set(account, now);
  }

  function isQueued(account: string, count: number): void {
    known.queued += count;
    known.of.set(account, (known.of.get(account) ?? 0) + count);
  }

  async function start(waits: Map<Key, number>, keys: readonly Key[], pending: number, by: StartOptions) {
    if (keys.length === 0) return [];
    const list = Object.fromEntries(keys.map((key) => [key, Math.ceil((waits.get(key) ?? 1) * 1_000)]));
    const { owner, leaseSeconds, account, organization, profile, deep } = by;
    const values = [
      JSON.stringify(list),
      owner,
      leaseSeconds * 1_000,
      account,
      organization,
      profile,
      deep ? 1 : 0,
      pending,
    ];
    if (owner !== null) return database.query<WorkRow>(sql.start, values);
    // Counted before: what this account asks for meanwhile goes behind it (F17).
    isStarting(account, keys.length);
    const rows = await database.query<WorkRow>(sql.start, values).finally(() => isStarting(account, -keys.length));
    isQueued(account, rows.length);
    return rows;
  }

  async function join(keys: readonly Key[], deep: boolean, told: Map<Key, Started>): Promise<void> {
    if (keys.length === 0) return;
    const list = JSON.stringify(keys);
    if (deep) await database.query(sql.deepen, [list]);
    const rows = await database.query<WorkRow & { now: Instant }>(sql.joined, [list]);
    for (const { key, attempts, retry_at, now } of rows) {
      told.set(key, {
        started: false,
        retryAt: clock() + (retry_at > now ? retry_at - now : overdueMilliseconds),
        attempt: attempts,
      });
    }
  }

  async function end(
    claim: Claimed,
    next: { readonly refreshAt: Instant | null } = { refreshAt: null },
  ): Promise<boolean> {
    const ours = [claim.key, claim.owner, claim.startedAt];
    const deep = claim.deep ? 1 : 0;
    const rows =
      next.refreshAt === null
        ? await database.query(sql.end, [...ours, deep])
        : await database.query(sql.schedule, [...ours, deep, next.refreshAt]);
    if (rows.length > 0) return true;
    return (await database.query(sql.again, ours)).length > 0;
  }

  /** No room, or just over: nothing is started. The caller is told to come back, and the read that does finds out. */
  const notStarted = (wait: number): Started => ({ started: false, retryAt: clock() + wait, attempt: 0 });

  return {
    async startOrJoin(requests, by) {
      const told = new Map<Key, Started>();
      const waits = new Map(requests.map(({ key, waitSeconds }) => [key, waitSeconds]));
      const keys = [...waits.keys()].sort();
      if (keys.length === 0) return told;
      if (Math.abs(clock() - known.at) > depthAgeMilliseconds) await count();
      const { free, pending } = room(by.account);
      for (const row of await start(waits, keys.slice(0, free), pending, by)) {
        told.set(row.key, { started: true, retryAt: clock() + row.retry_at - row.started_at, attempt: row.attempts });
      }
      await join(
        keys.filter((key) => !told.has(key)),
        by.deep,
        told,
      );
      const full = new Set(keys.slice(free));
      for (const key of keys) {
        if (!told.has(key))
          told.set(
            key,
            notStarted(full.has(key) ? (waits.get(key) ?? 1) * 1_000 + fullMilliseconds : overMilliseconds),
          );
      }
      return told;
    },

    async claim({ owner, leaseSeconds, limit, suspects = noSuspects }) {
      if (limit < 1) return [];
      const due = await database.query<{ key: Key }>(sql.due, [limit * 4, suspects.fromAttempt, suspects.limit]);
      if (due.length === 0) return [];
      const keys = JSON.stringify(due.map(({ key }) => key));
      const taken = await database.query<ClaimedRow>(sql.claim, [owner, leaseSeconds * 1_000, limit, keys]);
      // In the order of their turns: the first of them get what the pace of their network leaves (F17).
      const rows = taken.toSorted((left, right) => left.turn - right.turn);
      const claims = rows.map((row) => claimed(row, owner, clock() - row.started_at));
      const isOver = (_: Claimed, index: number): boolean => rows[index]?.is_over === 1;
      await Promise.all(claims.filter(isOver).map((claim) => end(claim)));
      return claims.filter((claim, index) => !isOver(claim, index));
    },

    async renew(claims, leaseSeconds) {
      if (claims.length === 0) return new Set();
      const list = JSON.stringify(Object.fromEntries(claims.map(({ key, startedAt }) => [key, startedAt])));
      const rows = await database.query<{ key: Key }>(sql.renew, [list, leaseSeconds * 1_000, claims[0]!.owner]);
      return new Set(rows.map(({ key }) => key));
    },

    done: end,

    async retry({ key, owner, startedAt }, at) {
      return (await database.query(sql.retry, [key, owner, startedAt, at])).length > 0;
    },

    async defer({ key, owner, startedAt }, at) {
      return (await database.query(sql.defer, [key, owner, startedAt, at])).length > 0;
    },

    async release(owner) {
      return (await database.query(sql.release, [owner])).length;
    },

    depth,
  };
}

const claimed = (row: WorkRow, owner: string, aheadMilliseconds: number): Claimed => ({
  key: row.key,
  attempt: row.attempts,
  startedAt: row.started_at,
  aheadMilliseconds,
  account: row.account,
  organization: row.organization,
  profile: row.profile,
  deep: row.deep === 1,
  owner,
});
