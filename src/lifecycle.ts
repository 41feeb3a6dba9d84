/** How a process begins to take requests, and how it stops without losing one. */
import type { Server } from 'node:http';
import type { Config } from './config.ts';

/** Rejects where the address is taken or not allowed. */
export function listen(server: Server, { HOST, PORT }: Pick<Config, 'HOST' | 'PORT'>): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(PORT, HOST, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

export interface Drain {
  /** Whether the process is being stopped: it is not ready, and asks callers to close their connections. */
  readonly begun: () => boolean;
  /** To be told of each request for an operation. */
  readonly asked: () => void;
  /** Goes on answering until callers have noticed, then takes no more connections and waits for what is in flight. */
  readonly run: (server: Server) => Promise<void>;
}

/** `timer`: milliseconds of a monotonic clock. */
export function createDrain(
  { DRAIN_SECONDS, NOTICE_MILLISECONDS }: Pick<Config, 'DRAIN_SECONDS' | 'NOTICE_MILLISECONDS'>,
  timer: () => number,
): Drain {
  let begun = false;
  let askedAt = 0;

  /**
   * Requests are still taken until none has come for a notice's length: then whoever balances has noticed. A connection that is closed before
   * would be reset with its request (F6). At most half of the time there is for all.
   */
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

/** Takes no more connections, waits for what is in flight, and cuts what takes too long. */
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
