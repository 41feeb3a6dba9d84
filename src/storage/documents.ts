/** What is held of each entity: documents in every form a read needs, and failures while they are remembered. */
import { keyOf } from '../model.ts';
import type { Analysis, Creator, CreatorPost, Entity, Instant, Key, Post, Reason, Snapshot } from '../model.ts';
import type { Database, Parameter } from './database.ts';
import { createCache, type CacheOptions } from './document-cache.ts';
import { fenceValues, isFenced, type Fence } from './fence.ts';
import { shown, snapshotOf, type Row } from './document-rows.ts';
import { creatorVariants, postVariants, type Variants } from './variants.ts';

/** A document to hold. Contract documents; `analysis` has all 19 keys (a post's), `posts` newest first (a creator's). */
export interface ToHold {
  readonly entity: Entity;
  readonly document: Creator | Post;
  readonly posts?: readonly CreatorPost[];
  readonly analysis?: Analysis;
  /** An analysis that is held already stays (STA-03). */
  readonly analysisFailed?: boolean;
  readonly audienceUntil?: Instant | null;
  /** A post's author, so that forgetting the creator forgets the post; null: nobody that could be named. Absent: taken from the document's `author.username`. */
  readonly author?: Entity | null;
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
  /**
   * One query at most; every key asked for is in the answer. Fresh documents come from memory. Without `extras` documents may come
   * without what only `include` shows, a creator's posts and a post's analysis: most of their bytes.
   */
  load(keys: readonly Key[], options?: { readonly extras: boolean }): Promise<Map<Key, Snapshot>>;
  /** False: a newer document is there, or the claim is no longer its owner's. Safe to repeat. */
  put(obtained: ToHold, options: PutOptions): Promise<boolean>;
  /** Remembers why not, unless the claim is another's by now; a document held stays (STA-03). */
  putFailure(key: Key, failure: Failure): Promise<void>;
  /**
   * Removes all of an entity, of a creator its posts too, with their work; nothing comes back of what was obtained before. Answers how many
   * entities were held.
   */
  forget(entity: Entity): Promise<number>;
  /** Everything held of a key, for people; null: nothing. */
  show(key: Key): Promise<object | null>;
  /** Makes a held document stale and forgets why there is none; answers whether there is one. */
  expire(key: Key): Promise<boolean>;
  /** Removes reasons that are no longer remembered and deep windows that are over, so many of each at most; answers how many. */
  sweep(limit: number): Promise<number>;
  /** `creatorDeepAnalysis` is on for these creators for so long from now (CRB-10); never shortens. */
  setDeep(keys: readonly Key[], seconds: number, relatedDiscovery?: Fence): Promise<void>;
}

export type DocumentsOptions = CacheOptions;

/** As the bytes that responses are joined from, where the engine has them (`sqliteText`). */
const bytes = (column: string): string => `e.${column}::text as ${column}`;

/** Null unless the second parameter is 1. */
const extra = (column: string): string => `case when $2 = 1 then e.${column}::text end as ${column}`;

const columns = `k.value as key, now_ms() as now, ${bytes('document')}, ${bytes('restricted')}, ${bytes('without_audience')},
  ${extra('posts')}, ${extra('posts_restricted')}, ${extra('analysis')},
  e.audience_until, e.fresh_until, e.failed_reason, e.failed_retryable,
  case when e.failed_at > now_ms() then 0 else e.failed_until end as failed_until,
  w.state, w.retry_at, d.until as deep_until`;
const joins =
  'left join entity e on e.key = k.value left join work w on w.key = k.value left join deep d on d.key = k.value';

/** What is there of the future was written before the clock was set back (F15). */
const isNewer = (there: string, given: string): string => `(coalesce(${there}, 0) <= ${given} or ${there} > now_ms())`;

const sql = {
  loadOne: `select ${columns} from (select cast($1 as text) as value) k ${joins}`,
  loadMany: `select ${columns} from (select value from json_each(cast($1 as text))) k ${joins}`,
  put: `
    insert into entity (key, author, document, restricted, posts, posts_restricted, analysis, without_audience,
                        audience_until, fresh_until, started_at, fetched_at)
    select cast($1 as text), cast($2 as text), cast($3 as text), cast($4 as text), cast($5 as text), cast($6 as text),
           cast($7 as text), cast($8 as text), cast($9 as bigint), cast($10 as bigint), cast($11 as bigint), now_ms()
     where ${isFenced(12, 'for share')}
    on conflict (key) do update set
      author = excluded.author, document = excluded.document, restricted = excluded.restricted, posts = excluded.posts,
      posts_restricted = excluded.posts_restricted,
      analysis = case when cast($15 as bigint) = 1 then coalesce(entity.analysis, excluded.analysis) else excluded.analysis end,
      without_audience = excluded.without_audience, audience_until = excluded.audience_until,
      fresh_until = excluded.fresh_until, started_at = excluded.started_at, fetched_at = excluded.fetched_at,
      failed_reason = null, failed_retryable = null, failed_until = null, failed_at = null
      where ${isNewer('entity.started_at', 'excluded.started_at')} and ${isNewer('entity.failed_at', 'excluded.started_at')}
    returning key, notify_document(key)`,
  putFailure: `
    insert into entity (key, failed_reason, failed_retryable, failed_until, failed_at)
    select cast($1 as text), cast($2 as text), cast($3 as bigint), cast($4 as bigint), cast($5 as bigint)
     where ${isFenced(6, 'for share')}
    on conflict (key) do update set
      failed_reason = excluded.failed_reason, failed_retryable = excluded.failed_retryable,
      failed_until = excluded.failed_until, failed_at = excluded.failed_at
      where ${isNewer('entity.started_at', 'excluded.failed_at')} and ${isNewer('entity.failed_at', 'excluded.failed_at')}`,
  // Whose a post is, is known with its outcome: what is being obtained of any is refused, and asked for anew.
  obtainAnew: `
    update work set state = 'queued', due_at = now_ms(), turn = now_ms(), owner = null,
           attempts = case when attempts > 0 then attempts - 1 else 0 end
     where key in (
      select key from work where state = 'running' and key like 'post:%' and network_of(key) = network_of(cast($1 as text))
       order by key for update)`,
  // The work goes first: whoever still writes then finds no claim, and what was written before is seen and removed.
  forgetWork: `
    delete from work where key in (
      select key from work where key = $1 or key in (select key from entity where author = $1) order by key for update)`,
  forgetDeep: 'delete from deep where key = $1',
  forgetEntities: `
    delete from entity where key in (select key from entity where key = $1 or author = $1 order by key for update)
    returning key, notify_document(key)`,
  expire: `
    update entity set fresh_until = case when document is null then fresh_until else 0 end, failed_until = 0 where key = $1
    returning case when document is null then 0 else 1 end as held, notify_document(key)`,
  sweepReasons: `
    delete from entity where key in (
      select key from entity where document is null and failed_until <= now_ms() order by failed_until limit $1 for update skip locked)
    returning key`,
  sweepDeep: `
    delete from deep where key in (
      select key from deep where until <= now_ms() order by until limit $1 for update skip locked)
    returning key`,
  setDeep: `
    insert into deep (key, until)
    select value, now_ms() + cast($2 as bigint) from json_each(cast($1 as text)) where ${isFenced(3, '')} order by value
    on conflict (key) do update set until = excluded.until where deep.until < excluded.until
    returning key, notify_document(key)`,
  show: `select e.*, w.state, w.due_at, w.retry_at, w.attempts, w.owner, w.account, w.organization, w.profile, w.deep,
      d.until as deep_until
    from (select cast($1 as text) as key) k left join entity e on e.key = k.key
    left join work w on w.key = k.key left join deep d on d.key = k.key`,
};

export function createDocuments(database: Database, options: DocumentsOptions): Documents {
  const cache = createCache(database, options);

  async function query(keys: readonly Key[], extras: boolean): Promise<Snapshot[]> {
    const asked = cache.generation();
    const flag = extras ? 1 : 0;
    const rows =
      keys.length === 1
        ? await database.query<Row>(sql.loadOne, [keys[0]!, flag])
        : await database.query<Row>(sql.loadMany, [JSON.stringify(keys), flag]);
    return rows.map((row) => {
      const snapshot = snapshotOf(row, options.clock() - row.now);
      cache.keep(snapshot, extras, asked);
      return snapshot;
    });
  }

  return {
    async load(keys, { extras } = { extras: true }) {
      const { found, missing } = cache.take(keys, extras);
      if (missing.length > 0) for (const snapshot of await query(missing, extras)) found.set(snapshot.key, snapshot);
      return found;
    },
    async put(obtained, { startedAt, freshUntil, relatedDiscovery = null }) {
      const key = keyOf(obtained.entity);
      const values = putValues(key, obtained, startedAt, freshUntil);
      const keepsAnalysis = obtained.analysisFailed === true ? 1 : 0;
      const rows = await database.query(sql.put, [...values, ...fenceValues(relatedDiscovery), keepsAnalysis]);
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
      if (entity.kind === 'creator') await database.query(sql.obtainAnew, [key]);
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
      const [row] = await database.query<{ held: number }>(sql.expire, [key]);
      cache.drop(key);
      return row?.held === 1;
    },
    async sweep(limit) {
      const reasons = await database.query(sql.sweepReasons, [limit]);
      const windows = await database.query(sql.sweepDeep, [limit]);
      return reasons.length + windows.length;
    },
    async setDeep(keys, seconds, relatedDiscovery) {
      if (keys.length === 0) return;
      const list = JSON.stringify([...new Set(keys)].sort());
      await database.query(sql.setDeep, [list, Math.ceil(seconds * 1_000), ...fenceValues(relatedDiscovery ?? null)]);
      keys.forEach((key) => cache.drop(key));
    },
  };
}

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
  if (author !== undefined) return author && keyOf(author);
  const { username } = (document as Post).author;
  return username === null ? null : keyOf({ kind: 'creator', network: entity.network, name: username.toLowerCase() });
}
