/**
 * A process for the crash test: asks for every key, claims and completes discoveries until nothing is left. The node
 * `one` says that it holds a claim and then hangs, to be killed.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { entityOf, type Key } from '../model.ts';
import { createDiscoveries, type Claimed } from '../storage/discoveries.ts';
import { createDocuments } from '../storage/documents.ts';
import { openStore, type StoreSettings } from '../storage/open.ts';
import { creatorOf } from './documents.ts';

const [node = '', settings = '', lease = '', list = ''] = process.argv.slice(2);
const keys = JSON.parse(list) as Key[];
const leaseSeconds = Number(lease);
const database = await openStore({ ...(JSON.parse(settings) as StoreSettings), clock: Date.now });
const discoveries = createDiscoveries(database, { clock: Date.now });
const documents = createDocuments(database, { cacheBytes: 1_000, clock: Date.now });

const missing = async (): Promise<Key[]> => {
  const found = await documents.load(keys);
  return keys.filter((key) => !found.get(key)!.document);
};

async function complete(claim: Claimed): Promise<void> {
  await database.query('insert into done (key, node) values ($1, $2)', [claim.key, node]);
  const entity = entityOf(claim.key);
  const document = creatorOf(entity.name);
  await documents.put(
    { entity, document },
    { startedAt: claim.startedAt, freshUntil: Date.now() + 600_000, relatedDiscovery: claim },
  );
  await discoveries.done(claim);
}

const say = (text: string): Promise<void> =>
  new Promise((resolve) => process.stdout.write(`${text}\n`, () => resolve()));

async function ask(): Promise<void> {
  const by = { account: node, organization: 'org_a', profile: null, deep: false };
  const wanted = await missing();
  await discoveries.startOrJoin(
    wanted.map((key) => ({ key, waitSeconds: 1 })),
    by,
  );
}

await ask();
if (node !== 'one') await say('asked');
const deadline = Date.now() + 20_000;
while ((await missing()).length > 0 || (await discoveries.depth()).running > 0) {
  if (Date.now() > deadline) throw new Error(`Node ${node} still misses ${(await missing()).join(' ')}`);
  const claims = await discoveries.claim({ owner: node, leaseSeconds, limit: 5, rooms: new Map([['netA', 5]]) });
  if (node === 'one') {
    await database.query('insert into done (key, node) select value, $2 from json_each(cast($1 as text)) where true', [
      JSON.stringify(claims.map(({ key }) => key)),
      node,
    ]);
    await say('holding');
    await pause(60_000);
  }
  for (const claim of claims) await complete(claim);
  if (claims.length === 0) await pause(50);
}
await database.close();
