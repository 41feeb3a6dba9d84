import { randomBytes } from 'node:crypto';
import { stopAtExit } from '../ending.ts';
import { issueToken } from '../../src/auth/tokens.ts';
import { startEmbeddedPostgres, type EmbeddedServer } from '../../src/testing/embedded-postgres.ts';
import { clients, eventually, pause, untilHeld, type Bench } from './bench.ts';
import { Tally } from './caller.ts';
import { atMost, exactly, type Fault, type Figure } from './fault.ts';
import { Wire } from './proxy.ts';
import { createPostgresStore } from './store.ts';

interface Way {
  readonly name: string;
  down(server: EmbeddedServer, wire: Wire): void | Promise<void>;
  up(server: EmbeddedServer, wire: Wire): void | Promise<void>;
}

const ways: readonly Way[] = [
  { name: 'connections reset', down: (_, wire) => wire.cut(), up: (_, wire) => wire.mend() },
  { name: 'packets dropped', down: (_, wire) => wire.block(), up: (_, wire) => wire.mend() },
  { name: 'server killed', down: (server) => server.kill(), up: (server) => server.restart() },
];

/** Tokens that the store alone can judge, and one that is junk whatever the store says. */
const callersOf = (bench: Bench, port: number, token: string) => {
  const unknown = issueToken(randomBytes).token;
  const caller = (of: string) => bench.caller({ port, token: of, connections: 2, patienceMilliseconds: 20_000 });
  return { valid: caller(token), unknown: caller(unknown), malformed: caller('junk') };
};

async function run(bench: Bench): Promise<Figure[]> {
  const server = bench.owns(stopAtExit(await startEmbeddedPostgres()), (each) => each.stop());
  const store = bench.owns(await createPostgresStore(server), (each) => each.close());
  const wire = bench.owns(new Wire(server.port), (each) => each.close());
  await wire.listen();
  const source = await bench.source();
  const url = store.place.replace(`:${server.port}/`, `:${wire.port}/`);
  const node = await bench.node({ settings: { ...store.settings, DATABASE_URL: url } }, source, 'one');
  const callers = callersOf(bench, node.port, await store.issue(1_000_000));
  await untilHeld(callers.valid, ['known'], 20);
  const figures: Figure[] = [];
  for (const way of ways) figures.push(...(await outage(bench, way, server, wire, callers)));
  return figures;
}

async function outage(
  bench: Bench,
  way: Way,
  server: EmbeddedServer,
  wire: Wire,
  callers: ReturnType<typeof callersOf>,
) {
  await way.down(server, wire);
  const [judged, junk] = [new Tally(), new Tally()];
  let isDown = true;
  const load = clients(
    6,
    () => isDown,
    async (client) => {
      const caller = [callers.valid, callers.unknown, callers.malformed][client % 3]!;
      const answered = await caller.creator(client < 3 ? 'known' : 'never-asked-before');
      // What is answered after the store's return may be right again.
      if (isDown) (client % 3 === 2 ? junk : judged).add(answered);
      await pause(20);
    },
  );
  await pause((bench.quick ? 4 : 12) * 1000);
  isDown = false;
  await way.up(server, wire);
  const start = performance.now();
  const isBack = await eventually(async () => (await callers.valid.creator('known')).status === 200, 30);
  const seconds = isBack ? (performance.now() - start) / 1000 : Number.POSITIVE_INFINITY;
  await load;
  bench.say(`${way.name}: ${judged}; junk: ${junk}; back after ${seconds.toFixed(2)} s`);
  return [
    exactly(
      `${way.name}: verdicts other than 503 on a token that only the store knows, of ${judged.total}`,
      judged.others(503),
      0,
    ),
    exactly(`${way.name}: verdicts other than 401 on junk, of ${junk.total}`, junk.others(401), 0),
    atMost(`${way.name}: slowest of them`, judged.percentile(1) / 1000, 15, 's'),
    atMost(`${way.name}: from the store's return to the next 200`, seconds, 5, 's'),
  ];
}

export const credentialsDown: Fault = {
  id: 'F11',
  title: 'credential store down',
  mustHold: '503 dependency-unavailable, never 401, 403 or 200',
  engines: ['postgres'],
  run,
};
