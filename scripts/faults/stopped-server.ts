import { pause, type Bench } from './bench.ts';
import { Balancer } from './balancer.ts';
import { Tally } from './caller.ts';
import { everyday } from './everyday.ts';
import { exactly, holds, type Fault, type Figure } from './fault.ts';
import type { ServiceProcess } from './node.ts';
import type { Store } from './store.ts';

const names = ['one', 'two'] as const;
/** The balancer of the bench shares the machine with all the rest: it may need seconds to notice. */
const settings = {
  LEASE_SECONDS: '60',
  DISCOVERY_TIMEOUT_SECONDS: '60',
  DRAIN_SECONDS: '20',
  PATIENCE_MILLISECONDS: '10000',
};

async function run(bench: Bench): Promise<Figure[]> {
  const [store, source] = [await bench.store(), await bench.source()];
  const token = await store.issue(1_000_000);
  source.behave = async (_call, reply) => {
    await pause(150);
    reply.proper();
  };
  const balancer = bench.owns(new Balancer(), (each) => each.close());
  const start = (name: string) => bench.node(store, source, name, settings);
  for (const name of names) balancer.nodes.set(name, await start(name));
  await balancer.look();
  await balancer.listen();
  const tally = new Tally();
  let going = true;
  const callers = Array.from({ length: 16 }, () => bench.caller({ port: balancer.port, token }));
  const load = everyday(callers, tally, () => going);
  const stops: Stopped[] = [];
  for (let turn = 0; turn < (bench.quick ? 1 : 4); turn += 1) {
    for (const name of names) {
      await pause(1_000);
      const stopped = await stop(balancer.nodes.get(name)!, store);
      stops.push(stopped);
      bench.say(`${name} stopped in ${stopped.seconds.toFixed(2)} s; ${tally}`);
      balancer.nodes.set(name, await start(name));
    }
  }
  await pause(500);
  going = false;
  await load;
  return [
    exactly(`failed requests, of ${tally.total} (${tally})`, tally.others(200, 202), 0),
    holds(
      `each of ${stops.length} said that it is not ready before it took no more connections`,
      stops.every((each) => each.toldFirst),
    ),
    exactly(
      'leases that a stopped process kept',
      stops.reduce((sum, each) => sum + each.leases, 0),
      0,
    ),
    exactly('processes that did not end with 0', stops.filter(({ code }) => code !== 0).length, 0),
  ];
}

interface Stopped {
  readonly toldFirst: boolean;
  readonly leases: number;
  readonly code: number | null;
  readonly seconds: number;
}

async function stop(node: ServiceProcess, store: Store): Promise<Stopped> {
  const start = performance.now();
  node.signal('SIGTERM');
  let toldFirst = false;
  for (let refused = false; !refused; await pause(5)) {
    const status = await fetch(`http://127.0.0.1:${node.port}/readyz`).then(
      (answer) => answer.status,
      () => 0,
    );
    toldFirst ||= status === 503;
    refused = status === 0;
  }
  const code = await node.ended;
  const held = await store.database.query<{ n: number }>(
    `select count(*) as n from work where state = 'running' and owner like $1`,
    [`${node.pid}-%`],
  );
  return { toldFirst, leases: held[0]?.n ?? 0, code, seconds: (performance.now() - start) / 1000 };
}

export const stoppedServer: Fault = {
  id: 'F6',
  title: 'SIGTERM at full load, two processes behind a balancer in turn',
  mustHold: 'readiness is false first, requests in flight are answered, leases are given back',
  engines: ['sqlite', 'postgres'],
  run,
};
