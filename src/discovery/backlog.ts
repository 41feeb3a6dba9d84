import type { Clock } from '../model.ts';
import type { Depth, Discoveries } from '../storage/discoveries.ts';

/** How much is queued, as this process knows it: the table is counted once a second at most; what this process queues since is added. */
export interface Backlog {
  refresh(): Promise<void>;
  /** Adds one that the account has just queued. */
  add(account: string, network: string): void;
  /**
   * How many go before one more of that account: the queue takes turns, so of every other account no more than of this one, and the one that
   * is at its turn (F17).
   */
  ahead(account: string, network: string): number;
}

const ageMilliseconds = 1_000;

export function createBacklog(discoveries: Pick<Discoveries, 'depth'>, clock: Clock): Backlog {
  let countedAt = Number.NEGATIVE_INFINITY;
  let standing = new Map<string, Map<string, number>>();
  const known = new Map<string, number>();

  function of(network: string): Map<string, number> {
    const accounts = standing.get(network) ?? new Map<string, number>();
    standing.set(network, accounts);
    return accounts;
  }

  function count(network: string, account: string, more: number): void {
    const accounts = of(network);
    accounts.set(account, (accounts.get(account) ?? 0) + more);
  }

  function take({ standing: rows }: Depth): void {
    standing = new Map();
    known.clear();
    for (const { network, account, n } of rows) if (network !== null) count(network, account, n);
  }

  return {
    async refresh() {
      if (clock() - countedAt < ageMilliseconds && clock() >= countedAt) return;
      countedAt = clock();
      const depth = await discoveries.depth().catch(() => null);
      if (depth !== null) take(depth);
    },
    add(account, network) {
      count(network, account, 1);
      known.clear();
    },
    ahead(account, network) {
      const name = `${network} ${account}`;
      const sum = known.get(name) ?? aheadOf(of(network), account);
      known.set(name, sum);
      return sum;
    },
  };
}

function aheadOf(accounts: ReadonlyMap<string, number>, account: string): number {
  const own = accounts.get(account) ?? 0;
  let sum = own;
  for (const [other, count] of accounts) if (other !== account) sum += Math.min(count, own + 1);
  return sum;
}
