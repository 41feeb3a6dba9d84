/**
 * The seam between the service and its store. One SQL text serves both engines; the rules that make this enough:
 * `$1` placeholders · instants are epoch milliseconds, booleans 0/1, documents text · `now_ms()` is the store's clock ·
 * lists come as JSON text through `json_each(cast($1 as text))` (array: `value`; object: `key`, `value`) ·
 * `insert … select … on conflict` has `where true` · row locks (`for update skip locked`) mean something on PostgreSQL only ·
 * `network_of(key)` is the network that a key names ·
 * `notify_document(key)` tells the other nodes that what is held of a key has changed.
 */
import type { Key } from '../model.ts';

export type Parameter = string | number | null;

export interface Runner {
  query<Row>(sql: string, parameters?: readonly Parameter[]): Promise<Row[]>;
  /** Several statements without parameters, for migrations. */
  exec(sql: string): Promise<void>;
}

export interface Database extends Runner {
  readonly engine: 'sqlite' | 'postgres';
  /** One transaction that no other node or process runs beside: migrations. */
  exclusively<Result>(work: (alone: Runner) => Promise<Result>): Promise<Result>;
  /** Calls the listener with the key of every document that another node changed; null: anything may have changed. */
  onDocumentChange(listener: (key: Key | null) => void): void;
  /**
   * A value that differs from the last one means that another process may have written without `onDocumentChange` hearing of it.
   * SQLite: `pragma data_version` (2.4 µs), asked once in each turn of the event loop. PostgreSQL: 0 while it is listening, a new value each time while it is not.
   */
  dataVersion(): number;
  close(): Promise<void>;
}
