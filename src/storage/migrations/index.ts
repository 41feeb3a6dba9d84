/** Every migration, oldest first. A number is never reused, and what an older version of the service needs stays (F19).
 * Indexes are dropped `if exists`: spread tables (`../partitioned.sql`) name theirs otherwise. */
import { tables } from './0001-tables.ts';
import { networks } from './0002-networks.ts';
import { sweeping } from './0003-sweeping.ts';
import { turns } from './0004-turns.ts';

export interface Migration {
  readonly number: number;
  /** Valid on both engines; runs after the engine's own part. */
  readonly sql: string;
  readonly postgres?: string;
  readonly sqlite?: string;
}

export const migrations: readonly Migration[] = [tables, networks, sweeping, turns];
