/**
 * `npm run bench`: the service beside its peers, on the same documents, interleaved, in one run. Prints a table of medians and ratios and
 * writes it with a picture to `docs/bench/`. `--gate` only compares the service with the raw buffer and ends with 1 below the bound.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { load, type Measured } from './load.ts';
import { picture } from './picture.ts';
import { start, type Running } from './processes.ts';

const HELP = `npm run bench -- [options]

  --rounds N    rounds, each of which measures every server once (default 3)
  --seconds N   seconds of one measurement (default 2)
  --gate        only service and raw buffer, batch of 100; ends with 1 when the ratio is below 0.2
  --out DIR     where table and picture go (default docs/bench)
  --help        this text
`;

const RAW = 'raw node:http, ready-made buffer';
const STOCK = 'Express 5 + express-openapi-validator (stock)';
const SERVICE = 'this service';
const PEERS = [
  RAW,
  'raw node:http + JSON.stringify',
  'Express 5, no validation',
  STOCK,
  'Fastify 5 + Ajv, both ways',
  'Hono + Ajv, both ways',
];
const GATE = 0.2;
const CONNECTIONS = 16;
const BATCH = 100;

export interface Row extends Measured {
  readonly server: string;
  readonly workload: string;
  readonly cpuMicroseconds: number;
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => `C${1000 + index}bench`).join(',');
const WORKLOADS = {
  'single creator': '/api/v1/creators/netA/ada',
  'batch of 1': `/api/v1/posts?ids=${ids(1)}`,
  'batch of 10': `/api/v1/posts?ids=${ids(10)}`,
  [`batch of ${BATCH}`]: `/api/v1/posts?ids=${ids(BATCH)}`,
} as const;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    gate: { type: 'boolean', default: false },
    out: { type: 'string', default: 'docs/bench' },
    help: { type: 'boolean', default: false },
  },
});

async function get(service: Running, path: string): Promise<{ data: object[]; fetching?: object[] }> {
  const response = await fetch(`http://127.0.0.1:${service.port}${path}`, {
    headers: { Authorization: `Bearer ${service.token}` },
  });
  return (await response.json()) as { data: object[]; fetching?: object[] };
}

/** Has everything discovered that is measured, and hands over the documents as the peers' world. */
async function discover(service: Running): Promise<{ creator: object; posts: object[] }> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const creator = await get(service, WORKLOADS['single creator']);
    const posts = await get(service, `/api/v1/posts?ids=${ids(BATCH)}`);
    if (creator.data && posts.fetching?.length === 0) return { creator, posts: posts.data };
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error('the documents were not discovered within 20 s');
}

async function measure(servers: ReadonlyMap<string, Running>, workloads: readonly string[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const workload of workloads) {
    const path = WORKLOADS[workload as keyof typeof WORKLOADS] ?? '';
    for (const [server, running] of servers) {
      const before = running.cpuSeconds();
      const began = performance.now();
      const measured = await load({
        port: running.port,
        path,
        token: running.token,
        connections: CONNECTIONS,
        seconds: Number(options.seconds),
      });
      const answers = (measured.requestsPerSecond * (performance.now() - began)) / 1000;
      if (Object.keys(measured.statuses).join() !== '200')
        throw new Error(`${server} answered ${JSON.stringify(measured.statuses)}`);
      rows.push({ server, workload, ...measured, cpuMicroseconds: ((running.cpuSeconds() - before) * 1e6) / answers });
    }
  }
  return rows;
}

const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/** One row per server and workload, each figure its median over the rounds. */
function medians(rounds: readonly (readonly Row[])[]): Row[] {
  return (rounds[0] ?? []).map((row, index) => {
    const of = (figure: 'requestsPerSecond' | 'p50' | 'p99' | 'cpuMicroseconds') =>
      median(rounds.map((round) => round[index]?.[figure] ?? 0));
    return {
      ...row,
      requestsPerSecond: of('requestsPerSecond'),
      p50: of('p50'),
      p99: of('p99'),
      cpuMicroseconds: of('cpuMicroseconds'),
    };
  });
}

function table(rows: readonly Row[]): string {
  const reference = (workload: string, server: string) =>
    rows.find((row) => row.workload === workload && row.server === server);
  const lines = rows.map((row) => {
    const ratio = (server: string) =>
      (row.requestsPerSecond / (reference(row.workload, server)?.requestsPerSecond ?? NaN)).toFixed(2);
    const figures = [
      row.requestsPerSecond.toFixed(0),
      ratio(STOCK),
      ratio(RAW),
      row.p50.toFixed(2),
      row.p99.toFixed(2),
      row.cpuMicroseconds.toFixed(0),
    ];
    return `| ${row.workload} | ${row.server === SERVICE ? `**${SERVICE}**` : row.server} | ${figures.join(' | ')} |`;
  });
  return [
    '| workload | server | requests/s | × stock | × raw | p50 ms | p99 ms | CPU µs |',
    '|---|---|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}

async function run(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const servers = new Map<string, Running>();
  try {
    const service = await start(new URL('service.ts', import.meta.url), []);
    const world = join(folder, 'world.json');
    writeFileSync(world, JSON.stringify(await discover(service)));
    for (const peer of options.gate ? [RAW] : PEERS)
      servers.set(peer, await start(new URL('peers.ts', import.meta.url), [peer, world]));
    servers.set(SERVICE, service);
    const workloads = options.gate ? [`batch of ${BATCH}`] : Object.keys(WORKLOADS);
    const rounds: Row[][] = [];
    for (let round = 1; round <= Number(options.rounds); round++) {
      process.stderr.write(`round ${round} of ${options.rounds}\n`);
      rounds.push(await measure(servers, workloads));
    }
    return report(medians(rounds), service);
  } finally {
    for (const server of servers.values()) server.stop();
    rmSync(folder, { recursive: true });
  }
}

function report(rows: readonly Row[], service: Running): number {
  if (options.gate) {
    const [raw, own] = [RAW, SERVICE].map(
      (server) => rows.find((row) => row.server === server)?.requestsPerSecond ?? NaN,
    );
    const ratio = (own ?? NaN) / (raw ?? NaN);
    console.log(`batch of ${BATCH}: ${ratio.toFixed(2)} of raw node:http with a ready-made buffer (bound ${GATE})`);
    return ratio >= GATE ? 0 : 1;
  }
  const machine = `${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.version}`;
  const method = `${CONNECTIONS} connections on loopback, medians of ${options.rounds} interleaved rounds of ${options.seconds} s; the service with authentication, budget, logging and both validations, the peers without the first three.`;
  const start = `Service: ${(service.startedInMilliseconds / 1000).toFixed(2)} s from start to listening, ${(service.residentBytes() / 2 ** 20).toFixed(0)} MiB resident at the end.`;
  const page = `# The service beside its peers\n\nMade by \`npm run bench\`. ${machine}. ${method}\n\n${start}\n\n![requests a second](bench.svg)\n\n${table(rows)}\n`;
  mkdirSync(options.out, { recursive: true });
  writeFileSync(join(options.out, 'README.md'), page);
  writeFileSync(join(options.out, 'bench.svg'), picture(rows));
  console.log(page);
  return 0;
}

if (options.help) console.log(HELP);
else process.exitCode = await run();
