import type { Source } from '../model.ts';
import { createCircuit, type Circuit } from './circuit.ts';
import type { WorkerLimits } from './limits.ts';
import { createPace, type Pace } from './pace.ts';

/** A network as the worker goes about it. */
export interface Lane {
  readonly source: Source;
  readonly pace: Pace;
  readonly circuit: Circuit;
  /** Its discoveries that run now. */
  running: number;
  /**
   * How many more of them can be begun. What cannot is left in the queue: claimed and put back in turn, a long queue would keep the store, and on
   * the embedded one every request, waiting for nothing.
   */
  room(): number;
  /** Milliseconds until one that is claimed now may begin, 0: at once; it is put back until then. */
  waitMilliseconds(): number;
}

const busyMilliseconds = 250;

/** `timer`: milliseconds that nobody sets back. */
export function createLane(source: Source, timer: () => number, limits: WorkerLimits): Lane {
  const pace = createPace(timer, limits);
  const circuit = createCircuit(timer, { failures: limits.circuitFailures, seconds: limits.circuitSeconds });
  /** An open circuit lets claims through to their end, but none to the network. */
  const pacedMilliseconds = (): number => (circuit.isOpen() ? 0 : pace.waitMilliseconds());
  const lane: Lane = {
    source,
    pace,
    circuit,
    running: 0,
    room() {
      const free = Math.max(0, limits.concurrentPerNetwork - lane.running);
      return circuit.isOpen() ? free : Math.min(free, pace.ready());
    },
    waitMilliseconds() {
      const busy = lane.running >= limits.concurrentPerNetwork ? busyMilliseconds : 0;
      return Math.max(pacedMilliseconds(), busy);
    },
  };
  return lane;
}
