import { isFenced } from './fence.ts';

/** What the queue expects to spend on one discovery: spaces an account's turns, so that another's first goes between. */
const turnMilliseconds = 1_000;
/** An overdue discovery is expected this much after the question. */
export const overdueMilliseconds = 2_000;
/** What waits for a network that this version does not know is left to nodes that do; an upgrade, or its reversal, is through within this. */
const strandedMilliseconds = 3_600_000;

const fence = 'key = $1 and owner = $2 and started_at = $3';

/** Its outcome is there and counts still. */
const isOver = (key: string, deep: string): string => `exists (
       select 1 from entity e where e.key = ${key}
          and ((e.failed_until > now_ms() and e.failed_at <= now_ms()) or (e.fresh_until > now_ms() and ${deep} = 0)))`;
/** One that was queued in the future waits for a time that a clock set back has put off (F15). */
const isDue = '(+due_at <= now_ms() or started_at > now_ms())';

/**
 * Its lease has ended; or it was claimed more than a lease from now, before the clock was set back, and of a dead process would be left for as
 * long (F15). A living one's that is taken so is asked for once more. `lease` is in milliseconds.
 */
const isLost = (lease: string): string => `(+due_at <= now_ms() or started_at > now_ms() + cast(${lease} as bigint))`;

/**
 * What is due of one network, each state by its stretch of one index, which is in the order of the turns: neither the depth of the queue nor
 * another network's costs anything. `+due_at` keeps the planner there: by `due_at` it would sort the whole queue for each claim. The turn of an
 * idle one is when it is due.
 */
const dueOfOne = (network: string, limit: number): string => `
    union all
    select key, network, turn from (select key, network, turn from work
      where network = ${network} and state = 'queued' and ${isDue} order by turn limit ${limit}) q
    union all
    select key, network, turn from (select key, network, turn from work
      where network = ${network} and state = 'idle' and turn <= now_ms() order by turn limit ${limit}) i`;

/**
 * What may be claimed, and when its turn is. `$1` and `$2`: of what dead processes held in that attempt or a later one, so many; `$3`: the
 * networks; `$4`: the lease; then the name of each of these `networks` networks.
 *
 * `limit` is in the text, as PostgreSQL takes a tenth of the rows for one that it does not know, and plans anew each time; so let it have few values.
 *
 * A claim is two statements: this one looks through the table and locks nothing, the next one takes by key. In one, PostgreSQL 18 reads
 * memory that is not its own where the table is partitioned (execution-time pruning in a re-check after a concurrent update); in two seldom
 * still, where many nodes contend for few rows.
 */
export function dueOf(networks: number, limit: number): string {
  const isWanted = 'network in (select value from json_each(cast($3 as text)))';
  const names = Array.from({ length: networks }, (_, index) => `$${5 + index}`);
  return `
    select key, network, due_at as turn from (select key, network, due_at from work
      where state = 'running' and ${isLost('$4')} and attempts < $1 and ${isWanted} order by due_at limit ${limit}) r
    union all
    select key, network, due_at as turn from (select key, network, due_at from work
      where state = 'running' and ${isLost('$4')} and attempts >= $1 and ${isWanted} order by due_at limit $2) d
    ${names.map((name) => dueOfOne(name, limit)).join('')}`;
}

const deepNow =
  'case when deep = 1 or exists (select 1 from deep d where d.key = work.key and d.until > now_ms()) then 1 else 0 end';

/** All that is asked of the table of work, in the SQL that both engines read. */
export const sql = {
  // A discovery may have ended between the read's look and this statement: its outcome is there, so none is started.
  // `$1` is {key: wait in ms}, in order of the keys: statements that lock the same rows in one order never deadlock.
  start: `
    insert into work (key, network, state, due_at, turn, retry_at, started_at, attempts, owner, account, organization, profile, deep)
    select asked.key, network_of(asked.key), 'queued', now_ms(),
           now_ms() + (cast($6 as bigint) + row_number() over (order by asked.key) - 1) * ${turnMilliseconds},
           now_ms() + cast(value as bigint), now_ms(), 0, null,
           cast($2 as text), cast($3 as text), cast($4 as text), cast($5 as bigint)
      from json_each(cast($1 as text)) asked
     where not ${isOver('asked.key', 'cast($5 as bigint)')} and ${isFenced(7, '')}
     order by asked.key
    on conflict (key) do update set
      network = excluded.network, state = excluded.state, due_at = excluded.due_at, turn = excluded.turn, retry_at = excluded.retry_at,
      started_at = excluded.started_at, attempts = excluded.attempts, owner = excluded.owner,
      account = excluded.account, organization = excluded.organization, profile = excluded.profile, deep = excluded.deep
      where work.state = 'idle'
    returning key, attempts, retry_at, started_at`,
  joined: `
    select key, attempts, retry_at, now_ms() as now from work
     where key in (select value from json_each(cast($1 as text))) and state <> 'idle'`,
  // One that is already running is run again, deep, when it ends: see \`again\`.
  deepen: `
    update work set deep = 1 where key in (
      select key from work where key in (select value from json_each(cast($1 as text))) and deep = 0 and state <> 'idle'
       order by key for update)`,
  standing: `
    select state, network, account, count(*) as n from work where state in ('queued', 'running') group by state, network, account`,
  // PostgreSQL looks again at what another node claimed meanwhile: by a later statement, so in this one's future.
  claim: `
    update work set state = 'running', owner = $1, due_at = now_ms() + cast($2 as bigint), started_at = now_ms(),
           retry_at = case when retry_at > now_ms() and started_at <= now_ms() then retry_at else now_ms() + ${overdueMilliseconds} end,
           attempts = case when state = 'idle' then 1 else attempts + 1 end
     where key in (
       select key from work where key in (select value from json_each(cast($4 as text)))
          and case when state = 'running' then ${isLost('$2')} else ${isDue} end
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
  // By the index of what is due, so that what was put off before costs nothing: `coalesce` keeps the planner from the network's. The turns of an
  // account tell its place.
  putOff: `
    update work set due_at = now_ms() + cast($2 as bigint),
           retry_at = now_ms() + cast($2 as bigint) + ${overdueMilliseconds}
             + case when turn > now_ms() then (turn - now_ms()) * cast($3 as bigint) / ${turnMilliseconds} else 0 end
     where key in (
       select key from work where state = 'queued' and due_at <= now_ms() and coalesce(network, '') = $1
        limit $4 for update skip locked)`,
  release: `
    update work set state = 'queued', due_at = now_ms(), turn = now_ms(), owner = null,
           attempts = case when attempts > 0 then attempts - 1 else 0 end
     where key in (select key from work where owner = $1 order by key for update) returning key`,
  // Queued by a node older than the column: no claim finds it, as each looks for the networks it knows.
  nameNetwork: `
    update work set network = network_of(key) where key in (
      select key from work where network is null limit $1 for update skip locked)`,
  // Nobody is told otherwise: who asks for it asks a node that knows the network, which starts it anew.
  dropStranded: `
    delete from work where key in (
      select key from work where state in ('queued', 'running', 'idle') and due_at <= now_ms() - ${strandedMilliseconds}
         and network not in (select value from json_each(cast($1 as text))) limit $2 for update skip locked)
    returning key`,
};
