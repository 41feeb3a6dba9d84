/** What a node and PostgreSQL each spend on one request, in processor time: from it follows what any number of nodes carries. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { EmbeddedServer } from '../../src/testing/embedded-postgres.ts';
import { load, requestOf } from './load.ts';
import { start, type Running } from './processes.ts';
import { creatorName, fillCreators, openStores, type Store } from './stores.ts';
import { fetchingPath, tokensOf } from './workloads.ts';

export interface Cost {
  readonly name: keyof typeof requestNames;
  /** Processor time of one request, all nodes together. */
  readonly nodeMicroseconds: number;
  readonly postgresMicroseconds: number;
  readonly requestsPerSecond: number;
}

export interface ScaleMeasured {
  readonly costs: readonly Cost[];
  /** Of a discovered creator of the sandbox's usual size, with its indexes. */
  readonly entityBytes: number;
  /** Write-ahead log of one discovery. */
  readonly walBytes: number;
}

export const requestNames = {
  memory: 'held creator, from memory',
  memoryTwoNodes: 'the same of two nodes at once',
  store: 'held creator, from PostgreSQL',
  batchMemory: 'batch of 100, from memory',
  batchStore: 'batch of 100, from PostgreSQL',
  fetching: 'fetching (202)',
  discovery: 'discovery: the 202 that starts it, and its end',
} as const;

const held = 100_000;
const workingSet = 500;
const seconds = 3;
const connections = 16;
const discovered = 1_000;

export async function measureScale(say: (line: string) => void): Promise<ScaleMeasured> {
  const stores = await openStores();
  const nodes: Running[] = [];
  try {
    say(`filling PostgreSQL with ${held.toLocaleString('en')} documents`);
    const store = await stores.create('PostgreSQL');
    await fillCreators(store, held);
    const node = async (env: Readonly<Record<string, string>>): Promise<Running> => {
      const pace = { CALLS_PER_MINUTE: '10000000', CALLS_BURST: '1000000', MAX_IN_FLIGHT: '100000' };
      const running = await start({ script: 'service.ts', env: { ...store.env, ...pace, PORT: '0', ...env } });
      nodes.push(running);
      return running;
    };
    const [first, second] = [await node({}), await node({})];
    const uncached = await node({ CACHE_BYTES: '0' });
    const measuring: Measuring = { postgres: stores.postgres, say };
    const costs = [
      await costOf(measuring, 'memory', [first], singles(first, workingSet)),
      await costOf(measuring, 'memoryTwoNodes', [first, second], singles(first, workingSet)),
      await costOf(measuring, 'store', [uncached], singles(uncached, held)),
      await costOf(measuring, 'batchMemory', [first], batches(first, workingSet)),
      await costOf(measuring, 'batchStore', [uncached], batches(uncached, held)),
      await costOf(measuring, 'fetching', [first], [requestOf(fetchingPath, tokensOf(first).ordinary)]),
    ];
    return { ...(await discoveries(measuring, store, first, costs)) };
  } finally {
    await Promise.all(nodes.map((running) => running.stop()));
    await stores.close();
  }
}

interface Measuring {
  readonly postgres: EmbeddedServer;
  readonly say: (line: string) => void;
}

const stride = 7_919;
const nameAt = (index: number, of: number): string => creatorName((index * stride) % of);

const singles = (node: Running, of: number): Buffer[] =>
  Array.from({ length: Math.min(of, 20_000) }, (_, index) =>
    requestOf(`/api/v1/creators/netA/${nameAt(index, of)}`, tokensOf(node).ordinary),
  );

function batches(node: Running, of: number): Buffer[] {
  return Array.from({ length: Math.min(200, of / 100) }, (_, batch) => {
    const ids = Array.from({ length: 100 }, (_unused, index) => nameAt(batch * 100 + index, of));
    return requestOf(`/api/v1/creators?ids=${ids.join(',')}`, tokensOf(node).ordinary);
  });
}

/** All nodes at once, after a second to warm up; every request is of one account, the worst case for the lock of its budget's row. */
async function costOf(
  { postgres, say }: Measuring,
  name: Cost['name'],
  nodes: readonly Running[],
  requests: readonly Buffer[],
): Promise<Cost> {
  say(requestNames[name]);
  const all = (duration: number) =>
    Promise.all(nodes.map(({ port }) => load({ port, requests, connections, until: { seconds: duration } })));
  await all(1);
  const before = await spent(nodes, postgres);
  const measured = await all(seconds);
  const after = await spent(nodes, postgres);
  const answers = measured.reduce((sum, one) => sum + one.answers, 0);
  return {
    name,
    nodeMicroseconds: (after.nodes - before.nodes) / answers,
    postgresMicroseconds: (after.postgres - before.postgres) / answers,
    requestsPerSecond: measured.reduce((sum, one) => sum + one.requestsPerSecond, 0),
  };
}

async function discoveries(
  { postgres, say }: Measuring,
  { database }: Store,
  node: Running,
  costs: readonly Cost[],
): Promise<ScaleMeasured> {
  say(requestNames.discovery);
  const requests = (from: number): Buffer[] =>
    Array.from({ length: discovered }, (_, index) =>
      requestOf(`/api/v1/creators/netA/found${from + index}`, tokensOf(node).ordinary),
    );
  const [warm, measured] = [requests(0), requests(discovered)];
  const discover = async (asked: readonly Buffer[]): Promise<void> => {
    await load({ port: node.port, requests: asked, connections: 4, until: { answers: asked.length } });
    // What stays under discovery is the one of the workload "fetching".
    while ((await number(`select count(*) as n from work where key like 'creator:netA:found%'`)) > 0) await pause(20);
  };
  const number = async (sql: string): Promise<number> =>
    Number((await database.query<{ n: number | string }>(sql))[0]?.n);
  const size = `select pg_total_relation_size('entity') as n`;
  const wal = `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as n`;
  await discover(warm);
  const before = {
    ...(await spent([node], postgres)),
    size: await number(size),
    wal: await number(wal),
    at: performance.now(),
  };
  await discover(measured);
  const after = {
    ...(await spent([node], postgres)),
    size: await number(size),
    wal: await number(wal),
    at: performance.now(),
  };
  const cost: Cost = {
    name: 'discovery',
    nodeMicroseconds: (after.nodes - before.nodes) / discovered,
    postgresMicroseconds: (after.postgres - before.postgres) / discovered,
    requestsPerSecond: discovered / ((after.at - before.at) / 1000),
  };
  return {
    costs: [...costs, cost],
    entityBytes: (after.size - before.size) / discovered,
    walBytes: (after.wal - before.wal) / discovered,
  };
}

async function spent(
  nodes: readonly Running[],
  postgres: EmbeddedServer,
): Promise<{ nodes: number; postgres: number }> {
  const usages = await Promise.all(nodes.map((node) => node.usage()));
  return {
    nodes: usages.reduce((sum, { cpuMicroseconds }) => sum + cpuMicroseconds, 0),
    postgres: postgresMicroseconds(postgres),
  };
}

const microsecondsATick = 10_000;

/** Processor time of the server and all its processes, those that ended too; Linux. */
function postgresMicroseconds({ folder }: EmbeddedServer): number {
  const main = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0] ?? '';
  let ticks = 0;
  for (const process of readdirSync('/proc')) {
    const [parent, own, ended] = /^\d+$/.test(process) ? ticksOf(process) : ['', 0, 0];
    if (process === main) ticks += own + ended;
    else if (parent === main) ticks += own;
  }
  return ticks * microsecondsATick;
}

/** Parent, ticks of the process, ticks of its children that ended. */
function ticksOf(process: string): [parent: string, own: number, ended: number] {
  try {
    const fields = readFileSync(`/proc/${process}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    const at = (index: number): number => Number(fields[index] ?? 0);
    return [fields[1] ?? '', at(11) + at(12), at(13) + at(14)];
  } catch {
    return ['', 0, 0];
  }
}
