import type { Availability, HeldDocument, Instant, Snapshot } from '../model.ts';

export interface Assessment {
  readonly availability: Availability<HeldDocument>;
  /** Whether this read has to start (or join) a discovery of the entity. */
  readonly discover: boolean;
}

/**
 * The table of states: what may be told of an entity, given all that is known of it at one instant, and whether to discover it.
 * A `fetching` that is to be discovered has no time to name yet: who starts the discovery puts its `retryAt` in.
 */
export function assess({ document, discovery }: Snapshot, now: Instant): Assessment {
  const running = discovery?.is === 'running';
  const failure = discovery?.is === 'failed' && discovery.rememberedUntil > now ? discovery : null;

  if (document !== null && document.freshUntil > now) return held(document, false);
  // STA-02, STA-03: a stale document is told; it is refreshed unless that is under way or has just failed.
  if (document !== null) return held(document, !running && failure === null);
  // STA-01: joined.
  if (running) return { availability: { is: 'fetching', retryAt: discovery.retryAt }, discover: false };
  // STA-05: an outcome counts while it is remembered, and no longer.
  if (failure !== null) return { availability: unavailable(failure), discover: false };
  return { availability: { is: 'fetching', retryAt: now }, discover: true };
}

function held(document: HeldDocument, discover: boolean): Assessment {
  return { availability: { is: 'held', document }, discover };
}

function unavailable({ reason, retryable }: { reason: string; retryable: boolean }): Availability<never> {
  return { is: 'unavailable', reason, retryable };
}
