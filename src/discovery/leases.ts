import { messageOf } from './outcome.ts';
import type { Claim, WorkerParts } from './ports.ts';
import { realTimers } from './attempt.ts';

/** The attempt is not to go on: shut-down, or the lease is another's. Whoever holds the discovery then ends it. */
export class ClaimEnded extends Error {}

/** The claims that this process works on. Their leases are renewed as long as there are any (F8). */
export interface Leases {
  readonly size: number;
  some(is: (claim: Claim) => boolean): boolean;
  /** Works on a claim to its end, which `signal` may bring early. What throws leaves it to its lease. */
  hold(claim: Claim, work: (signal: AbortSignal) => Promise<unknown>): Promise<void>;
  /** Resolves once all that is worked on now is over. */
  over(): Promise<void>;
  /** Ends all of them. */
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

  /** An attempt of ours whose lease ran out (the process was paused, the store away): claimed anew, it can write nothing more. */
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
