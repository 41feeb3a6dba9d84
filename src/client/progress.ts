import type { AnyEntry } from './output.ts';

export interface Counts {
  held: number;
  fetching: number;
  unavailable: number;
}

export interface Progress {
  readonly counts: Counts;
  add(entry: AnyEntry): void;
  /** Prints the progress unless that was done a moment ago. On a terminal, call it often: the time left goes down. */
  show(): void;
  /** Erases the bar from the terminal, so that something else can be printed. */
  hide(): void;
  /** Prints the last state. */
  end(): void;
}

const barWidth = 24;
const redrawMilliseconds = 100;
const lineMilliseconds = 5000;
const eraseLine = '\r\u001b[K';

function timeLeft(done: number, total: number, elapsed: number): string {
  if (done === 0 || done >= total) return '';
  const seconds = Math.ceil(((elapsed / done) * (total - done)) / 1000);
  return `, ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left`;
}

/** A progress bar on a terminal; elsewhere a plain line every five seconds and at the end. */
export function createProgress(
  total: number,
  isTerminal: boolean,
  print: (text: string) => void,
  clock: () => number,
): Progress {
  const counts: Counts = { held: 0, fetching: 0, unavailable: 0 };
  const start = clock();
  let shown = isTerminal ? Number.NEGATIVE_INFINITY : start;

  const text = (): string => {
    const settled = counts.held + counts.unavailable + counts.fetching;
    const waiting = total - settled + counts.fetching;
    const told = `${settled}/${total}: ${counts.held} held, ${waiting} fetching, ${counts.unavailable} unavailable`;
    return told + timeLeft(settled, total, clock() - start);
  };

  const bar = (): string => {
    const full = total === 0 ? barWidth : Math.round(((counts.held + counts.unavailable) / total) * barWidth);
    return `${eraseLine}[${'#'.repeat(full)}${'.'.repeat(barWidth - full)}] ${text()}`;
  };

  const show = (): void => {
    if (clock() - shown < (isTerminal ? redrawMilliseconds : lineMilliseconds)) return;
    shown = clock();
    print(isTerminal ? bar() : `${text()}\n`);
  };

  return {
    counts,
    show,
    add(entry) {
      counts[entry.is] += 1;
      show();
    },
    hide() {
      if (!isTerminal) return;
      shown = Number.NEGATIVE_INFINITY;
      print(eraseLine);
    },
    end: () => print(isTerminal ? `${bar()}\n` : `${text()}\n`),
  };
}
