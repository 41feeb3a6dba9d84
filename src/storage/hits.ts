/** The request counts of several nodes, in an unlogged table, as losing a minute's count does no harm. PostgreSQL only. */
import type { Instant } from '../model.ts';
import type { Database } from './database.ts';

export interface HitWindow {
  readonly start: Instant;
  /** Requests of the window, these included. */
  readonly count: number;
  readonly now: Instant;
}

/**
 * A statement that waited for a row's lock is a little older than the row: only a start a whole window ahead means that
 * the clock was set back.
 */
const sql = `
  insert into hit (account, start, n)
  select key, now_ms(), cast(value as bigint) from json_each(cast($1 as text)) where true order by key
  on conflict (account) do update set
    start = case when hit.start + $2 <= excluded.start or hit.start > excluded.start + $2 then excluded.start else hit.start end,
    n = case when hit.start + $2 <= excluded.start or hit.start > excluded.start + $2 then excluded.n else hit.n + excluded.n end
  returning account, start, n, now_ms() as now`;

/** Adds requests to the window of each account in one statement; starts a new window where the last has ended. */
export async function countHits(
  database: Database,
  counts: ReadonlyMap<string, number>,
  windowMilliseconds: number,
): Promise<Map<string, HitWindow>> {
  const list = JSON.stringify(Object.fromEntries(counts));
  const rows = await database.query<{ account: string; start: Instant; n: number; now: Instant }>(sql, [
    list,
    windowMilliseconds,
  ]);
  return new Map(rows.map(({ account, start, n, now }) => [account, { start, count: n, now }]));
}
