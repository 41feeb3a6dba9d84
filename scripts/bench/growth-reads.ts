/** The cost of a read by documents held, and of a batch by its size: the service over HTTP, one client, from memory and from the store. */
import { measureRequests, type Figures } from './compare.ts';
import { load, requestOf } from './load.ts';
import { start, type Running } from './processes.ts';
import { median } from './statistics.ts';
import { creatorName, fillCreators, type EngineName, type Stores } from './stores.ts';
import { tokensOf } from './workloads.ts';

/** Whether reads find their documents in the service's memory, or nothing is kept there and each asks the store. */
type From = 'memory' | 'store';

export interface ReadCost {
  readonly engine: EngineName;
  readonly from: From;
  /** Documents held, or identifiers of the batch. */
  readonly size: number;
  readonly milliseconds: number;
  readonly cpuMicroseconds: number;
}

export interface ReadGrowth {
  readonly byHeld: readonly ReadCost[];
  readonly byBatch: readonly ReadCost[];
}

interface Subject {
  readonly engine: EngineName;
  readonly from: From;
  readonly held: number;
  readonly service: Running;
}

const engines: readonly EngineName[] = ['SQLite', 'PostgreSQL'];
export const heldCounts = [1_000, 100_000, 1_000_000];
const batchSizes = [1, 2, 5, 10, 20, 50, 100];
const rounds = 5;
const seconds = 0.6;
/** So many different documents are read: they fit into memory, and there are as many of them in every store. */
const workingSet = 500;

export async function measureReads(stores: Stores, say: (line: string) => void): Promise<ReadGrowth> {
  const subjects: Subject[] = [];
  try {
    for (const engine of engines)
      for (const held of heldCounts) {
        say(`${engine}: filling a store with ${held.toLocaleString('en')} documents`);
        const store = await stores.create(engine);
        await fillCreators(store, held);
        for (const from of ['memory', 'store'] as const) {
          const env = { ...store.env, PORT: '0', ...(from === 'store' && { CACHE_BYTES: '0' }) };
          subjects.push({ engine, from, held, service: await start({ script: 'service.ts', env }) });
        }
      }
    const byHeld = await measureByHeld(subjects, say);
    const byBatch = await measureByBatch(
      subjects.filter(({ held }) => held === heldCounts.at(-1)),
      say,
    );
    return { byHeld, byBatch };
  } finally {
    await Promise.all(subjects.map(({ service }) => service.stop()));
  }
}

/** Names spread evenly over all that is held: of memory's always the same, of the store's as many as there are. */
function namesOf({ held, from }: Subject): string[] {
  const count = from === 'memory' ? workingSet : Math.min(held, 20_000);
  const step = held / count;
  const names = Array.from({ length: count }, (_, index) => creatorName(Math.floor(index * step)));
  // A stride that shares no factor with the count visits all, in an order that no page of a table follows.
  return names.map((_, index) => names[(index * 7_919) % names.length] ?? '');
}

async function measureByHeld(subjects: readonly Subject[], say: (line: string) => void): Promise<ReadCost[]> {
  const requests = subjects.map((subject) => {
    const { ordinary } = tokensOf(subject.service);
    return namesOf(subject).map((name) => requestOf(`/api/v1/creators/netA/${name}`, ordinary));
  });
  const figures = await inTurn(subjects, requests, say, 'reads by documents held');
  return subjects.map(({ engine, from, held: size }, index) => ({
    engine,
    from,
    size,
    ...costOf(figures[index] ?? []),
  }));
}

async function measureByBatch(subjects: readonly Subject[], say: (line: string) => void): Promise<ReadCost[]> {
  const pairs = subjects.flatMap((subject) => batchSizes.map((size) => ({ subject, size })));
  const requests = pairs.map(({ subject, size }) => {
    const names = namesOf(subject);
    return Array.from({ length: 50 }, (_, index) => {
      const ids = Array.from({ length: size }, (_unused, at) => names[(index * size + at) % names.length]);
      return requestOf(`/api/v1/creators?ids=${ids.join(',')}`, tokensOf(subject.service).ordinary);
    });
  });
  const figures = await inTurn(
    pairs.map(({ subject }) => subject),
    requests,
    say,
    'batches by size',
  );
  return pairs.map(({ subject: { engine, from }, size }, index) => ({
    engine,
    from,
    size,
    ...costOf(figures[index] ?? []),
  }));
}

/** Each subject with its requests, one after the other, round after round. */
async function inTurn(
  subjects: readonly Subject[],
  requests: readonly Buffer[][],
  say: (line: string) => void,
  what: string,
): Promise<Figures[][]> {
  say(`${what}: warming up`);
  for (const [index, { service }] of subjects.entries())
    await load({ port: service.port, requests: requests[index] ?? [], connections: 1, until: { seconds } });
  const figures: Figures[][] = subjects.map(() => []);
  for (let round = 1; round <= rounds; round += 1) {
    say(`${what}: round ${round} of ${rounds}`);
    for (const [index, { service }] of subjects.entries()) {
      const asked = { requests: requests[index] ?? [], connections: 1, until: { seconds } };
      figures[index]?.push(await measureRequests(service, asked, expectHeld));
    }
  }
  return figures;
}

function expectHeld(statuses: Readonly<Record<string, number>>): void {
  if (Object.keys(statuses).join() !== '200') throw new Error(`expected 200 alone, got ${JSON.stringify(statuses)}`);
}

const costOf = (figures: readonly Figures[]): Pick<ReadCost, 'milliseconds' | 'cpuMicroseconds'> => ({
  milliseconds: median(figures.map(({ p50 }) => p50)),
  cpuMicroseconds: median(figures.map(({ cpuMicroseconds }) => cpuMicroseconds)),
});
