import { unlessAborted, type Time } from './time.ts';

const windowMilliseconds = 60_000;
/** Requests a minute, until the service has told the budget (RAT-01). */
const defaultBudget = 60;

/** One admitted request. Its end has to be reported, by exactly one of the two. */
export interface Admission {
  /** The response came; its headers tell what is left of the budget. */
  answered(headers: Headers): void;
  /** No response came. */
  lost(): void;
}

/** What ends a request early. */
export interface Limits {
  readonly signal?: AbortSignal | undefined;
  /** Instant after which it is not sent, and not sent again. Default: none. */
  readonly notAfter?: number | undefined;
}

/** The request could not be sent in time (`notAfter`). */
export class TooLate extends Error {}

/** Holds requests back so that the budget is never exceeded (RAT-01 to RAT-07). */
export interface Pace {
  /**
   * Resolves as soon as the budget has room for one more request.
   *
   * @throws the signal's reason; `TooLate`, at once, when there is room only after `notAfter`.
   */
  admit(limits: Limits): Promise<Admission>;
  /** The service answered 429: nothing is sent for so many seconds. */
  refused(retryAfterSeconds: number): void;
}

/** A minute of the budget, as far as the client knows it. */
interface Window {
  endsAt: number;
  remaining: number;
  /** Whether an answer has shown that the service has begun to count this window. */
  seen: boolean;
}

/** The budget that `RateLimit-Policy: "default";q=60;w=60` and `RateLimit: "default";r=59;t=42` tell; null for what they leave out. */
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
 * Counts the client's own requests in fixed windows of a minute, and corrects the count by what each answer tells: other
 * clients may spend from the same budget, and the service's window may end later than the client assumes. Until the first
 * answer has told the budget, requests are sent one at a time.
 *
 * @param budgetPerMinute The most that this client may spend, null for no limit of its own. The service's budget holds as well.
 */
export function createPace(time: Time, budgetPerMinute: number | null): Pace {
  const own = budgetPerMinute ?? Number.POSITIVE_INFINITY;
  let limit = Math.min(own, defaultBudget);
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

  /** Milliseconds until one more request may be sent; null: not before the next answer. */
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
    // The service's window began no later than now, as our request is in it: a minute from now it is over in any case.
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
    async admit({ signal, notAfter = Number.POSITIVE_INFINITY }) {
      for (;;) {
        signal?.throwIfAborted();
        const now = time.clock();
        const milliseconds = mustWait(now);
        if (now + (milliseconds ?? 0) > notAfter) throw new TooLate('no room in the budget in time');
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
