/**
 * The work of discovery, a row an entity: `queued` (may be claimed once due), `running` (claimed; `due_at` ends the lease)
 * or `idle` (a refresh scheduled for `due_at`). The key is the primary key, so that a read starts or joins (STA-01).
 */
import type { Instant, Key } from '../model.ts';
import type { Database } from './database.ts';
import { dueOf, overdueMilliseconds, sql } from './discovery-statements.ts';
import { fenceValues, type Fence } from './fence.ts';
import { createRoom, type Depth, type RoomOptions, type Standing } from './queue-room.ts';

export type { Depth } from './queue-room.ts';

export interface Claimed {
  readonly key: Key;
  readonly attempt: number;
  /** When this attempt was claimed, by the store's clock; fences every write of it. */
  readonly startedAt: Instant;
  /** How far the clock of this process is ahead of the store's. */
  readonly aheadMilliseconds: number;
  readonly account: string;
  readonly organization: string;
  readonly profile: string | null;
  readonly deep: boolean;
  readonly owner: string;
}

export interface Started {
  /** False: joined; or, with `attempt` 0, the queue has no room or one has only just ended. */
  readonly started: boolean;
  /** By the clock of this process. */
  readonly retryAt: Instant;
  readonly attempt: number;
}

export interface StartOptions {
  readonly account: string;
  readonly organization: string;
  readonly profile: string | null;
  readonly deep: boolean;
  /** The discovery that this one follows from: none is started once it is another's, or forgotten. */
  readonly relatedDiscovery?: Fence;
}

export interface ClaimOptions {
  readonly owner: string;
  readonly leaseSeconds: number;
  readonly limit: number;
  /** Of these networks at most so many each; of others nothing, which are left to nodes that know them (F19). */
  readonly rooms: ReadonlyMap<string, number>;
  /** Of those that were held by a dead process in this attempt or a later one, how many: one of them may have killed it (F16). */
  readonly suspects?: { readonly fromAttempt: number; readonly limit: number };
}

export interface Discoveries {
  startOrJoin(
    requests: readonly { readonly key: Key; readonly waitSeconds: number }[],
    options: StartOptions,
  ): Promise<Map<Key, Started>>;
  /**
   * What is due: queued work, retries, refreshes and what dead processes held; fair between accounts. What is over by now is ended, not handed
   * out: a process died between its document and the end of its discovery, or a read that had looked before put it back after.
   */
  claim(options: ClaimOptions): Promise<Claimed[]>;
  /** Extends leases; answers the keys that are still ours. */
  renew(claims: readonly Claimed[], leaseSeconds: number): Promise<Set<Key>>;
  /** Ends a discovery; false: it was no longer this claim's. */
  done(claim: Claimed, next?: { readonly refreshAt: Instant | null }): Promise<boolean>;
  /** Puts it back until then. */
  retry(claim: Claimed, at: Instant): Promise<boolean>;
  /** Puts back until then what was never tried, since its network is paced: the attempt does not count. */
  defer(claim: Claimed, at: Instant): Promise<boolean>;
  /** What is queued and due of a network is due after so long, no more than `limit` of it; `eachMilliseconds`: what each takes then. */
  putOff(
    network: string,
    wait: { readonly milliseconds: number; readonly eachMilliseconds: number; readonly limit: number },
  ): Promise<void>;
  /** Gives back all that a process holds, uncounted, when it shuts down. */
  release(owner: string): Promise<number>;
  depth(): Promise<Depth>;
  /**
   * Sees to what no claim finds: it finds it once its network is named, where an older version's node queued it; and it is removed where nobody has
   * taken it for an hour and its network is none of `known`. Answers how many were removed; no more than `limit` of either.
   */
  sweep(known: readonly string[], limit: number): Promise<number>;
}

export type DiscoveriesOptions = RoomOptions;

interface StandingRow extends Standing {
  readonly state: 'queued' | 'running';
}

interface DueRow {
  readonly key: Key;
  readonly network: string;
  readonly turn: number;
}

interface ClaimedRow extends WorkRow {
  turn: number;
  is_over: number;
}

interface WorkRow {
  key: Key;
  attempts: number;
  retry_at: Instant;
  started_at: Instant;
  account: string;
  organization: string;
  profile: string | null;
  deep: number;
}

const fullMilliseconds = 5_000;
const overMilliseconds = 1_000;

/** How much is looked for, so that it is enough though other nodes take of it: four times what is wanted, as a power of two. */
const lookedFor = (wanted: number): number => 2 ** Math.ceil(Math.log2(4 * wanted));

const noSuspects = { fromAttempt: 1_000_000, limit: 0 };

export function createDiscoveries(database: Database, options: DiscoveriesOptions): Discoveries {
  const { clock } = options;
  const room = createRoom(options, depth);

  async function depth(): Promise<Depth> {
    const rows = await database.query<StandingRow>(sql.standing);
    const total = (wanted: StandingRow['state']): number =>
      rows.reduce((sum, { state, n }) => sum + (state === wanted ? n : 0), 0);
    const counted = {
      queued: total('queued'),
      running: total('running'),
      standing: rows.filter(({ state }) => state === 'queued'),
    };
    room.counted(counted);
    return counted;
  }

  async function start(waits: Map<Key, number>, keys: readonly Key[], pending: number, by: StartOptions) {
    if (keys.length === 0) return [];
    const list = Object.fromEntries(keys.map((key) => [key, Math.ceil((waits.get(key) ?? 1) * 1_000)]));
    const { account, organization, profile, deep } = by;
    const asked = [JSON.stringify(list), account, organization, profile, deep ? 1 : 0, pending];
    const values = [...asked, ...fenceValues(by.relatedDiscovery ?? null)];
    return room.reserve(account, keys.length, () => database.query<WorkRow>(sql.start, values));
  }

  async function join(keys: readonly Key[], told: Map<Key, Started>): Promise<void> {
    if (keys.length === 0) return;
    const rows = await database.query<WorkRow & { now: Instant }>(sql.joined, [JSON.stringify(keys)]);
    for (const { key, attempts, retry_at, now } of rows) {
      told.set(key, {
        started: false,
        retryAt: clock() + (retry_at > now ? retry_at - now : overdueMilliseconds),
        attempt: attempts,
      });
    }
  }

  async function end(
    claim: Claimed,
    next: { readonly refreshAt: Instant | null } = { refreshAt: null },
  ): Promise<boolean> {
    const ours = [claim.key, claim.owner, claim.startedAt];
    const deep = claim.deep ? 1 : 0;
    const rows =
      next.refreshAt === null
        ? await database.query(sql.end, [...ours, deep])
        : await database.query(sql.schedule, [...ours, deep, next.refreshAt]);
    if (rows.length > 0) return true;
    return (await database.query(sql.again, ours)).length > 0;
  }

  async function due(options: ClaimOptions): Promise<DueRow[]> {
    const { leaseSeconds, limit, rooms, suspects = noSuspects } = options;
    if (limit < 1) return [];
    // One text however many have room; a name that is null finds nothing.
    const open = [...rooms].map(([network, room]) => (room > 0 ? network : null));
    return database.query<DueRow>(dueOf(open.length, lookedFor(limit)), [
      suspects.fromAttempt,
      suspects.limit,
      JSON.stringify(open.filter((network) => network !== null)),
      leaseSeconds * 1_000,
      ...open,
    ]);
  }

  /** No room, or just over: nothing is started. The caller is told to come back, and the read that does finds out. */
  const notStarted = (wait: number): Started => ({ started: false, retryAt: clock() + wait, attempt: 0 });

  return {
    async startOrJoin(requests, by) {
      const told = new Map<Key, Started>();
      const waits = new Map(requests.map(({ key, waitSeconds }) => [key, waitSeconds]));
      const keys = [...waits.keys()].sort();
      if (keys.length === 0) return told;
      await room.refresh();
      // First, as one that ended between the two would be neither joined nor started (CRB-09).
      if (by.deep) await database.query(sql.deepen, [JSON.stringify(keys)]);
      const { free, pending } = room.of(by.account);
      for (const row of await start(waits, keys.slice(0, free), pending, by)) {
        told.set(row.key, { started: true, retryAt: clock() + row.retry_at - row.started_at, attempt: row.attempts });
      }
      await join(
        keys.filter((key) => !told.has(key)),
        told,
      );
      const full = new Set(keys.slice(free));
      for (const key of keys) {
        if (!told.has(key))
          told.set(
            key,
            notStarted(full.has(key) ? (waits.get(key) ?? 1) * 1_000 + fullMilliseconds : overMilliseconds),
          );
      }
      return told;
    },

    async claim(options) {
      const { owner, leaseSeconds } = options;
      const takeOne = ({ keys, limit }: Share): Promise<ClaimedRow[]> =>
        database.query(sql.claim, [owner, leaseSeconds * 1_000, limit, JSON.stringify(keys)]);
      const taken = (await Promise.all(sharesOf(await due(options), options).map(takeOne))).flat();
      // In the order of their turns: the first of them get what the pace of their network leaves (F17).
      const rows = taken.toSorted((left, right) => left.turn - right.turn);
      const claims = rows.map((row) => claimed(row, owner, clock() - row.started_at));
      const isOver = (_: Claimed, index: number): boolean => rows[index]?.is_over === 1;
      await Promise.all(claims.filter(isOver).map((claim) => end(claim)));
      return claims.filter((claim, index) => !isOver(claim, index));
    },

    async renew(claims, leaseSeconds) {
      if (claims.length === 0) return new Set();
      const list = JSON.stringify(Object.fromEntries(claims.map(({ key, startedAt }) => [key, startedAt])));
      const rows = await database.query<{ key: Key }>(sql.renew, [list, leaseSeconds * 1_000, claims[0]!.owner]);
      return new Set(rows.map(({ key }) => key));
    },

    done: end,

    async retry({ key, owner, startedAt }, at) {
      return (await database.query(sql.retry, [key, owner, startedAt, at])).length > 0;
    },

    async defer({ key, owner, startedAt }, at) {
      return (await database.query(sql.defer, [key, owner, startedAt, at])).length > 0;
    },

    async putOff(network, { milliseconds, eachMilliseconds, limit }) {
      await database.query(sql.putOff, [network, milliseconds, eachMilliseconds, limit]);
    },

    async release(owner) {
      return (await database.query(sql.release, [owner])).length;
    },

    depth,

    async sweep(known, limit) {
      await database.query(sql.nameNetwork, [limit]);
      return (await database.query(sql.dropStranded, [JSON.stringify(known), limit])).length;
    },
  };
}

/** What is taken of one network. */
interface Share {
  readonly keys: Key[];
  limit: number;
}

/** Whose turn is first is taken, within the limit and the room of each network; what is due beyond it stands in for what another node takes. */
function sharesOf(due: readonly DueRow[], { limit, rooms }: ClaimOptions): Share[] {
  const shares = new Map<string, Share>();
  let left = limit;
  for (const { key, network } of due.toSorted((one, other) => one.turn - other.turn)) {
    const share = shares.get(network) ?? { keys: [], limit: 0 };
    shares.set(network, share);
    share.keys.push(key);
    if (left === 0 || share.limit >= (rooms.get(network) ?? 0)) continue;
    share.limit += 1;
    left -= 1;
  }
  return [...shares.values()].filter((share) => share.limit > 0);
}

const claimed = (row: WorkRow, owner: string, aheadMilliseconds: number): Claimed => ({
  key: row.key,
  attempt: row.attempts,
  startedAt: row.started_at,
  aheadMilliseconds,
  account: row.account,
  organization: row.organization,
  profile: row.profile,
  deep: row.deep === 1,
  owner,
});
