/** Runs of the whole suite against the reference behind the proxy: several at a time, each a faulty or unusual server. */
import type { WireVariant } from '../benign/variant.ts';
import { startFaultProxy } from '../faults/proxy.ts';
import type { Fault, Profile, Report } from '../model.ts';
import { runSuite } from '../suite.ts';
import type { Target } from '../target.ts';

/** A wait of 30 s is cut; one of a second is kept, as a busy machine may need it for a discovery of 20 ms. */
export const shortSleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.min(milliseconds, 1000)));

export interface Live {
  readonly target: Target;
  readonly strict: boolean;
  readonly profile?: Profile;
  readonly alter: Fault['alter'];
  readonly write?: WireVariant['write'];
}

export async function runLive({ target, strict, profile = 'core', alter, write }: Live): Promise<Report> {
  const proxy = await startFaultProxy({ target: target.baseUrl, alter, ...(write ? { write } : {}) });
  try {
    return await runSuite({ target: { ...target, baseUrl: proxy.url }, strict, profile, sleep: shortSleep });
  } finally {
    await proxy.close();
  }
}

/** Maps with at most `limit` at work. */
export async function inParallel<T, R>(
  values: readonly T[],
  limit: number,
  work: (value: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const queue = values.entries();
  const worker = async (): Promise<void> => {
    for (const [index, value] of queue) results[index] = await work(value);
  };
  await Promise.all(Array.from({ length: limit }, worker));
  return results;
}
