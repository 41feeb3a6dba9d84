import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueToken } from '../auth/tokens.ts';
import type { Scope } from '../model.ts';
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

/** Every check, in the order of AUT-10, with the answer of a request that fails it and passes those before. */
const CHECKS = {
  credential: [401, 'unauthorized', 'bearer token'],
  budget: [429, 'rate-limited', 'budget'],
  scope: [403, 'forbidden', 'scope'],
  input: [400, 'invalid-input', ''],
  organization: [404, 'not-found', 'org_1'],
  profile: [404, 'not-found', 'profile'],
} as const;
type Check = keyof typeof CHECKS;
const NAMES = Object.keys(CHECKS) as Check[];
const subsets = Array.from({ length: 2 ** NAMES.length }, (_, bits) =>
  NAMES.filter((_name, index) => (bits >> index) & 1),
);

describe('AUT-10 the order of checks: whatever else is wrong, the first failing one answers', () => {
  let own: Harness;
  let lacking: Record<'creators' | 'posts', string>;
  beforeAll(async () => {
    own = await startHarness();
    const issue = async (scope: Scope) => {
      const { token, hash, prefix } = issueToken(randomBytes);
      const made = { hash, prefix, account: 'acc_small', label: '', scopes: [scope], expiresInSeconds: null };
      await own.service.principals.createToken(made);
      return token;
    };
    lacking = { creators: await issue('posts:read'), posts: await issue('creators:read') };
    for (let request = 0; request < 3; request += 1) await own.get('/creators?ids=', { token: own.tokens.small });
  });
  afterAll(() => own.close());

  function tokenFor(failing: readonly Check[], resource: 'creators' | 'posts'): string {
    if (failing.includes('credential')) return 'junk';
    const [spent, unscoped] = [failing.includes('budget'), failing.includes('scope')];
    if (unscoped) return spent ? lacking[resource] : own.tokens[resource === 'creators' ? 'posts' : 'creators'];
    return spent ? own.tokens.small : own.tokens.full;
  }
  const fieldsOf = (failing: readonly Check[]): Record<string, string> => ({
    ...(failing.includes('organization') && { asOrg: 'org_1' }),
    ...(failing.includes('profile') && { asProfile: 'none' }),
  });
  const GETS = {
    '/creators/netA/ada': { include: 'nope' },
    '/creators': { ids: ',' },
    '/posts': { ids: 'C1x', url: 'x' },
  };

  function ask(operation: string, failing: readonly Check[]) {
    const token = tokenFor(failing, operation.includes('posts') ? 'posts' : 'creators');
    const [fields, wrong] = [fieldsOf(failing), failing.includes('input')];
    if (operation.endsWith('/batch')) return own.post(operation, { ids: wrong ? [] : ['x'], ...fields }, { token });
    const legal = operation === '/creators/netA/ada' ? {} : { ids: 'x' };
    const query = new URLSearchParams({ ...(wrong ? GETS[operation as keyof typeof GETS] : legal), ...fields });
    return own.get(`${operation}?${query}`, { token });
  }

  it.each([...Object.keys(GETS), '/creators/batch', '/posts/batch'])('%s, all 64 combinations', async (operation) => {
    for (const failing of subsets) {
      const { status, body, headers } = await ask(operation, failing);
      const [first] = failing;
      if (first === undefined) {
        expect([200, 202]).toContain(status);
        continue;
      }
      const [want, code, message] = CHECKS[first];
      expect([status, body.error.code], failing.join(' ')).toEqual([want, code]);
      expect(body.error.message, failing.join(' ')).toContain(message);
      expect(body.error.details).toBeUndefined();
      expect(headers['ratelimit'] === undefined, failing.join(' ')).toBe(first === 'credential');
    }
  });
  it('a body that is no JSON comes after the credential, the budget and the scope', async () => {
    const broken = (token: string) => own.post('/creators/batch', '{', { token });
    const tokens = ['junk', own.tokens.small, own.tokens.posts, own.tokens.full];
    const answers = await Promise.all(tokens.map(broken));
    expect(answers.map(({ status }) => status)).toEqual([401, 429, 403, 400]);
  });
  it('ORG-03 no role comes where an id does: before the profile', async () => {
    const { status } = await own.get('/creators?ids=x&asOrg=nobody&asProfile=none');
    expect(status).toBe(403);
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
