/** How many calls may be made to a network: a token bucket whose rate drops when the network asks to slow down. */
export interface Pace {
  /** Milliseconds until the next call may go; 0: now. */
  waitMilliseconds(): number;
  /** The part of that wait that the network itself asked for. */
  blockedMilliseconds(): number;
  /** How many calls may go now. */
  ready(): number;
  take(): void;
  /** The network asked to wait (F9): no calls until then, and half the rate afterwards. */
  throttled(retryAfterSeconds: number): void;
  perSecond(): number;
}

/** Share of the full rate that comes back for each minute without a complaint. */
const recoveryPerMinute = 0.05;
const longestWaitSeconds = 3_600;

/** @param timer Milliseconds of a monotonic clock. */
export function createPace(
  timer: () => number,
  options: { readonly callsPerMinute: number; readonly callsBurst: number },
): Pace {
  const full = options.callsPerMinute / 60_000;
  let tokens = options.callsBurst;
  let filledAt = timer();
  let slowed = full;
  let slowedAt = filledAt;
  let blockedUntil = Number.NEGATIVE_INFINITY;

  const rate = (now: number): number => Math.min(full, slowed + full * recoveryPerMinute * ((now - slowedAt) / 60_000));

  function fill(now: number): void {
    const from = Math.max(filledAt, Math.min(blockedUntil, now));
    tokens = Math.min(options.callsBurst, tokens + Math.max(0, now - from) * rate(now));
    filledAt = now;
  }

  const blockedMilliseconds = (): number => Math.ceil(Math.max(0, blockedUntil - timer()));

  function waitMilliseconds(): number {
    const now = timer();
    fill(now);
    return Math.ceil(blockedMilliseconds() + (tokens >= 1 ? 0 : (1 - tokens) / rate(now)));
  }

  return {
    waitMilliseconds,
    blockedMilliseconds,
    ready: () => (waitMilliseconds() === 0 ? Math.floor(tokens) : 0),
    take() {
      fill(timer());
      tokens -= 1;
    },
    throttled(retryAfterSeconds) {
      const now = timer();
      const until = now + Math.min(longestWaitSeconds, Math.max(1, retryAfterSeconds)) * 1_000;
      // Only the first 429 halves the rate: those of calls already in flight say nothing new.
      if (now >= blockedUntil) {
        slowed = Math.max(full / 64, rate(now) / 2);
        slowedAt = now;
        tokens = 0;
      }
      blockedUntil = Math.max(blockedUntil, until);
    },
    perSecond: () => rate(timer()) * 1_000,
  };
}
