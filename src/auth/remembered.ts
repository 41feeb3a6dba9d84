import type { Clock, Instant } from '../model.ts';
import { orUnavailable, orUnavailableAtOnce } from '../storage/outage.ts';

/** What the store answers for one key, and how long that is true at most. */
export interface Found<Value> {
  readonly value: Value;
  /** Milliseconds; null when the value has no limit of its own. */
  readonly validMilliseconds: number | null;
}

export interface RememberedOptions<Value> {
  /** Returns a new value whenever the store's answers may have changed, as far as this process can notice. */
  readonly version: () => string;
  /** Asks the store; null: it has none. */
  readonly read: (key: string) => Promise<Found<Value> | null>;
  readonly clock: Clock;
  /** How long an answer is used where `version` does not notice every change, as with several nodes. */
  readonly cacheSeconds: number;
}

/** Answers of the store, kept in memory until they may have changed. */
export interface Remembered<Value> {
  /** The value in memory, or undefined. @throws Refusal `dependency-unavailable` when the store cannot tell its version. */
  recall(key: string): Value | undefined;
  /** Asks the store and remembers the value; null when it has none. @throws Refusal `dependency-unavailable` when it cannot answer. */
  load(key: string): Promise<Value | null>;
}

interface Entry<Value> {
  readonly value: Value;
  readonly since: Instant;
  readonly until: Instant;
}

const maxEntries = 10_000;

export function createRemembered<Value>(options: RememberedOptions<Value>): Remembered<Value> {
  const { read, clock, cacheSeconds } = options;
  const entries = new Map<string, Entry<Value>>();
  const reads = new Map<string, Promise<Value | null>>();
  let version = '';

  function checkVersion(): void {
    const current = orUnavailableAtOnce(options.version);
    if (current === version) return;
    version = current;
    entries.clear();
    reads.clear();
  }

  function keep(key: string, { value, validMilliseconds }: Found<Value>): void {
    const [oldest] = entries.size < maxEntries ? [] : entries.keys();
    if (oldest !== undefined) entries.delete(oldest);
    const since = clock();
    const milliseconds = Math.min(cacheSeconds * 1_000, validMilliseconds ?? Number.POSITIVE_INFINITY);
    entries.set(key, { value, since, until: since + milliseconds });
  }

  async function readAndKeep(key: string): Promise<Value | null> {
    const before = version;
    const found = await orUnavailable(() => read(key));
    // A value read before a change may be out of date.
    if (found !== null && before === version) keep(key, found);
    return found === null ? null : found.value;
  }

  /** Requests for the same key share one read while it is under way. */
  function share(key: string): Promise<Value | null> {
    const started = readAndKeep(key).finally(() => {
      if (reads.get(key) === started) reads.delete(key);
    });
    reads.set(key, started);
    return started;
  }

  return {
    recall(key) {
      checkVersion();
      const now = clock();
      const entry = entries.get(key);
      // An answer from the future: the clock was set back, so its age is unknown and the store is asked again (F15).
      if (entry && entry.since <= now && now < entry.until) return entry.value;
      entries.delete(key);
      return undefined;
    },
    async load(key) {
      checkVersion();
      return reads.get(key) ?? share(key);
    },
  };
}
