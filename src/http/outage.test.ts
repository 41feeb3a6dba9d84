import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../storage/database.ts';
import { createClock, engines, type HandClock, type TestStore } from '../testing/engines.ts';
import { startHarness, type Harness } from './testing.ts';

const DAY = 86_400_000;
const NEW = '/creators/netA/new.one';
const SECRET = 'relation entity at 10.0.0.7 is gone';

describe.each(engines)('the store fails after the credential was checked, on $name', ({ name, createStore }) => {
  let store: TestStore;
  let database: Database;
  let clock: HandClock;
  let service: Harness;
  beforeEach(async () => {
    clock = createClock();
    store = await createStore(clock);
    database = await store.open();
    service = await startHarness({ database, clock, settings: { AUTH_CACHE_SECONDS: '4' } });
    await service.held('/creators/netA/ada');
  });
  afterEach(async () => {
    await service.close();
    await store.close();
  });

  const fail = () => Promise.reject(new Error(SECRET));
  /** Statements that hold the word fail, as if the store did. */
  function failing(word: RegExp): void {
    const query = database.query.bind(database);
    database.query = (sql, parameters) => (word.test(sql) ? fail() : query(sql, parameters));
  }
  async function expectUnavailable(answer: Promise<Awaited<ReturnType<Harness['get']>>>): Promise<void> {
    const { status, body, headers, text } = await answer;
    expect([status, body.error.code]).toEqual([503, 'dependency-unavailable']);
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(text).not.toContain(SECRET);
  }

  it('AUT-08 in the look-up: 503 with Retry-After, never 500, and the log knows why', async () => {
    failing(/from \(select/);
    await expectUnavailable(service.get(NEW));
    await expectUnavailable(service.get('/creators?ids=ada,new.one'));
    await expectUnavailable(service.get('/posts?url=https://neta.example/p/C1x'));
    await expectUnavailable(service.post('/posts/batch', { ids: ['C1x'] }));
    expect(service.logged.join('')).toContain(SECRET);
  });
  it('AUT-08 in starting a discovery: 503 where something is not held', async () => {
    failing(/insert into work/);
    await expectUnavailable(service.get(NEW));
    await expectUnavailable(service.get('/creators?ids=ada,new.one'));
    expect((await service.get('/creators?ids=ada,netZ:x')).status).toBe(200);
  });
  it('F12 a stale document is told though its refresh cannot be started', async () => {
    const held = await service.get('/creators/netA/ada');
    clock.pass(2 * DAY);
    await service.get('/creators?ids=netZ:x'); // authenticates again, before the store fails
    failing(/insert into work/);
    const stale = await service.get('/creators/netA/ada');
    expect([stale.status, stale.text]).toEqual([200, held.text]);
    expect(service.logged.join('')).toContain('refreshes could not be started');
  });
  it('CRB-10 an opt-in that cannot be kept is not taken for kept', async () => {
    failing(/insert into deep/);
    await expectUnavailable(service.post('/creators/batch', { ids: ['ada'], creatorDeepAnalysis: true }));
  });
  it('AUT-08 in asking for an organization or a profile: neither 403 nor 404', async () => {
    failing(/from organization|from profile/);
    await expectUnavailable(service.get('/creators?ids=netZ:x&asOrg=partner'));
    await expectUnavailable(service.get('/creators?ids=netZ:x&asProfile=spring'));
  });
  it('F11 all of it gone: 503 for every operation; metrics and health go on, readiness does not', async () => {
    await database.close();
    for (const path of [NEW, '/creators?ids=ada', '/posts?ids=C1x', '/posts?url=https://neta.example/p/C1x'])
      await expectUnavailable(service.get(path));
    await expectUnavailable(service.post('/creators/batch', { ids: ['ada'] }));
    const beside = (path: string) => fetch(`${service.service.url}${path}`).then(({ status }) => status);
    expect([await beside('/healthz'), await beside('/readyz'), await beside('/metrics')]).toEqual([200, 503, 200]);
  });

  if (name === 'sqlite')
    it('F12 a file that can only be read: what is held is told, fresh or stale, and nothing new is promised', async () => {
      await database.exec('pragma query_only = on');
      expect((await service.get('/creators/netA/ada')).status).toBe(200);
      clock.pass(2 * DAY);
      expect((await service.get('/creators/netA/ada')).status).toBe(200);
      await expectUnavailable(service.get(NEW));
    });
});
