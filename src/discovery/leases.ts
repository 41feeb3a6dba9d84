import { messageOf } from './outcome.ts';
import type { Claim, WorkerParts } from './ports.ts';
import { realTimers } from './attempt.ts';

/** Aborts an attempt, on shut-down or because another holds the lease by now. Whoever holds the discovery next ends it. */
export class ClaimEnded extends Error {}

/** The claims that this process works on. Their leases are renewed as long as there are any (F8). */
export interface Leases {
  readonly size: number;
  some(is: (claim: Claim) => boolean): boolean;
  /** Works on a claim until `work` is over; `signal` aborts it early. If `work` rejects, the claim is left to its lease. */
  hold(claim: Claim, work: (signal: AbortSignal) => Promise<unknown>): Promise<void>;
  /** Resolves once all current work is over. */
  over(): Promise<void>;
  /** Aborts all current work and waits until it is over. */
  end(): Promise<void>;
}

interface Held {
  readonly claim: Claim;
  readonly controller: AbortController;
  readonly over: Promise<void>;
}

type Parts = Pick<WorkerParts, 'discoveries' | 'limits' | 'log' | 'timers'>;

export function createLeases({ discoveries, limits, log, timers = realTimers }: Parts): Leases {
  const held = new Set<Held>();
  let cancelRenewal: (() => void) | null = null;

  function renewLater(): void {
    if (cancelRenewal !== null || held.size === 0) return;
    cancelRenewal = timers.after(limits.renewSeconds * 1_000, () => {
      cancelRenewal = null;
      void renew().finally(renewLater);
    });
  }

  function endRenewal(): void {
    cancelRenewal?.();
    cancelRenewal = null;
  }

  /** A lease that is no longer ours ends the attempt: its write would be refused anyway (F4). */
  async function renew(): Promise<void> {
    const before = [...held];
    const claims = before.map(({ claim }) => claim);
    try {
      const ours = await discoveries.renew(claims, limits.leaseSeconds);
      for (const { claim, controller } of before)
        if (!ours.has(claim.key)) controller.abort(new ClaimEnded('the lease was lost'));
    } catch (error) {
      log.error({ error: messageOf(error) }, 'leases could not be renewed');
    }
  }

  /** Aborts our own earlier attempt at the key, whose lease ran out (the process was paused, the store away): it can write nothing more. */
  function endEarlier(key: Claim['key']): void {
    for (const { claim, controller } of held)
      if (claim.key === key) controller.abort(new ClaimEnded('the lease was lost'));
  }

  async function over(): Promise<void> {
    await Promise.all([...held].map((one) => one.over));
  }

  return {
    get size() {
      return held.size;
    },
    some: (is) => [...held].some(({ claim }) => is(claim)),
    hold(claim, work) {
      endEarlier(claim.key);
      const controller = new AbortController();
      const worked = work(controller.signal)
        .catch((error: unknown) =>
          log.error({ key: claim.key, error: messageOf(error) }, 'a discovery was left to its lease'),
        )
        .then(() => {
          held.delete(one);
          if (held.size === 0) endRenewal();
        });
      const one: Held = { claim, controller, over: worked };
      held.add(one);
      renewLater();
      return worked;
    },
    over,
    async end() {
      for (const { controller } of held) controller.abort(new ClaimEnded('the process stops'));
      await over();
    },
  };
}
