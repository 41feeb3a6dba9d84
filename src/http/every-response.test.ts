import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STATUS_OF } from './errors.ts';
import { startHarness, type Ask, type Harness } from './testing.ts';

type Response = Awaited<ReturnType<Harness['get']>>;
let service: Harness;
/** A response of every status but 500 and 503, by name. */
const seen = new Map<string, Response>();

beforeAll(async () => {
  service = await startHarness();
  const get = async (name: string, path: string, ask?: Ask) => seen.set(name, await service.get(path, ask));
  const small = { token: service.tokens.small };
  await get('fetching', '/creators/netA/ada');
  await service.settle();
  await get('held', '/creators/netA/ada?include=posts');
  await service.held('/creators/netA/missing.one');
  await get('batch', '/creators?ids=ada,new.one,netZ:x');
  await get('a miss', '/creators/netA/missing.one');
  await get('an unsupported network', '/creators/netZ/ada');
  await get('bad input', '/creators?ids=');
  await get('no credential', '/posts?ids=x', { token: null });
  await get('no scope', '/posts?ids=x', { token: service.tokens.creators });
  await get('no role', '/posts?ids=x&asOrg=nobody');
  await get('an id for asOrg', '/posts?ids=x&asOrg=org_x');
  await get('no profile', '/posts?ids=x&asProfile=nobody');
  await get('no path', '/nope');
  seen.set('no method', await service.post('/posts', {}));
  for (let request = 0; request < 3; request += 1) await service.get('/creators?ids=netZ:x', small);
  await get('over budget', '/creators?ids=netZ:x', small);
});
afterAll(() => service.close());

const errors = () => [...seen].filter(([, { status }]) => status !== 200 && status !== 202);

describe('every response', () => {
  it('GEN-01, VER-01 five operations, all under /api/v1, and nothing of them elsewhere', async () => {
    const paths = ['/creators/netA/ada', '/creators?ids=x', '/posts?ids=x'];
    for (const path of paths) expect([200, 202]).toContain((await service.get(path)).status);
    for (const path of ['/creators/batch', '/posts/batch'])
      expect((await service.post(path, { ids: ['x'] })).status).toBe(200);
    const elsewhere = ['', '/api', '/api/v2', '/v1', '/api/V1'].flatMap((base) => paths.map((path) => base + path));
    for (const path of elsewhere) {
      const answer = await fetch(service.service.url + path, {
        headers: { Authorization: `Bearer ${service.tokens.full}` },
      });
      expect([path, answer.status]).toEqual([path, 404]);
      expect(answer.headers.get('x-request-id')).toMatch(/./);
    }
  });
  it('GEN-02 has a request id of its own', () => {
    const ids = [...seen.values()].map(({ headers }) => headers['x-request-id']);
    expect(new Set(ids).size).toBe(seen.size);
  });
  it('GEN-03, ERR-01, ERR-02 that is neither 200 nor 202 has the envelope, its code the one of its status', () => {
    expect(errors().length).toBeGreaterThan(10);
    for (const [name, { status, body }] of errors()) {
      const { code, message } = body.error as { code: keyof typeof STATUS_OF; message: string };
      expect([name, Object.keys(body), STATUS_OF[code]]).toEqual([name, ['error'], status]);
      expect(message.length).toBeGreaterThan(5);
    }
  });
  it('ERR-01, ERR-03 details are there for a read that found nothing, and only there', () => {
    const withDetails = errors().flatMap(([name, { body }]) => (body.error.details === undefined ? [] : [name]));
    expect(withDetails).toEqual(['a miss', 'an unsupported network']);
    for (const name of withDetails) expect(seen.get(name)?.body.error.details).toEqual({ reason: expect.any(String) });
  });
  it('GEN-04 holds what its tables say, and no key more', () => {
    expect(Object.keys(seen.get('fetching')?.body)).toEqual(['fetching']);
    expect(Object.keys(seen.get('held')?.body)).toEqual(['data']);
    expect(Object.keys(seen.get('batch')?.body).toSorted()).toEqual(['data', 'fetching', 'unavailable']);
    expect(Object.keys(seen.get('held')?.body.data).toSorted()).toEqual(['channels', 'posts']);
  });
  it('GEN-05 timestamps have a zone, waits are whole seconds', () => {
    const zoned = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
    const { channels, posts } = seen.get('held')?.body.data ?? {};
    const instants = [channels[0].updatedAt, seen.get('fetching')?.body.fetching[0].retryAfter];
    for (const at of [...instants, ...posts.map(({ postedAt }: { postedAt: string }) => postedAt)])
      expect(at).toMatch(zoned);
    for (const name of ['fetching', 'batch', 'over budget'])
      expect(seen.get(name)?.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  });
  it('GEN-10 is stored nowhere', () => {
    for (const [name, { headers }] of seen) {
      expect([name, headers['cache-control'], headers['etag']]).toEqual([name, 'no-store', undefined]);
    }
  });
  it('RAT-07 shows the budget to whoever is known, and to nobody else', () => {
    const hidden = [...seen].flatMap(([name, { headers }]) => (headers['ratelimit'] === undefined ? [name] : []));
    expect(hidden).toEqual(['no credential', 'no path', 'no method']);
  });
});
