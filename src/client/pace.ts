import { unlessAborted, type Time } from './time.ts';

const windowMilliseconds = 60_000;
const usualBudget = 60;

/** One admitted request: what it learns of the budget is told back with `answered` or `lost`. */
export interface Admission {
  answered(headers: Headers): void;
  lost(): void;
}

/** Holds requests back so that a budget is never overrun (RAT-01 to RAT-07). */
export interface Pace {
  /** Resolves when one more request fits in the budget. */
  admit(signal?: AbortSignal): Promise<Admission>;
  /** The service refused a request: nothing is sent for this long. */
  refused(retryAfterSeconds: number): void;
}

interface Window {
  endsAt: number;
  remaining: number;
  /** Whether an answer has told when it ends, or at least that the service has begun to count. */
  seen: boolean;
}

/** The numbers of `RateLimit-Policy: "default";q=60;w=60` and `RateLimit: "default";r=59;t=42`, as far as they are there. */
function readBudget(headers: Headers): { limit: number | null; remaining: number | null; resetSeconds: number | null } {
  const number = (header: string, name: string): number | null => {
    const found = new RegExp(`(?:^|;)\\s*${name}=(\\d+)`).exec(headers.get(header) ?? '');
    return found ? Number(found[1]) : null;
  };
  return {
    limit: number('RateLimit-Policy', 'q'),
    remaining: number('RateLimit', 'r'),
    resetSeconds: number('RateLimit', 't'),
  };
}

/**
 * Counts its own requests in fixed windows and corrects itself by what the service tells: others may spend from the same
 * budget, and the service's window may end later than ours. Until the first answer has told the budget, only one request
 * is under way at a time.
 *
 * `budgetPerMinute` caps what this client spends, for callers that share a principal; the service's own figure still holds.
 */
export function createPace(time: Time, budgetPerMinute: number | null): Pace {
  const own = budgetPerMinute ?? Number.POSITIVE_INFINITY;
  let limit = Math.min(own, usualBudget);
  let known = false;
  let inFlight = 0;
  let window: Window = { endsAt: 0, remaining: 0, seen: false };
  let waiters: (() => void)[] = [];

  const wakeAll = (): void => {
    const woken = waiters;
    waiters = [];
    for (const wake of woken) wake();
  };

  const nextAnswer = (signal: AbortSignal | undefined): Promise<void> =>
    unlessAborted(new Promise((resolve) => waiters.push(resolve)), signal);

  /** Milliseconds until one more may go; null: when an answer has come. */
  const mustWait = (now: number): number | null => {
    if (!known && inFlight > 0) return null;
    if (now >= window.endsAt) window = { endsAt: now + windowMilliseconds, remaining: limit, seen: false };
    return window.remaining > 0 ? 0 : window.endsAt - now;
  };

  const learn = (headers: Headers, spentIn: Window): void => {
    const told = readBudget(headers);
    if (told.limit !== null) limit = Math.min(own, Math.max(told.limit, 1));
    if (window !== spentIn) return;
    if (!known && told.remaining !== null) window.remaining = Math.min(told.remaining, limit - 1);
    if (told.remaining !== null) window.remaining = Math.max(0, Math.min(window.remaining, told.remaining - inFlight));
    // The service's window began when our request arrived there, which is not later than now: a minute from here it is surely over.
    if (told.resetSeconds !== null)
      window.endsAt = time.clock() + Math.min(told.resetSeconds * 1000, windowMilliseconds);
    else if (!window.seen) window.endsAt = time.clock() + windowMilliseconds;
    window.seen = true;
  };

  const admission = (spentIn: Window): Admission => ({
    answered: (headers) => {
      inFlight -= 1;
      learn(headers, spentIn);
      known = true;
      wakeAll();
    },
    lost: () => {
      inFlight -= 1;
      wakeAll();
    },
  });

  return {
    async admit(signal) {
      for (;;) {
        signal?.throwIfAborted();
        const milliseconds = mustWait(time.clock());
        if (milliseconds === 0) break;
        if (milliseconds === null) await nextAnswer(signal);
        else await time.sleep(milliseconds, signal);
      }
      inFlight += 1;
      window.remaining -= 1;
      return admission(window);
    },
    refused(retryAfterSeconds) {
      window = { endsAt: time.clock() + retryAfterSeconds * 1000, remaining: 0, seen: true };
    },
  };
}
