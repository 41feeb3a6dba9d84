import type { Entity, Obtained, Source } from '../model.ts';

/** Runs something after a delay; returns a function that cancels it. Passed in, so that tests move time by hand. */
export interface Timers {
  after(milliseconds: number, run: () => void): () => void;
}

export const realTimers: Timers = {
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};

export class AttemptTimedOut extends Error {}

export interface AttemptOptions {
  readonly deep: boolean;
  readonly deadlineMilliseconds: number;
  readonly timers: Timers;
  /** Ends the attempt from outside: on shut-down, or when the lease is lost. */
  readonly signal: AbortSignal;
}

/** Calls a source once. The call is over at its deadline, whether or not the source obeys its signal. @throws AttemptTimedOut */
export async function attempt(source: Source, entity: Entity, options: AttemptOptions): Promise<Obtained> {
  const deadline = new AbortController();
  const cancel = options.timers.after(options.deadlineMilliseconds, () => {
    deadline.abort(new AttemptTimedOut(`no answer within ${options.deadlineMilliseconds} ms`));
  });
  const signal = AbortSignal.any([deadline.signal, options.signal]);
  try {
    return await Promise.race([source.obtain(entity, { deep: options.deep, signal }), aborted(signal)]);
  } finally {
    cancel();
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
