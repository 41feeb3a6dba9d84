import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import {
  keyOf,
  type Actor,
  type Entity,
  type EntityKind,
  type Key,
  type Obtained,
  type ObtainedPost,
  type Source,
} from '../model.ts';
import { netA } from '../networks/netA.ts';
import { netB } from '../networks/netB.ts';
import { createLookUp } from '../lookup/look-up.ts';
import { limitsOf } from '../service.ts';
import type { Database } from '../storage/database.ts';
import { createDiscoveries, type Discoveries } from '../storage/discoveries.ts';
import { createDocuments, type Documents } from '../storage/documents.ts';
import { createClock, engines, type HandClock, type TestStore } from '../testing/engines.ts';
import type { Timers } from './attempt.ts';
import type { WorkerLimits } from './limits.ts';
import type { DocumentSchema } from './ports.ts';
import { EntityFailed, SourceThrottled } from './source.ts';
import { createSandbox } from './sources/sandbox.ts';
import { recentPostName } from './sources/sandbox-names.ts';
import { createWorker, type Worker } from './worker.ts';

const bundle = JSON.parse(readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8'));
const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(bundle, 'https://contract.invalid/');
function checkDocument(schema: DocumentSchema, value: unknown): void {
  const validate = ajv.getSchema(`https://contract.invalid/#/components/schemas/${schema}`)!;
  if (!validate(JSON.parse(JSON.stringify(value))))
    throw new Error(`${schema}: ${JSON.stringify(validate.errors?.[0])}`);
}

const creator = (name: string, network = 'netA'): Entity => ({ kind: 'creator', network, name });
const post = (name: string, network = 'netA'): Entity => ({ kind: 'post', network, name });
const actor: Actor = {
  principal: { account: 'acc', organization: 'org_a', scopes: new Set(), perMinute: 60 },
  organization: 'org_a',
  marketplace: false,
  profile: null,
};
const day = 86_400_000;
const defaultLimits = limitsOf(readConfig({}));
const rooms = new Map(Object.entries({ netA: 100, netB: 100 }));

/** Timers that run when they are told to. */
function handTimers(): Timers & { fire(milliseconds: number): void } {
  const waiting = new Set<{ milliseconds: number; run: () => void }>();
  return {
    after(milliseconds, run) {
      const timer = { milliseconds, run };
      waiting.add(timer);
      return () => void waiting.delete(timer);
    },
    fire(milliseconds) {
      for (const timer of [...waiting].filter((timer) => timer.milliseconds === milliseconds)) {
        waiting.delete(timer);
        timer.run();
      }
    },
  };
}

/** A source that counts its calls and answers as told. */
function stub(network: string, answer: (entity: Entity, call: number, signal: AbortSignal) => Promise<Obtained>) {
  const calls: Key[] = [];
  const source: Source = {
    network,
    expectedSeconds: () => 1,
    obtain: (entity, { signal }) => answer(entity, calls.push(keyOf(entity)), signal),
  };
  return { source, calls };
}
const never = (): Promise<Obtained> => new Promise(() => {});

describe.each(engines)('worker on $name', ({ createStore }) => {
  let clock: HandClock;
  let store: TestStore;
  let database: Database;
  let documents: Documents;
  let discoveries: Discoveries;
  let workers: Worker[];
  const logged: string[] = [];

  beforeEach(async () => {
    clock = createClock(Date.UTC(2026, 4, 12, 12));
    store = await createStore(clock);
    database = await store.open();
    documents = createDocuments(database, { cacheBytes: 10_000_000, clock });
    discoveries = createDiscoveries(database, { clock });
    workers = [];
    logged.length = 0;
  });
  afterEach(async () => {
    for (const worker of workers) await worker.stop();
    await store.close();
  });

  function workerOf(
    sources: readonly Source[],
    options: { owner?: string; limits?: Partial<WorkerLimits>; timers?: Timers; timer?: () => number } = {},
  ): Worker {
    const note = (_: object, message: string) => void logged.push(message);
    const worker = createWorker({
      documents,
      discoveries,
      sources,
      clock,
      random: () => 0.5,
      owner: options.owner ?? 'one',
      checkDocument,
      limits: { ...defaultLimits, ...options.limits },
      log: { info: note, warn: note, error: note },
      ...(options.timers ? { timers: options.timers } : {}),
      ...(options.timer ? { timer: options.timer } : {}),
    });
    workers.push(worker);
    return worker;
  }
  const sandboxes = (): Source[] =>
    [netA, netB].map((network) => createSandbox(network, { clock, ordinaryMilliseconds: 0, slowMilliseconds: 0 }));
  /** How many discoveries workers made from now on have claimed, those put back and claimed again too. */
  function countClaims(): { count: number } {
    const sound = discoveries;
    const claimed = { count: 0 };
    discoveries = {
      ...sound,
      async claim(options) {
        const claims = await sound.claim(options);
        claimed.count += claims.length;
        return claims;
      },
    };
    return claimed;
  }

  const ask = (entities: readonly Entity[], deep = false, account = 'acc') => {
    const requests = entities.map((entity) => ({ key: keyOf(entity), waitSeconds: 1 }));
    return discoveries.startOrJoin(requests, {
      account,
      organization: 'org_a',
      profile: null,
      deep,
    });
  };
  const snapshot = async (entity: Entity) => (await documents.load([keyOf(entity)])).get(keyOf(entity))!;
  const failureOf = async (entity: Entity) => {
    const { discovery } = await snapshot(entity);
    return discovery?.is === 'failed'
      ? {
          reason: discovery.reason,
          retryable: discovery.retryable,
          seconds: (discovery.rememberedUntil - clock()) / 1000,
        }
      : discovery;
  };
  /** Runs until nothing is due any more, moving the clock over back-offs. */
  async function runAll(worker: Worker, rounds = 12): Promise<void> {
    for (let round = 0; round < rounds; round += 1) {
      await worker.runDue();
      clock.pass(2_000);
    }
  }

  it('STA-06 CRE-01 what is asked for is obtained and held, fresh for its time', async () => {
    await ask([creator('ada'), creator('ada', 'netB'), post('C1x'), post('C1x', 'netB')]);
    expect(await workerOf(sandboxes()).runDue()).toBe(4);
    const held = await snapshot(creator('ada'));
    expect(held.document!.freshUntil).toBe(clock() + day);
    expect(JSON.parse(held.document!.posts!.full.toString())).toHaveLength(12);
    expect(held.discovery).toBeNull();
    for (const entity of [creator('ada', 'netB'), post('C1x'), post('C1x', 'netB')])
      expect((await snapshot(entity)).document).not.toBeNull();
    expect(await discoveries.depth()).toMatchObject({ queued: 0, running: 0 });
  });

  it('STA-01 many that ask together make one call', async () => {
    const { source, calls } = stub('netA', async () => ({
      is: 'unavailable',
      reason: 'account-not-discoverable',
      retryable: false,
    }));
    await Promise.all(Array.from({ length: 20 }, () => ask([creator('ada')])));
    const both = [workerOf([source]), workerOf([source], { owner: 'two' })];
    await Promise.all(both.map((worker) => worker.runDue()));
    expect(calls).toHaveLength(1);
  });

  it.each([
    [creator('missing1'), 'account-not-discoverable', false, 86_400],
    [post('old1'), 'outside-recent-media-window', false, 86_400],
    [post('orphan1'), 'author-unresolved', false, 86_400],
    [creator('broken1'), 'internal-error', true, 120],
    [post('broken1', 'netB'), 'internal-error', true, 120],
  ])('STA-05 PST-08 %j is remembered as %s', async (entity, reason, retryable, seconds) => {
    await ask([entity]);
    await workerOf(sandboxes()).runDue();
    expect(await failureOf(entity)).toEqual({ reason, retryable, seconds });
  });

  it('STA-05 a failed attempt is repeated after a back-off, up to the limit, then internal-error', async () => {
    const { source, calls } = stub('netA', async () => Promise.reject(new Error('no')));
    const worker = workerOf([source]);
    await ask([creator('ada')]);
    await worker.runDue();
    expect(await worker.runDue()).toBe(0);
    clock.pass(1_000);
    expect(await worker.runDue()).toBe(1);
    await runAll(worker);
    expect(calls).toHaveLength(3);
    expect(await failureOf(creator('ada'))).toMatchObject({ reason: 'internal-error', retryable: true });
  });

  it('STA-05 flaky… is there after one failure', async () => {
    const worker = workerOf(sandboxes());
    await ask([creator('flaky')]);
    await runAll(worker, 3);
    expect((await snapshot(creator('flaky'))).document).not.toBeNull();
  });

  it('STA-03 a failed refresh leaves the held document', async () => {
    let fails = false;
    const [sandbox] = sandboxes();
    const { source } = stub('netA', (entity, _, signal) =>
      fails ? Promise.reject(new Error('no')) : sandbox!.obtain(entity, { deep: false, signal }),
    );
    const worker = workerOf([source]);
    await ask([creator('ada')]);
    await worker.runDue();
    const before = (await snapshot(creator('ada'))).document!.full.toString();
    fails = true;
    clock.pass(2 * day);
    await ask([creator('ada')]);
    await runAll(worker);
    const after = await snapshot(creator('ada'));
    expect(after.document!.full.toString()).toBe(before);
    expect(after.discovery).toMatchObject({ is: 'failed', reason: 'internal-error' });
  });

  it('F3 STA-06 the work of a dead process is finished by another, one lease later', async () => {
    await ask([creator('ada')]);
    await discoveries.claim({ owner: 'dead', leaseSeconds: 15, limit: 10, rooms });
    const worker = workerOf(sandboxes());
    expect(await worker.runDue()).toBe(0);
    clock.pass(15_001);
    expect(await worker.runDue()).toBe(1);
    expect((await snapshot(creator('ada'))).document).not.toBeNull();
  });

  it('F4 a write that comes after the lease is refused, document and failure alike', async () => {
    for (const late of ['gone-now', 'here-now'] as const) {
      const entity = creator(late);
      let answer: (obtained: Obtained) => void = () => {};
      const { source } = stub('netA', () => new Promise<Obtained>((resolve) => (answer = resolve)));
      await ask([entity]);
      const paused = workerOf([source], { owner: `paused-${late}`, timers: handTimers() });
      const run = paused.runDue();
      await expect.poll(async () => (await discoveries.depth()).running).toBe(1);
      clock.pass(15_001);
      await workerOf(sandboxes(), { owner: `other-${late}` }).runDue();
      const held = (await snapshot(entity)).document!.full.toString();
      const { document, posts } = (await sandboxes()[0]!.obtain(creator('someone-else'), {
        deep: false,
        signal: new AbortController().signal,
      })) as never as Extract<Obtained, { is: 'creator' }>;
      answer(
        late === 'here-now'
          ? { is: 'creator', document, posts, audienceUntil: null, deepPosts: [] }
          : { is: 'unavailable', reason: 'x', retryable: false },
      );
      await run;
      const after = await snapshot(entity);
      expect(after.document!.full.toString()).toBe(held);
      expect(after.discovery).toBeNull();
    }
  });

  it('F8 an attempt ends at its deadline, though the source never answers', async () => {
    const timers = handTimers();
    const worker = workerOf([stub('netA', never).source], { timers, limits: { attempts: 1 } });
    await ask([creator('ada')]);
    const run = worker.runDue();
    await expect.poll(async () => (await discoveries.depth()).running).toBe(1);
    timers.fire(30_000);
    await run;
    expect(await failureOf(creator('ada'))).toMatchObject({ reason: 'internal-error', retryable: true });
  });

  it('F8 leases of long attempts are renewed', async () => {
    const timers = handTimers();
    const worker = workerOf([stub('netA', never).source], { timers });
    await ask([creator('ada')]);
    const run = worker.runDue();
    await expect.poll(async () => (await discoveries.depth()).running).toBe(1);
    for (let second = 0; second < 25; second += 5) {
      clock.pass(5_000);
      timers.fire(5_000);
      await expect
        .poll(async () => (await discoveries.claim({ owner: 'thief', leaseSeconds: 15, limit: 1, rooms })).length)
        .toBe(0);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await worker.stop();
    await run;
  });

  it('F4 what a process claims anew after its own lease ran out is renewed, whatever becomes of the earlier attempt', async () => {
    const timers = handTimers();
    const answers: ((obtained: Obtained) => void)[] = [];
    const signals: AbortSignal[] = [];
    const { source, calls } = stub('netA', (_, __, signal) => {
      signals.push(signal);
      return new Promise((resolve) => answers.push(resolve));
    });
    const worker = workerOf([source], { timers });
    await ask([creator('ada')]);
    const first = worker.runDue();
    await expect.poll(() => calls.length).toBe(1);
    clock.pass(15_001);
    const second = worker.runDue();
    await expect.poll(() => calls.length).toBe(2);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    answers[0]!({ is: 'unavailable', reason: 'late', retryable: false });
    const leaseEnd = async () => (await database.query<{ due_at: number }>('select due_at from work'))[0]?.due_at;
    for (let time = 0; time < 4; time += 1) {
      clock.pass(5_000);
      timers.fire(5_000);
      await expect.poll(leaseEnd).toBe(clock() + 15_000);
    }
    answers[1]!({ is: 'unavailable', reason: 'in-time', retryable: false });
    await Promise.all([first, second]);
    expect(await failureOf(creator('ada'))).toMatchObject({ reason: 'in-time' });
  });

  it('F6 stop gives leases back at once, uncounted', async () => {
    const worker = workerOf([stub('netA', never).source]);
    await ask([creator('ada')]);
    const run = worker.runDue();
    await expect.poll(async () => (await discoveries.depth()).running).toBe(1);
    await worker.stop();
    await run;
    const [again] = await discoveries.claim({ owner: 'next', leaseSeconds: 15, limit: 1, rooms });
    expect(again).toMatchObject({ key: keyOf(creator('ada')), attempt: 1 });
  });

  it('F7 the circuit opens: attempts fall to the probe rate, and close after one success', async () => {
    let down = true;
    const [sandbox] = sandboxes();
    const { source, calls } = stub('netA', (entity, _, signal) =>
      down ? Promise.reject(new Error('503')) : sandbox!.obtain(entity, { deep: false, signal }),
    );
    const worker = workerOf([source], { limits: { circuitSeconds: 60, concurrentTotal: 5 } });
    const many = Array.from({ length: 60 }, (_, index) => creator(`ada${index}`));
    await ask(many);
    for (let round = 0; round < 40; round += 1) {
      await worker.runDue();
      clock.pass(500);
    }
    expect(calls.length).toBeLessThanOrEqual(6);
    expect(await failureOf(many[0]!)).toMatchObject({ reason: 'internal-error', retryable: true });
    down = false;
    clock.pass(300_000);
    await ask([creator('bea'), creator('cyd')]);
    await runAll(worker);
    expect((await snapshot(creator('cyd'))).document).not.toBeNull();
  });

  it('F9 a 429 drops the pace, lengthens the wait and burns no attempt', async () => {
    const [sandbox] = sandboxes();
    const { source, calls } = stub('netA', (entity, call, signal) =>
      call <= 2 ? Promise.reject(new SourceThrottled(120)) : sandbox!.obtain(entity, { deep: false, signal }),
    );
    const worker = workerOf([source], { limits: { attempts: 1 } });
    expect(worker.waitSeconds(creator('ada'), 'acc')).toBe(1);
    await ask([creator('ada'), creator('bea')]);
    await worker.runDue();
    expect(calls).toHaveLength(2);
    expect(worker.waitSeconds(creator('ada'), 'acc')).toBeGreaterThanOrEqual(120);
    for (let second = 0; second < 119; second += 7) {
      await worker.runDue();
      clock.pass(7_000);
    }
    expect(calls).toHaveLength(2);
    await runAll(worker);
    expect((await snapshot(creator('ada'))).document).not.toBeNull();
    expect((await snapshot(creator('bea'))).document).not.toBeNull();
  });

  it('F9 the pace is kept: no more calls a minute than the network allows', async () => {
    const { source, calls } = stub('netA', async () => ({
      is: 'unavailable',
      reason: 'account-not-discoverable',
      retryable: false,
    }));
    const worker = workerOf([source], { limits: { callsPerMinute: 60, callsBurst: 5 } });
    await ask(Array.from({ length: 40 }, (_, index) => creator(`ada${index}`)));
    for (let second = 0; second < 10; second += 1) {
      await worker.runDue();
      clock.pass(1_000);
    }
    expect(calls.length).toBeGreaterThanOrEqual(10);
    expect(calls.length).toBeLessThanOrEqual(15);
    expect(new Set(calls).size).toBe(calls.length);
  });

  it('F9 what waits for its pace is left in the queue, not claimed and put back again and again', async () => {
    const { source, calls } = stub('netA', async () => ({ is: 'unavailable', reason: 'x', retryable: false }));
    const { source: other, calls: others } = stub('netB', async () => ({
      is: 'unavailable',
      reason: 'x',
      retryable: false,
    }));
    const claimed = countClaims();
    await ask(Array.from({ length: 200 }, (_, index) => creator(`ada${index}`)));
    await ask([creator('last', 'netB')]);
    const start = performance.now();
    const timer = () => performance.now() - start;
    const worker = workerOf([source, other], { timer, limits: { callsPerMinute: 3_000, callsBurst: 1 } });
    worker.start();
    // The store's clock is the test's: it has to go on for what was put back to be due.
    const ticking = setInterval(() => clock.pass(10), 10);
    await expect.poll(() => calls.length, { timeout: 5_000 }).toBeGreaterThan(20);
    clearInterval(ticking);
    expect(others).toHaveLength(1);
    expect(claimed.count).toBeLessThan(3 * calls.length);
  });

  it('F9 what waits for a network that asked to wait is put off together, and whoever asks is told how long', async () => {
    const { source, calls } = stub('netA', () => Promise.reject(new SourceThrottled(120)));
    const claimed = countClaims();
    const many = Array.from({ length: 200 }, (_, index) => creator(`ada${index}`));
    await ask(many);
    workerOf([source]).start();
    const waits = async (): Promise<number[]> =>
      [...(await ask(many)).values()].map(({ retryAt }) => retryAt - clock());
    await expect.poll(async () => Math.min(...(await waits())), { timeout: 3_000 }).toBeGreaterThan(100_000);
    // 199 more at half the pace, a hundredth of a second doubled: 4 s.
    expect(Math.max(...(await waits())) / 1_000).toBeCloseTo(120 + 2 + 4, 0);
    expect(claimed.count).toBe(calls.length);
    clock.pass(119_000);
    expect(await discoveries.claim({ owner: 'other', leaseSeconds: 15, limit: 1, rooms })).toEqual([]);
    clock.pass(2_000);
    expect(await discoveries.claim({ owner: 'other', leaseSeconds: 15, limit: 1, rooms })).toHaveLength(1);
  });

  it('F8 a network whose calls hang leaves places to another, whose discoveries begin at once', async () => {
    const { source, calls } = stub('netA', never);
    const { source: other, calls: others } = stub('netB', async () => ({
      is: 'unavailable',
      reason: 'x',
      retryable: false,
    }));
    const claimed = countClaims();
    await ask(Array.from({ length: 40 }, (_, index) => creator(`ada${index}`)));
    const worker = workerOf([source, other]);
    worker.start();
    await expect.poll(() => calls.length).toBeGreaterThan(0);
    await ask(Array.from({ length: 10 }, (_, index) => creator(`milo${index}`, 'netB')));
    worker.wake();
    await expect.poll(() => others.length).toBe(10);
    expect(calls).toHaveLength(defaultLimits.concurrentPerNetwork);
    expect(claimed.count, 'none is claimed.count and put back').toBe(calls.length + others.length);
  });

  it('F13 a long queue that comes to nothing at once lets others in between', async () => {
    const { source } = stub('netA', () => Promise.reject(new Error('down')));
    const sound = discoveries;
    const turns: number[] = [];
    let turn = 0;
    discoveries = { ...sound, claim: (options) => (turns.push(turn), sound.claim(options)) };
    await ask(Array.from({ length: 200 }, (_, index) => creator(`ada${index}`)));
    let ticking = true;
    const tick = (): void => void ((turn += 1), ticking && setImmediate(tick));
    tick();
    workerOf([source], { limits: { circuitFailures: 1 } }).start();
    await expect.poll(async () => (await sound.depth()).running === 0 && turns.length).toBeGreaterThan(10);
    ticking = false;
    expect(new Set(turns).size).toBe(turns.length);
  });

  it('F15 a clock that is set back neither stops the calls nor has them put back again and again', async () => {
    let elapsed = 0;
    const { source, calls } = stub('netA', async () => ({
      is: 'unavailable',
      reason: 'account-not-discoverable',
      retryable: false,
    }));
    const worker = workerOf([source], { timer: () => elapsed, limits: { callsPerMinute: 60, callsBurst: 5 } });
    clock.pass(-3_600_000);
    await ask(Array.from({ length: 40 }, (_, index) => creator(`ada${index}`)));
    for (let second = 0; second < 10; second += 1) {
      let looks = 0;
      while (looks < 9 && (await worker.runDue()) > 0) looks += 1;
      expect(looks).toBeLessThan(9);
      clock.pass(1_000);
      elapsed += 1_000;
    }
    expect(calls.length).toBeGreaterThanOrEqual(10);
    expect(calls.length).toBeLessThanOrEqual(15);
  });

  it.each([
    ['undefined', undefined],
    ['text', '<html>'],
    ['the wrong kind', { is: 'post' }],
    ['no channels', { is: 'creator', document: {}, posts: [], audienceUntil: null, deepPosts: [] }],
    [
      'wrong types',
      { is: 'creator', document: { channels: [{ network: 7 }] }, posts: [], audienceUntil: null, deepPosts: [] },
    ],
    ['no posts', { is: 'creator', document: { channels: [] } }],
    ['null', null],
    ['an error', new Error('boom')],
  ])('F10 a source that answers %s ends as a retryable failure, nothing of it held', async (_, garbage) => {
    const worker = workerOf([stub('netA', async () => garbage as Obtained).source]);
    await ask([creator('ada')]);
    await runAll(worker);
    expect(await failureOf(creator('ada'))).toMatchObject({ reason: 'internal-error', retryable: true });
    expect((await snapshot(creator('ada'))).document).toBeNull();
  });

  it('F10 recent posts that are no list fail the attempt; broken ones and those of another network are left out', async () => {
    const [sandbox] = sandboxes();
    let spoil: (posts: readonly ObtainedPost[]) => unknown = () => undefined;
    const { source } = stub('netA', async (entity, _, signal) => {
      const obtained = (await sandbox!.obtain(entity, { deep: true, signal })) as Extract<Obtained, { is: 'creator' }>;
      return { ...obtained, deepPosts: spoil(obtained.deepPosts) } as Obtained;
    });
    const worker = workerOf([source]);
    await ask([creator('ada')], true);
    await runAll(worker);
    expect((await snapshot(creator('ada'))).document).toBeNull();
    expect(await failureOf(creator('ada'))).toMatchObject({ reason: 'internal-error', retryable: true });
    spoil = ([first, second, third]) => [
      null,
      { ...first, entity: creator('milo') },
      { ...second, entity: post('C1x', 'netB') },
      third,
    ];
    clock.pass(day);
    await ask([creator('ada')], true);
    await runAll(worker, 2);
    expect((await snapshot(creator('ada'))).document).not.toBeNull();
    expect((await snapshot(creator('milo'))).document).toBeNull();
    expect((await snapshot(post('C1x', 'netB'))).document).toBeNull();
    expect(await documents.forget(creator('ada'))).toBe(2);
  });

  it('F10 a document that is legal and larger than the bound ends as a retryable failure', async () => {
    const [sandbox] = sandboxes();
    const { source } = stub('netA', async (entity, _, signal) => {
      const obtained = (await sandbox!.obtain(entity, { deep: false, signal })) as Extract<Obtained, { is: 'creator' }>;
      const [channel] = obtained.document.channels;
      const document = { channels: [channel, ...Array.from({ length: 2_000 }, () => channel)] as [typeof channel] };
      return entity.name === 'many' ? { ...obtained, document } : obtained;
    });
    await ask([creator('many'), creator('ada')]);
    await runAll(workerOf([source]));
    expect(await failureOf(creator('many'))).toMatchObject({ reason: 'internal-error', retryable: true });
    expect((await snapshot(creator('ada'))).document).not.toBeNull();
  });

  it('F21 a store that fails opens no circuit, and leaves the discovery to its lease', async () => {
    let isDown = true;
    const sound = documents;
    documents = {
      ...sound,
      put: (...given) => (isDown ? Promise.reject(new Error('the store is away')) : sound.put(...given)),
    };
    const worker = workerOf(sandboxes(), { limits: { circuitFailures: 1, attempts: 2 } });
    const both = [creator('ada'), creator('milo')];
    await ask(both);
    await worker.runDue();
    expect((await snapshot(creator('ada'))).discovery).toMatchObject({ is: 'running' });
    isDown = false;
    clock.pass(16_000);
    await worker.runDue();
    clock.pass(16_000);
    await worker.runDue();
    for (const entity of both) expect((await snapshot(entity)).document).not.toBeNull();
  });

  it('F16 an identifier that crashes the parser is given up; others are not affected', async () => {
    const [sandbox] = sandboxes();
    const source: Source = {
      network: 'netA',
      expectedSeconds: () => 1,
      obtain(entity, options) {
        if (entity.name === 'crash') throw new RangeError('parser');
        return sandbox!.obtain(entity, options);
      },
    };
    const worker = workerOf([source]);
    const others = Array.from({ length: 10 }, (_, index) => creator(`ada${index}`));
    await ask([creator('crash'), ...others]);
    await runAll(worker);
    for (const entity of others) expect((await snapshot(entity)).document).not.toBeNull();
    expect(await failureOf(creator('crash'))).toMatchObject({ reason: 'internal-error', retryable: true });
  });

  it('F16 one that takes its process with it is given up too', async () => {
    const { source, calls } = stub('netA', never);
    await ask([creator('crash')]);
    for (let life = 0; life < 3; life += 1) {
      expect(await discoveries.claim({ owner: `life${life}`, leaseSeconds: 15, limit: 1, rooms })).toHaveLength(1);
      clock.pass(16_000);
    }
    await workerOf([source]).runDue();
    expect(calls).toEqual([]);
    expect(await failureOf(creator('crash'))).toMatchObject({ reason: 'internal-error', retryable: true });
  });

  it('F16 those that twice died with it have their last attempt alone, one after the other', async () => {
    const { source, calls } = stub('netA', never);
    const names = ['crash', 'ada', 'milo'];
    await ask(names.map((name) => creator(name)));
    for (let life = 0; life < 2; life += 1) {
      expect(await discoveries.claim({ owner: `life${life}`, leaseSeconds: 15, limit: 10, rooms })).toHaveLength(3);
      clock.pass(16_000);
    }
    const worker = workerOf([source]);
    worker.start();
    await expect.poll(() => calls.length).toBe(1);
    worker.wake();
    await expect.poll(async () => (await discoveries.depth()).running).toBe(3);
    expect(calls).toHaveLength(1);
  });

  it('F16 entities that fail by themselves open no circuit', async () => {
    const { source, calls } = stub('netA', () => Promise.reject(new EntityFailed('this one')));
    const worker = workerOf([source], { limits: { attempts: 1 } });
    await ask(Array.from({ length: 20 }, (_, index) => creator(`ada${index}`)));
    await runAll(worker, 3);
    expect(calls).toHaveLength(20);
  });

  it('CRB-09 deep analysis also holds the recent posts', async () => {
    const recent = post(recentPostName('ada', 3));
    await ask([creator('ada')]);
    const worker = workerOf(sandboxes());
    await worker.runDue();
    expect((await snapshot(recent)).document).toBeNull();
    await documents.setDeep([keyOf(creator('ada'))], (7 * day) / 1000);
    await ask([creator('ada')], true);
    await worker.runDue();
    expect((await snapshot(recent)).document).not.toBeNull();
  });

  it('CRB-09 a deep read that joins a running discovery has the recent posts taken in all the same', async () => {
    const [sandbox] = sandboxes();
    const answers: (() => void)[] = [];
    const { source, calls } = stub('netA', async (entity, _, signal) => {
      await new Promise<void>((resolve) => answers.push(resolve));
      return sandbox!.obtain(entity, { deep: true, signal });
    });
    const worker = workerOf([source]);
    const parts = { documents, discoveries, clock, waitSeconds: () => 1, wake: () => {}, deepSeconds: 60 };
    const read = (deep: boolean) =>
      createLookUp(parts)(actor, [{ id: 'ada', parsed: { entity: creator('ada') } }], { deep });
    await read(false);
    const shallow = worker.runDue();
    await expect.poll(() => calls.length).toBe(1);
    await read(true);
    await read(true);
    answers[0]!();
    await shallow;
    const deep = worker.runDue();
    await expect.poll(() => calls.length).toBe(2);
    answers[1]!();
    await deep;
    expect((await snapshot(post(recentPostName('ada', 3)))).document).not.toBeNull();
    expect(await worker.runDue(), 'once').toBe(0);
  });

  it('CRB-09 recent posts that name no author are forgotten with their creator', async () => {
    const [sandbox] = sandboxes();
    const { source } = stub('netA', async (entity, _, signal) => {
      const obtained = (await sandbox!.obtain(entity, { deep: true, signal })) as Extract<Obtained, { is: 'creator' }>;
      return { ...obtained, deepPosts: obtained.deepPosts.map((one) => ({ ...one, author: null })) };
    });
    await ask([creator('ada')], true);
    await workerOf([source]).runDue();
    expect(await documents.forget(creator('ada'))).toBe(13);
  });

  it('of a forgotten creator comes back nothing that was obtained before, neither a document nor one of the posts', async () => {
    const [sandbox] = sandboxes();
    const answers: (() => void)[] = [];
    const { source, calls } = stub('netA', async (entity, _, signal) => {
      const obtained = await sandbox!.obtain(entity, { deep: true, signal });
      await new Promise<void>((resolve) => answers.push(resolve));
      return obtained;
    });
    const worker = workerOf([source]);
    const [other, recent] = [post('C1x'), post(recentPostName('ada', 0))];
    await ask([creator('ada'), recent, other], true);
    const before = worker.runDue();
    await expect.poll(() => answers.length).toBe(3);
    await documents.forget(creator('ada'));
    answers.forEach((answer) => answer());
    await before;
    expect(await documents.show(keyOf(creator('ada')))).toBeNull();
    expect((await snapshot(recent)).document).toBeNull();

    const after = worker.runDue();
    await expect.poll(() => calls.slice(3).sort()).toEqual([keyOf(other), keyOf(recent)].sort());
    await expect.poll(() => answers.length).toBe(5);
    answers.forEach((answer) => answer());
    await after;
    expect((await snapshot(other)).document, 'asked for still').not.toBeNull();
  });

  it('PST-06 an author who is forgotten as the post is held is not discovered for its opt-in', async () => {
    const sound = documents;
    documents = {
      ...sound,
      async put(...given) {
        const held = await sound.put(...given);
        await sound.forget(creator('ada'));
        return held;
      },
    };
    await ask([post(recentPostName('ada', 0))], true);
    await workerOf(sandboxes()).runDue();
    expect(await database.query('select key from work')).toEqual([]);
    expect(await database.query('select key from deep')).toEqual([]);
    expect(await database.query('select key from entity')).toEqual([]);
  });

  it('CRB-10 deep creators are refreshed as they become stale, for 7 days', async () => {
    const [sandbox] = sandboxes();
    const seen: boolean[] = [];
    const source: Source = {
      ...sandbox!,
      obtain: (entity, options) => (seen.push(options.deep), sandbox!.obtain(entity, options)),
    };
    const worker = workerOf([source]);
    await documents.setDeep([keyOf(creator('ada'))], (7 * day) / 1000);
    await ask([creator('ada')], true);
    for (let hour = 0; hour < 10 * 24; hour += 1) {
      await worker.runDue();
      clock.pass(3_600_000);
    }
    expect(seen).toEqual([...Array<boolean>(7).fill(true), false]);
    expect((await snapshot(creator('ada'))).discovery).toBeNull();
  });

  it('CRB-10 an opt-in after the last refresh of the 7 days keeps the scheduled refreshes going', async () => {
    const [sandbox] = sandboxes();
    const seen: number[] = [];
    const began = clock();
    const source: Source = {
      ...sandbox!,
      obtain: (entity, options) => (seen.push((clock() - began) / day), sandbox!.obtain(entity, options)),
    };
    const worker = workerOf([source]);
    await documents.setDeep([keyOf(creator('ada'))], (7 * day) / 1000);
    await ask([creator('ada')], true);
    for (let hour = 0; hour < 9 * 24; hour += 1) {
      await worker.runDue();
      clock.pass(3_600_000);
      if (hour === 6 * 24 + 12) await documents.setDeep([keyOf(creator('ada'))], (7 * day) / 1000);
    }
    expect(seen.map(Math.floor)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('DOC-14 a grant that was over before shows nothing, and has nothing asked for again', async () => {
    const [sandbox] = sandboxes();
    const options = { deep: false, signal: new AbortController().signal };
    const names = Array.from({ length: 60 }, (_, index) => `creator${index}`);
    const all = await Promise.all(names.map((name) => sandbox!.obtain(creator(name), options)));
    const granted = all.find((one) => one.is === 'creator' && one.audienceUntil !== null) as Extract<
      Obtained,
      { is: 'creator' }
    >;
    const { source, calls } = stub('netA', async () => ({ ...granted, audienceUntil: clock() - day }));
    await documents.setDeep([keyOf(creator('ada'))], (7 * day) / 1000);
    await ask([creator('ada')], true);
    await runAll(workerOf([source]));
    expect(calls).toHaveLength(1);
    const { document } = await snapshot(creator('ada'));
    expect(document!.full.toString()).not.toContain('audienceDemographics');
  });

  it('PST-06 deep analysis of a post applies to its author', async () => {
    const worker = workerOf(sandboxes());
    await ask([post(recentPostName('ada', 0))], true);
    await worker.runDue();
    await worker.runDue();
    const author = await snapshot(creator('ada'));
    expect(author.document).not.toBeNull();
    expect(author.deepUntil).toBe(clock() + 7 * day);
    expect((await snapshot(post(recentPostName('ada', 5)))).document).not.toBeNull();
  });

  it('DOC-09 posts of another account are left out of a creator', async () => {
    const [sandbox] = sandboxes();
    const options = { deep: false, signal: new AbortController().signal };
    const other = (await sandbox!.obtain(creator('bea'), options)) as Extract<Obtained, { is: 'creator' }>;
    const { source } = stub('netA', async (entity) => ({
      ...((await sandbox!.obtain(entity, options)) as typeof other),
      posts: other.posts,
    }));
    await ask([creator('ada')]);
    await workerOf([source]).runDue();
    expect(JSON.parse((await snapshot(creator('ada'))).document!.posts!.full.toString())).toEqual([]);
  });

  it('CRE-08 posts come newest first, those of an unknown date last', async () => {
    const [sandbox] = sandboxes();
    const options = { deep: false, signal: new AbortController().signal };
    const { source } = stub('netA', async (entity) => {
      const obtained = (await sandbox!.obtain(entity, options)) as Extract<Obtained, { is: 'creator' }>;
      const posts = obtained.posts
        .toReversed()
        .map((one, index) => (index % 3 === 1 ? { ...one, postedAt: null } : one));
      return { ...obtained, posts };
    });
    await ask([creator('ada')]);
    await workerOf([source]).runDue();
    const posts = JSON.parse((await snapshot(creator('ada'))).document!.posts!.full.toString());
    const dates: string[] = posts.map(({ postedAt }: { postedAt: string | null }) => postedAt ?? '');
    expect(dates).toEqual(dates.toSorted().toReversed());
  });

  it('a minute after they count no more, reasons are swept, and what was left by nodes that knew another network', async () => {
    let elapsed = 0;
    const timers = handTimers();
    const remembered = { reason: 'x', retryable: false, startedAt: clock() };
    await documents.putFailure('creator:netA:gone', { ...remembered, rememberedUntil: clock() + 1_000 });
    await ask([creator('ada'), creator('ada', 'netZ')]);
    workerOf([stub('netA', never).source], { timers, timer: () => elapsed }).start();
    clock.pass(3_600_000);
    expect(await documents.show('creator:netA:gone')).not.toBeNull();
    elapsed = 60_000;
    timers.fire(defaultLimits.pollMilliseconds);
    await expect.poll(() => documents.show('creator:netA:gone')).toBeNull();
    await expect.poll(() => documents.show('creator:netZ:ada')).toBeNull();
    expect(await documents.show('creator:netA:ada')).not.toBeNull();
  });

  it('F19 an older node leaves the work of a network that it does not know to a newer one', async () => {
    const { source } = stub('netZ', async () => ({ is: 'unavailable', reason: 'known-here', retryable: false }));
    const [older, newer] = [workerOf(sandboxes()), workerOf([...sandboxes(), source], { owner: 'newer' })];
    await ask([creator('ada'), creator('ada', 'netZ')]);
    expect(await older.runDue()).toBe(1);
    expect((await snapshot(creator('ada', 'netZ'))).discovery).toMatchObject({ is: 'running' });
    await newer.runDue();
    expect(await failureOf(creator('ada', 'netZ'))).toMatchObject({ reason: 'known-here' });
  });

  it('the wait grows with the queue and with what the source says', async () => {
    const worker = workerOf([createSandbox(netA, { clock })], { limits: { concurrentTotal: 2 } });
    expect(worker.waitSeconds(creator('ada'), 'acc')).toBe(1);
    expect(worker.waitSeconds(creator('slow1'), 'acc')).toBe(5);
    worker.wake(
      Array.from({ length: 200 }, (_, index) => `creator:netA:x${index}` satisfies Key),
      'acc',
    );
    expect(worker.waitSeconds(creator('ada'), 'acc')).toBeGreaterThan(50);
    expect(worker.waitSeconds(creator('ada'), 'another')).toBeLessThan(3);
    expect(worker.waitSeconds(creator('ada', 'netZ'), 'acc')).toBe(1);
  });

  it('F17 what is put back by the pace keeps its turn: another account goes between, and waits no longer for it', async () => {
    const order: Key[] = [];
    const { source } = stub('netA', async (entity) => {
      order.push(keyOf(entity));
      return { is: 'unavailable', reason: 'account-not-discoverable', retryable: false };
    });
    const worker = workerOf([source], { limits: { callsPerMinute: 60, callsBurst: 1, concurrentTotal: 4 } });
    for (let index = 0; index < 10; index += 1) await ask([creator(`greedy${index}`)], false, 'greedy');
    await worker.runDue();
    clock.pass(500);
    await ask([creator('modest')], false, 'modest');
    expect(worker.waitSeconds(creator('modest'), 'modest')).toBeLessThan(worker.waitSeconds(creator('g'), 'greedy'));
    for (let second = 0; second < 3; second += 1) {
      clock.pass(1_000);
      await worker.runDue();
    }
    expect(order.indexOf(keyOf(creator('modest')))).toBeLessThan(3);
    expect(order).toContain(keyOf(creator('modest')));
  });

  it('STA-06 started, it finds work by itself, and stops', async () => {
    const kinds: EntityKind[] = ['creator', 'post'];
    const worker = workerOf(sandboxes(), { limits: { pollMilliseconds: 5 } });
    worker.start();
    await ask(kinds.map((kind) => ({ kind, network: 'netA', name: 'ada' })));
    worker.wake();
    await expect.poll(async () => (await snapshot(post('ada'))).document).not.toBeNull();
    await worker.stop();
    await ask([creator('bea')]);
    worker.wake();
    expect(await worker.runDue()).toBe(0);
  });
});
