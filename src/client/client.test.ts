/** The same text against the mock and against the service: a client written for one meets the other unchanged. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueToken } from '../auth/tokens.ts';
import { readConfig } from '../config.ts';
import { startMock } from '../mock/start.ts';
import { startService } from '../service.ts';
import { createClient, LookupError, type ClientOptions, type LookupClient } from './client.ts';
import { all } from './testing.ts';

interface Target {
  readonly baseUrl: string;
  readonly token: string;
  readonly creatorsOnly: string;
  close(): Promise<void>;
}

async function mockTarget(): Promise<Target> {
  const mock = await startMock({ port: 0, clock: Date.now, random: Math.random });
  return { baseUrl: mock.url, token: 'mock-full', creatorsOnly: 'mock-creators-only', close: mock.close };
}

async function serviceTarget(): Promise<Target> {
  const config = readConfig({ DATA_DIR: ':memory:', PORT: '0', LOG_LEVEL: 'silent', DRAIN_SECONDS: '0' });
  const service = await startService(config, { sandbox: { ordinaryMilliseconds: 20, slowMilliseconds: 60_000 } });
  const { principals } = service;
  await principals.createOrganization({ id: 'org_client', slug: 'client', marketplace: true });
  const issue = async (account: string, scopes: ('creators:read' | 'posts:read')[]): Promise<string> => {
    await principals.createAccount({ id: account, organization: 'org_client', name: account, perMinute: 60 });
    const { token, hash, prefix } = issueToken(randomBytes);
    await principals.createToken({ hash, prefix, account, label: 'test', scopes, expiresInSeconds: null });
    return token;
  };
  const token = await issue('acc_full', ['creators:read', 'posts:read']);
  const creatorsOnly = await issue('acc_creators', ['creators:read']);
  return { baseUrl: service.url, token, creatorsOnly, close: () => service.close() };
}

const targets = [
  ['the mock', mockTarget],
  ['the service', serviceTarget],
] as const;

describe.each(targets)('the client against %s', (_name, start) => {
  let target: Target;
  let client: LookupClient;
  const clientOf = (more: Partial<ClientOptions> = {}) =>
    createClient({ baseUrl: target.baseUrl, token: target.token, ...more });

  beforeAll(async () => {
    target = await start();
    client = clientOf();
  });
  afterAll(() => target.close());

  it('CRE-02 CRE-03 answers fetching at once, and the document when it waits', async () => {
    const first = await client.readCreator('netA', 'nova');
    expect(first.is).toBe('fetching');
    const waited = await client.readCreator('netA', 'nova', { wait: true, include: ['posts'] });
    if (waited.is !== 'held') throw new Error(waited.is);
    expect(waited.document.channels[0]?.username).toBe('nova');
    expect(waited.document.posts).toBeInstanceOf(Array);
  });

  it('CRE-04 PST-08 tells why an entity can not be obtained', async () => {
    expect(await client.readCreator('netA', 'missing-one', { wait: true })).toEqual({
      is: 'unavailable',
      reason: 'account-not-discoverable',
      retryable: false,
    });
    expect(await client.readPost('https://neta.example/p/orphan1', { wait: true })).toMatchObject({
      reason: 'author-unresolved',
    });
    expect(await client.readPost('https://elsewhere.example/p/1')).toMatchObject({ reason: 'unparseable-identifier' });
  });

  it('PST-04 reads a post with the analysis asked for', async () => {
    const post = await client.readPost('https://netb.example/@ben/video/731', {
      wait: true,
      include: ['transcript', 'brandSafety'],
    });
    if (post.is !== 'held') throw new Error(post.is);
    expect(Object.keys(post.document.analysis ?? {}).toSorted()).toEqual(['brandSafety', 'transcript']);
  });

  it('CRB-02 reads many, each identifier once, each found again', async () => {
    const ids = [
      'netA:ada',
      '@Grace',
      'netB:ben',
      'https://netb.example/@cleo',
      'missing2',
      'mars:x',
      ' ',
      'netA:ada',
      'what is this',
    ];
    const entries = await all(client.readManyCreators(ids, { wait: true }));
    const told = Object.fromEntries(
      entries.map((entry) => [entry.id, entry.is === 'unavailable' ? entry.reason : entry.is]),
    );
    expect(told).toEqual({
      'netA:ada': 'held',
      '@Grace': 'held',
      'netB:ben': 'held',
      'https://netb.example/@cleo': 'held',
      missing2: 'account-not-discoverable',
      'mars:x': 'not-supported-on-network',
      'what is this': 'unparseable-identifier',
    });
    expect(entries).toHaveLength(7);
  });

  it('IDS-12 finds posts again by url, shortcode and id, also with include and a comma', async () => {
    const ids = [
      'netA:C1x',
      'https://www.neta.example/reel/C2y/?a=1',
      'netB:732',
      'https://netb.example/@who/video/733',
      'C3z,bad',
      'https://neta.example/p/C4?x=1,2',
    ];
    const entries = await all(client.readManyPosts(ids, { wait: true, include: ['languages'] }));
    expect(new Set(entries.map(({ id }) => id))).toEqual(new Set(ids));
    const held = entries.filter((entry) => entry.is === 'held');
    expect(held).toHaveLength(5);
    for (const { document } of held) expect(Object.keys(document.analysis ?? {})).toEqual(['languages']);
  });

  it('yields what is still being fetched at the deadline', async () => {
    const entries = await all(client.readManyCreators(['slow-one', 'netA:ada'], { wait: { deadlineSeconds: 2 } }));
    expect(entries.find(({ id }) => id === 'slow-one')).toMatchObject({ is: 'fetching', retryAt: expect.any(Date) });
    expect(entries.find(({ id }) => id === 'netA:ada')).toMatchObject({ is: 'held', document: expect.any(Object) });
  });

  it('AUT-03 AUT-07 gives typed errors with the request id', async () => {
    const unknown = await clientOf({ token: 'nobody' })
      .readCreator('netA', 'ada')
      .catch((error: unknown) => error);
    expect(unknown).toBeInstanceOf(LookupError);
    expect(unknown).toMatchObject({ code: 'unauthorized', status: 401, requestId: expect.stringMatching(/.+/) });
    const scope = clientOf({ token: target.creatorsOnly }).readPost('https://neta.example/p/C1x');
    await expect(scope).rejects.toMatchObject({ code: 'forbidden', status: 403 });
    await expect(client.readCreator('netA', 'ada', { asOrg: 'nobody' })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(client.readCreator('netA', 'ada', { asProfile: 'nobody' })).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('ends with the reason of its signal', async () => {
    const stop = new AbortController();
    const read = client.readCreator('netA', 'slow-two', { wait: true, signal: stop.signal });
    setTimeout(() => stop.abort(new Error('enough')), 50);
    await expect(read).rejects.toThrow('enough');
  });
});
