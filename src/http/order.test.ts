import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHarness, type Harness } from './testing.ts';

let service: Harness;
beforeAll(async () => {
  service = await startHarness();
});
afterAll(() => service.close());

const CREATOR_PATHS = ['/creators/netA/ada', '/creators?ids=ada'];
const POST_PATHS = ['/posts?url=https://neta.example/p/C1x', '/posts?ids=C1x'];
const READS = [...CREATOR_PATHS, ...POST_PATHS];

describe('credential', () => {
  it.each([
    ['AUT-01 none', {}],
    ['AUT-02 another scheme', { Authorization: 'Basic abc' }],
    ['AUT-02 no token', { Authorization: 'Bearer' }],
    ['AUT-02 two tokens', { Authorization: 'Bearer a b' }],
    ['AUT-02 odd characters', { Authorization: 'Bearer a;b' }],
    ['AUT-03 an unknown token', { Authorization: `Bearer lk_${'a'.repeat(49)}` }],
  ])('%s: 401 with a challenge, and no budget told', async (_name, headers) => {
    for (const path of [...READS, '/creators?ids=']) {
      const { status, body, headers: got } = await service.get(path, { token: null, headers });
      expect([status, body.error.code]).toEqual([401, 'unauthorized']);
      expect(got['www-authenticate']).toBe('Bearer');
      expect(got['ratelimit']).toBeUndefined();
    }
  });

  it('AUT-04, AUT-05 expired and revoked tokens say the same as an unknown one', async () => {
    const answers = await Promise.all(
      [service.tokens.expired, service.tokens.revoked, 'x'].map((token) =>
        service.get('/creators/netA/ada', { token }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  it('AUT-05 a revocation shows at the next request', async () => {
    const token = service.tokens.posts;
    expect((await service.get('/posts?ids=C1x', { token })).status).toBe(200);
  });

  it('AUT-12 the scheme has no case and many blanks; two lines are malformed', async () => {
    const { full } = service.tokens;
    const ask = (headers: Record<string, string>) => service.get('/creators?ids=ada', { token: null, headers });
    expect((await ask({ Authorization: `bEARER    ${full}` })).status).toBe(200);
    const line = `Authorization: Bearer ${full}\r\n`;
    const answer = await service.raw(`GET /api/v1/creators?ids=ada HTTP/1.1\r\nHost: a\r\n${line}${line}\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 401 /);
  });

  it.each([
    ['AUT-06', 'posts', 'creators:read', CREATOR_PATHS],
    ['AUT-07', 'creators', 'posts:read', POST_PATHS],
  ] as const)(
    '%s, AUT-09 a token of the other resource: 403 that names the scope',
    async (_rule, role, scope, paths) => {
      const token = service.tokens[role];
      const answers = await Promise.all(paths.map((path) => service.get(path, { token })));
      answers.push(await service.post(`/${scope.split(':')[0]}/batch`, { ids: ['x'] }, { token }));
      for (const { status, body, headers } of answers) {
        expect([status, body.error.code]).toEqual([403, 'forbidden']);
        expect(headers['www-authenticate']).toBe(`Bearer error="insufficient_scope", scope="${scope}"`);
        expect(headers['ratelimit-policy']).toBeDefined();
      }
    },
  );
});

describe('AUT-10 the order of checks', () => {
  const bad = {
    scope: '/creators?ids=&asOrg=org_1',
    input: '/posts?asOrg=org_1',
    organization: '/posts?ids=C1x&asOrg=org_1&asProfile=none',
  };

  it('credential before budget, scope, input', async () => {
    expect((await service.get(bad.scope, { token: 'junk' })).status).toBe(401);
    expect((await service.post('/creators/batch', '{', { token: 'junk' })).status).toBe(401);
  });
  it('budget before scope', async () => {
    const token = service.tokens.small;
    for (let request = 0; request < 3; request += 1) await service.get('/creators?ids=', { token });
    const { status, headers } = await service.get('/creators?ids=', { token });
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
  });
  it('scope before input', async () => {
    const token = service.tokens.posts;
    expect((await service.get(bad.scope, { token })).status).toBe(403);
    expect((await service.post('/creators/batch', '{', { token })).status).toBe(403);
  });
  it('input before organization', async () => expect((await service.get(bad.input)).status).toBe(400));
  it('organization before profile', async () => {
    const { status, body } = await service.get(bad.organization);
    expect([status, body.error.message.includes('org_1')]).toEqual([404, true]);
  });
});

describe('budget', () => {
  it('RAT-01, RAT-02, RAT-04, RAT-06, RAT-07 an account has its own; a refused request says how long to wait', async () => {
    const own = await startHarness();
    const ask = () => own.get('/creators?ids=netZ:x', { token: own.tokens.small });
    const answers = [await ask(), await ask(), await ask(), await ask()];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(answers.map(({ headers }) => headers['ratelimit'])).toEqual(
      [2, 1, 0, 0].map((left) => `"default";r=${left};t=60`),
    );
    expect(answers[3]?.headers).toMatchObject({ 'retry-after': '60', 'ratelimit-policy': '"default";q=3;w=60' });
    own.clock.pass(60_000);
    expect((await ask()).status).toBe(200);
    await own.close();
  });
  it('RAT-07 without t where Retry-After ends earlier', async () => {
    const { status, headers } = await service.get('/creators/netA/unseen.yet');
    expect([status, headers['ratelimit']?.includes('t=')]).toEqual([202, false]);
  });
});

describe('organizations', () => {
  const as = (slug: string, more = '') => service.get(`/creators?ids=netZ:x&asOrg=${slug}${more}`);
  it.each([
    ['ORG-01 a member', 'partner', 200],
    ['ORG-02 by a grant', 'grantor', 200],
    ['ORG-05 its own', 'home', 200],
    ['ORG-03 no role', 'stranger', 403],
    ['ORG-03 unknown', 'nobody', 403],
    ['ORG-09 empty', '', 403],
    ['ORG-09 other case', 'Partner', 403],
    ['ORG-04 an id', 'org_partner', 404],
    ['ORG-04 no id by its form', 'org_', 403],
  ])('%s: asOrg=%s answers %i', async (_name, slug, status) => expect((await as(slug)).status).toBe(status));

  it('ORG-03, ORG-07 what is hidden and what is not there answer alike', async () => {
    expect((await as('stranger')).text).toBe((await as('nobody')).text);
    const [hidden, nowhere] = [await as('home', '&asProfile=other'), await as('home', '&asProfile=none')];
    expect([hidden.status, hidden.text]).toEqual([404, nowhere.text]);
    expect(hidden.body.error.details).toBeUndefined();
  });
  it('ORG-06, ORG-09 a profile of the own organization, also under asOrg', async () => {
    expect((await as('home', '&asProfile=spring')).status).toBe(200);
    expect((await as('partner', '&asProfile=spring')).status).toBe(200);
    expect((await as('partner', '&asProfile=other')).status).toBe(404);
  });
  it('ORG-08 alike in a body and in the list form of posts', async () => {
    for (const [fields, status] of [
      [{ asOrg: 'partner' }, 200],
      [{ asOrg: 'nobody' }, 403],
      [{ asOrg: 'org_x' }, 404],
      [{ asProfile: 'x' }, 404],
    ] as const) {
      expect((await service.post('/creators/batch', { ids: ['netZ:x'], ...fields })).status).toBe(status);
      const query = new URLSearchParams({ ids: 'netZ:x', ...fields });
      expect((await service.get(`/posts?${query}`)).status).toBe(status);
    }
  });
});
