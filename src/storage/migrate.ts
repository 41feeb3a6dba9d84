import type { Database, Runner } from './database.ts';
import { migrations, type Migration } from './migrations/index.ts';

/** Brings the store to this version's tables. Many nodes may start at once: the number is read only under the lock. What a newer
 * version added stays, and is passed over. */
export async function migrate(database: Database, wanted: readonly Migration[] = migrations): Promise<void> {
  await database.exclusively(async (alone) => {
    await alone.exec('create table if not exists migration (number bigint primary key, at bigint not null)');
    const done = await alone.query<{ number: number }>('select number from migration');
    const numbers = new Set(done.map(({ number }) => number));
    for (const migration of wanted) {
      if (!numbers.has(migration.number)) await apply(alone, database.engine, migration);
    }
  });
}

async function apply(alone: Runner, engine: Database['engine'], migration: Migration): Promise<void> {
  const own = migration[engine];
  if (own) await alone.exec(own);
  await alone.exec(migration.sql);
  await alone.query('insert into migration (number, at) values ($1, now_ms())', [migration.number]);
}
