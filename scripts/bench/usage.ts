/** Preloaded into every measured process (`node --import`): tells its parent, when asked, what the process has used so far. */
import { readdirSync } from 'node:fs';

export interface Usage {
  /** User and system time of the whole process, garbage collection and compilation included. */
  readonly cpuMicroseconds: number;
  readonly residentBytes: number;
  /** JavaScript heap and the buffers outside it. */
  readonly heapBytes: number;
  /** Open files and sockets; 0 where the system has no /proc. */
  readonly descriptors: number;
}

/** `collected` runs the garbage collector first, so that `heapBytes` is what is really kept. */
export type Question = 'now' | 'collected';

process.on('message', (question: Question) => {
  // Twice: what the first finds dead outside the heap is given back while the second runs.
  if (question === 'collected') for (let turn = 0; turn < 2; turn += 1) globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  const usage: Usage = {
    cpuMicroseconds: user + system,
    residentBytes: rss,
    heapBytes: heapUsed + external,
    descriptors: countDescriptors(),
  };
  process.send?.(usage);
});
process.channel?.unref();

function countDescriptors(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return 0;
  }
}
