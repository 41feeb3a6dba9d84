import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { stopAtExit, temporaryFolder } from '../ending.ts';
import { newId } from '../../src/auth/development.ts';
import { issueToken } from '../../src/auth/tokens.ts';
import type { Key } from '../../src/model.ts';
import type { Database } from '../../src/storage/database.ts';
import { createDiscoveries, type Discoveries } from '../../src/storage/discoveries.ts';
import { createDocuments, type Documents } from '../../src/storage/documents.ts';
import { openStore } from '../../src/storage/open.ts';
import { openPostgres } from '../../src/storage/postgres.ts';
import { createPrincipals, type Principals } from '../../src/storage/principals.ts';
import { startEmbeddedPostgres, type EmbeddedServer } from '../../src/testing/embedded-postgres.ts';

/** What a bench looks into a store with, past the service. */
export interface Store {
  /** Settings of a node on this store. */
  readonly settings: Readonly<Record<string, string>>;
  /** Folder of the SQLite file, or URL. */
  readonly place: string;
  readonly database: Database;
  readonly documents: Documents;
  readonly discoveries: Discoveries;
  readonly principals: Principals;
  /** A new account's token, with both scopes. */
  issue(perMinute: number): Promise<string>;
  /** How many of these documents the store holds. */
  held(keys: readonly Key[]): Promise<number>;
  close(): Promise<void>;
}

/** An empty SQLite store, in a folder of its own unless one is named. */
export async function createSqliteStore(folder = temporaryFolder('faults-')): Promise<Store> {
  const store = await openedStore({ databaseUrl: '', dataDir: folder });
  return withEnd(store, () => rmSync(folder, { recursive: true, force: true }));
}

/** An empty database on that server. */
export async function createPostgresStore(server: EmbeddedServer): Promise<Store> {
  const name = `faults_${randomBytes(6).toString('hex')}`;
  await onServer(server, `create database ${name}`);
  const store = await openedStore({ databaseUrl: server.url.replace(/\/postgres$/, `/${name}`), dataDir: '' });
  return withEnd(store, () => onServer(server, `drop database if exists ${name} with (force)`).catch(() => {}));
}

async function onServer({ url }: EmbeddedServer, sql: string): Promise<void> {
  const database = await openPostgres({ url, poolSize: 1 });
  try {
    await database.exec(sql);
  } finally {
    await database.close();
  }
}

const withEnd = (store: Store, end: () => void | Promise<void>): Store => ({
  ...store,
  async close() {
    await store.close();
    await end();
  },
});

/** Opens a store that is there, or makes its tables. */
export async function openedStore(place: { readonly databaseUrl: string; readonly dataDir: string }): Promise<Store> {
  const { databaseUrl, dataDir } = place;
  const database = await openStore({ ...place, poolSize: 4, clock: Date.now });
  const documents = createDocuments(database, { cacheBytes: 1, clock: Date.now });
  const principals = createPrincipals(database);
  const organization = newId('org', randomBytes);
  await principals.createOrganization({ id: organization, slug: organization.replace('_', '-'), marketplace: true });
  return {
    settings: { ENVIRONMENT: 'production', ...(databaseUrl ? { DATABASE_URL: databaseUrl } : { DATA_DIR: dataDir }) },
    place: databaseUrl || dataDir,
    database,
    documents,
    discoveries: createDiscoveries(database, { clock: Date.now }),
    principals,
    issue: (perMinute) => issue(principals, organization, perMinute),
    async held(keys) {
      const found = await documents.load(keys);
      return keys.filter((key) => found.get(key)?.document).length;
    },
    close: () => database.close(),
  };
}

async function issue(principals: Principals, organization: string, perMinute: number): Promise<string> {
  const account = newId('acc', randomBytes);
  await principals.createAccount({ id: account, organization, name: account, perMinute });
  const { token, hash, prefix } = issueToken(randomBytes);
  const scopes = ['creators:read', 'posts:read'] as const;
  await principals.createToken({ hash, prefix, account, label: 'faults', scopes, expiresInSeconds: null });
  return token;
}

/** The bench's PostgreSQL server, started when it is first needed. */
export class SharedPostgres {
  #server: Promise<EmbeddedServer> | null = null;

  server(): Promise<EmbeddedServer> {
    this.#server ??= startEmbeddedPostgres().then(stopAtExit);
    return this.#server;
  }

  async stop(): Promise<void> {
    await (await this.#server?.catch(() => null))?.stop();
  }
}
