import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox } from '../discovery/sources/sandbox.ts';
import { keyOf, type Key, type Obtained, type Source } from '../model.ts';
import { networks } from '../networks/index.ts';
import { createClock, engines, type HandClock, type TestStore } from '../testing/engines.ts';
import { startHarness, type Harness } from './testing.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The sandbox networks, with a hand on them: what was asked, what fails, what hangs. */
function createNetworks(clock: HandClock) {
  const asked: Key[] = [];
  const failing = new Set<Key>();
  const hanging = new Map<Key, Promise<void>>();
  const sources = networks.map((network): Source => {
    const sandbox = createSandbox(network, { clock, ordinaryMilliseconds: 0, slowMilliseconds: 0 });
    return {
      network: network.name,
      expectedSeconds: ({ name }) => (name.startsWith('slow') ? 7 : 1),
      async obtain(entity, options): Promise<Obtained> {
        const key = keyOf(entity);
        asked.push(key);
        await hanging.get(key);
        if (failing.has(key)) return { is: 'unavailable', reason: 'internal-error', retryable: true };
        return sandbox.obtain(entity, options);
      },
    };
  });
  return { asked, failing, hanging, sources };
}

describe.each(engines)('the states, on $name', ({ createStore }) => {
  let store: TestStore;
  let clock: HandClock;
  let world: ReturnType<typeof createNetworks>;
  let node: Harness;
  let nodes: Harness[];
  beforeEach(async () => {
    clock = createClock();
    store = await createStore(clock);
    world = createNetworks(clock);
    nodes = [];
    node = await newNode();
  });
  afterEach(async () => {
    await Promise.all(nodes.map((one) => one.close()));
    await store.close();
  });
  async function newNode(): Promise<Harness> {
    const started = await startHarness({ database: await store.open(), clock, sources: world.sources });
    nodes.push(started);
    return started;
  }
  const ADA = '/creators/netA/ada';
  const updatedAt = ({ body }: Awaited<ReturnType<Harness['get']>>) => Date.parse(body.data.channels[0].updatedAt);
  const timesAsked = (key: Key) => world.asked.filter((one) => one === key).length;

  it('STA-01 reads that come together, on every node, start one discovery', async () => {
    const other = await newNode();
    const reads = Array.from({ length: 40 }, (_, index) => (index % 2 ? node : other).get(ADA));
    const batches = Array.from({ length: 10 }, (_, index) =>
      (index % 2 ? node : other).post('/creators/batch', { ids: ['bob', 'ada', 'ADA'] }),
    );
    expect((await Promise.all(reads)).map(({ status }) => status)).toEqual(Array(40).fill(202));
    expect((await Promise.all(batches)).map(({ body }) => body.fetching.length)).toEqual(Array(10).fill(3));
    await Promise.all([node.settle(), other.settle()]);
    expect(world.asked.toSorted()).toEqual(['creator:netA:ada', 'creator:netA:bob']);
    expect((await other.get(ADA)).text).toBe((await node.get(ADA)).text);
  });
  it('STA-02 reads of one stale document: 200 with what is held, one refresh, then the new one', async () => {
    const held = await node.held(ADA);
    clock.pass(2 * DAY);
    const stale = await Promise.all(Array.from({ length: 20 }, () => node.get(ADA)));
    expect(new Set(stale.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set([`200 ${held.text}`]));
    await node.settle();
    expect(timesAsked('creator:netA:ada')).toBe(2);
    expect(updatedAt(await node.get(ADA))).toBe(clock());
  });
  it('STA-03 a refresh that fails leaves the held document, and is tried again when it is forgotten', async () => {
    const held = await node.held(ADA);
    clock.pass(2 * DAY);
    world.failing.add('creator:netA:ada');
    await node.get(ADA);
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await node.settle();
      clock.pass(MINUTE / 4);
    }
    const tried = timesAsked('creator:netA:ada');
    const after = await node.get(ADA);
    expect([after.status, after.text]).toEqual([200, held.text]);
    await node.settle();
    expect(timesAsked('creator:netA:ada')).toBe(tried);
    world.failing.clear();
    clock.pass(3 * MINUTE);
    await node.get(ADA);
    await node.settle();
    expect(updatedAt(await node.get(ADA))).toBe(clock());
  });
  it('STA-04 reading before the wait is over brings nothing sooner and starts nothing', async () => {
    const first = await node.get(ADA);
    const waits = [];
    for (let poll = 0; poll < 5; poll += 1) waits.push((await node.get(ADA)).body.fetching[0].retryAfter);
    expect(new Set(waits)).toEqual(new Set([first.body.fetching[0].retryAfter]));
    clock.pass(Number(first.headers['retry-after']) * 1000);
    await node.settle();
    expect([(await node.get(ADA)).status, timesAsked('creator:netA:ada')]).toEqual([200, 1]);
  });
  it.each([
    ['slow.one', 'quick.one'],
    ['quick.one', 'slow.one'],
  ])('CRB-04 of %s and %s the wait is the longest of all, and joining one changes none of it', async (...ids) => {
    const { body, headers } = await node.post('/creators/batch', { ids });
    const waits = body.fetching.map(({ retryAfter }: { retryAfter: string }) => Date.parse(retryAfter) - clock());
    expect([waits[0], headers['retry-after']]).toEqual([waits[1], String(waits[0] / 1000)]);
    expect(waits[0]).toBeGreaterThanOrEqual(7000);
    clock.pass(2000);
    const again = await node.post('/creators/batch', { ids });
    expect(again.body.fetching).toEqual(body.fetching);
  });
  it('CRE-03, CRB-06, STA-05 our failure is retryable, remembered 2 minutes and then tried anew', async () => {
    const BROKEN = '/creators/netA/broken.one';
    const read = await node.held(BROKEN);
    expect([read.status, read.body.error.details]).toEqual([404, { reason: 'internal-error', retryable: true }]);
    const { body } = await node.get('/creators?ids=broken.one');
    expect(body.unavailable).toEqual([{ id: 'broken.one', reason: 'internal-error', retryable: true }]);
    clock.pass(2 * MINUTE - 1);
    expect((await node.get(BROKEN)).status).toBe(404);
    clock.pass(1);
    expect((await node.get(BROKEN)).status).toBe(202);
  });
  it.each([
    ['/creators/netA/missing.one', 'account-not-discoverable'],
    ['/posts?url=https://neta.example/p/outside1', 'outside-recent-media-window'],
    ['/posts?url=https://netb.example/@a/video/orphan1', 'author-unresolved'],
  ])('CRE-04, PST-08, STA-05 %s: terminal, and remembered 24 hours', async (path, reason) => {
    const read = await node.held(path);
    expect([read.status, read.body.error.details]).toEqual([404, { reason }]);
    clock.pass(DAY - 1);
    expect((await node.get(path)).status).toBe(404);
    clock.pass(1);
    expect((await node.get(path)).status).toBe(202);
  });
  it('STA-06, F4 a discovery outlives its process: another ends it, and the late write of the first is refused', async () => {
    let release = (): void => {};
    world.hanging.set('creator:netA:ada', new Promise((resolve) => (release = resolve)));
    await node.get(ADA);
    const dead = node.service.worker.runDue();
    await expect.poll(() => world.asked.length).toBe(1);
    const other = await newNode();
    expect((await other.get(ADA)).status).toBe(202);
    clock.pass(16_000);
    world.hanging.clear();
    await other.settle();
    const held = await other.get(ADA);
    expect(held.status).toBe(200);
    clock.pass(1000);
    release();
    await dead;
    expect((await other.get(ADA)).text).toBe(held.text);
  });
  it('a failing network never spoils a batch: each identifier in its bucket', async () => {
    await node.held(ADA);
    world.failing.add('creator:netA:bad');
    const ids = ['ada', 'bad', 'netZ:x', '@@'];
    await node.post('/creators/batch', { ids });
    await node.settle();
    clock.pass(MINUTE / 2);
    await node.settle();
    clock.pass(MINUTE / 2);
    await node.settle();
    const { body } = await node.post('/creators/batch', { ids });
    expect([body.data.length, body.fetching]).toEqual([1, []]);
    expect(body.unavailable).toEqual([
      { id: 'bad', reason: 'internal-error', retryable: true },
      { id: 'netZ:x', reason: 'not-supported-on-network' },
      { id: '@@', reason: 'unparseable-identifier' },
    ]);
  });

  describe('creatorDeepAnalysis', () => {
    const deep = (value: boolean | undefined, on = node) =>
      on.post('/creators/batch', { ids: ['ada'], creatorDeepAnalysis: value });
    const postKeys = () => world.asked.filter((key) => key.startsWith('post:'));
    const heldPosts = async () => {
      const posts: { url: string }[] = (await node.get(`${ADA}?include=posts`)).body.data.posts;
      const answers = await Promise.all(posts.map(({ url }) => node.get(`/posts?url=${encodeURIComponent(url)}`)));
      return answers.filter(({ status }) => status === 200).length;
    };

    it('CRB-09 the other recent posts are taken in, without a discovery of each', async () => {
      await deep(true);
      await node.settle();
      expect([await heldPosts(), postKeys()]).toEqual([12, []]);
    });
    it('CRB-09 without it they are not', async () => {
      await node.held(ADA);
      expect(await heldPosts()).toBe(0);
    });
    it('CRB-10 it stays on for 7 days of scheduled refreshes from the last true; false neither ends nor extends it', async () => {
      await deep(true);
      await node.settle();
      clock.pass(3 * DAY);
      await deep(true);
      clock.pass(6 * DAY);
      await deep(false);
      await deep(undefined);
      const refreshed = async () => {
        const before = world.asked.length;
        clock.pass(DAY + 1000);
        await node.settle();
        return world.asked.length - before;
      };
      await node.settle();
      const counts = [await refreshed(), await refreshed(), await refreshed()];
      expect(counts.at(-1), `refreshes after day 7, 8, 9: ${counts.join(' ')}`).toBe(0);
      const { deepUntil } = (await node.service.documents.show('creator:netA:ada')) as { deepUntil: string };
      expect(Date.parse(deepUntil)).toBe(Date.UTC(2026, 0, 1) + 2000 + 10 * DAY);
    });
    it('CRB-10 later look-ups without it are deep too, until the 7 days are over', async () => {
      const refresh = async () => {
        await node.get(ADA);
        await node.settle();
        const { posts } = (await node.get(`${ADA}?include=posts`)).body.data;
        const shown = await node.service.documents.show(
          `post:netA:${/\/p\/|\/reel\//.test(posts[0].url) ? posts[0].url.split('/').at(-1) : ''}`,
        );
        return Date.parse((shown as { fetchedAt: string }).fetchedAt);
      };
      await deep(true);
      await node.settle();
      clock.pass(2 * DAY);
      expect(await refresh()).toBe(clock());
      clock.pass(8 * DAY);
      expect(await refresh()).toBeLessThan(clock());
    });
    it('PST-06 of a batch of posts it is about their authors', async () => {
      const { posts } = (await node.held(`${ADA}?include=posts`)).body.data;
      await node.held(`/posts?url=${encodeURIComponent(posts[0].url)}`);
      const body = { ids: [posts[0].url], creatorDeepAnalysis: true, include: 'narration' };
      const answer = await node.post('/posts/batch', body);
      expect([answer.status, answer.body.data.length, answer.body.data[0].analysis]).toEqual([200, 1, undefined]);
      await node.settle();
      expect(await heldPosts()).toBe(12);
    });
    it('PST-06 also of a post that is yet to be discovered', async () => {
      await node.post('/posts/batch', { ids: ['PAada'], creatorDeepAnalysis: true });
      await node.settle();
      await node.get(ADA);
      await node.settle();
      expect(await heldPosts()).toBe(12);
    });
  });
});
