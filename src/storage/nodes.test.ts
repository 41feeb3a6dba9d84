/** Several processes on one store (STA-01, STA-06, F19): the crash test of the design, in small. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPostgresDatabase, enginesAndSpread, partitioned } from '../testing/engines.ts';
import type { Database } from './database.ts';
import { migrations } from './migrations/index.ts';
import { openStore, type StoreSettings } from './open.ts';

const keys = Array.from({ length: 60 }, (_, n) => `creator:netA:k${n}`);
const leaseSeconds = 2;

/** A place for processes with their own clocks: the system's, or the database's. */
async function createPlace(name: string): Promise<{ settings: StoreSettings; remove(): Promise<void> }> {
  const rest = { poolSize: 4, clock: Date.now };
  if (name !== 'sqlite') {
    const { url, drop } = await createPostgresDatabase();
    const settings = { databaseUrl: url, dataDir: '', ...rest };
    if (name === 'partitioned postgres') await spread(settings);
    return { settings, remove: drop };
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'lookup-nodes-'));
  return {
    settings: { databaseUrl: '', dataDir, ...rest },
    remove: () => rm(dataDir, { recursive: true, force: true }),
  };
}

async function spread(settings: StoreSettings): Promise<void> {
  const database = await openStore(settings);
  await database.exec(partitioned);
  await database.close();
}

describe.each(enginesAndSpread)('nodes on $name', ({ name }) => {
  let place: Awaited<ReturnType<typeof createPlace>>;
  let database: Database;
  beforeAll(async () => void (place = await createPlace(name)));
  afterAll(async () => {
    await database?.close();
    await place.remove();
  });

  it('F19 four processes that start at once on an empty store run each migration once', async () => {
    const program = `import { openStore } from './src/storage/open.ts';
      const store = await openStore({ ...JSON.parse(process.argv[1]), clock: Date.now });
      await store.close();`;
    const arguments_ = ['--input-type=module', '--eval', program, JSON.stringify(place.settings)];
    const processes = Array.from({ length: 4 }, () => spawn(process.execPath, arguments_, { stdio: 'inherit' }));
    const ends = await Promise.all(processes.map((one) => once(one, 'exit').then(([status]) => status as number)));
    expect(ends).toEqual([0, 0, 0, 0]);
    const node = await openStore(place.settings);
    const done = await node.query<{ number: number }>('select number from migration order by number');
    expect(done.map(({ number }) => number)).toEqual(migrations.map(({ number }) => number));
    await node.close();
  });

  it('STA-01 STA-06 F3 three processes, one killed: all is held, nothing is left over, nothing done twice but what the dead held', async () => {
    database = await openStore(place.settings);
    await database.exec('create table done (key text, node text)');
    const start = (node: string): ChildProcess =>
      spawn(
        process.execPath,
        ['src/testing/node.ts', node, JSON.stringify(place.settings), String(leaseSeconds), JSON.stringify(keys)],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
    const victim = start('one');
    await once(victim.stdout!, 'data'); // It says so once it holds claims that it never ends.
    const others = ['two', 'three'].map(start);
    await once(others[0]!.stdout!, 'data');
    victim.kill('SIGKILL');
    expect(await Promise.all(others.map((node) => once(node, 'exit').then(([status]) => status as number)))).toEqual([
      0, 0,
    ]);
    const documents = await database.query<{ n: number }>(
      'select count(*) as n from entity where document is not null',
    );
    expect(documents[0]!.n).toBe(keys.length);
    expect(await database.query('select key from work')).toEqual([]);
    const twice = await database.query<{ key: string }>('select key from done group by key having count(*) > 1');
    const held = await database.query<{ key: string }>("select distinct key from done where node = 'one'");
    expect(twice.filter(({ key }) => !held.some((one) => one.key === key))).toEqual([]);
  }, 30_000);
});
