import { Refusal } from '../model.ts';

/** A request that is being worked on. */
export interface Place {
  /** It waits for its caller (a body that comes slowly): neither its time nor its place counts meanwhile. */
  leave(): void;
  back(): void;
  /** Answered. */
  end(): void;
}

/**
 * Refuses at once what could only be answered late, so that what is let in is answered in time whatever is offered (F13). Two things make
 * late: the turn of the event loop that a request comes up in has gone on for long, and requests that wait for the store have become many.
 */
export interface Pressure {
  /** Null: come in. */
  refusal(): Refusal | null;
  enter(): Place;
}

export interface PressureParts {
  /** Milliseconds of a monotonic clock. */
  readonly timer: () => number;
  /** Longest that an answer may take of our own doing. */
  readonly patienceMilliseconds: number;
  /** Runs something when this turn of the event loop is over. */
  readonly afterTurn?: (run: () => void) => void;
}

/** So many are let in however long they take: they are no crowd. */
const always = 16;

export function createPressure({ timer, patienceMilliseconds, afterTurn = setImmediate }: PressureParts): Pressure {
  let working = 0;
  let limit = Number.POSITIVE_INFINITY;
  let turnBegan: number | null = null;

  /** How long those that came up in the same turn have already been worked on. */
  function turnMilliseconds(): number {
    const now = timer();
    if (turnBegan !== null) return now - turnBegan;
    turnBegan = now;
    afterTurn(() => (turnBegan = null));
    return 0;
  }

  /** As many as are answered in the time there is (Little's law); more again, one for one, as long as all goes quickly. */
  function learn(took: number, beside: number): void {
    if (took > patienceMilliseconds) limit = Math.max(always, (beside * patienceMilliseconds) / took);
    else if (took < patienceMilliseconds / 2) limit += 1;
  }

  return {
    refusal() {
      const late = turnMilliseconds() > patienceMilliseconds || working >= limit;
      if (!late) return null;
      return new Refusal('dependency-unavailable', 'There is more to answer than can be; ask again in a moment.', {
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
