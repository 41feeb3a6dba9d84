import type { Lane } from './lane.ts';
import { messageOf } from './outcome.ts';
import type { WorkerParts } from './ports.ts';

const sweepMilliseconds = 60_000;
const sweptAtOnce = 1_000;
const putOffAtOnce = 1_000;

type Parts = Pick<WorkerParts, 'documents' | 'discoveries' | 'log'>;

/** What is to be seen to at each poll beside the discoveries that are due; it never throws. */
export function createUpkeep(
  { documents, discoveries, log }: Parts,
  timer: () => number,
  lanes: ReadonlyMap<string, Lane>,
): () => void {
  let sweepAt = timer() + sweepMilliseconds;
  let puttingOff = false;

  /** Whoever asks for what is not there leaves a row, which goes when it counts no more; work that no claim finds goes too. */
  async function sweep(): Promise<void> {
    if (timer() < sweepAt) return;
    sweepAt = timer() + sweepMilliseconds;
    const sweeps = [documents.sweep(sweptAtOnce), discoveries.sweep([...lanes.keys()], sweptAtOnce)];
    const swept = await Promise.all(sweeps).catch(
      (error: unknown) => (log.error({ error: messageOf(error) }, 'not all could be swept'), []),
    );
    if (swept.some((count) => count >= sweptAtOnce)) sweepAt = 0;
  }

  /** What waits for a network that asked us to wait is due when it lets us again; whoever asks for it is told so (F9). */
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
