import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { entityOf, keyOf, type Entity, type Key } from '../model.ts';
import { analysis, creatorOf, creatorPostOf, postOf } from '../testing/documents.ts';
import { createClock, enginesAndSpread, type TestStore } from '../testing/engines.ts';
import type { Database } from './database.ts';
import { createDiscoveries, type Discoveries } from './discoveries.ts';
import { createDocuments, type Documents } from './documents.ts';

const rooms = new Map([['netA', 10]]);
const ada: Entity = { kind: 'creator', network: 'netA', name: 'ada' };
const key = keyOf(ada);
const minute = 60_000;
const text = (bytes: Buffer | null | undefined): unknown => JSON.parse(String(bytes));

describe.each(enginesAndSpread)('documents on $name', ({ name, createStore }) => {
  const clock = createClock();
  let store: TestStore;
  let database: Database;
  let documents: Documents;
  let discoveries: Discoveries;
  const fresh = () => ({ startedAt: clock(), freshUntil: clock() + minute });
  const held = async (name = key) => (await documents.load([name])).get(name);

  beforeAll(async () => void (store = await createStore(clock)));
  afterAll(() => store.close());
  beforeEach(async () => {
    database = await store.open();
    documents = createDocuments(database, { cacheBytes: 1_000_000, clock });
    discoveries = createDiscoveries(database, { clock });
    await documents.forget(ada);
    clock.pass(1_000);
  });

  const claim = async () => {
    const by = { account: 'acc_a', organization: 'org_a', profile: null, deep: false };
    await discoveries.startOrJoin([{ key, waitSeconds: 2 }], by);
    return (await discoveries.claim({ owner: 'node-1', leaseSeconds: 15, limit: 1, rooms }))[0]!;
  };

  it('every key that is asked for is in the answer', async () => {
    const found = await documents.load(['creator:netA:x', 'post:netA:y']);
    expect(found.get('post:netA:y')).toEqual({ key: 'post:netA:y', document: null, discovery: null, deepUntil: null });
    expect(found.size).toBe(2);
  });

  it('DOC-13 the restricted form knows nothing of the marketplace', async () => {
    await documents.put({ entity: ada, document: creatorOf('ada'), posts: [creatorPostOf('p')] }, fresh());
    const document = (await held())!.document!;
    const full = text(document.full) as { channels: { netA: Record<string, unknown>; verified: boolean }[] };
    const restricted = text(document.restricted) as typeof full;
    expect(full.channels[0]!.netA['email']).toBe('ada@mail.example');
    expect(restricted.channels[0]!.verified).toBe(false);
    const { name, reach, isPaidPartnershipMessagesEnabled, ...rest } = restricted.channels[0]!.netA;
    expect({ name, reach, isPaidPartnershipMessagesEnabled }).toEqual({
      name: 'The ada',
      reach: 10,
      isPaidPartnershipMessagesEnabled: false,
    });
    expect(Object.values(rest).every((value) => value === null)).toBe(true);
    expect(rest).not.toHaveProperty('creatorEngagedAccountsBreakdowns');
    expect(text(document.posts!.full)).toMatchObject([{ author: { verified: true } }]);
    expect(text(document.posts!.restricted)).toMatchObject([{ author: { verified: false } }]);
    expect(document.analysis).toBeNull();
  });

  it('DOC-14 audience demographics stay only under a live grant, and can be left out once it ends', async () => {
    const document = creatorOf('ada', { audienceDemographics: { age: [] } });
    await documents.put({ entity: ada, document }, fresh());
    expect(String((await held())!.document!.full)).not.toContain('audienceDemographics');
    const until = clock() + minute;
    await documents.put({ entity: ada, document, audienceUntil: until }, fresh());
    const granted = (await held())!.document!;
    expect(granted.audienceUntil).toBe(until);
    expect(String(granted.full)).toContain('audienceDemographics');
    expect(String(granted.fullWithoutAudience)).not.toContain('audienceDemographics');
    expect(String(granted.restricted)).not.toContain('audienceDemographics');
  });

  it('PST-04 a post keeps each key of its analysis by itself', async () => {
    const entity: Entity = { kind: 'post', network: 'netA', name: 'C1' };
    await documents.put({ entity, document: postOf('C1'), analysis }, fresh());
    const document = (await held(keyOf(entity)))!.document!;
    expect([...document.analysis!.members.keys()]).toEqual(['narration', 'transcript', 'languages']);
    expect(text(document.analysis!.whole)).toMatchObject({ narration: 'tab\tand\nline' });
    expect(String(document.analysis!.members.get('transcript'))).toBe('"transcript":null');
    expect(text(document.full)).toMatchObject({ text: 'caption 🎈', author: { verified: true } });
    expect(text(document.restricted)).toMatchObject({ author: { verified: null } });
  });

  it('STA-03 an analysis that failed this time leaves the held one; where none is held it is null', async () => {
    const entity: Entity = { kind: 'post', network: 'netA', name: 'C1' };
    const failed = { entity, document: postOf('C1'), analysis: { narration: null }, analysisFailed: true };
    const narration = async () => JSON.parse(String((await held(keyOf(entity)))!.document!.analysis!.whole)).narration;
    await documents.put(failed, fresh());
    expect(await narration()).toBeNull();
    await documents.put({ entity, document: postOf('C1'), analysis }, fresh());
    await documents.put(failed, fresh());
    expect(await narration()).toBe('tab\tand\nline');
    await documents.put({ ...failed, analysisFailed: false }, fresh());
    expect(await narration()).toBeNull();
  });

  it('F10 a post is held whatever its author is called', async () => {
    const entity: Entity = { kind: 'post', network: 'netA', name: 'C1' };
    const long = Array.from({ length: 9_000 }, (_, index) => String.fromCharCode(33 + ((index * index * 7) % 90))).join(
      '',
    );
    for (const username of ['a\u0000b', long]) {
      clock.pass(1);
      expect(await documents.put({ entity, document: postOf('C1', username), analysis, author: null }, fresh())).toBe(
        true,
      );
    }
    await documents.forget(entity);
  });

  it('F4 an older discovery never overwrites a newer one', async () => {
    const newer = fresh();
    expect(await documents.put({ entity: ada, document: creatorOf('new') }, newer)).toBe(true);
    const older = { ...newer, startedAt: newer.startedAt - 1 };
    expect(await documents.put({ entity: ada, document: creatorOf('old') }, older)).toBe(false);
    expect(await documents.put({ entity: ada, document: creatorOf('new') }, newer), 'safe to repeat').toBe(true);
    expect(String((await held())!.document!.full)).toContain('The new');
    await documents.putFailure(key, {
      reason: 'x',
      retryable: false,
      rememberedUntil: clock() + minute,
      startedAt: older.startedAt,
    });
    expect((await held())!.discovery).toBeNull();
  });

  it('F15 what was written before the clock was set back is replaced, and its reason no longer remembered', async () => {
    await documents.put({ entity: ada, document: creatorOf('before') }, fresh());
    const failure = { reason: 'x', retryable: true, rememberedUntil: clock() + minute, startedAt: clock() };
    await documents.putFailure(key, failure);
    clock.pass(-60 * minute);
    expect((await held())!.discovery).toMatchObject({ is: 'failed', rememberedUntil: 0 });
    expect(await documents.put({ entity: ada, document: creatorOf('after') }, fresh())).toBe(true);
    expect(String((await held())!.document!.full)).toContain('The after');
    clock.pass(60 * minute);
  });

  it("F4 a write whose claim is another's by now is refused", async () => {
    const first = await claim();
    const put = () =>
      documents.put(
        { entity: ada, document: creatorOf('ada') },
        { ...fresh(), startedAt: first.startedAt, relatedDiscovery: first },
      );
    const putFailure = (startedAt: number) =>
      documents.putFailure(key, {
        reason: 'late',
        retryable: false,
        rememberedUntil: clock() + minute,
        startedAt,
        relatedDiscovery: first,
      });
    expect(await put()).toBe(true);
    clock.pass(16_000);
    await discoveries.claim({ owner: 'node-2', leaseSeconds: 15, limit: 1, rooms });
    expect(await put()).toBe(false);
    await putFailure(clock() + 1);
    expect(await documents.show(key)).toMatchObject({ failure: null });
  });

  it('F4 what was forgotten stays forgotten, whatever a discovery that still runs would say of it', async () => {
    const first = await claim();
    await documents.forget(ada);
    const rest = { reason: 'late', retryable: false, rememberedUntil: clock() + minute, startedAt: first.startedAt };
    await documents.putFailure(key, { ...rest, relatedDiscovery: first });
    expect(await documents.show(key)).toBeNull();
    await documents.putFailure(key, rest);
    expect(await documents.show(key), 'without a claim').toMatchObject({ failure: { reason: 'late' } });
  });

  it('STA-03 a failed refresh leaves the held document in place', async () => {
    await documents.put({ entity: ada, document: creatorOf('ada') }, fresh());
    clock.pass(2 * minute);
    const rememberedUntil = clock() + minute;
    await documents.putFailure(key, { reason: 'internal-error', retryable: true, rememberedUntil, startedAt: clock() });
    const snapshot = (await held())!;
    expect(snapshot.document).not.toBeNull();
    expect(snapshot.discovery).toEqual({ is: 'failed', reason: 'internal-error', retryable: true, rememberedUntil });
    clock.pass(1);
    await documents.put({ entity: ada, document: creatorOf('ada') }, fresh());
    expect((await held())!.discovery).toBeNull();
  });

  it('STA-01 a queued or running discovery shows, a scheduled refresh does not', async () => {
    const claimed = await claim();
    expect((await held())!.discovery).toEqual({ is: 'running', retryAt: clock() + 2_000 });
    clock.pass(3_000);
    expect((await held())!.discovery, 'overdue').toEqual({ is: 'running', retryAt: clock() + 2_000 });
    await discoveries.done(claimed, { refreshAt: clock() + minute });
    expect((await held())!.discovery).toBeNull();
  });

  it('what counts no more is swept, so many at once: reasons that are forgotten, deep windows that are over', async () => {
    const names = ['creator:netA:gone1', 'creator:netA:gone2', 'creator:netA:gone3'];
    const rest = { reason: 'x', retryable: false, startedAt: clock() };
    for (const name of names) await documents.putFailure(name, { ...rest, rememberedUntil: clock() + minute });
    await documents.setDeep(names, 60);
    await documents.put({ entity: ada, document: creatorOf('ada') }, fresh());
    await documents.putFailure(key, { ...rest, startedAt: clock() + 1, rememberedUntil: clock() + minute });
    expect(await documents.sweep(10)).toBe(0);
    clock.pass(minute);
    expect(await documents.sweep(2)).toBe(4);
    expect(await documents.sweep(2)).toBe(2);
    for (const name of names) expect(await documents.show(name)).toBeNull();
    expect((await held())!.document).not.toBeNull();
  });

  it('CRB-10 the deep window restarts and never shortens', async () => {
    await documents.put({ entity: ada, document: creatorOf('ada') }, fresh());
    await held();
    await documents.setDeep([key, key], 5);
    expect((await held())!.deepUntil).toBe(clock() + 5_000);
    await documents.setDeep([key], 4);
    expect((await held())!.deepUntil).toBe(clock() + 5_000);
  });

  it('forgetting a creator removes its posts, work and deep window, and what a running discovery would still write', async () => {
    const running = await claim();
    const post: Entity = { kind: 'post', network: 'netA', name: 'C1' };
    await documents.put({ entity: ada, document: creatorOf('ada') }, fresh());
    await documents.put({ entity: post, document: postOf('C1', 'Ada'), analysis }, fresh());
    await documents.setDeep([key], 60);
    expect(await documents.forget(ada)).toBe(2);
    expect(
      await documents.put({ entity: ada, document: creatorOf('ada') }, { ...fresh(), relatedDiscovery: running }),
    ).toBe(false);
    expect(await documents.show(key)).toBeNull();
    expect(await documents.show(keyOf(post))).toBeNull();
    expect((await held())!.deepUntil).toBeNull();
  });

  it('what another node writes is seen; a fresh document is told from memory until then', async () => {
    await documents.put({ entity: ada, document: creatorOf('ada') }, fresh());
    const first = (await held())!.document;
    await expect.poll(async () => (await held())!.document === (await held())!.document).toBe(true);
    const other = createDocuments(await store.open(), { cacheBytes: 1_000_000, clock });
    await other.put({ entity: ada, document: creatorOf('changed') }, fresh());
    await expect.poll(async () => String((await held())!.document!.full)).toContain('changed');
    expect(String(first!.full)).not.toContain('changed');
    await other.forget(ada);
    await expect.poll(async () => (await held())!.document).toBeNull();
  });

  it.each([-1, 1])(
    'a node whose clock is %i h off tells instants by its own clock: what remains is what the store says',
    async (hours) => {
      const skewed = () => clock() + hours * 60 * minute;
      const node = createDocuments(database, { cacheBytes: 1_000_000, clock: skewed });
      const queue = createDiscoveries(database, { clock: skewed });
      const by = { account: 'acc_a', organization: 'org_a', profile: null, deep: false };
      const ask = async () => (await queue.startOrJoin([{ key, waitSeconds: 2 }], by)).get(key)!.retryAt;
      expect([await ask(), await ask()]).toEqual([skewed() + 2_000, skewed() + 2_000]);
      expect((await node.load([key])).get(key)!.discovery).toEqual({ is: 'running', retryAt: skewed() + 2_000 });
      const [mine] = await queue.claim({ owner: 'n', leaseSeconds: 15, limit: 1, rooms });
      expect(mine!.startedAt + mine!.aheadMilliseconds).toBe(skewed());

      await node.setDeep([key], 60);
      const rememberedUntil = clock() + minute;
      await node.putFailure(key, { reason: 'x', retryable: true, rememberedUntil, startedAt: clock() });
      await queue.done(mine!);
      expect((await node.load([key])).get(key)).toMatchObject({
        deepUntil: skewed() + minute,
        discovery: { is: 'failed', rememberedUntil: skewed() + minute },
      });
      clock.pass(1);
      const audienceUntil = clock() + minute;
      const document = creatorOf('ada', { audienceDemographics: { age: [] } });
      await node.put({ entity: ada, document, audienceUntil }, fresh());
      for (const _ of ['from the store', 'from memory'])
        expect((await node.load([key])).get(key)!.document).toMatchObject({
          freshUntil: skewed() + minute,
          audienceUntil: skewed() + minute,
        });
    },
  );

  describe('memory', () => {
    const others: Key[] = Array.from({ length: 40 }, (_, index) => `creator:netA:other${index}`);
    const read = async (from: Documents, of: Key) => (await from.load([of])).get(of)!.document;
    let few: Documents;
    beforeEach(async () => {
      const told = new Set<Key | null>();
      database.onDocumentChange((changed) => told.add(changed));
      for (const of of [key, ...others])
        await documents.put({ entity: entityOf(of), document: creatorOf(of.split(':')[2]!) }, fresh());
      // Else what is told late would be forgotten meanwhile.
      if (database.engine === 'postgres') await expect.poll(() => told.has(others.at(-1)!)).toBe(true);
      few = createDocuments(database, { cacheBytes: 40_000, clock });
      await read(few, key);
    });

    it('keeps what is read twice while much else is read once', async () => {
      const kept = await read(few, key);
      for (const of of others) await read(few, of);
      expect(await read(few, key)).toBe(kept);
    });

    it('CRE-06 gives posts to a read that shows them, also of a creator that is kept without them', async () => {
      await documents.put({ entity: ada, document: creatorOf('ada'), posts: [creatorPostOf('p')] }, fresh());
      const load = async (extras: boolean) => (await few.load([key], { extras })).get(key)!.document!;
      await load(false);
      const without = await load(false);
      expect([without.posts, await load(false)]).toEqual([null, without]);
      const whole = await load(true);
      expect(text(whole.posts!.full)).toEqual([creatorPostOf('p')]);
      expect(text(whole.posts!.restricted)).toEqual([expect.anything()]);
      expect(await load(false)).toBe(whole);
    });

    it('PST-04 gives the analysis to a read that shows it, also of a post that is kept without it', async () => {
      const entity = { kind: 'post', network: 'netA', name: 'Cx' } as const;
      await documents.put({ entity, document: postOf('Cx'), analysis }, fresh());
      const load = async (extras: boolean) =>
        (await few.load([keyOf(entity)], { extras })).get(keyOf(entity))!.document!;
      await load(false);
      expect((await load(false)).analysis).toBeNull();
      expect(text((await load(true)).analysis!.whole)).toMatchObject({ narration: 'tab\tand\nline' });
      expect((await load(false)).analysis).not.toBeNull();
    });

    it('is bounded in bytes', async () => {
      const kept = await read(few, key);
      for (const of of others) for (const _ of ['seen', 'kept']) await read(few, of);
      expect(await read(few, key)).not.toBe(kept);
      expect(await read(few, key)).toEqual(kept);
    });
  });

  if (name === 'partitioned postgres')
    it('a read of one key looks into one part of each spread table', async () => {
      const plan = await database.query<{ 'QUERY PLAN': string }>(
        `explain select e.key, w.state from (select cast('${key}' as text) as value) k left join entity e on e.key = k.value left join work w on w.key = k.value`,
      );
      const scanned = plan.map((row) => row['QUERY PLAN']).filter((line) => / on /.test(line));
      expect(scanned).toHaveLength(2);
    });

  it('show tells people everything that is held', async () => {
    await documents.put({ entity: ada, document: creatorOf('ada'), posts: [creatorPostOf('p')] }, fresh());
    expect(await documents.show(key)).toMatchObject({
      key,
      kind: 'creator',
      document: { channels: [{}] },
      posts: [{}],
      failure: null,
    });
    expect(await documents.expire(key)).toBe(true);
    expect((await held())!.document!.freshUntil).toBe(0);
    expect(await documents.expire('creator:netA:nobody')).toBe(false);
  });
});
