import { stopAtExit } from '../ending.ts';
import { startEmbeddedPostgres } from '../../src/testing/embedded-postgres.ts';
import { clients, creatorKey, pause, untilHeld, type Bench } from './bench.ts';
import { Tally, type Caller } from './caller.ts';
import { exactly, holds, type Fault, type Figure } from './fault.ts';
import { createPostgresStore, createSqliteStore, type Store } from './store.ts';
import { readOnlyStore } from './store-read-only.ts';
import { smallVolume, type Volume } from './volume.ts';

const held = Array.from({ length: 20 }, (_, index) => `known${index}`);
const stale = held.slice(10);

/** Documents and work lie on a disk of 24 MB; of PostgreSQL only they, so that it is their writes that fail. */
async function onSmallVolume(bench: Bench): Promise<{ store: Store; volume: Volume }> {
  if (bench.engine === 'sqlite') {
    const volume = smallVolume(bench, 24);
    return { volume, store: bench.owns(await createSqliteStore(volume.folder), (each) => each.close()) };
  }
  const server = bench.owns(stopAtExit(await startEmbeddedPostgres()), (each) => each.stop());
  const volume = smallVolume(bench, 24, server.folder);
  const store = bench.owns(await createPostgresStore(server), (each) => each.close());
  await store.database.exec(`create tablespace small location '${volume.folder}'`);
  for (const table of ['entity', 'work']) await store.database.exec(`alter table ${table} set tablespace small`);
  return { store, volume };
}

const run = async (bench: Bench): Promise<Figure[]> => [...(await fullDisk(bench)), ...(await readOnlyStore(bench))];

async function fullDisk(bench: Bench): Promise<Figure[]> {
  const { store, volume } = await onSmallVolume(bench);
  const source = await bench.source();
  const node = await bench.node(store, source, 'one', { CACHE_BYTES: '1' });
  const token = await store.issue(1_000_000);
  const callers = Array.from({ length: 8 }, () => bench.caller({ port: node.port, token }));
  await untilHeld(callers[0]!, held, 20);
  for (const handle of stale) await store.documents.expire(creatorKey(handle));
  // Filled while it is being written to, so that a write is cut somewhere.
  const asked: string[] = [];
  const load = askFor(callers, asked, bench.quick ? 3 : 6);
  await pause(1_000);
  volume.fill();
  const found = await load;
  volume.fill();
  const reads = await heldReads(callers[0]!, bench.quick ? 50 : 300);
  volume.free();
  bench.say(`new ones: ${found}; held: ${reads}`);
  const torn = await tornDocuments(store, callers[0]!, [...held, ...asked]);
  // Another principal's: the first one's own queue is long by now.
  const another = bench.caller({ port: node.port, token: await store.issue(1_000_000) });
  const goesOn = await untilHeld(another, ['afterwards'], 20);
  return [
    exactly(`reads of held documents, half of them stale, that were not 200, of ${reads.total}`, reads.others(200), 0),
    exactly(`reads of new ones that were neither 200, 202 nor 503, of ${found.total}`, found.others(200, 202, 503), 0),
    exactly(`torn documents, of ${held.length + asked.length} asked for`, torn, 0),
    holds('all goes on when there is room again', Number.isFinite(goesOn)),
  ];
}

async function askFor(callers: readonly Caller[], asked: string[], seconds: number): Promise<Tally> {
  const tally = new Tally();
  const until = performance.now() + seconds * 1000;
  await clients(
    callers.length,
    () => performance.now() < until,
    async (client, turn) => {
      const handles = Array.from({ length: 20 }, (_, index) => `new${client}t${turn}n${index}`);
      asked.push(...handles);
      tally.add(await callers[client]!.creators(handles));
      await pause(50);
    },
  );
  return tally;
}

async function heldReads(caller: Caller, count: number): Promise<Tally> {
  const tally = new Tally();
  for (let turn = 0; turn < count; turn += 1) {
    tally.add(await caller.creator(held[turn % held.length]!));
    if (turn % 10 === 0) tally.add(await caller.creators(held));
  }
  return tally;
}

/** What the store holds is read back whole, as the contract wants it; and SQLite's file is sound. */
async function tornDocuments(store: Store, caller: Caller, handles: readonly string[]): Promise<number> {
  let torn = 0;
  const found = await store.documents.load(handles.map(creatorKey));
  for (const handle of handles) {
    if (!found.get(creatorKey(handle))?.document) continue;
    const { status, body } = await caller.get(`/creators/netA/${handle}?include=posts`);
    if (status !== 200 || body === null) torn += 1;
  }
  if (store.database.engine === 'postgres') return torn;
  const [row] = await store.database.query<{ integrity_check: string }>('pragma integrity_check');
  return row?.integrity_check === 'ok' ? torn : torn + 1;
}

export const storeFull: Fault = {
  id: 'F12',
  title: 'disk of the store full; store read-only',
  mustHold: 'held reads work, no torn document; what is not held is 503 with Retry-After, nothing is lost, all goes on',
  engines: ['sqlite', 'postgres'],
  run,
};
