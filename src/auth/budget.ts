/**
 * The request budget (RAT): a number of requests in a fixed window of a minute, which begins with the principal's first request after
 * its last window ended. Every authenticated request counts, including refused ones (RAT-04); a batch counts as one (RAT-05).
 */
import type { Clock, Instant, Principal, Spent } from '../model.ts';
import type { Database } from '../storage/database.ts';
import { countHits } from '../storage/hits.ts';
import { storeUnavailable, takesNoWrite } from '../storage/outage.ts';

export interface Budget {
  /**
   * Counts one request and says whether it is within the budget.
   *
   * @throws Refusal `dependency-unavailable` when the store cannot count, so that the request is neither let in nor refused.
   */
  spend(principal: Principal): Promise<Spent>;
}

export const windowMilliseconds = 60_000;

interface Window {
  start: Instant;
  count: number;
}

/** Counts in memory on the embedded store, which only one process uses; on PostgreSQL counts there, for all nodes and by its clock (RAT-03, RAT-08). */
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

/** Whether a window has ended, or lies in the future because the clock was set back by more than its length (F15). */
const isOver = (window: Window, now: Instant): boolean =>
  now >= window.start + windowMilliseconds || now < window.start - windowMilliseconds;

/** Counts in this process alone. */
export function createMemoryBudget(clock: Clock): Budget {
  const windows = new Map<string, Window>();
  let sweptAt = clock();

  /** Forgets the windows that have ended, once a minute. There are never more windows than the store has accounts. */
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

/** After a write was refused the store is not asked again for this long: a statement that fails costs its connection. */
const readOnlyMilliseconds = 1_000;

/** A request that is to be counted by the next statement. */
interface Waiting {
  readonly principal: Principal;
  readonly resolve: (spent: Spent | Promise<Spent>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Counts in PostgreSQL: one statement for all requests of one turn of the event loop (50 µs a request at the median), exact over
 * all nodes. While the store can only be read, held documents are still answered, so each node then counts by itself (F12).
 */
function createSharedBudget(database: Database, fallback: Budget, clock: Clock): Budget {
  let waiting: Map<string, Waiting[]> | undefined;
  let readOnlyAt = Number.NEGATIVE_INFINITY;

  async function settle(batch: Map<string, Waiting[]>): Promise<void> {
    const counts = new Map([...batch].map(([account, requests]) => [account, requests.length]));
    try {
      const windows = await countHits(database, counts, windowMilliseconds);
      for (const [account, requests] of batch) answer(requests, windows.get(account));
    } catch (cause) {
      const requests = [...batch.values()].flat();
      if (takesNoWrite(cause)) {
        readOnlyAt = clock();
        return requests.forEach(({ principal, resolve }) => resolve(fallback.spend(principal)));
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

  function enqueue(one: Waiting): void {
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
      Math.abs(clock() - readOnlyAt) < readOnlyMilliseconds
        ? fallback.spend(principal)
        : new Promise((resolve, reject) => enqueue({ principal, resolve, reject })),
  };
}
