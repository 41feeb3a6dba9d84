import { entityOf, type Obtained } from '../model.ts';
import { attempt, realTimers } from './attempt.ts';
import type { Lane } from './lane.ts';
import { ClaimEnded } from './leases.ts';
import { createOutcomes, messageOf } from './outcome.ts';
import type { Claim, WorkerParts } from './ports.ts';
import { EntityFailed, SourceThrottled } from './source.ts';

/**
 * One attempt at a claimed discovery: asks the network, then ends the discovery with the answer or puts it back for another attempt. Rejects
 * only when the store fails. `signal` aborts the attempt and leaves the discovery to whoever holds it next.
 */
export type Discover = (claim: Claim, lane: Lane, signal: AbortSignal) => Promise<void>;

class CircuitOpen extends Error {}

export function createDiscover(parts: WorkerParts): Discover {
  const { discoveries, clock, timer = clock, random, limits, log, timers = realTimers } = parts;
  const outcomes = createOutcomes(parts);

  async function ask({ source, circuit }: Lane, claim: Claim, signal: AbortSignal): Promise<Obtained> {
    if (!circuit.admits()) throw new CircuitOpen('the circuit is open');
    const deadlineMilliseconds = limits.attemptSeconds * 1_000;
    const options = { deep: claim.deep, deadlineMilliseconds, timers, signal };
    const obtained = await attempt(source, entityOf(claim.key), options);
    circuit.succeeded();
    return obtained;
  }

  async function failed(claim: Claim, lane: Lane, error: unknown, tookMilliseconds: number): Promise<void> {
    judge(lane, claim, error);
    if (error instanceof ClaimEnded) return;
    const now = claim.startedAt + Math.ceil(Math.max(0, tookMilliseconds));
    if (error instanceof SourceThrottled) {
      await discoveries.defer(claim, now + lane.pace.waitMilliseconds());
      return;
    }
    const { key, attempt: count } = claim;
    log.warn({ key, attempt: count, error: messageOf(error) }, 'an attempt failed');
    if (count >= limits.attempts) return outcomes.giveUp(claim);
    await discoveries.retry(claim, now + backOffMilliseconds(count));
  }

  /** Records what a failure says about the network, as opposed to this one entity. */
  function judge({ circuit, pace }: Lane, { key }: Claim, error: unknown): void {
    if (error instanceof CircuitOpen) return;
    if (error instanceof SourceThrottled) pace.throttled(error.retryAfterSeconds);
    const undecided = error instanceof SourceThrottled || error instanceof EntityFailed || error instanceof ClaimEnded;
    if (undecided) circuit.undecided();
    else circuit.failed(key);
  }

  /** Doubles with each attempt; half of it is jitter. */
  function backOffMilliseconds(count: number): number {
    const seconds = Math.min(limits.backoffMaxSeconds, limits.backoffSeconds * 2 ** (count - 1));
    return Math.ceil(seconds * 1_000 * (0.5 + random() / 2));
  }

  return async function discover(claim, lane, signal) {
    const began = timer();
    // Attempts that ended with their process are counted too, so there may be one too many (F16).
    if (claim.attempt > limits.attempts) return outcomes.giveUp(claim);
    let obtained: Obtained;
    try {
      obtained = await ask(lane, claim, signal);
      outcomes.check(claim, obtained);
    } catch (error) {
      return failed(claim, lane, error, timer() - began);
    }
    // A failure of the store says nothing about the network: the circuit stays closed, and the discovery is left to its lease (F21).
    await outcomes.keep(claim, obtained);
  };
}
