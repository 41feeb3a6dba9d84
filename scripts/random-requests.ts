/**
 * `npm run random`: random requests, legal and not, against a whole service: every answer has a documented status and passes the guard, and none is a 500.
 */
import { connect, type Socket } from 'node:net';
import { operationOf, startHarness, type Harness } from '../src/http/testing.ts';
import { runCommand, wholeNumber } from './command.ts';

const usage = `Usage: npm run random [-- --requests <n>] [--seed <n>]

Sends random requests, legal and not, to a whole service. Each answer has to have a documented status, headers and body, and none may be a 500.

  --requests <n>   how many (default 10000)
  --seed <n>       the same requests for the same seed (default 1)
  --help           this text
`;

type Random = () => number;

/** Mulberry32: the same requests for the same seed. */
function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const pick = <Value>(random: Random, values: readonly Value[]): Value =>
  values[Math.floor(random() * values.length)] as Value;
const some = (random: Random, most: number): number[] =>
  Array.from({ length: Math.floor(random() * (most + 1)) }, (_, index) => index);

const IDS = [
  'ada', 'ADA', '@ada', '@@ada', 'netB:bob', 'netC:x', 'missing.one', 'broken.one', 'flaky.one', 'bare.one', 'silent.one', 'slow.one', '', ' ', '..',
  'https://neta.example/ada', 'https://neta.example/p/C1x', 'https://netb.example/@a/video/V1', 'https://evil.example@neta.example/p/x', 'C1x', 'carousel1',
  'outside1', 'orphan1', '😀', '%zz', '%00', '\u0000', 'a'.repeat(3000), ':', 'netA:', '__proto__', 'constructor', '1234567890123456789',
]; // prettier-ignore
const NETWORKS = ['netA', 'netB', 'netC', 'NETA', '', '%zz', '😀', '__proto__'];
const INCLUDES = ['posts', 'narration', 'brandSafety,transcript', '', ' , ', 'nope', 'posts,posts'];
const ORGANIZATIONS = ['home', 'partner', 'grantor', 'stranger', 'nobody', 'org_home', 'org_', '', '😀'];
const PROFILES = ['spring', 'other', 'none', ''];
const PATHS = [
  '',
  '/',
  '/nope',
  '/creators',
  '/creators/',
  '/creators/batch',
  '/posts',
  '/posts/batch',
  '/posts/',
  '/creators//ada',
  '/Creators',
  '/creators/netA/ada/x',
];
const METHODS = ['GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'];

function path(random: Random): string {
  const roll = random();
  if (roll < 0.3)
    return `/creators/${encodeSome(random, pick(random, NETWORKS) || 'netA')}/${encodeSome(random, pick(random, IDS) || 'x')}`;
  if (roll < 0.5) return '/creators';
  if (roll < 0.7) return '/posts';
  return roll < 0.85 ? pick(random, ['/creators/batch', '/posts/batch']) : pick(random, PATHS);
}

const encodeSome = (random: Random, text: string): string =>
  random() < 0.1 ? text.replace(/[^!-~]/g, 'x') : encodeURIComponent(text);

function query(random: Random): string {
  const names = ['ids', 'ids', 'url', 'network', 'include', 'asOrg', 'asProfile', 'ids[]', 'x', '__proto__'];
  const pairs = some(random, 3).map(() => {
    const name = pick(random, names);
    return `${encodeSome(random, name)}=${encodeSome(random, valueOf(random, name))}`;
  });
  return pairs.length === 0 ? '' : `?${pairs.join(pick(random, ['&', '&', '&&']))}`;
}

function valueOf(random: Random, name: string): string {
  if (name === 'include') return pick(random, INCLUDES);
  if (name === 'network') return pick(random, NETWORKS);
  if (name === 'asOrg') return pick(random, ORGANIZATIONS);
  if (name === 'asProfile') return pick(random, PROFILES);
  const many = random() < 0.05 ? 120 : 6;
  return some(random, many)
    .map(() => pick(random, IDS))
    .join(pick(random, [',', ' , ', ',,']));
}

function body(random: Random): string {
  const roll = random();
  if (roll < 0.1)
    return pick(random, [
      '',
      '{',
      '[]',
      'null',
      '"x"',
      '1',
      '{"ids":1}',
      '{"ids":[1]}',
      '['.repeat(500),
      '\ufeff{"ids":["ada"]}',
    ]);
  const fields: Record<string, unknown> = { ids: some(random, random() < 0.05 ? 120 : 6).map(() => pick(random, IDS)) };
  for (const name of ['network', 'asOrg', 'asProfile', 'include', 'more']) {
    if (random() < 0.15) fields[name] = random() < 0.15 ? pick(random, [null, 1, [], {}]) : valueOf(random, name);
  }
  if (random() < 0.3) fields['creatorDeepAnalysis'] = pick(random, [true, true, false, null, 'true']);
  return JSON.stringify(fields);
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly bytes: string;
}

function request(random: Random, tokens: Harness['tokens']): Asked {
  const way = path(random);
  const method = random() < 0.85 ? (way.endsWith('/batch') ? 'POST' : 'GET') : pick(random, METHODS);
  const target = way + (random() < 0.7 ? query(random) : '');
  const headers = ['Host: service'];
  const token = random() < 0.9 ? tokens.full : pick(random, [...Object.values(tokens), 'junk', '']);
  if (random() < 0.97) headers.push(`Authorization: Bearer ${token}`);
  if (random() < 0.05)
    headers.push(
      pick(random, [
        'Authorization: Bearer x',
        'Expect: x',
        'If-None-Match: *',
        'Content-Encoding: gzip',
        'Origin: https://a.example',
      ]),
    );
  const content = method === 'POST' || random() < 0.05 ? body(random) : null;
  if (content !== null) {
    headers.push(
      `Content-Type: ${random() < 0.95 ? 'application/json' : pick(random, ['text/plain', 'application/json; charset=x', ''])}`,
    );
    headers.push(`Content-Length: ${Buffer.byteLength(content)}`);
  }
  headers.push('Connection: close');
  return {
    method,
    path: target,
    bytes: `${method} /api/v1${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${content ?? ''}`,
  };
}

function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket: Socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.once('end', () => resolve(Buffer.concat(chunks).toString()));
    socket.once('error', (error) => (chunks.length > 0 ? resolve(Buffer.concat(chunks).toString()) : reject(error)));
  });
}

/** Throws what is wrong with an answer. */
function judge({ service }: Harness, asked: Asked, answer: string): number {
  const cut = answer.indexOf('\r\n\r\n');
  const [line = '', ...lines] = answer.slice(0, cut).split('\r\n');
  const status = Number(line.split(' ')[1]);
  const headers = Object.fromEntries(
    lines.map((header) => [header.split(': ')[0]?.toLowerCase(), header.slice(header.indexOf(': ') + 2)]),
  );
  if (status === 500) throw new Error('500');
  if (asked.method === 'HEAD') return status;
  service.contract.checkWhole(
    operationOf(asked.method, asked.path),
    status,
    headers,
    JSON.parse(answer.slice(cut + 4)),
  );
  return status;
}

async function ask(count: number, seed: number): Promise<number> {
  const random = seeded(seed);
  const harness = await startHarness({ perMinute: 1_000_000 });
  const statuses: Record<number, number> = {};
  let failed = 0;
  for (let index = 0; index < count; index += 1) {
    const asked = request(random, harness.tokens);
    try {
      const status = judge(harness, asked, await exchange(harness.service.port, asked.bytes));
      statuses[status] = (statuses[status] ?? 0) + 1;
    } catch (thrown) {
      failed += 1;
      console.log(`request ${index}: ${(thrown as Error).message}\n  ${JSON.stringify(asked.bytes.slice(0, 300))}`);
    }
    if (index % 50 === 0) await harness.settle();
    if ((index + 1) % 2_500 === 0) console.error(`${index + 1} of ${count}`);
  }
  await harness.close();
  console.log(`${count} requests, seed ${seed}: ${JSON.stringify(statuses)}`);
  console.log(`${count - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

await runCommand({
  name: 'random',
  usage,
  options: { requests: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
  run: ({ requests, seed }) =>
    ask(
      wholeNumber('requests', requests, { least: 1, most: 100_000_000 }),
      wholeNumber('seed', seed, { least: 0, most: 999_999_999 }),
    ),
});
