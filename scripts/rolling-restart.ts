/**
 * `npm run rolling-restart`: two processes of the service on one PostgreSQL behind a TCP switch; each is stopped with SIGTERM and started
 * again under load, in turn. Exit 1 if a request fails: no answer, one that the load does not expect, or one that breaks the contract.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
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

async function restart(nodes: Map<string, ServiceProcess>, name: string, databaseUrl: string): Promise<void> {
  const node = nodes.get(name);
  if (!node) return;
  const start = performance.now();
  node.signal('SIGTERM');
  const code = await node.ended;
  const down = performance.now();
  nodes.set(name, await startNode(databaseUrl));
  const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(2);
  console.log(
    `${name}: stopped in ${seconds(down - start)} s with exit ${code}, back in ${seconds(performance.now() - down)} s`,
  );
  if (code !== 0) process.exitCode = 1;
}

async function prove(rounds: number, clients: number): Promise<void> {
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
    let going = true;
    const start = performance.now();
    const load = everyday(callers, tally, () => going);
    for (let round = 0; round < rounds; round += 1) {
      for (const name of balancer.nodes.keys()) {
        await pause(1000);
        await restart(balancer.nodes, name, database.url);
      }
    }
    await pause(1000);
    going = false;
    await load;
    report(tally, guard, (performance.now() - start) / 1000);
  } finally {
    for (const caller of callers) caller.close();
    balancer.close();
    for (const node of balancer.nodes.values()) await node.stop();
    await database.stop();
  }
}

function report(tally: Tally, { breaches }: Guard, seconds: number): void {
  const failed = tally.others(200, 202) + breaches.length;
  const slowest = tally.percentile(1).toFixed(0);
  console.log(
    `${tally.total} requests in ${seconds.toFixed(1)} s (${tally}), slowest ${slowest} ms, ${breaches.length} against the contract, ${failed} failed`,
  );
  if (failed > 0) process.exitCode = 1;
}

async function main(): Promise<void> {
  const refuse = (line: string): void => {
    console.error(`rolling-restart: ${line}`);
    process.exitCode = 2;
  };
  let values;
  try {
    const whole = (fallback: string) => ({ type: 'string', default: fallback }) as const;
    ({ values } = parseArgs({ options: { rounds: whole('2'), clients: whole('16'), help: { type: 'boolean' } } }));
  } catch (error) {
    return refuse((error as Error).message.split('\n')[0] ?? '');
  }
  if (values.help) return console.log(usage.trimEnd());
  const [rounds, clients] = [Number(values.rounds), Number(values.clients)];
  const fits = [rounds, clients].every((value) => Number.isInteger(value) && value >= 1 && value <= 500);
  return fits ? prove(rounds, clients) : refuse('--rounds and --clients are whole numbers from 1 to 500');
}

if (import.meta.main) await main();
