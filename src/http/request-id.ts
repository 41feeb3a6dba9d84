import { randomBytes } from 'node:crypto';

const POOL_BYTES = 16 * 256;

/**
 * Creates a function that makes request ids: 128 random bits in hexadecimal, never taken from the caller (GEN-02). The bits are drawn in
 * bulk, as asking the system for each request costs ten times as much.
 */
export function createRequestIds(random: (bytes: number) => Buffer = randomBytes): () => string {
  let pool = '';
  let next = 0;
  return function requestId() {
    if (next >= pool.length) {
      pool = random(POOL_BYTES).toString('hex');
      next = 0;
    }
    next += 32;
    return pool.slice(next - 32, next);
  };
}
