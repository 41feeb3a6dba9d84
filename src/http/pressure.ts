import { Refusal } from '../model.ts';

/** A request that is being worked on. */
export interface Place {
  /** Starts waiting for the caller (a body that arrives slowly): until `back` neither its time nor its place counts. */
  leave(): void;
  back(): void;
  /** Answered. */
  end(): void;
}

/**
 * Refuses at once what could only be answered late, so that admitted requests are answered in time under any load (F13). Answers are
 * late for two reasons: the current turn of the event loop has been running for long, or many requests already wait for the store.
 */
export interface Pressure {
  /** Null: the request is admitted. */
  refusal(): Refusal | null;
  enter(): Place;
}

export interface PressureParts {
  /** Milliseconds of a monotonic clock. */
  readonly timer: () => number;
  /** Longest time that we may take to answer. */
  readonly patienceMilliseconds: number;
  /** Runs something when this turn of the event loop is over. */
  readonly afterTurn?: (run: () => void) => void;
}

/** So many are always admitted, however long they take: a few slow requests are not an overload. */
const always = 16;

export function createPressure({ timer, patienceMilliseconds, afterTurn = setImmediate }: PressureParts): Pressure {
  let working = 0;
  let limit = Number.POSITIVE_INFINITY;
  let turnBegan: number | null = null;

  /** How long this turn of the event loop has been running, counted from its first request. */
  function turnMilliseconds(): number {
    const now = timer();
    if (turnBegan !== null) return now - turnBegan;
    turnBegan = now;
    afterTurn(() => (turnBegan = null));
    return 0;
  }

  /** After a slow answer, admits as many as can be answered in time (Little's law); after each quick one, one more. */
  function learn(took: number, beside: number): void {
    if (took > patienceMilliseconds) limit = Math.max(always, (beside * patienceMilliseconds) / took);
    else if (took < patienceMilliseconds / 2) limit += 1;
  }

  return {
    refusal() {
      const late = turnMilliseconds() > patienceMilliseconds || working >= limit;
      if (!late) return null;
      return new Refusal('dependency-unavailable', 'The service is overloaded; ask again in a moment.', {
        'Retry-After': '1',
      });
    },
    enter() {
      let since = timer();
      let took = 0;
      working += 1;
      const atFirst = working;
      function leave(): void {
        took += timer() - since;
        working -= 1;
      }
      return {
        leave,
        back() {
          since = timer();
          working += 1;
        },
        end() {
          took += timer() - since;
          learn(took, (atFirst + working) / 2);
          working -= 1;
        },
      };
    },
  };
}
