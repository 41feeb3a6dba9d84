import type { Spent } from '../model.ts';
import { Refusal } from '../model.ts';

/** @throws Refusal rate-limited, with the remainder of the window to wait (RAT-02). */
export function refuseOverBudget({ allowed, limit, resetSeconds }: Spent): void {
  if (allowed) return;
  const message = `The budget of requests, ${limit} a minute, is spent; ask again in ${resetSeconds} s.`;
  throw new Refusal('rate-limited', message, { 'Retry-After': String(resetSeconds) });
}

export const policyOf = ({ limit }: Spent): string => `"default";q=${limit};w=60`;

/** RAT-07: `t` would mislead where the same response says to come again earlier. */
export function limitOf({ remaining, resetSeconds }: Spent, retryAfter: unknown): string {
  const earlier = retryAfter !== undefined && Number(retryAfter) < resetSeconds;
  return earlier ? `"default";r=${remaining}` : `"default";r=${remaining};t=${resetSeconds}`;
}
