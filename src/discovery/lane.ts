import type { Source } from '../model.ts';
import { createCircuit, type Circuit } from './circuit.ts';
import type { WorkerLimits } from './limits.ts';
import { createPace, type Pace } from './pace.ts';

/** What the worker keeps of a network: its source, pace, circuit and places. */
export interface Lane {
  readonly source: Source;
  readonly pace: Pace;
  readonly circuit: Circuit;
  /** Its discoveries that run now. */
  running: number;
  /**
   * How many more can be begun now. The others are left in the queue: claiming a long queue only to put it back would keep the store busy,
   * and on the embedded store every request waiting.
   */
  room(): number;
  /** Milliseconds until one that is claimed now may begin; 0: at once. It is put back until then. */
  waitMilliseconds(): number;
}

const busyMilliseconds = 250;

/** @param timer Milliseconds of a monotonic clock. */
export function createLane(source: Source, timer: () => number, limits: WorkerLimits): Lane {
  const pace = createPace(timer, limits);
  const circuit = createCircuit(timer, { failures: limits.circuitFailures, seconds: limits.circuitSeconds });
  /** With an open circuit claims come to their end without a call to the network, so the pace does not matter. */
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
