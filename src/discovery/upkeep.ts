import type { Lane } from './lane.ts';
import { messageOf } from './outcome.ts';
import type { WorkerParts } from './ports.ts';

const sweepMilliseconds = 60_000;
const sweptAtOnce = 1_000;
const putOffAtOnce = 1_000;

type Parts = Pick<WorkerParts, 'documents' | 'discoveries' | 'log'>;

/** Creates the function that each poll calls beside looking for due work: it sweeps, and puts off what must wait. It never throws. */
export function createUpkeep(
  { documents, discoveries, log }: Parts,
  timer: () => number,
  lanes: ReadonlyMap<string, Lane>,
): () => void {
  let sweepAt = timer() + sweepMilliseconds;
  let puttingOff = false;

  /** Removes rows left by reads of entities that do not exist, once they no longer count, and work that no claim finds. */
  async function sweep(): Promise<void> {
    if (timer() < sweepAt) return;
    sweepAt = timer() + sweepMilliseconds;
    const sweeps = [documents.sweep(sweptAtOnce), discoveries.sweep([...lanes.keys()], sweptAtOnce)];
    const swept = await Promise.all(sweeps).catch(
      (error: unknown) => (log.error({ error: messageOf(error) }, 'not all could be swept'), []),
    );
    if (swept.some((count) => count >= sweptAtOnce)) sweepAt = 0;
  }

  /** Puts off the queue of a network that asked to wait until calls are allowed again, so that callers are told how long (F9). */
  async function putOff(): Promise<void> {
    if (puttingOff) return;
    puttingOff = true;
    for (const { source, pace, circuit } of lanes.values()) {
      const milliseconds = pace.blockedMilliseconds();
      if (milliseconds === 0 || circuit.isOpen()) continue;
      const wait = { milliseconds, eachMilliseconds: Math.ceil(1_000 / pace.perSecond()), limit: putOffAtOnce };
      await discoveries
        .putOff(source.network, wait)
        .catch((error: unknown) => log.error({ error: messageOf(error) }, 'nothing could be put off'));
    }
    puttingOff = false;
  }

  return () => {
    void sweep();
    void putOff();
  };
}
