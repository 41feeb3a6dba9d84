/** What is held of each entity: documents in every form a read needs, and failures while they are remembered. */
import { LRUCache } from 'lru-cache';
import { entityOf, keyOf } from '../model.ts';
import type {
  Analysis,
  Clock,
  Creator,
  CreatorPost,
  DiscoveryState,
  Entity,
  HeldDocument,
  Instant,
  Key,
  Post,
  Reason,
  Snapshot,
} from '../model.ts';
import type { Database, Parameter } from './database.ts';
import { creatorVariants, heldBytes, heldDocument, postVariants, type Variants } from './variants.ts';

/** A document to hold. Contract documents; `analysis` has all 19 keys (a post's), `posts` newest first (a creator's). */
export interface ToHold {
  readonly entity: Entity;
  readonly document: Creator | Post;
  readonly posts?: readonly CreatorPost[];
  readonly analysis?: Analysis;
  readonly audienceUntil?: Instant | null;
  /** A post's author, so that forgetting the creator forgets the post. Absent: taken from the document's `author.username`. */
  readonly author?: Entity | null;
}

/** The claim that a write belongs to: once it is another's, or forgotten, the write is refused (F4). */
export interface Fence {
  readonly key: Key;
  readonly owner: string;
  readonly startedAt: Instant;
}

export interface PutOptions {
  /** When the discovery began, by the store's clock (`Claimed.startedAt`): an older one never overwrites a newer. */
  readonly startedAt: Instant;
  readonly freshUntil: Instant;
  readonly relatedDiscovery?: Fence | null;
}

export interface Failure {
  readonly reason: Reason;
  readonly retryable: boolean;
  readonly rememberedUntil: Instant;
  readonly startedAt: Instant;
  readonly relatedDiscovery?: Fence | null;
}

export interface Documents {
  /** One query at most; every key asked for is in the answer. Fresh documents come from memory. */
  load(keys: readonly Key[]): Promise<Map<Key, Snapshot>>;
  /** False: a newer document is there, or the claim is no longer its owner's. Safe to repeat. */
  put(obtained: ToHold, options: PutOptions): Promise<boolean>;
  /** Remembers why not, unless the claim is another's by now; a document held stays (STA-03). */
  putFailure(key: Key, failure: Failure): Promise<void>;
  /** Removes all of an entity, of a creator its posts too, with their work. Answers how many entities were held. */
  forget(entity: Entity): Promise<number>;
  /** Everything held of a key, for people; null: nothing. */
  show(key: Key): Promise<object | null>;
  /** Makes a held document stale; answers whether there is one. */
  expire(key: Key): Promise<boolean>;
  /** `creatorDeepAnalysis` is on for these creators for so long from now (CRB-10); never shortens. */
  setDeep(keys: readonly Key[], seconds: number): Promise<void>;
}

export interface DocumentsOptions {
  /** Bound of the documents kept in memory. */
  readonly cacheBytes: number;
  readonly clock: Clock;
  /** PostgreSQL: longest that a document is told from memory without asking, should a notification be lost. */
  readonly backstopMilliseconds?: number;
}

interface Row {
  key: Key;
  now: Instant;
  document: string | null;
  restricted: string | null;
  posts: string | null;
  posts_restricted: string | null;
  analysis: string | null;
  without_audience: string | null;
  audience_until: Instant | null;
  fresh_until: Instant | null;
  failed_reason: string | null;
  failed_retryable: number | null;
  failed_until: Instant | null;
  state: 'idle' | 'queued' | 'running' | null;
  retry_at: Instant | null;
  deep_until: Instant | null;
}

interface Cached {
  readonly snapshot: Snapshot;
  readonly loadedAt: Instant;
}

/** An overdue discovery is expected this much after the question. */
const overdueMilliseconds = 2_000;

const columns = `k.value as key, now_ms() as now, e.document, e.restricted, e.posts, e.posts_restricted, e.analysis,
  e.without_audience, e.audience_until, e.fresh_until, e.failed_reason, e.failed_retryable, e.failed_until,
  w.state, w.retry_at, d.until as deep_until`;
const joins =
  'left join entity e on e.key = k.value left join work w on w.key = k.value left join deep d on d.key = k.value';

/** Three parameters from `$first` on: the claim's key, null for a write without one, its owner and start. */
const fence = (first: number): string => `(cast($${first} as text) is null or exists (
       select 1 from work
        where work.key = $${first} and owner = $${first + 1} and started_at = cast($${first + 2} as bigint) for share))`;

const sql = {
  loadOne: `select ${columns} from (select cast($1 as text) as value) k ${joins}`,
  loadMany: `select ${columns} from (select value from json_each(cast($1 as text))) k ${joins}`,
  put: `
    insert into entity (key, author, document, restricted, posts, posts_restricted, analysis, without_audience,
                        audience_until, fresh_until, started_at, fetched_at)
    select cast($1 as text), cast($2 as text), cast($3 as text), cast($4 as text), cast($5 as text), cast($6 as text),
           cast($7 as text), cast($8 as text), cast($9 as bigint), cast($10 as bigint), cast($11 as bigint), now_ms()
     where ${fence(12)}
    on conflict (key) do update set
      author = excluded.author, document = excluded.document, restricted = excluded.restricted, posts = excluded.posts,
      posts_restricted = excluded.posts_restricted, analysis = excluded.analysis,
      without_audience = excluded.without_audience, audience_until = excluded.audience_until,
      fresh_until = excluded.fresh_until, started_at = excluded.started_at, fetched_at = excluded.fetched_at,
      failed_reason = null, failed_retryable = null, failed_until = null, failed_at = null
      where coalesce(entity.started_at, 0) <= excluded.started_at and coalesce(entity.failed_at, 0) <= excluded.started_at
    returning key, notify_document(key)`,
  putFailure: `
    insert into entity (key, failed_reason, failed_retryable, failed_until, failed_at)
    select cast($1 as text), cast($2 as text), cast($3 as bigint), cast($4 as bigint), cast($5 as bigint)
     where ${fence(6)}
    on conflict (key) do update set
      failed_reason = excluded.failed_reason, failed_retryable = excluded.failed_retryable,
      failed_until = excluded.failed_until, failed_at = excluded.failed_at
      where coalesce(entity.started_at, 0) <= excluded.failed_at and coalesce(entity.failed_at, 0) <= excluded.failed_at`,
  // The work goes first: whoever still writes then finds no claim, and what was written before is seen and removed.
  forgetWork: `
    delete from work where key in (
      select key from work where key = $1 or key in (select key from entity where author = $1) order by key for update)`,
  forgetDeep: 'delete from deep where key = $1',
  forgetEntities: `
    delete from entity where key in (select key from entity where key = $1 or author = $1 order by key for update)
    returning key, notify_document(key)`,
  expire: `
    update entity set fresh_until = 0 where key = $1 and document is not null returning key, notify_document(key)`,
  setDeep: `
    insert into deep (key, until)
    select value, now_ms() + cast($2 as bigint) from json_each(cast($1 as text)) where true order by value
    on conflict (key) do update set until = excluded.until where deep.until < excluded.until
    returning key, notify_document(key)`,
  show: `select e.*, w.state, w.due_at, w.retry_at, w.attempts, w.owner, w.account, w.organization, w.profile, w.deep,
      d.until as deep_until
    from (select cast($1 as text) as key) k left join entity e on e.key = k.key
    left join work w on w.key = k.key left join deep d on d.key = k.key`,
};

export function createDocuments(database: Database, options: DocumentsOptions): Documents {
  const cache = createCache(database, options);

  async function query(keys: readonly Key[], found: Map<Key, Snapshot>): Promise<Map<Key, Snapshot>> {
    const asked = cache.generation();
    const rows =
      keys.length === 1
        ? await database.query<Row>(sql.loadOne, [keys[0]!])
        : await database.query<Row>(sql.loadMany, [JSON.stringify(keys)]);
    for (const row of rows) {
      const snapshot = snapshotOf(row, options.clock() - row.now);
      found.set(row.key, snapshot);
      cache.keep(snapshot, asked);
    }
    return found;
  }

  return {
    load(keys) {
      const { found, missing } = cache.take(keys);
      return missing.length === 0 ? Promise.resolve(found) : query(missing, found);
    },
    async put(obtained, { startedAt, freshUntil, relatedDiscovery = null }) {
      const key = keyOf(obtained.entity);
      const values = putValues(key, obtained, startedAt, freshUntil);
      const rows = await database.query(sql.put, [...values, ...fenceValues(relatedDiscovery)]);
      cache.drop(key);
      return rows.length > 0;
    },
    async putFailure(key, { reason, retryable, rememberedUntil, startedAt, relatedDiscovery = null }) {
      const values = [key, reason, retryable ? 1 : 0, rememberedUntil, startedAt];
      await database.query(sql.putFailure, [...values, ...fenceValues(relatedDiscovery)]);
      cache.drop(key);
    },
    async forget(entity) {
      const key = keyOf(entity);
      await database.query(sql.forgetWork, [key]);
      await database.query(sql.forgetDeep, [key]);
      const rows = await database.query<{ key: Key }>(sql.forgetEntities, [key]);
      rows.forEach((row) => cache.drop(row.key));
      cache.drop(key);
      return rows.length;
    },
    async show(key) {
      const [row] = await database.query<Record<string, Parameter>>(sql.show, [key]);
      return row && (row['key'] !== null || row['state'] !== null) ? shown(key, row) : null;
    },
    async expire(key) {
      const rows = await database.query(sql.expire, [key]);
      cache.drop(key);
      return rows.length > 0;
    },
    async setDeep(keys, seconds) {
      if (keys.length === 0) return;
      await database.query(sql.setDeep, [JSON.stringify([...new Set(keys)].sort()), Math.ceil(seconds * 1_000)]);
      keys.forEach((key) => cache.drop(key));
    },
  };
}

/** Fresh documents by key, as long as nobody else can have changed them. */
function createCache(database: Database, { cacheBytes, clock, backstopMilliseconds = 30_000 }: DocumentsOptions) {
  const cached = new LRUCache<Key, Cached>({
    maxSize: Math.max(1, cacheBytes),
    sizeCalculation: ({ snapshot }) => (snapshot.document ? heldBytes(snapshot.document) : 1_000),
  });
  const oldest = database.engine === 'postgres' ? backstopMilliseconds : Number.POSITIVE_INFINITY;
  let changes = 0;
  let version = database.dataVersion();

  function forgetAll(): void {
    changes += 1;
    cached.clear();
  }
  function drop(key: Key): void {
    changes += 1;
    cached.delete(key);
  }
  function checkVersion(): void {
    const now = database.dataVersion();
    if (now === version) return;
    version = now;
    forgetAll();
  }
  const usable = ({ snapshot, loadedAt }: Cached, now: Instant): boolean =>
    snapshot.document !== null && snapshot.document.freshUntil > now && now - loadedAt < oldest;

  database.onDocumentChange((key) => (key === null ? forgetAll() : drop(key)));
  return {
    drop,
    /** Counts changes: an answer asked for before the last change is told, not kept. */
    generation: () => changes,
    take(keys: readonly Key[]): { found: Map<Key, Snapshot>; missing: Key[] } {
      checkVersion();
      const now = clock();
      const found = new Map<Key, Snapshot>();
      const missing: Key[] = [];
      for (const key of keys) {
        const hit = cached.get(key);
        if (hit && usable(hit, now)) found.set(key, hit.snapshot);
        else missing.push(key);
      }
      return { found, missing };
    },
    keep(snapshot: Snapshot, asked: number): void {
      const entry = { snapshot, loadedAt: clock() };
      // A discovery that runs will end without the document's changing: what is told of it must not outlive it.
      const settled = snapshot.discovery?.is !== 'running';
      if (settled && asked === changes && usable(entry, entry.loadedAt)) cached.set(snapshot.key, entry);
    },
  };
}

/**
 * Instants are the store's; a snapshot tells them by the clock of this process, which is `ahead` of it, since whoever reads a snapshot compares
 * with that: a node an hour off would else tell stale documents as fresh, and waits an hour long.
 */
function snapshotOf(row: Row, ahead: number): Snapshot {
  const deepUntil = row.deep_until === null ? null : row.deep_until + ahead;
  return { key: row.key, document: documentOf(row, ahead), discovery: discoveryOf(row, ahead), deepUntil };
}

function documentOf(row: Row, ahead: number): HeldDocument | null {
  if (row.document === null || row.fresh_until === null) return null;
  const variants: Variants = {
    document: row.document,
    restricted: row.restricted,
    posts: row.posts,
    postsRestricted: row.posts_restricted,
    analysis: row.analysis,
    withoutAudience: row.without_audience,
    audienceUntil: row.audience_until === null ? null : row.audience_until + ahead,
  };
  return heldDocument(variants, row.fresh_until + ahead);
}

function discoveryOf(row: Row, ahead: number): DiscoveryState | null {
  if (row.state === 'queued' || row.state === 'running') {
    const retryAt = row.retry_at ?? 0;
    return { is: 'running', retryAt: (retryAt > row.now ? retryAt : row.now + overdueMilliseconds) + ahead };
  }
  if (row.failed_reason === null) return null;
  return {
    is: 'failed',
    reason: row.failed_reason,
    retryable: row.failed_retryable === 1,
    rememberedUntil: (row.failed_until ?? 0) + ahead,
  };
}

const fenceValues = (claim: Fence | null): Parameter[] =>
  claim === null ? [null, null, null] : [claim.key, claim.owner, claim.startedAt];

function putValues(key: Key, obtained: ToHold, startedAt: Instant, freshUntil: Instant): Parameter[] {
  const variants = variantsOf(obtained);
  return [
    key,
    authorKey(obtained),
    variants.document,
    variants.restricted,
    variants.posts,
    variants.postsRestricted,
    variants.analysis,
    variants.withoutAudience,
    variants.audienceUntil,
    freshUntil,
    startedAt,
  ];
}

function variantsOf({ entity, document, posts = [], analysis, audienceUntil = null }: ToHold): Variants {
  return entity.kind === 'creator'
    ? creatorVariants(document as Creator, posts, entity.network, audienceUntil)
    : postVariants(document as Post, analysis ?? {}, entity.network);
}

function authorKey({ entity, document, author }: ToHold): Key | null {
  if (entity.kind === 'creator') return null;
  if (author) return keyOf(author);
  const { username } = (document as Post).author;
  return username === null ? null : keyOf({ kind: 'creator', network: entity.network, name: username.toLowerCase() });
}

const parsed = (text: Parameter | undefined): unknown => (typeof text === 'string' ? JSON.parse(text) : null);
const instant = (at: Parameter | undefined): string | null =>
  typeof at === 'number' ? new Date(at).toISOString() : null;

function shown(key: Key, row: Record<string, Parameter>): object {
  const { kind, network, name } = entityOf(key);
  return {
    key,
    kind,
    network,
    name,
    author: row['author'],
    fetchedAt: instant(row['fetched_at']),
    freshUntil: instant(row['fresh_until']),
    failure: row['failed_reason'] && {
      reason: row['failed_reason'],
      retryable: row['failed_retryable'] === 1,
      rememberedUntil: instant(row['failed_until']),
    },
    discovery: row['state'] && {
      state: row['state'],
      dueAt: instant(row['due_at']),
      attempts: row['attempts'],
      account: row['account'],
      organization: row['organization'],
      profile: row['profile'],
      deep: row['deep'] === 1,
    },
    deepUntil: instant(row['deep_until']),
    document: parsed(row['document']),
    posts: parsed(row['posts']),
    analysis: analysisShown(row['analysis']),
  };
}

function analysisShown(lines: Parameter | undefined): unknown {
  if (typeof lines !== 'string') return null;
  const pairs = lines.split('\n').map((line) => line.split('\t', 2) as [string, string]);
  return Object.fromEntries(pairs.map(([key, value]) => [key, JSON.parse(value)]));
}
