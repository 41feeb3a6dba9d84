import type { Clock, Instant } from '../model.ts';
import { orUnavailable, orUnavailableAtOnce } from '../storage/outage.ts';

/** What the store answers to one key, and for how long that is true at most. */
export interface Found<Value> {
  readonly value: Value;
  /** Milliseconds; null for no limit of its own. */
  readonly validMilliseconds: number | null;
}

export interface RememberedOptions<Value> {
  /** Differs from its last result whenever what the store answers may have changed, as far as this process can notice. */
  readonly version: () => string;
  /** Asks the store; null: it has none. */
  readonly read: (key: string) => Promise<Found<Value> | null>;
  readonly clock: Clock;
  /** How long an answer is believed where `version` does not notice every change, as with several nodes. */
  readonly cacheSeconds: number;
}

/** Answers of the store, kept in memory until they may have changed. */
export interface Remembered<Value> {
  /** The value in memory, undefined without one. Throws a Refusal `dependency-unavailable` when the store cannot tell its version. */
  recall(key: string): Value | undefined;
  /** The store's value, remembered; null when it has none. Throws a Refusal `dependency-unavailable` when the store cannot tell. */
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
    // What was read before a change may be what has changed.
    if (found !== null && before === version) keep(key, found);
    return found === null ? null : found.value;
  }

  /** Requests that come together share one read. */
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
      // After the clock was set back an answer looks younger than it is: the store is asked again.
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
