/** `npm run admin -- …`: works beside the running service, in a process of its own on the same store. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { readConfig } from '../config.ts';
import { createDiscoveries } from '../storage/discoveries.ts';
import { createDocuments } from '../storage/documents.ts';
import { fileIn, openStore } from '../storage/open.ts';
import { createPrincipals } from '../storage/principals.ts';
import type { Store } from './command.ts';
import { UsageError } from './arguments.ts';
import { run } from './run.ts';

const clock = Date.now;

function settings(): ReturnType<typeof readConfig> {
  try {
    return readConfig();
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

async function open(): Promise<{ store: Store; close(): Promise<void> }> {
  const config = settings();
  if (config.DATABASE_URL === '' && config.DATA_DIR === ':memory:')
    throw new UsageError('DATA_DIR is :memory:, a store of the service alone; no other process can work on it');
  const isNew = config.DATABASE_URL === '' && !existsSync(fileIn(config.DATA_DIR));
  const database = await openStore({ databaseUrl: config.DATABASE_URL, dataDir: config.DATA_DIR, poolSize: 2, clock });
  // A mistyped DATA_DIR would else look like a store that has lost everything.
  if (isNew) process.stderr.write(`note: there was no store in ${resolve(config.DATA_DIR)}; an empty one was made\n`);
  const store: Store = {
    principals: createPrincipals(database),
    documents: createDocuments(database, { cacheBytes: 1, clock }),
    discoveries: createDiscoveries(database, {
      clock,
      queueLimit: config.QUEUE_LIMIT,
      queueLimitPerAccount: config.QUEUE_LIMIT_PER_ACCOUNT,
    }),
    random: randomBytes,
    defaultPerMinute: config.DEFAULT_PER_MINUTE,
  };
  return { store, close: () => database.close() };
}

process.exitCode = await run(process.argv.slice(2), open, {
  out: (text) => void process.stdout.write(`${text}\n`),
  error: (text) => void process.stderr.write(`${text}\n`),
});
