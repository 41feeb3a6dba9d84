import { stopAtExit } from '../ending.ts';
import { openPostgres } from '../../src/storage/postgres.ts';
import {
  startEmbeddedPostgres,
  startEmbeddedReplica,
  type EmbeddedServer,
} from '../../src/testing/embedded-postgres.ts';
import { eventually, leftOver, pause, type Bench } from './bench.ts';
import { Tally } from './caller.ts';
import { atMost, exactly, type Fault, type Figure } from './fault.ts';
import { Wire } from './proxy.ts';
import { createPostgresStore, openedStore } from './store.ts';
import { callersOf, Told } from './told.ts';

const replicating = ['-c', 'wal_level=replica', '-c', 'synchronous_commit=on'];
const lastWithout = 2_000;

async function onServer({ url }: EmbeddedServer, ...statements: readonly string[]): Promise<void> {
  const database = await openPostgres({ url, poolSize: 1 });
  for (const statement of statements) await database.exec(statement);
  await database.close();
}

/** A primary whose commits wait for its replica: what was acknowledged is on both. */
async function pair(bench: Bench) {
  const primary = bench.owns(stopAtExit(await startEmbeddedPostgres(replicating)), (each) => each.stop());
  const store = bench.owns(await createPostgresStore(primary), (each) => each.close());
  const replica = bench.owns(stopAtExit(await startEmbeddedReplica(primary, ['-c', 'synchronous_commit=on'])), (each) =>
    each.stop(),
  );
  await onServer(primary, `alter system set synchronous_standby_names = '*'`, 'select pg_reload_conf()');
  return { primary, replica, store };
}

async function run(bench: Bench): Promise<Figure[]> {
  const { primary, replica, store } = await pair(bench);
  const source = await bench.source();
  source.behave = async (_call, reply) => {
    await pause(50);
    reply.proper();
  };
  const wire = bench.owns(new Wire(primary.port), (each) => each.close());
  await wire.listen();
  const through = store.place.replace(`:${primary.port}/`, `:${wire.port}/`);
  const node = await bench.node({ settings: { ...store.settings, DATABASE_URL: through } }, source, 'one');
  const token = await store.issue(1_000_000);
  const told = new Told();
  let going = true;
  const load = told.load(callersOf(bench, 8, node.port, token), 'load', () => going);
  await pause(bench.quick ? 2_500 : 8_000);
  await primary.kill();
  const killedAt = performance.now();
  const acknowledged = told.keys('held');
  bench.say(`primary killed with ${acknowledged.length} documents acknowledged; ${told.tally}`);
  await pause(lastWithout);
  await onServer(replica, 'select pg_promote()');
  wire.mend(replica.port);
  const [probe, probes] = [bench.caller({ port: node.port, token }), new Tally()];
  const isBack = await eventually(async () => {
    const answered = await probe.creators(['probe']);
    probes.add(answered);
    return answered.status === 200;
  }, 60);
  const seconds = isBack ? (performance.now() - killedAt) / 1000 : Number.POSITIVE_INFINITY;
  await pause(bench.quick ? 2_000 : 8_000);
  going = false;
  await load;
  const after = bench.owns(
    await openedStore({ databaseUrl: store.place.replace(`:${primary.port}/`, `:${replica.port}/`), dataDir: '' }),
    (each) => each.close(),
  );
  const asked = told.keys('asked');
  // A primary that waits for its replica takes fewer discoveries than callers ask for: what is queued by now is done first.
  await eventually(async () => (await after.held(asked)) === asked.length, 120, 250);
  return [
    atMost(
      `from the kill to the next 200, ${lastWithout / 1000} s of them until the replica is promoted`,
      seconds,
      12,
      's',
    ),
    exactly(
      `wrong answers: other than 200 and 503, of ${told.tally.total} (${told.tally})`,
      told.tally.others(200, 503) + probes.others(200, 503),
      0,
    ),
    exactly(
      `acknowledged documents lost, of ${acknowledged.length}`,
      acknowledged.length - (await after.held(acknowledged)) + told.lost.size,
      0,
    ),
    exactly(`discoveries lost, of ${asked.length} asked for`, asked.length - (await after.held(asked)), 0),
    exactly('discoveries left', await leftOver(after), 0),
  ];
}

export const primaryKilled: Fault = {
  id: 'F21',
  title: 'PostgreSQL primary killed under load, its streaming replica promoted at the same address',
  mustHold: '503 or held answers meanwhile, then all goes on; nothing acknowledged is lost',
  engines: ['postgres'],
  run,
};
