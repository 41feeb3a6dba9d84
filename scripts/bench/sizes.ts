/** The sizes that issue trackers ask for: starts, memory, latencies of one client, and what must not grow. Measured on `npm start` itself. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { temporaryFolder } from '../ending.ts';
import { coldStart, measureRequests } from './compare.ts';
import { load, requestOf } from './load.ts';
import { batches, documentsOfAKind, fill, names, singles } from './sizes-documents.ts';
import { machine } from './machine.ts';
import { short, table, whole } from './markdown.ts';
import { start, type Launch, type Running } from './processes.ts';
import { median } from './statistics.ts';
import { analysisKeys, creatorPath } from './workloads.ts';

export interface PageOptions {
  readonly write: (name: string, text: string) => void;
  readonly say: (line: string) => void;
}

interface Size {
  readonly what: string;
  readonly figure: string;
  readonly bound: string;
  readonly reached: boolean;
}

interface Subject {
  readonly service: Running;
  readonly token: string;
}

const onlyHeld = (statuses: Readonly<Record<string, number>>): void => {
  if (Object.keys(statuses).join() !== '200') throw new Error(`expected 200 alone, got ${JSON.stringify(statuses)}`);
};

/** Runs every measurement; answers 0 whatever the verdicts: they are for people, the gate is for CI. */
export async function sizes({ write, say }: PageOptions): Promise<number> {
  say('about 3 minutes');
  const folder = temporaryFolder('bench-sizes-');
  try {
    await fill(folder);
    say(`${2 * documentsOfAKind} documents are stored`);
    const env = { PORT: '0', DATA_DIR: folder, DEFAULT_PER_MINUTE: '1000000', NODE_COMPILE_CACHE: compiled };
    const rows = await measureAll({ ...npmStart(), env, tells: 'greeting' }, say);
    write('sizes.md', page(rows));
    rows.forEach(({ what, figure, bound, reached }) =>
      console.log(`${reached ? 'ok    ' : 'MISSED'} ${what}: ${figure} (${bound})`),
    );
    return 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same cache as that of `npm start`, for what measures the process from within too. */
const compiled = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url));

/** `node --flags script`, as package.json has it. */
function npmStart(): Pick<Launch, 'script' | 'flags'> {
  const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    scripts: { start: string };
  };
  const words = scripts.start.split(' ').slice(1);
  return { script: `../../${words.at(-1)}`, flags: words.slice(0, -1) };
}

async function measureAll(launch: Launch, say: PageOptions['say']): Promise<Size[]> {
  const began = performance.now();
  const service = await start(launch);
  const firstStart = performance.now() - began;
  const subject = { service, token: /lk_\S+/.exec(String(service.told))?.[0] ?? '' };
  try {
    const rows = [...(await latencies(subject, say)), await cpuOfBatch(subject, say)];
    rows.push(...(await contentTypes(subject, say)), ...(await minuteOfLoad(subject, say)));
    await service.stop();
    const { token } = subject;
    return [...(await starts(launch, token, firstStart, say)), await memory(launch, token, say), ...rows];
  } finally {
    await service.stop();
  }
}

async function starts(launch: Launch, token: string, first: number, say: PageOptions['say']): Promise<Size[]> {
  say('cold starts');
  const later = [];
  for (let attempt = 0; attempt < 5; attempt += 1) later.push(await coldStart(launch, token));
  const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`;
  return [
    row('cold start to first answer, a held creator', seconds(median(later)), '< 1 s', median(later) < 1000),
    row('first start to the printed token and its examples, held', seconds(first), 'none set', true),
  ];
}

const row = (what: string, figure: string, bound: string, reached: boolean): Size => ({ what, figure, bound, reached });

/** Of a later start, by itself, seen from outside. */
async function memory(launch: Launch, token: string, say: PageOptions['say']): Promise<Size> {
  say('memory after 10,000 documents');
  const paths = [...batches('creator'), ...batches('post'), ...singles.creator, ...singles.post];
  const requests = paths.map((path) => requestOf(path, token));
  const seen: { readonly atStart: number; readonly afterReads: number }[] = [];
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const { pid, port, stop } = await start({ ...launch, alone: true });
    await pause(1_000);
    const atStart = residentBytes(pid);
    const { statuses } = await load({ port, requests, connections: 4, until: { answers: requests.length } });
    onlyHeld(statuses);
    seen.push({ atStart, afterReads: residentBytes(pid) });
    await stop();
  }
  const most = Math.max(...seen.map(({ afterReads }) => afterReads));
  const each = seen.map(({ afterReads }) => megabytes(afterReads)).join(', ');
  const figure = `${each} of three starts (before the reads ${megabytes(median(seen.map(({ atStart }) => atStart)))})`;
  const what = 'resident memory after 10,000 documents were read, in batches and singly';
  return row(what, figure, '< 120 MB', most < 120e6);
}

const residentBytes = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024;

async function latencies({ service, token }: Subject, say: PageOptions['say']): Promise<Size[]> {
  say('latencies of one client');
  const measure = async (paths: readonly string[]) => {
    const requests = paths.map((path) => requestOf(path, token));
    const asked = { port: service.port, requests, connections: 1 };
    await load({ ...asked, until: { seconds: 1 } });
    return load({ ...asked, until: { seconds: 4 } });
  };
  const single = await measure([creatorPath]);
  const [first = ''] = batches('post', `&include=${analysisKeys}`);
  const bytes = await bytesOf(service, first, token);
  const batch = await measure([first]);
  const told = ({ p50, p99 }: { p50: number; p99: number }): string => `${short(p99)} ms (median ${short(p50)})`;
  return [
    row('held creator, p99, one client', told(single), '< 1 ms', single.p99 < 1),
    row(
      `batch of 100 held posts with analysis, ${whole(bytes / 1000)} KB, p99, one client`,
      told(batch),
      '< 10 ms',
      batch.p99 < 10,
    ),
  ];
}

async function bytesOf({ port }: Running, path: string, token: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { Authorization: `Bearer ${token}` } });
  return (await answer.arrayBuffer()).byteLength;
}

const megabytes = (bytes: number): string => `${whole(bytes / 1e6)} MB`;

const rounds = 3;

async function cpuOfBatch({ service, token }: Subject, say: PageOptions['say']): Promise<Size> {
  say('CPU by identifiers');
  const [path = ''] = batches('post');
  const paths = { one: `/api/v1/posts?ids=${names.post[0]}`, hundred: path };
  const spent = { one: [] as number[], hundred: [] as number[] };
  for (let round = 0; round < rounds; round += 1)
    for (const size of ['one', 'hundred'] as const) {
      const asked = { requests: [requestOf(paths[size], token)], connections: 16, until: { seconds: 1 } };
      spent[size].push((await measureRequests(service, asked, onlyHeld)).cpuMicroseconds);
    }
  const times = median(spent.hundred) / median(spent.one);
  const figure = `${short(times)} times (${whole(median(spent.one))} and ${whole(median(spent.hundred))} µs)`;
  return row('CPU for 100 identifiers, × that for one', figure, '≤ 10 times', times <= 10);
}

const contentTypeRequests = 3_000;

/** express-openapi-validator keeps a validator for each Content-Type it sees: 36 ms and 1.4 MB a value, were it shown them. */
async function contentTypes({ service, token }: Subject, say: PageOptions['say']): Promise<Size[]> {
  say('never-seen Content-Types');
  const usual = [requestOf(creatorPath, token)];
  const odd = (): Buffer[] =>
    Array.from({ length: contentTypeRequests }, () =>
      requestOf(creatorPath, token, { 'Content-Type': `application/x-${randomBytes(9).toString('hex')}` }),
    );
  const measure = (requests: readonly Buffer[]) =>
    measureRequests(service, { requests, connections: 4, until: { answers: contentTypeRequests } }, () => {});
  await measure(odd());
  const before = await service.usage('collected');
  const spent = { usual: [] as number[], odd: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    spent.usual.push((await measure(usual)).cpuMicroseconds);
    spent.odd.push((await measure(odd())).cpuMicroseconds);
  }
  const after = await service.usage('collected');
  const times = median(spent.odd) / median(spent.usual);
  const kept = (after.heapBytes - before.heapBytes) / (rounds * contentTypeRequests);
  return [
    row(
      'CPU of a request with a never-seen Content-Type, × a usual one',
      `${short(times)} times`,
      '≤ 2 times',
      times <= 2,
    ),
    row('memory that such a request leaves behind', `${whole(Math.max(0, kept))} bytes`, '< 100 bytes', kept < 100),
  ];
}

const settleSeconds = 15;
const loadSeconds = 60;

async function minuteOfLoad({ service, token }: Subject, say: PageOptions['say']): Promise<Size[]> {
  say(`${settleSeconds} s, then a minute of load`);
  const paths = [...singles.creator.slice(0, 300), ...singles.post.slice(0, 300), ...batches('post').slice(0, 6)];
  const asked = { port: service.port, requests: paths.map((path) => requestOf(path, token)), connections: 16 };
  await load({ ...asked, until: { seconds: settleSeconds } });
  const before = await service.usage('collected');
  const samples: number[] = [];
  const sampling = setInterval(
    () => void service.usage().then(({ residentBytes }) => samples.push(residentBytes)),
    1000,
  );
  const { answers, statuses } = await load({ ...asked, until: { seconds: loadSeconds } });
  clearInterval(sampling);
  onlyHeld(statuses);
  await pause(500);
  const after = await service.usage('collected');
  const third = Math.floor(samples.length / 3);
  const growth = median(samples.slice(-third)) / median(samples.slice(0, third)) - 1;
  const heap = after.heapBytes - before.heapBytes;
  const resident = `${(growth * 100).toFixed(1)} % from the first third to the last (${whole(answers)} requests)`;
  const descriptors = `${before.descriptors} before, ${after.descriptors} after`;
  return [
    row('growth of resident memory in a minute of load', resident, '< 5 %', growth < 0.05),
    row('growth of what the heap keeps, collected', `${(heap / 2 ** 20).toFixed(2)} MiB`, '< 1 MiB', heap < 2 ** 20),
    row('open files and sockets', descriptors, 'no more after', after.descriptors <= before.descriptors),
  ];
}

function page(rows: readonly Size[]): string {
  const lines = rows.map(({ what, figure, bound, reached }) => [what, figure, bound, verdictOf(bound, reached)]);
  return `# Sizes

Made by \`npm run bench -- --sizes\`. ${machine()}.

Measured on \`npm start\` (a store in a file, settings as they come but for a budget of a million requests a minute), its log read through a pipe.
Starts are medians of five. Half of the 10,000 documents are creators, half posts, of the sandbox's usual size. No load runs on the machine
beside what a row names.

${table(['aim', 'figure', 'bound', ''], lines)}
`;
}

const verdictOf = (bound: string, reached: boolean): string => {
  if (bound === 'none set') return '';
  return reached ? 'reached' : '**missed**';
};
