import { entityOf, type Entity, type Instant, type Key, type Obtained } from '../model.ts';
import { attempt, realTimers } from './attempt.ts';
import { createBacklog } from './backlog.ts';
import { createLane, type Lane } from './lane.ts';
import { createOutcomes, messageOf } from './outcome.ts';
import type { Claim, WorkerParts } from './ports.ts';
import { EntityFailed, SourceThrottled } from './source.ts';

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

interface Running {
  readonly claim: Claim;
  readonly controller: AbortController;
  readonly over: Promise<void>;
}

const longestWaitSeconds = 3_600;
/** How often discoveries are looked for of a network that has no source here, as a newer version's node may have queued. */
const othersMilliseconds = 60_000;
/** How often what nobody can be told any more is removed, and how much of it at once. */
const sweepMilliseconds = 60_000;
const sweptAtOnce = 1_000;
const putOffAtOnce = 1_000;

/** The attempt is not to go on: shut-down, or the lease is another's. Whoever holds the discovery then ends it. */
class ClaimEnded extends Error {}
class CircuitOpen extends Error {}

export function createWorker(parts: WorkerParts): Worker {
  const { discoveries, clock, timer = clock, random, owner, limits, log, timers = realTimers } = parts;
  const outcomes = createOutcomes(parts);
  const running = new Set<Running>();
  const lanes = new Map(parts.sources.map((source) => [source.network, createLane(source, timer, limits)]));
  const backlog = createBacklog(discoveries, clock);
  let state: 'idle' | 'started' | 'stopped' = 'idle';
  let looking: Promise<number> | null = null;
  let lookAgain = false;
  let othersAt = timer();
  let puttingOff = false;
  let sweepAt = timer() + sweepMilliseconds;
  let cancelPoll = (): void => {};
  let cancelLook: (() => void) | null = null;
  let cancelPaced = (): void => {};
  let cancelRenewal: (() => void) | null = null;

  /** Claims as much as there is room for and begins it, without waiting for it. */
  async function claimDue(): Promise<number> {
    const rooms = new Map([...lanes].map(([network, lane]) => [network, lane.room()]));
    const limit = limits.concurrentTotal - running.size;
    const others = timer() >= othersAt;
    const hasRoom = others || [...rooms.values()].some((room) => room > 0);
    if (limit < 1 || !hasRoom || state === 'stopped') return 0;
    const { leaseSeconds } = limits;
    const claims = await discoveries.claim({ owner, leaseSeconds, limit, rooms, others, suspects: suspects() });
    if (others && claims.every(({ key }) => lanes.has(entityOf(key).network))) othersAt = timer() + othersMilliseconds;
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
    const isSuspect = ({ claim }: Running): boolean => claim.attempt >= last;
    return { fromAttempt: last - 1, limit: [...running].some(isSuspect) ? 0 : 1 };
  }

  function begin(claim: Claim, deferrals: Map<Lane, number>): void {
    const lane = lanes.get(entityOf(claim.key).network);
    const controller = new AbortController();
    endEarlier(claim.key);
    const at = lane === undefined ? null : deferredTo(lane, claim, deferrals);
    if (lane !== undefined && at === null) {
      lane.running += 1;
      if (!lane.circuit.isOpen()) lane.pace.take();
    }
    const work = at === null ? run(claim, lane, controller.signal) : discoveries.defer(claim, at).then(() => {});
    const over = work
      .catch((error: unknown) =>
        log.error({ key: claim.key, error: messageOf(error) }, 'a discovery was left to its lease'),
      )
      .finally(() => {
        running.delete(one);
        if (lane !== undefined && at === null) lane.running -= 1;
        if (running.size === 0) endRenewal();
        if (state === 'started') look();
      });
    const one = { claim, controller, over };
    running.add(one);
    renewLater();
  }

  /** An attempt of ours whose lease ran out (the process was paused, the store away): claimed anew, it can write nothing more. */
  function endEarlier(key: Key): void {
    for (const { claim, controller } of running)
      if (claim.key === key) controller.abort(new ClaimEnded('the lease was lost'));
  }

  /** When to come back with a claim that can't run now, since its network is busy or paced; each later by a turn. Null: now. */
  function deferredTo(lane: Lane, claim: Claim, deferrals: Map<Lane, number>): Instant | null {
    const wait = lane.waitMilliseconds();
    if (wait === 0) return null;
    const turn = deferrals.get(lane) ?? 0;
    deferrals.set(lane, turn + 1);
    return claim.startedAt + Math.ceil(wait + (turn * 1_000) / lane.pace.perSecond());
  }

  async function run(claim: Claim, lane: Lane | undefined, signal: AbortSignal): Promise<void> {
    const began = timer();
    if (lane === undefined)
      return outcomes.keep(claim, { is: 'unavailable', reason: 'not-supported-on-network', retryable: false });
    // An attempt that took its process with it is counted too (F16).
    if (claim.attempt > limits.attempts) return outcomes.giveUp(claim);
    let obtained: Obtained;
    try {
      obtained = await ask(lane, claim, signal);
      outcomes.check(claim, obtained);
    } catch (error) {
      return failed(claim, lane, error, timer() - began);
    }
    // That the store fails says nothing of the network: the discovery is left to its lease, and the circuit closed (F21).
    await outcomes.keep(claim, obtained);
  }

  async function ask({ source, circuit }: Lane, claim: Claim, signal: AbortSignal): Promise<Obtained> {
    if (!circuit.admits()) throw new CircuitOpen('the circuit is open');
    const deadlineMilliseconds = limits.attemptSeconds * 1_000;
    const obtained = await attempt(source, entityOf(claim.key), {
      deep: claim.deep,
      deadlineMilliseconds,
      timers,
      signal,
    });
    circuit.succeeded();
    return obtained;
  }

  async function failed(claim: Claim, lane: Lane, error: unknown, tookMilliseconds: number): Promise<void> {
    judge(lane, claim, error);
    if (error instanceof ClaimEnded) return;
    const now = claim.startedAt + Math.ceil(Math.max(0, tookMilliseconds));
    if (error instanceof SourceThrottled) {
      await discoveries.defer(claim, now + lane.pace.waitMilliseconds());
      return;
    }
    const { key, attempt: count } = claim;
    log.warn({ key, attempt: count, error: messageOf(error) }, 'an attempt failed');
    if (count >= limits.attempts) return outcomes.giveUp(claim);
    await discoveries.retry(claim, now + backOffMilliseconds(count));
  }

  /** What a failure says of the network, as against the one entity. */
  function judge({ circuit, pace }: Lane, { key }: Claim, error: unknown): void {
    if (error instanceof CircuitOpen) return;
    if (error instanceof SourceThrottled) pace.throttled(error.retryAfterSeconds);
    const undecided = error instanceof SourceThrottled || error instanceof EntityFailed || error instanceof ClaimEnded;
    if (undecided) circuit.undecided();
    else circuit.failed(key);
  }

  /** Doubles with each attempt; half of it is jitter. */
  function backOffMilliseconds(count: number): number {
    const seconds = Math.min(limits.backoffMaxSeconds, limits.backoffSeconds * 2 ** (count - 1));
    return Math.ceil(seconds * 1_000 * (0.5 + random() / 2));
  }

  function renewLater(): void {
    if (cancelRenewal !== null || running.size === 0) return;
    cancelRenewal = timers.after(limits.renewSeconds * 1_000, () => {
      cancelRenewal = null;
      void renew().finally(renewLater);
    });
  }

  function endRenewal(): void {
    cancelRenewal?.();
    cancelRenewal = null;
  }

  /** A lease that is no longer ours ends the attempt: its write would be refused anyway (F4). */
  async function renew(): Promise<void> {
    const held = [...running];
    try {
      const ours = await discoveries.renew(
        held.map(({ claim }) => claim),
        limits.leaseSeconds,
      );
      for (const { claim, controller } of held)
        if (!ours.has(claim.key)) controller.abort(new ClaimEnded('the lease was lost'));
    } catch (error) {
      log.error({ error: messageOf(error) }, 'leases could not be renewed');
    }
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
    void sweep();
    void putOff();
    cancelPoll = timers.after(limits.pollMilliseconds, poll);
  }

  /** What waits for a network that asked us to wait is due when it lets us again; whoever asks for it is told so (F9). */
  async function putOff(): Promise<void> {
    if (puttingOff) return;
    puttingOff = true;
    for (const { source, pace, circuit } of lanes.values()) {
      const milliseconds = pace.blockedMilliseconds();
      if (milliseconds === 0 || circuit.isOpen()) continue;
      const wait = { milliseconds, eachMilliseconds: Math.ceil(1_000 / pace.perSecond()), limit: putOffAtOnce };
      await discoveries
        .putOff(source.network, wait)
        .catch((error: unknown) => log.error({ error: messageOf(error) }, 'nothing could be put off'));
    }
    puttingOff = false;
  }

  /** Whoever asks for what is not there leaves a row, which goes when it counts no more. */
  async function sweep(): Promise<void> {
    if (timer() < sweepAt) return;
    sweepAt = timer() + sweepMilliseconds;
    const swept = await parts.documents
      .sweep(sweptAtOnce)
      .catch((error: unknown) => (log.error({ error: messageOf(error) }, 'nothing could be swept'), 0));
    if (swept >= sweptAtOnce) sweepAt = 0;
  }

  async function stop(): Promise<void> {
    const before = state;
    state = 'stopped';
    cancelPoll();
    cancelLook?.();
    cancelPaced();
    if (before === 'stopped') return;
    await looking;
    for (const { controller } of running) controller.abort(new ClaimEnded('the process stops'));
    await Promise.all([...running].map(({ over }) => over));
    endRenewal();
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
      await Promise.all([...running].map(({ over }) => over));
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
