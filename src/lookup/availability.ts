import type { Availability, HeldDocument, Instant, Snapshot } from '../model.ts';

/** The row of the table of states that a snapshot is in. */
export interface Assessment {
  readonly availability: Availability<HeldDocument>;
  /** Whether this read has to start (or join) a discovery of the entity. */
  readonly discover: boolean;
}

/**
 * The table of states (ARCHITECTURE.md): decides, from everything known of an entity at one instant, what the caller is told and
 * whether this read starts a discovery. If it does, the `retryAt` of `fetching` is a placeholder, `now`, until the discovery is
 * started.
 */
export function assess({ document, discovery }: Snapshot, now: Instant): Assessment {
  const running = discovery?.is === 'running';
  const failure = discovery?.is === 'failed' && discovery.rememberedUntil > now ? discovery : null;

  if (document !== null && document.freshUntil > now) return held(document, false);
  // STA-02, STA-03: a stale document is held too; it is refreshed unless a refresh is under way or has just failed.
  if (document !== null) return held(document, !running && failure === null);
  // STA-01: the read joins it.
  if (running) return { availability: { is: 'fetching', retryAt: discovery.retryAt }, discover: false };
  // STA-05: a failure counts only while it is remembered.
  if (failure !== null) return { availability: unavailable(failure), discover: false };
  return { availability: { is: 'fetching', retryAt: now }, discover: true };
}

function held(document: HeldDocument, discover: boolean): Assessment {
  return { availability: { is: 'held', document }, discover };
}

function unavailable({ reason, retryable }: { reason: string; retryable: boolean }): Availability<never> {
  return { is: 'unavailable', reason, retryable };
}
