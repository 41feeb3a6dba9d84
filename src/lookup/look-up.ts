import { canonicalHandle } from '../networks/handle.ts';
import {
  entityOf,
  keyOf,
  type Actor,
  type Availability,
  type Clock,
  type Entity,
  type HeldDocument,
  type Instant,
  type Key,
  type Reason,
  type Snapshot,
} from '../model.ts';
import type { Discoveries, Started } from '../storage/discoveries.ts';
import type { Documents } from '../storage/documents.ts';
import { orUnavailable, storeUnavailable } from '../storage/outage.ts';
import { assess, type Assessment } from './availability.ts';
import type { Parsed } from './identifier.ts';

/** One identifier as submitted, and what it names. */
export interface Asked {
  readonly id: string;
  readonly parsed: Parsed;
}

/** The outcome of one identifier as submitted. */
export interface Answered {
  readonly id: string;
  readonly availability: Availability<HeldDocument>;
}

/** What a look-up needs of the store and of discovery; `src/service.ts` wires it. */
export interface LookupParts {
  readonly documents: Pick<Documents, 'load' | 'setDeep'>;
  readonly discoveries: Pick<Discoveries, 'startOrJoin'>;
  readonly clock: Clock;
  /** Estimated seconds until a discovery of the entity is over if the account starts it now, time in the queue included. */
  readonly waitSeconds: (entity: Entity, account: string) => number;
  /** Tells this process's worker that there is work to claim. */
  readonly wake: (keys: readonly Key[], account: string) => void;
  /** Called with the cause when refreshes could not be started but the read was answered, as everything it needed was known (F12). */
  readonly onUnstarted?: (cause: unknown) => void;
  /** How long `creatorDeepAnalysis` stays on (CRB-10). */
  readonly deepSeconds: number;
}

/**
 * Reads entities for an actor: one outcome for each identifier, in the order given. `deep` is `creatorDeepAnalysis` (CRB-09); without
 * `extras` documents may come without a creator's posts and a post's analysis.
 *
 * @throws Refusal `dependency-unavailable` when the store cannot say what it holds, or cannot start what has to be discovered.
 */
export type LookUp = (
  actor: Actor,
  asked: readonly Asked[],
  options: { readonly deep: boolean; readonly extras?: boolean },
) => Promise<Answered[]>;

/**
 * Creates the read. It takes two statements for any number of identifiers, the second only if something is to be discovered, and
 * never waits for a network.
 */
export function createLookUp(parts: LookupParts): LookUp {
  return async function lookUp(actor, asked, { deep, extras = true }) {
    const once = firstOfEach(asked).map(named);
    const keys = keysOf(once);
    const snapshots = keys.length === 0 ? NONE : await orUnavailable(() => parts.documents.load(keys, { extras }));
    const now = parts.clock();
    const assessed = new Map(keys.map((key) => [key, assess(snapshots.get(key) ?? nothingKnown(key), now)]));
    const deepened = deep ? await orUnavailable(() => deepen(parts, snapshots, now)) : [];
    const started = await start(parts, actor, assessed, deepened, deep).catch((cause: unknown) =>
      withoutStarting(parts, assessed, deep, cause),
    );
    return once.map((one) => ({ id: one.id, availability: told(one, assessed, started) }));
  };
}

/** Drops repeats of the same string; different strings that name one entity are each answered (IDS-11). */
function firstOfEach(asked: readonly Asked[]): readonly Asked[] {
  if (asked.length < 2) return asked;
  const ids = new Set<string>();
  return asked.filter(({ id }) => ids.size < ids.add(id).size);
}

/** An identifier with the key of what it names. The key is made once: making and hashing keys is most of the cost of a held identifier. */
type Named = { readonly id: string } & ({ readonly key: Key } | { readonly reason: Reason });

const named = ({ id, parsed }: Asked): Named =>
  'entity' in parsed ? { id, key: keyOf(parsed.entity) } : { id, reason: parsed.reason };

function keysOf(asked: readonly Named[]): Key[] {
  const keys = new Set<Key>();
  for (const one of asked) if ('key' in one) keys.add(one.key);
  return [...keys];
}

const NONE: Map<Key, Snapshot> = new Map();
const nothingKnown = (key: Key): Snapshot => ({ key, document: null, discovery: null, deepUntil: null });

/**
 * Turns `creatorDeepAnalysis` on for the creators asked for and for the authors of held posts asked for (PST-06); the authors of
 * other posts follow when those posts are discovered. Returns the creators for whom it was off: their posts have yet to be
 * ingested (CRB-09).
 */
async function deepen(parts: LookupParts, snapshots: Map<Key, Snapshot>, now: Instant): Promise<Key[]> {
  const creators = new Set([...snapshots.values()].flatMap(creatorOf));
  const unknown = [...creators].filter((key) => !snapshots.has(key));
  const before =
    unknown.length === 0
      ? snapshots
      : new Map([...snapshots, ...(await parts.documents.load(unknown, { extras: false }))]);
  await parts.documents.setDeep([...creators], parts.deepSeconds);
  return [...creators].filter((key) => isOff(before.get(key), now));
}

const isOff = (snapshot: Snapshot | undefined, now: Instant): boolean => (snapshot?.deepUntil ?? 0) <= now;

function creatorOf({ key, document }: Snapshot): Key[] {
  const { kind, network } = entityOf(key);
  if (kind === 'creator') return [key];
  const username: unknown = document === null ? null : JSON.parse(document.full.toString())?.author?.username;
  const name = typeof username === 'string' ? canonicalHandle(username) : null;
  return name === null ? [] : [keyOf({ kind: 'creator', network, name })];
}

/** Starts or joins the discoveries that are due; null when there are none. */
async function start(
  { discoveries, waitSeconds, wake }: LookupParts,
  actor: Actor,
  assessed: Map<Key, Assessment>,
  deepened: readonly Key[],
  deep: boolean,
): Promise<ReadonlyMap<Key, Started> | null> {
  const due: Key[] = [];
  for (const [key, { discover }] of assessed) if (discover) due.push(key);
  if (due.length + deepened.length === 0) return null;
  // Sorted: statements that lock the same rows in different orders deadlock.
  const keys = [...new Set([...due, ...deepened])].toSorted();
  const { principal, organization, profile } = actor;
  const requests = keys.map((key) => ({ key, waitSeconds: waitSeconds(entityOf(key), principal.account) }));
  const options = { account: principal.account, organization, profile, deep };
  const started = await discoveries.startOrJoin(requests, options);
  wake(
    keys.filter((key) => started.get(key)?.started === true),
    principal.account,
  );
  return started;
}

/**
 * Decides what a read does when discoveries could not be started, as on a store that is read-only: without a refresh it can do;
 * without a discovery that somebody waits for it fails (F12).
 *
 * @throws Refusal `dependency-unavailable`
 */
function withoutStarting(parts: LookupParts, assessed: Map<Key, Assessment>, deep: boolean, cause: unknown): null {
  const needed =
    deep || [...assessed.values()].some(({ availability, discover }) => discover && availability.is !== 'held');
  if (needed) throw storeUnavailable(cause);
  parts.onUnstarted?.(cause);
  return null;
}

function told(
  one: Named,
  assessed: ReadonlyMap<Key, Assessment>,
  started: ReadonlyMap<Key, Started> | null,
): Availability<HeldDocument> {
  if (!('key' in one)) return { is: 'unavailable', reason: one.reason, retryable: false };
  const assessment = assessed.get(one.key);
  if (assessment === undefined) throw new Error(`${one.key} was not assessed`);
  const { availability } = assessment;
  if (availability.is !== 'fetching') return availability;
  return { is: 'fetching', retryAt: started?.get(one.key)?.retryAt ?? availability.retryAt };
}
