import { join } from 'node:path';
import type { Clock } from '../model.ts';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import { openSqlite } from './sqlite.ts';

export interface StoreSettings {
  /** `postgres://…`, or empty for the embedded store. */
  readonly databaseUrl: string;
  /** Folder of the embedded store; `:memory:` keeps nothing. */
  readonly dataDir: string;
  readonly poolSize: number;
  readonly clock: Clock;
}

/** The file of the embedded store. */
export const fileIn = (dataDir: string): string => join(dataDir, 'lookup.sqlite');

/** The store that the settings name, with the tables of this version. */
export async function openStore({ databaseUrl, dataDir, poolSize, clock }: StoreSettings): Promise<Database> {
  const path = dataDir === ':memory:' ? dataDir : fileIn(dataDir);
  const database = databaseUrl ? await openPostgres(databaseUrl, poolSize) : await openSqlite({ path, clock });
  try {
    await migrate(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/** The driver is loaded only where it is used. */
async function openPostgres(url: string, poolSize: number): Promise<Database> {
  const postgres = await import('./postgres.ts');
  return postgres.openPostgres({ url, poolSize });
}
