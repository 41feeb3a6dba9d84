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
  /** Looks at once, as there is something to claim. `keys` were queued just now by `account`. */
  wake(keys?: readonly Key[], account?: string): void;
  /** Takes no more work, aborts what runs and gives its leases back. Safe to call twice. */
  stop(): Promise<void>;
  /** Claims what is due and runs it to its end; returns how many. For tests, which move the clock by hand. */
  runDue(): Promise<number>;
  /** Estimated seconds, 1 to 3,600, until a discovery of the entity that starts now is over: by queue, pace and the source's usual time. */
  waitSeconds(entity: Entity, account: string): number;
  /** The state of each network's calls, for metrics. */
  networks(): readonly NetworkState[];
}

export interface NetworkState {
  readonly network: string;
  /** Calls that this process may make a second. */
  readonly pacePerSecond: number;
  /** Calls are stopped, except for one probe at a time (F7). */
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

  /** Claims as much as there is room for and begins it without waiting for its end; returns how many. */
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
   * Discoveries that died with their process in every attempt but the last get that last one alone: one of them probably kills the process,
   * and must not cost the others their last attempt (F16).
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

  /** When to retry a claim that cannot run now, as its network is busy or paced; each deferred claim a turn later. Null: it can run now. */
  function deferredTo(lane: Lane, claim: Claim, deferrals: Map<Lane, number>): Instant | null {
    const wait = lane.waitMilliseconds();
    if (wait === 0) return null;
    const turn = deferrals.get(lane) ?? 0;
    deferrals.set(lane, turn + 1);
    return claim.startedAt + Math.ceil(wait + (turn * 1_000) / lane.pace.perSecond());
  }

  /** Looks in a turn of the event loop of its own, so that requests are handled in between. */
  function look(): void {
    if (state !== 'started') return;
    cancelLook ??= timers.after(0, () => {
      cancelLook = null;
      lookNow();
    });
  }

  /** One look at a time; a wake-up during a look is followed by another look. */
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

  /** Looks again when the pace allows the next call, if that is before the next poll. */
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
