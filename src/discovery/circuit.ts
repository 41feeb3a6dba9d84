import type { Key } from '../model.ts';

/** Keeps attempts away from a network that fails altogether (F7): one probe at a time, until one succeeds. */
export interface Circuit {
  /** Whether an attempt may call; an open circuit lets one probe through when its time has come. */
  admits(): boolean;
  succeeded(): void;
  failed(key: Key): void;
  /** The attempt ended without saying anything of the network's health. */
  undecided(): void;
  isOpen(): boolean;
}

const longestMilliseconds = 300_000;

/** `timer`: milliseconds that nobody sets back. */
export function createCircuit(
  timer: () => number,
  options: { readonly failures: number; readonly seconds: number },
): Circuit {
  /** Different entities, so that one which always fails opens nothing (F16). */
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
