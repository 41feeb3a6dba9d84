import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueToken } from '../auth/tokens.ts';
import type { Scope } from '../model.ts';
import { createPrincipals, type Principals } from '../storage/principals.ts';
import { createClock, engines, type HandClock, type TestStore } from '../testing/engines.ts';
import { startHarness, testConfig, type Harness } from './testing.ts';

const NOWHERE = '/creators?ids=netZ:x';
const BOTH: readonly Scope[] = ['creators:read', 'posts:read'];

describe.each(engines)('who asks, on $name', ({ name, createStore }) => {
  let store: TestStore;
  let clock: HandClock;
  let node: Harness;
  /** What `npm run admin` works on: a view of the store of its own. */
  let admin: Principals;
  beforeAll(async () => {
    clock = createClock();
    store = await createStore(clock);
    node = await startHarness({ database: await store.open(), clock });
    admin = createPrincipals(await store.open());
  });
  afterAll(async () => {
    await node.close();
    await store.close();
  });

  let made = 0;
  async function newAccount(perMinute: number): Promise<string> {
    const id = `acc_${(made += 1)}`;
    await admin.createAccount({ id, organization: 'org_home', name: id, perMinute });
    return id;
  }
  async function newToken(account: string, expiresInSeconds: number | null = null) {
    const { token, hash, prefix } = issueToken(randomBytes);
    await admin.createToken({ hash, prefix, account, label: '', scopes: BOTH, expiresInSeconds });
    return { token, prefix };
  }
  const status = async (token: string, path = NOWHERE, on = node) => (await on.get(path, { token })).status;
  const statuses = async (token: string, times: number) => {
    const all: number[] = [];
    for (let time = 0; time < times; time += 1) all.push(await status(token));
    return all;
  };
  const refusedOf = (all: readonly number[]) => all.filter((one) => one === 429).length;

  it('AUT-04 a token is good until its instant and not after', async () => {
    const { token } = await newToken('acc_home', 60);
    clock.pass(59_999);
    expect(await status(token)).toBe(200);
    clock.pass(1);
    expect(await status(token)).toBe(401);
  });
  it('AUT-05 a revocation by another process shows within 5 s, a token in use included', async () => {
    const { token, prefix } = await newToken('acc_home');
    expect(await status(token)).toBe(200);
    await admin.revokeToken(prefix);
    clock.pass(5000);
    expect(await status(token)).toBe(401);
  });
  it('AUT-11 no token is in the store, nor in what is logged', async () => {
    const { token, prefix } = await newToken('acc_home');
    await status(token);
    await status(`${token}x`);
    const database = await store.open();
    const tables = ['organization', 'account', 'token', 'member', 'delegation', 'profile', 'entity', 'work'];
    const rows = await Promise.all(tables.map((table) => database.query(`select * from ${table}`)));
    const secret = token.slice(prefix.length);
    expect(JSON.stringify(rows)).toContain(prefix);
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(node.logged.join('')).not.toContain(secret);
  });

  it('RAT-01, RAT-02 60 requests a minute by default; the 61st waits for the rest of the window', async () => {
    const { token } = await newToken(await newAccount(testConfig().DEFAULT_PER_MINUTE));
    expect(refusedOf(await statuses(token, 1))).toBe(0);
    clock.pass(17_500);
    expect(refusedOf(await statuses(token, 59))).toBe(0);
    const { status: over, headers } = await node.get(NOWHERE, { token });
    expect([over, headers['retry-after'], headers['ratelimit']]).toEqual([429, '43', '"default";r=0;t=43']);
    clock.pass(42_499);
    expect(await status(token)).toBe(429);
    clock.pass(1);
    expect(await status(token)).toBe(200);
  });
  it('RAT-01 a budget raised for one account shows within 5 s', async () => {
    const account = await newAccount(1);
    const { token } = await newToken(account);
    expect(await statuses(token, 2)).toEqual([200, 429]);
    await admin.setBudget(account, 10);
    clock.pass(5000);
    expect(await statuses(token, 3)).toEqual([200, 200, 200]);
  });
  it('RAT-03 the window is fixed: it begins with the first request and does not slide', async () => {
    const { token } = await newToken(await newAccount(2));
    expect(await statuses(token, 1)).toEqual([200]);
    clock.pass(59_000);
    expect(await statuses(token, 2)).toEqual([200, 429]);
    clock.pass(1000);
    expect(await statuses(token, 3)).toEqual([200, 200, 429]);
  });
  it.each([
    ['400', '/creators?ids='],
    ['403', '/creators?ids=x&asOrg=nobody'],
    ['404', '/creators/netZ/x'],
  ])('RAT-04 a %s counts', async (code, path) => {
    const { token } = await newToken(await newAccount(2));
    expect(await status(token, path)).toBe(Number(code));
    expect(await statuses(token, 2)).toEqual([200, 429]);
  });
  it('RAT-04, GEN-07 an unknown path and a wrong method do not: nobody asked', async () => {
    const { token } = await newToken(await newAccount(1));
    await node.get('/nope', { token });
    await node.post('/creators', {}, { token });
    expect(await statuses(token, 2)).toEqual([200, 429]);
  });
  it('RAT-05 a batch of 100 is one request', async () => {
    const { token } = await newToken(await newAccount(2));
    const ids = Array.from({ length: 100 }, (_, index) => `netZ:a${index}`);
    const { status: got, headers } = await node.post('/creators/batch', { ids }, { token });
    expect([got, headers['ratelimit']]).toEqual([200, '"default";r=1;t=60']);
    expect(await statuses(token, 2)).toEqual([200, 429]);
  });
  it('RAT-06 tokens of an account share its budget, accounts do not', async () => {
    const [one, other] = [await newAccount(2), await newAccount(2)];
    const [first, second, stranger] = [await newToken(one), await newToken(one), await newToken(other)];
    const asked = [first, second, first, stranger].map(({ token }) => token);
    const answers = [];
    for (const token of asked) answers.push(await status(token));
    expect(answers).toEqual([200, 200, 429, 200]);
  });
  it("RAT-07 under asOrg it is still the principal's own budget", async () => {
    const account = await newAccount(2);
    const { token } = await newToken(account);
    await admin.addMember({ account, organization: 'org_partner', role: 'reader' });
    expect(await status(token, `${NOWHERE}&asOrg=partner`)).toBe(200);
    expect(await statuses(token, 2)).toEqual([200, 429]);
  });
  if (name === 'postgres')
    it('RAT-08 two nodes together let in exactly the budget', async () => {
      const other = await startHarness({ database: await store.open(), clock });
      const { token } = await newToken(await newAccount(10));
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, index) => status(token, NOWHERE, index % 2 ? node : other)),
      );
      expect(answers.filter((one) => one === 200)).toHaveLength(10);
      await other.close();
    });

  it('ORG-01, ORG-02 a role that is taken away is gone at the next read', async () => {
    const token = node.tokens.full;
    for (const slug of ['partner', 'grantor']) expect(await status(token, `${NOWHERE}&asOrg=${slug}`)).toBe(200);
    await admin.removeMember('acc_home', 'org_partner');
    await admin.removeGrant('org_grantor', 'org_home');
    for (const slug of ['partner', 'grantor']) expect(await status(token, `${NOWHERE}&asOrg=${slug}`)).toBe(403);
    await admin.addMember({ account: 'acc_home', organization: 'org_partner', role: 'reader' });
    await admin.addGrant({ from: 'org_grantor', to: 'org_home', role: 'reader' });
  });
  it('ORG-01, ORG-06, ORG-09 a discovery is recorded with the organization acted for and the profile', async () => {
    const recorded = async (handle: string) => {
      const { discovery } = (await node.service.documents.show(`creator:netA:${handle}`)) as {
        discovery: Record<string, unknown>;
      };
      return [discovery['account'], discovery['organization'], discovery['profile']];
    };
    await node.get('/creators/netA/for.home');
    await node.get('/creators/netA/for.spring?asProfile=spring');
    await node.post('/creators/batch', { ids: ['for.partner'], asOrg: 'partner', asProfile: 'spring' });
    expect([await recorded('for.home'), await recorded('for.spring'), await recorded('for.partner')]).toEqual([
      ['acc_home', 'org_home', null],
      ['acc_home', 'org_home', 'pro_spring'],
      ['acc_home', 'org_partner', 'pro_spring'],
    ]);
  });
  it('ORG-06 a refresh is recorded with its profile too', async () => {
    await node.held('/creators/netA/refreshed.one');
    clock.pass(2 * 86_400_000);
    await node.get('/creators/netA/refreshed.one?asProfile=spring');
    const shown = await node.service.documents.show('creator:netA:refreshed.one');
    expect(shown).toMatchObject({ discovery: { profile: 'pro_spring' } });
    await node.settle();
  });
});
