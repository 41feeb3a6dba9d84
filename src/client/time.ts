/** Time and chance as the client sees them; tests bring their own. The only file here that asks the machine for either. */
export interface Time {
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Waits, or rejects with the signal's reason as soon as it is aborted. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** From 0 up to, not including, 1. */
  readonly random: () => number;
}

/** A timer that is set for longer fires at once. */
const longestTimer = 2 ** 31 - 1;

export const machineTime: Time = {
  clock: () => Date.now(),
  random: () => Math.random(),
  sleep: async (milliseconds, signal) => {
    for (let left = milliseconds; left > 0; left -= longestTimer) await timer(Math.min(left, longestTimer), signal);
  },
};

function timer(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = (): void => {
      clearTimeout(set);
      reject(signal?.reason);
    };
    const set = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
