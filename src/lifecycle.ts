/** How a process starts to accept requests, and how it stops without losing one. */
import type { Server } from 'node:http';
import type { Config } from './config.ts';

/** Listens on the configured address; rejects with the server's error when that is taken or not allowed. */
export function listen(server: Server, { HOST, PORT }: Pick<Config, 'HOST' | 'PORT'>): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(PORT, HOST, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** The end of a process: requests are answered until callers have turned to other processes. */
export interface Drain {
  /** Whether the drain has begun: the process is not ready, and its responses ask callers to close their connections. */
  readonly begun: () => boolean;
  /** To be called for each request for an operation: it shows that callers still come. */
  readonly asked: () => void;
  /**
   * Drains the server, in two steps: answers until no request has come for `NOTICE_MILLISECONDS`, for half of `DRAIN_SECONDS` at
   * most; then refuses new connections, waits for the requests in flight, and after `DRAIN_SECONDS` more cuts them off.
   */
  readonly run: (server: Server) => Promise<void>;
}

/** @param timer Milliseconds of a monotonic clock. */
export function createDrain(
  { DRAIN_SECONDS, NOTICE_MILLISECONDS }: Pick<Config, 'DRAIN_SECONDS' | 'NOTICE_MILLISECONDS'>,
  timer: () => number,
): Drain {
  let begun = false;
  let askedAt = 0;

  /** Waits for load balancers to notice that the process is not ready: a request on a connection closed before would be lost (F6). */
  async function untilNoticed(): Promise<void> {
    if (DRAIN_SECONDS === 0) return;
    const until = timer() + DRAIN_SECONDS * 500;
    let wait = NOTICE_MILLISECONDS;
    while (wait > 0 && timer() < until) {
      await new Promise((resolve) => setTimeout(resolve, Math.min(wait, until - timer())));
      wait = askedAt + NOTICE_MILLISECONDS - timer();
    }
  }

  return {
    begun: () => begun,
    asked: () => void (askedAt = timer()),
    async run(server) {
      begun = true;
      await untilNoticed();
      await closeServer(server, DRAIN_SECONDS * 1000);
    },
  };
}

/** Refuses new connections and waits for the requests in flight; after so many milliseconds cuts them off. */
function closeServer(server: Server, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), milliseconds);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
