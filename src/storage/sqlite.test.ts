import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import { openSqlite } from './sqlite.ts';

describe('a file that another process writes to', () => {
  let folder: string;
  let database: Database;
  let other: DatabaseSync;
  const write = () => database.query("insert into deep (key, until) values ('creator:netA:ada', 1) returning key");

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lookup-busy-'));
    const path = join(folder, 'lookup.sqlite');
    database = await openSqlite({ path, clock: () => 0, busyMilliseconds: 500 });
    await migrate(database);
    other = new DatabaseSync(path);
    other.exec('begin immediate');
  });
  afterEach(async () => {
    other.close();
    await database.close();
    rmSync(folder, { recursive: true });
  });

  it('F8 a write waits for the other, and nobody else waits for it', async () => {
    let isWritten = false;
    const writing = write().then((rows) => ((isWritten = true), rows));
    expect(await database.query('select key from deep')).toEqual([]);
    expect(isWritten).toBe(false);
    other.exec('commit');
    expect(await writing).toEqual([{ key: 'creator:netA:ada' }]);
  });

  it('AUT-08 it fails where the other takes too long', async () => {
    await expect(write()).rejects.toThrow('locked');
    other.exec('commit');
    expect(await write()).toHaveLength(1);
  });
});
