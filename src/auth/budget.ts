/**
 * The request budget (RAT): a fixed minute that starts with the principal's first request after the last one ended. Every
 * authenticated request counts, refused ones too (RAT-04), and a batch is one (RAT-05).
 */
import type { Clock, Instant, Principal, Spent } from '../model.ts';
import type { Database } from '../storage/database.ts';
import { countHits } from '../storage/hits.ts';
import { storeUnavailable, takesNoWrite } from '../storage/outage.ts';

export interface Budget {
  /** Counts a request. Throws a Refusal `dependency-unavailable` where the store can't count: neither let in nor refused. */
  spend(principal: Principal): Promise<Spent>;
}

export const windowMilliseconds = 60_000;

interface Window {
  start: Instant;
  count: number;
}

/** One node counts in memory; several nodes count in PostgreSQL, by its clock (RAT-03, RAT-08). */
export const createBudget = (database: Database, clock: Clock): Budget =>
  database.engine === 'sqlite'
    ? createMemoryBudget(clock)
    : createSharedBudget(database, createMemoryBudget(clock), clock);

function spent(perMinute: number, count: number, start: Instant, now: Instant): Spent {
  const seconds = Math.ceil((start + windowMilliseconds - now) / 1_000);
  return {
    allowed: count <= perMinute,
    limit: perMinute,
    remaining: Math.max(0, perMinute - count),
    resetSeconds: Math.min(windowMilliseconds / 1_000, Math.max(1, seconds)),
  };
}

/** Over, or begun in a future that a clock set back has made. */
const isOver = (window: Window, now: Instant): boolean =>
  now >= window.start + windowMilliseconds || now < window.start - windowMilliseconds;

export function createMemoryBudget(clock: Clock): Budget {
  const windows = new Map<string, Window>();
  let sweptAt = clock();

  /** Principals come from the store, so there are never more windows than accounts; those that ended go once a minute. */
  function sweep(now: Instant): void {
    if (Math.abs(now - sweptAt) < windowMilliseconds) return;
    sweptAt = now;
    for (const [account, window] of windows) if (isOver(window, now)) windows.delete(account);
  }

  function count({ account, perMinute }: Principal): Spent {
    const now = clock();
    sweep(now);
    let window = windows.get(account);
    if (!window || isOver(window, now)) {
      window = { start: now, count: 0 };
      windows.set(account, window);
    }
    window.count += 1;
    return spent(perMinute, window.count, window.start, now);
  }

  return { spend: (principal) => Promise.resolve(count(principal)) };
}

const againMilliseconds = 1_000;

interface Waiting {
  readonly principal: Principal;
  readonly resolve: (spent: Spent | Promise<Spent>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One statement for all requests of one turn of the event loop (50 µs a request at the median, exact over processes). A store that only reads
 * can't count, yet tells what is held: each node then counts by itself, and asks it again after a second (F12): a statement that fails costs
 * its connection.
 */
function createSharedBudget(database: Database, own: Budget, clock: Clock): Budget {
  let waiting: Map<string, Waiting[]> | undefined;
  let refusedAt = Number.NEGATIVE_INFINITY;

  async function settle(batch: Map<string, Waiting[]>): Promise<void> {
    const counts = new Map([...batch].map(([account, requests]) => [account, requests.length]));
    try {
      const windows = await countHits(database, counts, windowMilliseconds);
      for (const [account, requests] of batch) answer(requests, windows.get(account));
    } catch (cause) {
      const requests = [...batch.values()].flat();
      if (takesNoWrite(cause)) {
        refusedAt = clock();
        return requests.forEach(({ principal, resolve }) => resolve(own.spend(principal)));
      }
      const refusal = storeUnavailable(cause);
      for (const { reject } of requests) reject(refusal);
    }
  }

  function answer(
    requests: readonly Waiting[],
    window: { start: Instant; count: number; now: Instant } | undefined,
  ): void {
    if (!window) throw new Error('The store did not count a request');
    requests.forEach(({ principal, resolve }, index) => {
      const mine = window.count - requests.length + index + 1;
      resolve(spent(principal.perMinute, mine, window.start, window.now));
    });
  }

  function enlist(one: Waiting): void {
    if (!waiting) {
      const batch = (waiting = new Map<string, Waiting[]>());
      setImmediate(() => {
        waiting = undefined;
        void settle(batch);
      });
    }
    const { account } = one.principal;
    const mine = waiting.get(account);
    if (mine) mine.push(one);
    else waiting.set(account, [one]);
  }

  return {
    spend: (principal) =>
      Math.abs(clock() - refusedAt) < againMilliseconds
        ? own.spend(principal)
        : new Promise((resolve, reject) => enlist({ principal, resolve, reject })),
  };
}
