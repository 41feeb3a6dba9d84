import type { Key } from '../model.ts';

/** Keeps attempts away from a network of which everything fails (F7): only one probe at a time, until one succeeds. */
export interface Circuit {
  /** Whether an attempt may call the network; an open circuit admits one probe once its time has come. */
  admits(): boolean;
  succeeded(): void;
  failed(key: Key): void;
  /** The attempt ended without saying anything of the network's health. */
  undecided(): void;
  isOpen(): boolean;
}

const longestMilliseconds = 300_000;

/** @param timer Milliseconds of a monotonic clock. */
export function createCircuit(
  timer: () => number,
  options: { readonly failures: number; readonly seconds: number },
): Circuit {
  /** A set of entities, so that one that always fails does not open the circuit by itself (F16). */
  const failing = new Set<Key>();
  let openUntil: number | null = null;
  let milliseconds = options.seconds * 1_000;
  let probing = false;

  function open(): void {
    openUntil = timer() + milliseconds;
    milliseconds = Math.min(longestMilliseconds, milliseconds * 2);
  }

  return {
    admits() {
      if (openUntil === null) return true;
      if (probing || timer() < openUntil) return false;
      probing = true;
      return true;
    },
    succeeded() {
      failing.clear();
      openUntil = null;
      milliseconds = options.seconds * 1_000;
      probing = false;
    },
    failed(key) {
      failing.add(key);
      if (probing || (openUntil === null && failing.size >= options.failures)) open();
      probing = false;
    },
    undecided() {
      probing = false;
    },
    isOpen: () => openUntil !== null,
  };
}
