/** `npm run admin -- …`: works beside the running service, in a process of its own on the same store. */
import { randomBytes } from 'node:crypto';
import { readConfig } from '../config.ts';
import { createDiscoveries } from '../storage/discoveries.ts';
import { createDocuments } from '../storage/documents.ts';
import { openStore } from '../storage/open.ts';
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
  const database = await openStore({ databaseUrl: config.DATABASE_URL, dataDir: config.DATA_DIR, poolSize: 2, clock });
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
