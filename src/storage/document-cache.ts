import { LRUCache } from 'lru-cache';
import type { Clock, Instant, Key, Snapshot } from '../model.ts';
import type { Database } from './database.ts';
import { heldBytes } from './variants.ts';

export interface CacheOptions {
  /** Bound of the documents kept in memory. */
  readonly cacheBytes: number;
  readonly clock: Clock;
  /** PostgreSQL: how long a document is answered from memory at most without asking the store, should a notification be lost. */
  readonly backstopMilliseconds?: number;
}

interface Cached {
  readonly snapshot: Snapshot;
  /** Whether what only `include` shows was loaded with it. */
  readonly extras: boolean;
  readonly loadedAt: Instant;
}

/** Of a document, so that as many keys are remembered as documents fit: what comes again later would have gone meanwhile anyway. */
const usualBytes = 4_096;

/** Fresh documents by key, from their second read on, as long as nobody else can have changed them. */
export function createCache(database: Database, { cacheBytes, clock, backstopMilliseconds = 30_000 }: CacheOptions) {
  const cached = new LRUCache<Key, Cached>({
    maxSize: Math.max(1, cacheBytes),
    sizeCalculation: ({ snapshot }) => (snapshot.document ? heldBytes(snapshot.document) : 1_000),
  });
  /** Asked for once. Who reads on and on through more than fits would else fill memory with what nobody asks for again, and throw out what others do. */
  const once = new LRUCache<Key, true>({ max: Math.max(1, Math.floor(cacheBytes / usualBytes)) });
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
    /** Number of changes so far. A query begun before the last change is answered, but not kept. */
    generation: () => changes,
    take(keys: readonly Key[], extras: boolean): { found: Map<Key, Snapshot>; missing: Key[] } {
      checkVersion();
      const now = clock();
      const found = new Map<Key, Snapshot>();
      const missing: Key[] = [];
      for (const key of keys) {
        const hit = cached.get(key);
        if (hit && (hit.extras || !extras) && usable(hit, now)) found.set(key, hit.snapshot);
        else missing.push(key);
      }
      return { found, missing };
    },
    keep(snapshot: Snapshot, extras: boolean, asked: number): void {
      const entry = { snapshot, extras, loadedAt: clock() };
      // A running discovery may end without changing the document, so a snapshot of it must not outlive it.
      const settled = snapshot.discovery?.is !== 'running';
      if (!settled || asked !== changes || !usable(entry, entry.loadedAt)) return;
      if (once.has(snapshot.key)) cached.set(snapshot.key, entry);
      else once.set(snapshot.key, true);
    },
  };
}
