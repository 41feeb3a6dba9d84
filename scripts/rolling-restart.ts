/**
 * `npm run rolling-restart`: two processes of the service on one PostgreSQL behind a TCP switch; each is stopped with SIGTERM and started
 * again under load, in turn. Exit 1 if a request fails: no answer, or a status that the load does not expect.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../src/testing/embedded-postgres.ts';

const usage = `Usage: npm run rolling-restart [-- --rounds <n>] [--clients <n>]

Restarts two nodes in turn under load and counts the requests that failed.

  --rounds <n>    how often each node is restarted (default 2)
  --clients <n>   connections that always have a request in flight (default 16)
  --help          this text
`;

interface Node {
  readonly process: ChildProcess;
  readonly port: number;
  /** What it printed at its start: on an empty store the development token. */
  readonly said: string;
}

async function startNode(databaseUrl: string): Promise<Node> {
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    PORT: '0',
    LOG_LEVEL: 'error',
    DEFAULT_PER_MINUTE: '1000000',
  };
  const child = spawn(process.execPath, [join(import.meta.dirname, '../src/main.ts')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    said += String(chunk);
    if (/To issue .*\n/.test(said)) break;
  }
  child.stdout.resume();
  return { process: child, said, port: Number(/Listening on http:\/\/[^:]+:(\d+)/.exec(said)?.[1]) };
}

const isReady = ({ port }: Node): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

/** Gives each new connection to a ready node, one after the other; what it has given stays where it is. */
class Switch {
  readonly nodes = new Map<string, Node>();
  private ready: Node[] = [];
  private turn = 0;
  private open = true;
  readonly server: Server = createServer((caller) => this.join(caller, this.ready.length));

  /** A node that takes no connection any more is passed over, as every balancer does. */
  private join(caller: Socket, attempts: number): void {
    const node = this.ready[(this.turn += 1) % this.ready.length];
    if (!node || attempts === 0) return void caller.destroy();
    const callee = connect(node.port, '127.0.0.1');
    const passOver = (): void => this.join(caller, attempts - 1);
    callee.once('error', passOver);
    callee.once('connect', () => {
      callee.off('error', passOver).on('error', () => caller.destroy());
      caller.on('error', () => callee.destroy());
      caller.pipe(callee).pipe(caller);
    });
  }

  /** Asks for readiness as a balancer does: every 50 ms. */
  async watch(): Promise<void> {
    while (this.open) {
      const nodes = [...this.nodes.values()];
      const answers = await Promise.all(nodes.map(isReady));
      this.ready = nodes.filter((_node, index) => answers[index]);
      await pause(50);
    }
  }

  close(): void {
    this.open = false;
    this.server.close();
  }
}

interface Tally {
  readonly statuses: Map<string, number>;
  failed: number;
  slowest: number;
}

/** One client: a request after the other on a kept connection, never repeated when it fails. */
async function client(port: number, token: string, number: number, tally: Tally, going: () => boolean): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let count = 0; going(); count += 1) {
    const ids = Array.from({ length: 20 }, (_, index) => `rolling${(count + index) % 400}`).join(',');
    const paths = [
      '/creators/netA/ada?include=posts',
      `/creators?ids=${ids}`,
      `/creators/netB/new${number}n${count}`,
      `/posts?ids=C1x,netB:${count}`,
    ];
    const start = performance.now();
    const outcome = await send(agent, port, `/api/v1${paths[count % paths.length]}`, token);
    tally.slowest = Math.max(tally.slowest, performance.now() - start);
    tally.statuses.set(outcome, (tally.statuses.get(outcome) ?? 0) + 1);
    if (outcome !== '200' && outcome !== '202') tally.failed += 1;
  }
  agent.destroy();
}

function send(agent: Agent, port: number, path: string, token: string): Promise<string> {
  return new Promise((resolve) => {
    const sent = request(
      { agent, port, host: '127.0.0.1', path, headers: { Authorization: `Bearer ${token}` } },
      (answer) => {
        answer.on('error', () => resolve('cut off')).on('end', () => resolve(String(answer.statusCode)));
        answer.resume();
      },
    );
    sent.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      resolve(`${code ?? message} on a ${sent.reusedSocket ? 'kept' : 'new'} connection`);
    });
    sent.end();
  });
}

async function restart(nodes: Map<string, Node>, name: string, databaseUrl: string): Promise<void> {
  const node = nodes.get(name);
  if (!node) return;
  const start = performance.now();
  const ended = once(node.process, 'exit');
  node.process.kill('SIGTERM');
  const [code] = (await ended) as [number | null];
  const down = performance.now();
  nodes.set(name, await startNode(databaseUrl));
  const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(2);
  console.log(
    `${name}: stopped in ${seconds(down - start)} s with exit ${code}, back in ${seconds(performance.now() - down)} s`,
  );
  if (code !== 0) process.exitCode = 1;
}

async function prove(rounds: number, clients: number): Promise<void> {
  const database = await startEmbeddedPostgres();
  const balancer = new Switch();
  try {
    const one = await startNode(database.url);
    const token = /Bearer ([^']+)'/.exec(one.said)?.[1] ?? '';
    balancer.nodes.set('node one', one).set('node two', await startNode(database.url));
    void balancer.watch();
    await new Promise<void>((listening) => balancer.server.listen(0, '127.0.0.1', listening));
    const { port } = balancer.server.address() as AddressInfo;
    const tally: Tally = { statuses: new Map(), failed: 0, slowest: 0 };
    let going = true;
    await pause(500);
    const start = performance.now();
    const load = Array.from({ length: clients }, (_, number) => client(port, token, number, tally, () => going));
    for (let round = 0; round < rounds; round += 1) {
      for (const name of balancer.nodes.keys()) {
        await pause(1000);
        await restart(balancer.nodes, name, database.url);
      }
    }
    await pause(1000);
    going = false;
    await Promise.all(load);
    report(tally, (performance.now() - start) / 1000);
  } finally {
    balancer.close();
    for (const { process: child } of balancer.nodes.values()) await stopped(child);
    await database.stop();
  }
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

function report({ statuses, failed, slowest }: Tally, seconds: number): void {
  const sum = [...statuses.values()].reduce((left, right) => left + right, 0);
  const each = [...statuses].map(([status, count]) => `${status}: ${count}`).join(', ');
  console.log(
    `${sum} requests in ${seconds.toFixed(1)} s (${each}), slowest ${slowest.toFixed(0)} ms, ${failed} failed`,
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
