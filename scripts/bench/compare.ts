/** The service beside its peers: every server in a process of its own, measured in turn, round after round, on the same documents. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../ending.ts';
import { load, type Measured } from './load.ts';
import { start, type Launch, type Running } from './processes.ts';
import { median } from './statistics.ts';
import {
  analysisPath,
  batchPath,
  creatorPath,
  creatorWithPostsPath,
  discoverAll,
  expectStatuses,
  fetchingPath,
  get,
  largestBatch,
  requestsOf,
  tokensOf,
  workloadOf,
  type Tokens,
} from './workloads.ts';

/** The servers in the order of the table, with what people call them. */
export const servers = {
  service: 'this service',
  raw: 'raw node:http, ready-made buffers',
  'raw-stringify': 'raw node:http + JSON.stringify',
  express: 'Express 5, no validation',
  'express-requests': 'Express 5 + express-openapi-validator, requests only',
  stock: 'Express 5 + express-openapi-validator, both ways (stock)',
  fastify: 'Fastify 5 + Ajv, both ways',
  'fastify-duties': 'Fastify 5 + Ajv, both ways, with token, budget and log',
  hono: 'Hono + Ajv, both ways',
  prism: 'Prism mock',
} as const;
export type ServerName = keyof typeof servers;

/** Every answer that a peer gives. */
export interface World {
  readonly creator: object;
  readonly creatorWithPosts: object;
  readonly posts: readonly object[];
  readonly analysis: object;
  readonly fetching: object;
  readonly limited: object;
}

export interface Figures extends Omit<Measured, 'answers' | 'statuses'> {
  /** CPU time of the server's process. */
  readonly cpuMicroseconds: number;
}

export interface Row extends Figures {
  readonly server: ServerName;
  readonly workload: string;
}

export interface Comparison {
  readonly rows: readonly Row[];
  /** Of each server: start of the process to the first answer, and its memory after all workloads. */
  readonly sizes: readonly {
    readonly server: ServerName;
    readonly coldStartMilliseconds: number;
    readonly residentBytes: number;
  }[];
  /** Bodies of the held creator, without and with posts, and of the largest batch. */
  readonly bytes: { readonly creator: number; readonly creatorWithPosts: number; readonly batch: number };
}

export interface CompareOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  readonly servers: readonly ServerName[];
  readonly workloads: readonly string[];
  /** Whether each server is started anew too, for its cold start and memory. */
  readonly starts: boolean;
  readonly say: (line: string) => void;
}

export const peerTokens: Tokens = { ordinary: 'none', spent: 'spent' };
/** Of each server with each workload, before the rounds. */
export const warmUpSeconds = 1.5;
const startsSeconds = 7;

/** Seconds that a comparison takes, about. */
export function durationOf({ rounds, seconds, servers, workloads, starts }: CompareOptions): number {
  const measuring = workloads.length * (rounds * seconds + warmUpSeconds);
  return servers.length * (measuring + (starts ? startsSeconds : 1));
}

export async function compare(options: CompareOptions): Promise<Comparison> {
  const folder = temporaryFolder('bench-');
  const started = new Map<ServerName, Running>();
  try {
    const env = { PORT: '0', DATA_DIR: folder, MAX_IN_FLIGHT: '100000', LOG_LEVEL: 'info' };
    const service = await start({ script: 'service.ts', env });
    const tokens = tokensOf(service);
    await discoverAll(service, tokens);
    const world = await worldOf(service, tokens);
    const worldFile = join(folder, 'world.json');
    writeFileSync(worldFile, JSON.stringify(world));
    for (const server of options.servers)
      started.set(server, server === 'service' ? service : await start(peerLaunch(server, worldFile)));
    started.set('service', service);
    const measuring = { started, tokens, options };
    const rows = await measureAll(measuring);
    const sizes = options.starts ? await sizesOf(measuring, { worldFile, env }) : [];
    const bytesOf = (body: object): number => Buffer.byteLength(JSON.stringify(body));
    const { creator, creatorWithPosts, posts } = world;
    const bytes = {
      creator: bytesOf(creator),
      creatorWithPosts: bytesOf(creatorWithPosts),
      batch: bytesOf(batchBody(posts)),
    };
    return { rows, sizes, bytes };
  } finally {
    await Promise.all([...started.values()].map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The answer to a batch of posts that are all held. */
const batchBody = (data: readonly object[]): object => ({ data, fetching: [], unavailable: [] });

const peerLaunch = (server: ServerName, worldFile: string): Launch => ({
  script: 'peers.ts',
  args: [server, worldFile],
});

async function worldOf(service: Running, { ordinary, spent }: Tokens): Promise<World> {
  const body = async (path: string, token = ordinary) => (await (await get(service, path, token)).json()) as object;
  const { data } = (await body(batchPath(largestBatch))) as { data: object[] };
  return {
    creator: await body(creatorPath),
    creatorWithPosts: await body(creatorWithPostsPath),
    posts: data,
    analysis: await body(analysisPath),
    fetching: await body(fetchingPath),
    limited: await body(creatorPath, spent),
  };
}

interface Measuring {
  readonly started: ReadonlyMap<ServerName, Running>;
  readonly tokens: Tokens;
  readonly options: CompareOptions;
}

async function measureAll(measuring: Measuring): Promise<Row[]> {
  const { options } = measuring;
  const pairs = options.workloads.flatMap((workload) => options.servers.map((server) => ({ server, workload })));
  options.say('warming up');
  for (const { server, workload } of pairs) await measure(measuring, server, workload, warmUpSeconds);
  const rounds: Figures[][] = pairs.map(() => []);
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const workload of options.workloads) {
      options.say(`round ${round} of ${options.rounds}: ${workloadOf(workload).title}`);
      // There and back: none is always measured after the same other one, whose traces the caches hold.
      const servers = round % 2 === 0 ? options.servers.toReversed() : options.servers;
      for (const server of servers) {
        const index = pairs.findIndex((pair) => pair.server === server && pair.workload === workload);
        rounds[index]?.push(await measure(measuring, server, workload, options.seconds));
      }
    }
  }
  return pairs.map((pair, index) => ({ ...pair, ...medianFigures(rounds[index] ?? []) }));
}

async function measure(
  { started, tokens, options: { connections } }: Measuring,
  server: ServerName,
  name: string,
  seconds: number,
): Promise<Figures> {
  const running = started.get(server);
  if (!running) throw new Error(`${server} was not started`);
  const workload = workloadOf(name);
  const requests = requestsOf(workload, server === 'service' ? tokens : peerTokens);
  return measureRequests(running, { requests, connections, until: { seconds } }, (statuses) =>
    expectStatuses(workload, statuses),
  );
}

/** One load, with the CPU that the server spent on each answer. */
export async function measureRequests(
  running: Running,
  asked: Omit<Parameters<typeof load>[0], 'port'>,
  expect: (statuses: Measured['statuses']) => void,
): Promise<Figures> {
  const before = await running.usage();
  const { answers, statuses, ...measured } = await load({ ...asked, port: running.port });
  const after = await running.usage();
  expect(statuses);
  return { ...measured, cpuMicroseconds: (after.cpuMicroseconds - before.cpuMicroseconds) / answers };
}

function medianFigures(rounds: readonly Figures[]): Figures {
  const of = (figure: keyof Figures) => median(rounds.map((round) => round[figure]));
  return {
    requestsPerSecond: of('requestsPerSecond'),
    p50: of('p50'),
    p99: of('p99'),
    cpuMicroseconds: of('cpuMicroseconds'),
  };
}

/** Starts each server anew, three times, the service on the folder that it has filled. */
async function sizesOf(
  { started, tokens, options }: Measuring,
  { worldFile, env }: { worldFile: string; env: Record<string, string> },
): Promise<Comparison['sizes']> {
  options.say('cold starts');
  const sizes: Comparison['sizes'][number][] = [];
  for (const server of options.servers) {
    const { residentBytes } = (await started.get(server)?.usage()) ?? { residentBytes: Number.NaN };
    const launch = server === 'service' ? { script: 'service.ts', env } : peerLaunch(server, worldFile);
    const token = server === 'service' ? tokens.ordinary : peerTokens.ordinary;
    const starts = [];
    for (let attempt = 0; attempt < 3; attempt += 1) starts.push(await coldStart(launch, token));
    sizes.push({ server, coldStartMilliseconds: median(starts), residentBytes });
  }
  return sizes;
}

/** Milliseconds from the start of the process to its first answer, that of a held creator. */
export async function coldStart(launch: Launch, token: string): Promise<number> {
  const began = performance.now();
  const running = await start(launch);
  const answer = await fetch(`http://127.0.0.1:${running.port}${creatorPath}`, {
    headers: { Authorization: `Bearer ${token}`, Prefer: 'code=200, example=creator' },
  });
  await answer.arrayBuffer();
  const took = performance.now() - began;
  await running.stop();
  if (answer.status !== 200) throw new Error(`${launch.args?.[0] ?? launch.script} answered ${answer.status} first`);
  return took;
}
