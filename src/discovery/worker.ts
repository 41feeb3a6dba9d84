import { entityOf, type Entity, type Instant, type Key } from '../model.ts';
import { realTimers } from './attempt.ts';
import { createBacklog } from './backlog.ts';
import { createDiscover } from './discover.ts';
import { createLane, type Lane } from './lane.ts';
import { createLeases } from './leases.ts';
import { messageOf } from './outcome.ts';
import type { Claim, WorkerParts } from './ports.ts';
import { createUpkeep } from './upkeep.ts';

export interface Worker {
  /** Begins to look for due work by itself. */
  start(): void;
  /** There is something to claim, queued by that account: looks at once. */
  wake(keys?: readonly Key[], account?: string): void;
  /** Takes no more work, ends what runs and gives its leases back. Safe to call twice. */
  stop(): Promise<void>;
  /** Claims what is due and runs it to its end; answers how many. For tests, which move the clock by hand. */
  runDue(): Promise<number>;
  /** Seconds until a discovery of the entity that starts now is over, at least 1: by queue, pace and the source's usual time. */
  waitSeconds(entity: Entity, account: string): number;
  /** How each network is gone about just now, for those who watch. */
  networks(): readonly NetworkState[];
}

export interface NetworkState {
  readonly network: string;
  /** Calls that this process may make a second. */
  readonly pacePerSecond: number;
  /** Calls have stopped but for a probe (F7). */
  readonly circuitOpen: boolean;
  readonly running: number;
}

const longestWaitSeconds = 3_600;

export function createWorker(parts: WorkerParts): Worker {
  const { discoveries, clock, timer = clock, owner, limits, log, timers = realTimers } = parts;
  const discover = createDiscover(parts);
  const leases = createLeases(parts);
  const lanes = new Map(parts.sources.map((source) => [source.network, createLane(source, timer, limits)]));
  const backlog = createBacklog(discoveries, clock);
  const seeToUpkeep = createUpkeep(parts, timer, lanes);
  let state: 'idle' | 'started' | 'stopped' = 'idle';
  let looking: Promise<number> | null = null;
  let lookAgain = false;
  let cancelPoll = (): void => {};
  let cancelLook: (() => void) | null = null;
  let cancelPaced = (): void => {};

  /** Claims as much as there is room for and begins it, without waiting for it. */
  async function claimDue(): Promise<number> {
    const rooms = new Map([...lanes].map(([network, lane]) => [network, lane.room()]));
    const limit = limits.concurrentTotal - leases.size;
    const hasRoom = [...rooms.values()].some((room) => room > 0);
    if (limit < 1 || !hasRoom || state === 'stopped') return 0;
    const { leaseSeconds } = limits;
    const claims = await discoveries.claim({ owner, leaseSeconds, limit, rooms, suspects: suspects() });
    const deferrals = new Map<Lane, number>();
    for (const claim of claims) begin(claim, deferrals);
    return claims.length;
  }

  /**
   * What died with its process more than once, and has one attempt left, gets it alone: one of many that died together killed the process, and
   * must not take the others' last attempt with it (F16).
   */
  function suspects(): { fromAttempt: number; limit: number } {
    const last = Math.max(2, limits.attempts);
    return { fromAttempt: last - 1, limit: leases.some(({ attempt }) => attempt >= last) ? 0 : 1 };
  }

  function begin(claim: Claim, deferrals: Map<Lane, number>): void {
    const lane = lanes.get(entityOf(claim.key).network)!; // No other network's are claimed.
    const at = deferredTo(lane, claim, deferrals);
    const over = at === null ? run(claim, lane) : leases.hold(claim, () => discoveries.defer(claim, at));
    void over.then(look);
  }

  function run(claim: Claim, lane: Lane): Promise<void> {
    lane.running += 1;
    if (!lane.circuit.isOpen()) lane.pace.take();
    return leases.hold(claim, (signal) => discover(claim, lane, signal).finally(() => (lane.running -= 1)));
  }

  /** When to come back with a claim that can't run now, since its network is busy or paced; each later by a turn. Null: now. */
  function deferredTo(lane: Lane, claim: Claim, deferrals: Map<Lane, number>): Instant | null {
    const wait = lane.waitMilliseconds();
    if (wait === 0) return null;
    const turn = deferrals.get(lane) ?? 0;
    deferrals.set(lane, turn + 1);
    return claim.startedAt + Math.ceil(wait + (turn * 1_000) / lane.pace.perSecond());
  }

  /** Each look has a turn of its own, so that requests come up between. */
  function look(): void {
    if (state !== 'started') return;
    cancelLook ??= timers.after(0, () => {
      cancelLook = null;
      lookNow();
    });
  }

  /** One look at a time; a wake-up during one is followed by another. */
  function lookNow(): void {
    if (looking !== null) {
      lookAgain = true;
      return;
    }
    looking = claimDue()
      .catch((error: unknown) => (log.error({ error: messageOf(error) }, 'nothing could be claimed'), 0))
      .finally(() => {
        looking = null;
        lookWhenPaced();
        if (!lookAgain) return;
        lookAgain = false;
        look();
      });
  }

  /** The next call of a network may go before the next poll. */
  function lookWhenPaced(): void {
    const waits = [...lanes.values()].map(({ pace }) => pace.waitMilliseconds()).filter((wait) => wait > 0);
    const wait = Math.min(...waits);
    cancelPaced();
    if (state === 'started' && wait < limits.pollMilliseconds) cancelPaced = timers.after(wait, look);
  }

  function poll(): void {
    look();
    void backlog.refresh();
    seeToUpkeep();
    cancelPoll = timers.after(limits.pollMilliseconds, poll);
  }

  async function stop(): Promise<void> {
    const before = state;
    state = 'stopped';
    cancelPoll();
    cancelLook?.();
    cancelPaced();
    if (before === 'stopped') return;
    await looking;
    await leases.end();
    await discoveries
      .release(owner)
      .catch((error: unknown) => log.error({ error: messageOf(error) }, 'leases were left to run out'));
  }

  return {
    start() {
      if (state !== 'idle') return;
      state = 'started';
      poll();
    },
    wake(keys = [], account = '') {
      for (const key of keys) backlog.add(account, entityOf(key).network);
      look();
    },
    stop,
    async runDue() {
      const count = await claimDue();
      await leases.over();
      await backlog.refresh();
      return count;
    },
    networks: () =>
      [...lanes.values()].map(({ source, pace, circuit, running }) => ({
        network: source.network,
        pacePerSecond: pace.perSecond(),
        circuitOpen: circuit.isOpen(),
        running,
      })),
    waitSeconds(entity, account) {
      const lane = lanes.get(entity.network);
      if (lane === undefined) return 1;
      const expected = Math.max(0.1, lane.source.expectedSeconds(entity));
      const places = Math.min(limits.concurrentTotal, limits.concurrentPerNetwork);
      const perSecond = Math.min(places / expected, lane.pace.perSecond());
      const seconds =
        expected + backlog.ahead(account, entity.network) / perSecond + lane.pace.waitMilliseconds() / 1_000;
      return Math.min(longestWaitSeconds, Math.max(1, Math.ceil(seconds)));
    },
  };
}
