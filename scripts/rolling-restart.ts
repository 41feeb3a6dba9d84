/**
 * `npm run rolling-restart`: two processes of the service on one PostgreSQL behind a TCP switch; each is stopped with SIGTERM and started
 * again under load, in turn. Exit 1 if a request fails: no answer, one that the load does not expect, or one that breaks the contract.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { runCommand, wholeNumber } from './command.ts';
import { stopAtExit } from './ending.ts';
import { startEmbeddedPostgres } from '../src/testing/embedded-postgres.ts';
import { Balancer } from './faults/balancer.ts';
import { Caller, Tally } from './faults/caller.ts';
import { everyday } from './faults/everyday.ts';
import { Guard } from './faults/guard.ts';
import { startServiceProcess, type ServiceProcess } from './faults/node.ts';

const usage = `Usage: npm run rolling-restart [-- --rounds <n>] [--clients <n>]

Restarts two nodes in turn under load and counts the requests that failed.

  --rounds <n>    how often each node is restarted (default 2)
  --clients <n>   connections that always have a request in flight (default 16)
  --help          this text
`;

const startNode = (databaseUrl: string): Promise<ServiceProcess> =>
  startServiceProcess({ settings: { DATABASE_URL: databaseUrl, DEFAULT_PER_MINUTE: '1000000' } });

/** Answers whether it ended in order. */
async function restart(nodes: Map<string, ServiceProcess>, name: string, databaseUrl: string): Promise<boolean> {
  const node = nodes.get(name)!;
  const start = performance.now();
  node.signal('SIGTERM');
  const code = await node.ended;
  const down = performance.now();
  nodes.set(name, await startNode(databaseUrl));
  const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(2);
  console.log(
    `${name}: stopped in ${seconds(down - start)} s with exit ${code}, back in ${seconds(performance.now() - down)} s`,
  );
  return code === 0;
}

/** Exit code: 0 no request failed and every node ended in order. */
async function prove(rounds: number, clients: number): Promise<number> {
  const database = stopAtExit(await startEmbeddedPostgres());
  const balancer = new Balancer();
  const callers: Caller[] = [];
  try {
    const one = await startNode(database.url);
    const token = /Bearer ([^']+)'/.exec(one.said)?.[1] ?? '';
    balancer.nodes.set('node one', one).set('node two', await startNode(database.url));
    await balancer.look();
    await balancer.listen();
    const [guard, tally] = [new Guard(), new Tally()];
    for (let client = 0; client < clients; client += 1) callers.push(new Caller({ port: balancer.port, token, guard }));
    let [going, inOrder] = [true, true];
    const start = performance.now();
    const load = everyday(callers, tally, () => going);
    for (let round = 0; round < rounds; round += 1) {
      for (const name of balancer.nodes.keys()) {
        await pause(1000);
        inOrder = (await restart(balancer.nodes, name, database.url)) && inOrder;
      }
    }
    await pause(1000);
    going = false;
    await load;
    const failed = report(tally, guard, (performance.now() - start) / 1000);
    return failed === 0 && inOrder ? 0 : 1;
  } finally {
    for (const caller of callers) caller.close();
    balancer.close();
    for (const node of balancer.nodes.values()) await node.stop();
    await database.stop();
  }
}

/** Answers how many requests failed. */
function report(tally: Tally, { breaches }: Guard, seconds: number): number {
  const failed = tally.others(200, 202) + breaches.length;
  const slowest = tally.percentile(1).toFixed(0);
  console.log(
    `${tally.total} requests in ${seconds.toFixed(1)} s (${tally}), slowest ${slowest} ms, ${breaches.length} against the contract, ${failed} failed`,
  );
  return failed;
}

if (import.meta.main)
  await runCommand({
    name: 'rolling-restart',
    usage,
    options: { rounds: { type: 'string', default: '2' }, clients: { type: 'string', default: '16' } },
    run: ({ rounds, clients }) => {
      const bounds = { least: 1, most: 500 };
      return prove(wholeNumber('rounds', rounds, bounds), wholeNumber('clients', clients, bounds));
    },
  });
