/** Time and chance of a simulation: everything that waits, waits here, and a seed decides what goes on first. */
import type { Instant } from '../../model.ts';

/** A number in [0, 1). */
export type Chance = () => number;

/** The same row of numbers for the same seed (mulberry32). */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Step {
  readonly owner: string;
  readonly due: Instant;
  readonly run: () => void;
}

export interface Schedule {
  now(): Instant;
  /** A step of `owner`, so many milliseconds from now; answers how to call it off, which says whether it was still to come. */
  after(owner: string, milliseconds: number, run: () => void): () => boolean;
  wait(owner: string, milliseconds: number): Promise<void>;
  /** The owner's steps never come, those that it would still take neither: SIGKILL. */
  crash(owner: string): void;
  /** The owner's steps come no earlier than that: SIGSTOP and SIGCONT. */
  pause(owner: string, milliseconds: number): void;
  /** Takes steps, one at a time and each to its end, until none is due by then or `over`. */
  run(until: Instant, over?: () => boolean): Promise<void>;
  steps(): number;
}

/** Everything that a step set going has come to rest: all promises are settled before the loop's next turn. */
const rest = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export function createSchedule(chance: Chance, start: Instant): Schedule {
  const waiting = new Set<Step>();
  const crashed = new Set<string>();
  const pausedUntil = new Map<string, Instant>();
  let now = start;
  let taken = 0;

  const dueOf = ({ owner, due }: Step): Instant => Math.max(due, pausedUntil.get(owner) ?? 0);

  /** The earliest; of those due in one millisecond, any. */
  function next(): Step | null {
    let earliest: Step[] = [];
    let at = Number.POSITIVE_INFINITY;
    for (const step of waiting) {
      const due = Math.max(now, dueOf(step));
      if (due > at) continue;
      if (due < at) [at, earliest] = [due, []];
      earliest.push(step);
    }
    return earliest[Math.floor(chance() * earliest.length)] ?? null;
  }

  function after(owner: string, milliseconds: number, run: () => void): () => boolean {
    if (crashed.has(owner)) return () => false;
    const step = { owner, due: now + Math.max(0, Math.ceil(milliseconds)), run };
    waiting.add(step);
    return () => waiting.delete(step);
  }

  return {
    now: () => now,
    after,
    wait: (owner, milliseconds) => new Promise((resolve) => void after(owner, milliseconds, resolve)),
    crash(owner) {
      crashed.add(owner);
      for (const step of waiting) if (step.owner === owner) waiting.delete(step);
    },
    pause: (owner, milliseconds) => void pausedUntil.set(owner, now + milliseconds),
    async run(until, over = () => false) {
      await rest();
      for (let step = next(); step !== null && dueOf(step) <= until && !over(); step = next()) {
        waiting.delete(step);
        now = Math.max(now, dueOf(step));
        taken += 1;
        step.run();
        await rest();
      }
      if (!over()) now = Math.max(now, until);
    },
    steps: () => taken,
  };
}
