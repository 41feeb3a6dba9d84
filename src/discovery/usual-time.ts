import type { EntityKind, Source } from '../model.ts';

interface Usual {
  readonly seconds: number;
  readonly deviation: number;
}

/** Smoothed as TCP smooths its round trips (RFC 6298). */
function after(before: Usual | undefined, took: number): Usual {
  if (before === undefined) return { seconds: took, deviation: took / 2 };
  const deviation = before.deviation + (Math.abs(took - before.seconds) - before.deviation) / 4;
  return { seconds: before.seconds + (took - before.seconds) / 8, deviation };
}

/**
 * Wraps a source that cannot know how long it takes: it expects what its answers took lately, each kind of entity by itself, and their
 * deviation on top, so that most callers who come back when they were told find the document. Until the first answer, what the source says.
 * @param timer Milliseconds of a monotonic clock.
 */
export function withUsualTime(source: Source, timer: () => number): Source {
  const usual = new Map<EntityKind, Usual>();
  return {
    ...source,
    async obtain(entity, options) {
      const began = timer();
      const obtained = await source.obtain(entity, options);
      usual.set(entity.kind, after(usual.get(entity.kind), (timer() - began) / 1_000));
      return obtained;
    },
    expectedSeconds(entity) {
      const known = usual.get(entity.kind);
      return known === undefined ? source.expectedSeconds(entity) : known.seconds + known.deviation;
    },
  };
}
