import type { ServerResponse } from 'node:http';

/** Reusable memory in which large responses are gathered. */
export interface Slabs {
  /**
   * Copies the pieces into a few chunks, valid until the response closes: writing thousands of pieces one by one costs several times more.
   * Returns the pieces as they are while too much memory is lent out, so that slow readers of large responses hold references, not copies (F18).
   */
  gather(pieces: readonly Buffer[], bytes: number, response: ServerResponse): readonly Buffer[];
}

const SLAB_BYTES = 64 * 1024;
/** 8 MiB, made as they are needed. */
const MOST_LENT = 128;

export function createSlabs(): Slabs {
  const free: Buffer[] = [];
  let lent = 0;

  return {
    gather(pieces, bytes, response) {
      const needed = Math.ceil(bytes / SLAB_BYTES);
      // A response queued behind another on its connection may never emit `close`, and so would never give the memory back.
      if (response.socket === null || lent + needed > MOST_LENT) return pieces;
      lent += needed;
      const slabs = Array.from({ length: needed }, () => free.pop() ?? Buffer.allocUnsafeSlow(SLAB_BYTES));
      response.once('close', () => {
        lent -= needed;
        free.push(...slabs);
      });
      copyAll(pieces, slabs);
      return [...slabs.slice(0, -1), slabs[needed - 1]!.subarray(0, bytes - (needed - 1) * SLAB_BYTES)];
    },
  };
}

function copyAll(pieces: readonly Buffer[], slabs: readonly Buffer[]): void {
  let at = 0;
  for (const piece of pieces) {
    for (let from = 0; from < piece.length;) {
      const within = at % SLAB_BYTES;
      const copied = piece.copy(slabs[(at - within) / SLAB_BYTES]!, within, from);
      from += copied;
      at += copied;
    }
  }
}
