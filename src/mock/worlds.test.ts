/** What a name decides is the same here and in the sandbox networks of the service: a client written against one meets the other. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueToken } from '../auth/tokens.ts';
import { readConfig } from '../config.ts';
import { createSandbox } from '../discovery/sources/sandbox.ts';
import { networks } from '../networks/index.ts';
import { startService } from '../service.ts';
import { createClock } from '../testing/engines.ts';
import { startMock } from './start.ts';

interface World {
  readonly url: string;
  readonly token: string;
  /** Lets so many seconds pass, and happen what was due in them. */
  pass(seconds: number): Promise<void>;
}

async function mockWorld(): Promise<World & { close(): Promise<void> }> {
  const clock = createClock();
  const mock = await startMock({ port: 0, clock, random: () => 1 });
  return { url: mock.url, token: 'mock-other', pass: async (seconds) => clock.pass(seconds * 1000), close: mock.close };
}

async function sandboxWorld(): Promise<World & { close(): Promise<void> }> {
  const clock = createClock();
  const config = readConfig({ DATA_DIR: ':memory:', PORT: '0', LOG_LEVEL: 'silent', DRAIN_SECONDS: '0' });
  const sources = networks.map((network) => createSandbox(network, { clock, sleep: async () => {} }));
  const service = await startService(config, { clock, work: false, sources });
  const { principals, worker, url } = service;
  await principals.createOrganization({ id: 'org_worlds', slug: 'worlds', marketplace: true });
  await principals.createAccount({ id: 'acc_worlds', organization: 'org_worlds', name: 'worlds', perMinute: 1000 });
  const { token, hash, prefix } = issueToken(randomBytes);
  const scopes = ['creators:read', 'posts:read'] as const;
  await principals.createToken({ hash, prefix, account: 'acc_worlds', label: '', scopes, expiresInSeconds: null });
  const pass = async (seconds: number): Promise<void> => {
    clock.pass(seconds * 1000);
    while ((await worker.runDue()) > 0);
  };
  return { url, token, pass, close: () => service.close() };
}

let mock: Awaited<ReturnType<typeof mockWorld>>;
let sandbox: Awaited<ReturnType<typeof sandboxWorld>>;
beforeAll(async () => {
  [mock, sandbox] = await Promise.all([mockWorld(), sandboxWorld()]);
});
afterAll(async () => {
  await mock.close();
  await sandbox.close();
});

const mostReads = 5;

/** Every answer to the read until it is no longer being fetched: its status, the first wait, and what else a name decides. */
async function toldBy({ url, token, pass }: World, path: string): Promise<unknown[]> {
  const told: unknown[] = [];
  while (told.length < mostReads) {
    const answer = await fetch(`${url}/api/v1${path}`, { headers: { Authorization: `Bearer ${token}` } });
    const body = (await answer.json()) as { data?: unknown; error?: { details: unknown } };
    const wait = Number(answer.headers.get('Retry-After'));
    if (answer.status === 202) told.push(told.length === 0 ? [202, wait] : [202]);
    else told.push([answer.status, body.error?.details ?? decided(body.data, path)]);
    if (answer.status !== 202) break;
    await pass(wait);
  }
  return told;
}

interface Shown {
  readonly channels?: readonly { readonly followersCount: number | null }[];
  readonly posts?: readonly unknown[];
  readonly mediaKind?: string | null;
  readonly media?: readonly unknown[];
  readonly netA?: { readonly mediaProductType: string | null };
  readonly author?: { readonly username: string | null };
}

/** Of a creator: whether anything is observed, whether it has posts. Of a post: whether anything is observed, and the kind that its name asks for. */
function decided(data: unknown, path: string): object {
  const { channels, posts, mediaKind, media, netA, author } = data as Shown;
  if (channels) return { observed: channels[0]?.followersCount !== null, hasPosts: (posts ?? []).length > 0 };
  const kind = /carousel|image|video/.test(path) ? { mediaKind } : {};
  const nodes = mediaKind === 'carousel' ? { isSeveral: (media?.length ?? 0) > 1 } : {};
  const product = /story|reel/.test(path) ? { product: netA?.mediaProductType } : {};
  return { observed: author?.username !== null, ...kind, ...nodes, ...product };
}

const creator = (handle: string): string => `/creators/netA/${handle}?include=posts`;
const netBPost = (name: string): string => `/posts?url=https://netb.example/@who/video/${name}`;
const post = (shortcode: string): string => `/posts?url=https://neta.example/p/${shortcode}`;

describe('the same names, the same states', () => {
  it.each([
    ['an ordinary handle', creator('ada')],
    ['missing…', creator('missing1')],
    ['broken…', creator('broken1')],
    ['flaky…', creator('flaky1')],
    ['bare…', creator('bare1')],
    ['silent…', creator('silent1')],
    ['slow…', creator('slow1')],
    ['missing… of a post', post('missing1')],
    ['old…', post('old1')],
    ['outside…', post('outside1')],
    ['orphan…', post('orphan1')],
    ['unresolved…', post('unresolved1')],
    ['broken… of a post', post('Broken1')],
    ['flaky… of a post', post('FLAKY1')],
    ['slow… of a post', post('slow1')],
    ['bare… of a post', post('bare1')],
    ['carousel…', post('carousel1')],
    ['story…', post('story1')],
    ['reel…', post('reel1')],
    ['image…', post('image1')],
    ['video…', post('video1')],
    ['carousel… of netB', netBPost('carousel1')],
    ['image… of netB', netBPost('image1')],
    ['reel… of netB', netBPost('reel1')],
    ['story… of netB', netBPost('story1')],
    ['a handle with posts of the longest names', creator('x'.repeat(62))],
    ['a handle too long for names of posts', creator('x'.repeat(63))],
  ])('%s', async (_name, path) => {
    const told = await toldBy(mock, path);
    expect(told.length).toBeGreaterThan(1);
    expect(told).toEqual(await toldBy(sandbox, path));
  });
});
