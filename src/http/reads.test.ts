import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClock, engines, type HandClock, type TestStore } from '../testing/engines.ts';
import { startHarness, type Harness } from './testing.ts';

const POST = 'https://neta.example/p/C1x';
const url = (text: string, more = '') => `/posts?url=${encodeURIComponent(text)}${more}`;

describe.each(engines)('$name', ({ createStore }) => {
  let store: TestStore;
  let clock: HandClock;
  let service: Harness;
  beforeAll(async () => {
    clock = createClock();
    store = await createStore(clock);
    service = await startHarness({ database: await store.open(), clock });
  });
  afterAll(async () => {
    await service.close();
    await store.close();
  });
  const calls = async (ask: () => Promise<unknown>) => {
    await ask();
    return (await service.service.discoveries.depth()).queued;
  };

  it('CRE-01, CRE-02, CRE-03, CRE-09 202 with one entry, then 200', async () => {
    const first = await service.get('/creators/netA/%41da');
    expect([first.status, first.body.fetching.length, first.body.fetching[0].id]).toEqual([202, 1, 'Ada']);
    const seconds = (Date.parse(first.body.fetching[0].retryAfter) - clock()) / 1000;
    expect(String(seconds)).toBe(first.headers['retry-after']);
    await service.settle();
    const second = await service.get('/creators/netA/ada');
    expect([second.status, second.body.data.channels[0].username, 'posts' in second.body.data]).toEqual([
      200,
      'ada',
      false,
    ]);
  });
  it('CRE-04, CRE-05, CRE-10 404 with its reason', async () => {
    const missing = await service.held('/creators/netA/missing.one');
    expect([missing.status, missing.body.error.details]).toEqual([404, { reason: 'account-not-discoverable' }]);
    for (const [path, reason] of [
      ['netC/ada', 'not-supported-on-network'],
      ['netA/a%zz', 'unparseable-identifier'],
      ['netA/..%2f', 'unparseable-identifier'],
      ['n%zz/ada', 'not-supported-on-network'],
    ]) {
      const { status, body } = await service.get(`/creators/${path}`);
      expect([status, body.error.details]).toEqual([404, { reason }]);
    }
  });
  it('CRE-06, CRE-08 posts on request, newest first; CRE-07 nothing else', async () => {
    const { body } = await service.held('/creators/netA/ada?include=%20posts%20,,posts');
    const dates = body.data.posts.map(({ postedAt }: { postedAt: string }) => postedAt);
    expect(dates).toEqual(dates.toSorted((a: string, b: string) => b.localeCompare(a)));
    expect(body.data.posts[0].author.accountId).toBe(body.data.channels[0].externalId); // DOC-09
    expect((await service.held('/creators/netA/silent.one?include=posts')).body.data.posts).toEqual([]);
    const refused = await service.get('/creators/netA/ada?include=posts,likes');
    expect([refused.status, refused.body.error.message]).toEqual([400, '"include" names "likes"; allowed: posts.']);
  });

  it('CRB-01 to CRB-06, IDS-03 each identifier in exactly one bucket, as submitted', async () => {
    await service.held('/creators/netA/ada');
    await service.held('/creators/netB/broken.one');
    const ids = ['ADA', 'netB:fresh.one', 'netC:x', '@@', 'https://neta.example/missing.one'];
    const { status, body, headers } = await service.get(`/creators?ids=${ids.map(encodeURIComponent).join(' , ')},,`);
    expect([status, body.data.length]).toEqual([200, 1]);
    expect(body.fetching.map(({ id }: { id: string }) => id)).toContain('netB:fresh.one');
    expect(body.unavailable).toContainEqual({ id: 'netC:x', reason: 'not-supported-on-network' });
    expect(body.unavailable).toContainEqual({ id: '@@', reason: 'unparseable-identifier' });
    expect(body.data.length + body.fetching.length + body.unavailable.length).toBe(ids.length);
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
    await service.settle();
    expect((await service.get('/creators?ids=ada,netB:fresh.one')).headers['retry-after']).toBeUndefined();
  });
  it.each(['/creators/netA/crb04', '/creators?ids=crb04', '/posts?ids=crb04'])(
    "CRB-04 %s: the instant and Retry-After agree by the response's own Date",
    async (path) => {
      const { body, headers } = await service.get(path);
      const wait = Date.parse(body.fetching[0].retryAfter) - Date.parse(headers['date']!);
      expect(Math.floor(wait / 1000)).toBe(Number(headers['retry-after']));
    },
  );
  it('CRB-07 POST and GET answer alike', async () => {
    await service.held('/creators?ids=ada,netB:bob');
    const got = await service.get('/creators?ids=ada,netB:bob,netC:x,ada');
    const posted = await service.post('/creators/batch', { ids: ['ada', 'netB:bob', 'netC:x', 'ada'] });
    expect([posted.status, posted.text]).toEqual([got.status, got.text]);
    expect(posted.body.data.length).toBe(2); // IDS-11
  });
  it('IDS-11 other strings of one entity are each answered', async () => {
    await service.held('/creators/netA/ada');
    expect((await service.get('/creators?ids=ada,ADA,netA:ada')).body.data.length).toBe(3);
  });
  it('IDS-10 an item of a body is echoed with its blanks, an empty one dropped', async () => {
    const { body } = await service.post('/creators/batch', { ids: [' netC:x ', '', ' \t'], include: 'x' });
    expect(body.unavailable).toEqual([{ id: ' netC:x ', reason: 'not-supported-on-network' }]);
  });

  it('PST-01, PST-04 a post, with exactly the analysis named', async () => {
    const { status, body } = await service.held(url(POST));
    expect([status, body.data.netA.shortcode, 'analysis' in body.data]).toEqual([200, 'C1x', false]);
    const keys = ['brandSafety', 'transcript', 'commentSentimentBreakdown'];
    const more = await service.get(url(POST, `&include=${keys.join(',')},${keys[0]}`));
    expect(Object.keys(more.body.data.analysis)).toEqual(keys);
    const batch = await service.get(`/posts?ids=C1x,netA:C1x&include=narration`);
    expect(batch.body.data.map(({ analysis }: { analysis: object }) => Object.keys(analysis))).toEqual([
      ['narration'],
      ['narration'],
    ]);
    expect(
      (await service.post('/posts/batch', { ids: ['C1x'], include: 'narration' })).body.data[0].analysis,
    ).toBeUndefined();
  });
  it('PST-02 never 202; PST-07, PST-08 reasons', async () => {
    const { status, body, headers } = await service.get('/posts?ids=Fresh1,https://evil.example/p/C1x');
    expect([status, body.fetching.length, body.unavailable[0].reason]).toEqual([200, 1, 'unparseable-identifier']);
    expect(headers['retry-after']).toBeDefined();
    expect((await service.get(url('https://evil.example/p/C1x'))).body.error.details).toEqual({
      reason: 'unparseable-identifier',
    });
    expect((await service.held(url('https://neta.example/p/outside1'))).body.error.details).toEqual({
      reason: 'outside-recent-media-window',
    });
    expect((await service.held(url('https://neta.example/p/orphan1'))).body.error.details).toEqual({
      reason: 'author-unresolved',
    });
  });

  it('DOC-13 without marketplace credentials its fields are unobserved, whoever obtained the document', async () => {
    await service.held('/creators/netA/ada');
    const { body } = await service.get('/creators/netA/ada', { token: service.tokens.plain });
    const [{ netA, verified }] = body.data.channels;
    expect([netA.email, netA.badges, netA.isPaidPartnershipMessagesEnabled, verified]).toEqual([
      null,
      null,
      false,
      false,
    ]);
  });

  it('STA-01 a read that joins starts nothing', async () => {
    await service.settle();
    expect(await calls(() => service.get('/creators/netA/joined.one'))).toBe(1);
    expect(await calls(() => Promise.all([1, 2, 3].map(() => service.get('/creators/netA/JOINED.one'))))).toBe(1);
  });
  it('STA-02 a stale read answers the held document and starts a refresh', async () => {
    const before = await service.held('/creators/netA/stale.one');
    clock.pass(2 * 86_400_000);
    await service.settle();
    const stale = await service.get('/creators/netA/stale.one');
    expect([stale.status, stale.text]).toEqual([200, before.text]);
    await service.settle();
    const after = await service.get('/creators/netA/stale.one');
    expect(Date.parse(after.body.data.channels[0].updatedAt)).toBeGreaterThan(
      Date.parse(before.body.data.channels[0].updatedAt),
    );
  });
  it('CRB-09, CRB-10, PST-06 a true opt-in ingests the recent posts, also of a creator held', async () => {
    await service.held('/creators/netA/deep.one');
    const deep = (value: boolean) => service.post('/creators/batch', { ids: ['deep.one'], creatorDeepAnalysis: value });
    expect(await calls(() => deep(false))).toBe(0);
    expect(await calls(() => deep(true))).toBe(1);
    await service.settle();
    const { posts } = (await service.get('/creators/netA/deep.one?include=posts')).body.data;
    expect((await service.get(url(posts[0].url))).status).toBe(200);
    expect(await calls(() => deep(true))).toBe(0);
  });
  it('ERR-05 a corrupt row never leaves: 500 alone, our failure in a batch, and the log knows', async () => {
    await service.held('/creators/netA/corrupt.one');
    await service.held('/creators/netA/ada');
    const rows = await service.service.database.query<{ document: string }>(
      "select document from entity where key = 'creator:netA:corrupt.one'",
    );
    const torn = (rows[0]?.document ?? '').replace('"channels"', '"chanels"');
    await service.service.database.query("update entity set document = $1 where key = 'creator:netA:corrupt.one'", [
      torn,
    ]);
    clock.pass(1); // only the embedded cache keeps what it has: it is emptied by another entity's write
    await service.service.documents.setDeep(['creator:netA:corrupt.one'], 1);
    const alone = await service.get('/creators/netA/corrupt.one');
    expect([alone.status, alone.body.error.code]).toEqual([500, 'internal-error']);
    expect(alone.text).not.toContain('chanels');
    const { body } = await service.get('/creators?ids=corrupt.one,ada');
    expect([body.data.length, body.unavailable]).toEqual([
      1,
      [{ id: 'corrupt.one', reason: 'internal-error', retryable: true }],
    ]);
    expect(service.logged.join('')).toContain('channels');
  });
});
