import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthentication, type Authentication } from '../auth/authenticate.ts';
import { createDiscoveries } from '../storage/discoveries.ts';
import { createDocuments, type Documents } from '../storage/documents.ts';
import { mediaIdOf } from '../networks/netA.ts';
import { createPrincipals } from '../storage/principals.ts';
import { analysis, creatorOf, postOf } from '../testing/documents.ts';
import { createClock, engines, type TestStore } from '../testing/engines.ts';
import { run } from './run.ts';

describe.each(engines)('admin on $name', ({ name, createStore }) => {
  const clock = createClock();
  let place: TestStore;
  let service: Authentication;
  let documents: Documents;

  beforeAll(async () => {
    place = await createStore(clock);
    const database = await place.open();
    service = createAuthentication({ principals: createPrincipals(database), clock, cacheSeconds: 2 });
    documents = createDocuments(database, { cacheBytes: 1_000_000, clock });
  });
  afterAll(() => place.close());

  /** Another process's view of the store, as the command has it. */
  const open = async () => {
    const database = await place.open();
    const store = {
      principals: createPrincipals(database),
      documents: createDocuments(database, { cacheBytes: 1, clock }),
      discoveries: createDiscoveries(database, { clock }),
      random: randomBytes,
      defaultPerMinute: 60,
    };
    return { store, close: () => database.close() };
  };
  const admin = async (line: string | readonly string[]) => {
    let out = '';
    let error = '';
    const status = await run(typeof line === 'string' ? line.split(' ').filter(Boolean) : line, open, {
      out: (text) => void (out += text),
      error: (text) => void (error += text),
    });
    return { status, out, error };
  };
  const json = async (line: string) =>
    JSON.parse((await admin(`${line} --json`)).out) as Record<string, string> & Record<string, string>[];

  it('manages organizations, accounts, tokens, members, grants and profiles beside the running service', async () => {
    await admin('org create acme');
    await admin('org create other --marketplace');
    const { id } = await json('account create acme bot --budget 7');
    expect((await admin(`account budget ${id} 9`)).status).toBe(0);
    const { token, prefix } = await json(`token issue ${id} --scopes posts:read --expires 30d --label ci`);
    expect(await service.authenticate([`Bearer ${token}`])).toMatchObject({
      account: id,
      perMinute: 9,
      scopes: new Set(['posts:read']),
    });
    const listed = await admin(`token list ${id}`);
    expect(listed.out).toContain(prefix);
    expect(listed.out).not.toContain(token!);
    expect((await admin(`token revoke ${prefix}`)).status).toBe(0);
    if (name === 'postgres') clock.pass(2_000);
    await nextTurn();
    await expect(service.authenticate([`Bearer ${token}`])).rejects.toMatchObject({ code: 'unauthorized' });
    expect((await admin(`token revoke ${prefix}`)).status).toBe(1);

    await admin(`member add ${id} other --role editor`);
    expect(await json('member list other')).toMatchObject([{ account: id, role: 'editor' }]);
    expect((await admin(`member remove ${id} other`)).status).toBe(0);
    await admin('grant add other acme');
    expect(await json('grant list')).toHaveLength(1);
    expect((await admin('grant remove other acme')).status).toBe(0);
    await admin('profile create acme brand');
    expect(await json('profile list acme')).toMatchObject([{ slug: 'brand' }]);
    await admin('org marketplace acme on');
    expect((await json('org list')).map(({ slug, marketplace }) => [slug, marketplace])).toEqual([
      ['acme', true],
      ['other', true],
    ]);
  });

  it('shows, refreshes and forgets what is held', async () => {
    const creator = { kind: 'creator', network: 'netA', name: 'ada' } as const;
    const at = () => ({ startedAt: clock(), freshUntil: clock() + 60_000 });
    await documents.put({ entity: creator, document: creatorOf('ada') }, at());
    await documents.put(
      { entity: { kind: 'post', network: 'netA', name: 'C1' }, document: postOf('C1'), analysis },
      at(),
    );
    expect(await json('entity show creator netA @Ada')).toMatchObject({
      key: 'creator:netA:ada',
      document: { channels: [{}] },
    });
    expect(await json('entity refresh creator netA ada')).toMatchObject({ wasHeld: true, started: true });
    expect(await json('entity show creator netA ada')).toMatchObject({
      discovery: { state: 'queued', account: 'admin' },
    });
    expect(await json('entity forget creator netA ada')).toMatchObject({ removed: 2 });
    await expect.poll(async () => (await documents.load(['post:netA:C1'])).get('post:netA:C1')!.document).toBeNull();
    expect((await admin('entity show creator netA ada')).status).toBe(1);
  });

  it('STA-05 refresh asks again for what could not be had, though that is remembered', async () => {
    const remembered = { reason: 'account-not-discoverable', retryable: false, rememberedUntil: clock() + 60_000 };
    await documents.putFailure('creator:netA:gone', { ...remembered, startedAt: clock() });
    expect(await json('entity refresh creator netA gone')).toMatchObject({ wasHeld: false, started: true });
    expect((await admin('entity refresh creator netA gone')).out).toContain('already under way');
    await admin('entity forget creator netA gone');
  });

  it('AUT-05, AUT-11 a token that leaked is revoked as it was found, and not repeated', async () => {
    await admin('org create leaky');
    const { id } = await json('account create leaky bot');
    const { token } = await json(`token issue ${id}`);
    expect(await admin(`token revoke ${token}`)).toMatchObject({ status: 0 });
    const again = await admin(`token revoke ${token}`);
    expect([again.status, again.error.includes(token!)]).toEqual([1, false]);
  });

  it.each(['C9x', mediaIdOf('C9xC9xC9x'), 'https://neta.example/reel/C9x?a=b', 'netA:C9x'])(
    'forgets a post by whatever names it: %s',
    async (name) => {
      const shortcode = name.includes('C9x') ? 'C9x' : 'C9xC9xC9x';
      const entity = { kind: 'post', network: 'netA', name: shortcode } as const;
      await documents.put(
        { entity, document: postOf(shortcode), analysis },
        { startedAt: clock(), freshUntil: clock() + 60_000 },
      );
      expect(await json(`entity forget post netA ${name}`)).toMatchObject({ name: shortcode, removed: 1 });
      expect((await admin(`entity forget post netA ${name}`)).out).toContain('Nothing was held');
    },
  );

  it.each([
    ['', 2],
    ['--help', 0],
    ['token --help', 0],
    ['nonsense', 2],
    ['constructor x', 2],
    ['org', 2],
    ['org constructor', 2],
    ['org create', 2],
    ['org create a b', 2],
    ['org create Bad_Slug', 2],
    ['org create org_x', 2],
    ['org create fresh --marketplace=off', 2],
    ['org -h', 0],
    ['token list acc_none', 1],
    ['token issue acc_none --scopes creators:read --scopes posts:read', 2],
    ['entity forget creator netB https://neta.example/ada', 2],
    ['entity forget creator netA netB:ada', 2],
    ['entity show post netA --abc', 2],
    ['entity show post netA -- --abc', 1],
    ['org marketplace acme maybe', 2],
    ['account create acme x --budget 0', 2],
    ['account create nowhere x', 1],
    ['account budget acc_none 5', 1],
    ['token issue acc_none --expires soon', 2],
    ['token issue acc_none --scopes all', 2],
    ['token issue acc_none --label', 2],
    ['token issue acc_none', 1],
    ['grant add acme acme', 2],
    ['grant remove acme other', 1],
    ['entity show thing netA ada', 2],
    ['entity show creator netZ ada', 2],
    ['entity forget creator netA a/b', 2],
    ['entity forget post netA https://neta.example/ada', 2],
    ['entity refresh post netB https://evil.example/@a/video/1', 2],
  ])('%j ends with %i and one clear line', async (line, want) => {
    const { status, out, error } = await admin(line);
    expect(status).toBe(want);
    const text = out + error;
    expect(text).not.toMatch(/\n\s+at /);
    if (line && want > 0) expect(error.split('\n')).toHaveLength(1);
  });

  it.each(['', ' ', 'two\nlines', '\u001b[31mred', 'x'.repeat(101)])(
    '%j is no name, label or role: one clear line',
    async (text) => {
      for (const line of [
        ['account', 'create', 'acme', text],
        ['token', 'issue', 'acc_none', '--label', text],
        ['member', 'add', 'acc_none', 'acme', '--role', text],
        ['grant', 'add', 'acme', 'other', '--role', text],
      ]) {
        const isLabel = line.includes('--label');
        const { status, error } = await admin(line);
        // A token without a label is one.
        expect([line, status]).toEqual([line, isLabel && text === '' ? 1 : 2]);
        expect(error.split('\n')).toHaveLength(1);
      }
    },
  );

  it('works as a process of its own; a store that cannot be used is one line', async () => {
    const where =
      'url' in place.place ? { DATABASE_URL: place.place.url } : { DATA_DIR: place.place.path.replace(/\/[^/]*$/, '') };
    const command = (environment: object) =>
      promisify(execFile)(process.execPath, ['src/admin/main.ts', 'org', 'list', '--json'], {
        env: { ...process.env, ...environment },
      });
    const { stdout, stderr } = await command(where);
    expect(JSON.parse(stdout)).toHaveLength(3);
    expect(stderr).toBe('');
    await expect(command({ DATABASE_URL: '', DATA_DIR: ':memory:' })).rejects.toMatchObject({ code: 2 });
    const bad = name === 'sqlite' ? { DATA_DIR: '/dev/null/x' } : { DATABASE_URL: 'postgres://x@127.0.0.1:1/x' };
    await expect(command(bad)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The store cannot be used: .+\n$/),
    });
  });
});

it('tells that there was no store, as a folder that is mistyped would else look empty', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'admin-'));
  try {
    const org = () =>
      promisify(execFile)(process.execPath, ['src/admin/main.ts', 'org', 'list', '--json'], {
        env: { ...process.env, DATABASE_URL: '', DATA_DIR: folder },
      });
    expect(await org()).toEqual({
      stdout: '[]\n',
      stderr: `note: there was no store in ${folder}; an empty one was made\n`,
    });
    expect(await org()).toEqual({ stdout: '[]\n', stderr: '' });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
