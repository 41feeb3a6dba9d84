/** The documents on which sizes are measured: their names, the store that holds them, the paths that read them. */
import { createSandbox } from '../../src/discovery/sources/sandbox.ts';
import type { EntityKind } from '../../src/model.ts';
import { networks } from '../../src/networks/index.ts';
import { createDocuments } from '../../src/storage/documents.ts';
import { openStore } from '../../src/storage/open.ts';

export const documentsOfAKind = 5_000;
/** Creators and posts that the store holds; the creator `ada` is the one of the workloads. */
export const names: Readonly<Record<EntityKind, readonly string[]>> = {
  creator: ['ada', ...Array.from({ length: documentsOfAKind - 1 }, (_, index) => `bench${index}`)],
  post: Array.from({ length: documentsOfAKind }, (_, index) => `C${index}bench`),
};

const perBatch = 100;

/** Paths that read all of a kind, a hundred identifiers each. */
export function batches(kind: EntityKind, rest = ''): string[] {
  const path = kind === 'creator' ? '/api/v1/creators' : '/api/v1/posts';
  const count = names[kind].length / perBatch;
  return Array.from({ length: count }, (_, index) => {
    const ids = names[kind].slice(index * perBatch, (index + 1) * perBatch);
    return `${path}?ids=${ids.join(',')}${rest}`;
  });
}

/** Paths that read each document alone. */
export const singles: Readonly<Record<EntityKind, readonly string[]>> = {
  creator: names.creator.map((name) => `/api/v1/creators/netA/${name}`),
  post: names.post.map((name) => `/api/v1/posts?url=https://neta.example/p/${name}`),
};

/** Writes sandbox documents of all these names into a new store in that folder, as a worker would have. */
export async function fill(dataDir: string): Promise<void> {
  const database = await openStore({ databaseUrl: '', dataDir, poolSize: 1, clock: Date.now });
  const documents = createDocuments(database, { cacheBytes: 0, clock: Date.now });
  const [network] = networks;
  const source = createSandbox(network!, { clock: Date.now, ordinaryMilliseconds: 0, sleep: () => Promise.resolve() });
  const signal = new AbortController().signal;
  const times = { startedAt: Date.now(), freshUntil: Date.now() + 86_400_000 };
  for (const kind of ['creator', 'post'] as const) {
    await database.exec('begin');
    for (const name of names[kind]) {
      const entity = { kind, network: network!.name, name };
      const obtained = await source.obtain(entity, { deep: false, signal });
      if (obtained.is === 'unavailable') throw new Error(`${name} has no document`);
      await documents.put({ entity, ...obtained }, times);
    }
    await database.exec('commit');
  }
  await database.close();
}
