/** Time and chance as the client sees them; tests bring their own. The only file here that asks the machine for either. */
export interface Time {
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Waits, or rejects with the signal's reason as soon as it is aborted. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** From 0 up to, not including, 1. */
  readonly random: () => number;
}

/** A timer that is set for longer than this fires at once. */
const maxTimerMilliseconds = 2 ** 31 - 1;

export const machineTime: Time = {
  clock: () => Date.now(),
  random: () => Math.random(),
  sleep: async (milliseconds, signal) => {
    for (let left = milliseconds; left > 0; left -= maxTimerMilliseconds)
      await timer(Math.min(left, maxTimerMilliseconds), signal);
  },
};

async function timer(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let set: ReturnType<typeof setTimeout> | undefined;
  const elapsed = new Promise<void>((resolve) => (set = setTimeout(resolve, milliseconds)));
  await unlessAborted(elapsed, signal).finally(() => clearTimeout(set));
}

/**
 * Settles as `work` does, or rejects with the signal's reason as soon as the signal is aborted. Work that ignores the
 * signal goes on, but what becomes of it no longer matters to anyone.
 */
export async function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return work;
  let abort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
  });
  if (signal.aborted) abort();
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', abort));
}

/**
 * Settles as `work` does, which is given a signal that is aborted after `milliseconds` or together with `signal`. Rejects
 * with the reason of that signal even if `work` never settles.
 */
export async function withTimeout<Value>(
  milliseconds: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const timeout = new AbortController();
  const expire = (): void => timeout.abort(new DOMException(`timed out after ${milliseconds} ms`, 'TimeoutError'));
  const set = setTimeout(expire, Math.min(milliseconds, maxTimerMilliseconds));
  const either = signal ? AbortSignal.any([timeout.signal, signal]) : timeout.signal;
  return unlessAborted(work(either), either).finally(() => clearTimeout(set));
}
