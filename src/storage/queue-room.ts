import type { Clock, Instant } from '../model.ts';

export interface Depth {
  readonly queued: number;
  readonly running: number;
  /** The queued, by network and account. */
  readonly standing: readonly Standing[];
}

export interface Standing {
  /** Null: queued by an older version's node, until `sweep` has named it. */
  readonly network: string | null;
  readonly account: string;
  readonly n: number;
}

export interface RoomOptions {
  readonly clock: Clock;
  /** Bound of the whole queue, exact within a second's starts. */
  readonly queueLimit?: number;
  /** Bound of one account's part of it, as exact. */
  readonly queueLimitPerAccount?: number;
}

/** How much room the queue has left, as one process knows it: the table is counted once a second at most; its own starts since are added. */
export interface Room {
  /** Counts again where the last count is old. */
  refresh(): Promise<void>;
  /** How many more the queue takes of this account, and how many of its own stand there already: true until the next await. */
  of(account: string): { readonly free: number; readonly pending: number };
  /** Puts so many of an account into the queue; they count from now on, as standing ones those that come back. */
  reserve<Row>(account: string, count: number, start: () => Promise<Row[]>): Promise<Row[]>;
  /** What the table holds, whoever asked. */
  counted(depth: Depth): void;
}

const ageMilliseconds = 1_000;

export function createRoom(options: RoomOptions, count: () => Promise<Depth>): Room {
  const { clock, queueLimit = 20_000, queueLimitPerAccount = 5_000 } = options;
  let countedAt: Instant = Number.NEGATIVE_INFINITY;
  let queued = 0;
  let standing = new Map<string, number>();
  /** What is being started now, by account: a count made meanwhile may or may not have seen it. */
  const starting = new Map<string, number>();
  /** Those that ask together count once. */
  let counting: Promise<Depth> | null = null;

  function add(counts: Map<string, number>, account: string, change: number): void {
    const now = (counts.get(account) ?? 0) + change;
    if (now === 0) counts.delete(account);
    else counts.set(account, now);
  }

  return {
    async refresh() {
      if (Math.abs(clock() - countedAt) <= ageMilliseconds) return;
      await (counting ??= count().finally(() => (counting = null)));
    },
    of(account) {
      const pending = (standing.get(account) ?? 0) + (starting.get(account) ?? 0);
      const all = [...starting.values()].reduce((sum, n) => sum + n, queued);
      return { free: Math.max(0, Math.min(queueLimit - all, queueLimitPerAccount - pending)), pending };
    },
    async reserve(account, asked, start) {
      // Before it is started: what this account asks for meanwhile goes behind it (F17).
      add(starting, account, asked);
      const rows = await start().finally(() => add(starting, account, -asked));
      queued += rows.length;
      add(standing, account, rows.length);
      return rows;
    },
    counted(depth) {
      countedAt = clock();
      queued = depth.queued;
      standing = new Map();
      for (const { account, n } of depth.standing) add(standing, account, n);
    },
  };
}
