import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Refusal } from '../model.ts';
import type { Database } from '../storage/database.ts';
import { createPrincipals, type Principals } from '../storage/principals.ts';
import { createClock, engines, type TestStore } from '../testing/engines.ts';
import { bearerToken, createAuthentication, type Authentication } from './authenticate.ts';
import { createDevelopment } from './development.ts';
import { isTokenForm, issueToken, tokenHash } from './tokens.ts';

const refusal = (promise: Promise<unknown>): Promise<Refusal> =>
  promise.then(
    () => expect.fail('was let in'),
    (error: unknown) => (error instanceof Refusal ? error : expect.fail(String(error))),
  );

describe('tokens', () => {
  it('AUT-11 hold 256 random bits, and junk is known without a read', () => {
    const { token, hash, prefix } = issueToken(randomBytes);
    expect(token).toMatch(/^lk_[A-Za-z0-9_-]{49}$/);
    expect(token.startsWith(prefix)).toBe(true);
    expect(hash).toBe(tokenHash(token));
    expect(isTokenForm(token)).toBe(true);
    const changed = token.slice(0, 20) + (token[20] === 'A' ? 'B' : 'A') + token.slice(21);
    for (const junk of [changed, token.slice(1), `${token}A`, '', 'lk_']) expect(isTokenForm(junk)).toBe(false);
  });
});

describe('AUT-02 AUT-12 the Authorization header', () => {
  it.each([
    [['Bearer abc'], 'abc'],
    [['bEaReR   a.b-c_~+/=='], 'a.b-c_~+/=='],
    [['Bearer abc  '], 'abc'],
    [[], null],
    [[''], null],
    [['Bearer'], null],
    [['Bearer '], null],
    [['Basic abc'], null],
    [['Bearerabc'], null],
    [['Bearer a b'], null],
    [['Bearer a,b'], null],
    [['Bearer "a"'], null],
    [['Bearer é'], null],
    [['Bearer\tabc'], null],
    [[' Bearer abc, Bearer abc'], null],
    [['Bearer abc', 'Bearer abc'], null],
    [[`Bearer ${'a'.repeat(5_000)}`], null],
  ] as [string[], string | null][])('%j is %j', (lines, want) => {
    expect(bearerToken(lines)).toBe(want);
  });
});

describe.each(engines)('authentication on $name', ({ name, createStore }) => {
  const clock = createClock();
  let store: TestStore;
  let database: Database;
  let principals: Principals;
  let authentication: Authentication;
  let account: string;
  let organization: string;

  beforeAll(async () => {
    store = await createStore(clock);
    const made = await createDevelopment(createPrincipals(await store.open()), { random: randomBytes, perMinute: 60 });
    ({ account, organization } = made!);
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    database = await store.open();
    principals = createPrincipals(database);
    authentication = createAuthentication({ principals, clock, cacheSeconds: 2 });
  });

  const issue = async (expiresInSeconds: number | null = null): Promise<{ token: string; prefix: string }> => {
    const { token, hash, prefix } = issueToken(randomBytes);
    await principals.createToken({ hash, prefix, account, label: 'test', scopes: ['posts:read'], expiresInSeconds });
    return { token, prefix };
  };
  /** As a request does it: each comes up in a turn of the event loop of its own. */
  const as = async (token: string) => {
    await nextTurn();
    return authentication.authenticate([`Bearer ${token}`]);
  };

  it('a live token stands for its account, with its scopes and budget', async () => {
    const { token } = await issue();
    expect(await as(token)).toEqual({ account, organization, scopes: new Set(['posts:read']), perMinute: 60 });
    expect(await as(token), 'one object from memory').toBe(await as(token));
  });

  it('AUT-01 to AUT-05 missing, malformed, unknown, expired and revoked say the same', async () => {
    const expiring = await issue(30);
    const revoked = await issue();
    await as(expiring.token);
    await as(revoked.token);
    clock.pass(30_000);
    await principals.revokeToken(revoked.prefix);
    const asked = [
      [],
      ['Basic x'],
      ['Bearer junk'],
      [`Bearer ${issueToken(randomBytes).token}`],
      [`Bearer ${expiring.token}`],
      [`Bearer ${revoked.token}`],
    ];
    for (const lines of asked) {
      const { code, message, headers } = await refusal(authentication.authenticate(lines));
      expect({ code, message, headers }, JSON.stringify(lines)).toEqual({
        code: 'unauthorized',
        message: 'A valid bearer token is needed in one Authorization header.',
        headers: { 'WWW-Authenticate': 'Bearer' },
      });
    }
  });

  it('AUT-11 the store is not asked for what cannot be a token', async () => {
    let asked = 0;
    const counted = {
      ...principals,
      credential: (hash: string) => ((asked += 1), principals.credential(hash)),
    };
    const { authenticate } = createAuthentication({ principals: counted, clock, cacheSeconds: 2 });
    await refusal(authenticate(['Bearer junk']));
    expect(asked).toBe(0);
    await refusal(authenticate([`Bearer ${issueToken(randomBytes).token}`]));
    expect(asked).toBe(1);
  });

  it('AUT-04 a token in memory still ends at its instant', async () => {
    const { token } = await issue(1);
    await as(token);
    clock.pass(999);
    await as(token);
    clock.pass(1);
    expect((await refusal(as(token))).code).toBe('unauthorized');
  });

  it('AUT-05 a revocation by another process shows within 2 s, on the embedded store at the next request', async () => {
    const { token, prefix } = await issue();
    await as(token);
    expect(await createPrincipals(await store.open()).revokeToken(prefix)).toEqual([prefix]);
    if (name === 'postgres') clock.pass(2_000);
    expect((await refusal(as(token))).code).toBe('unauthorized');
  });

  it('AUT-08 F11 a store that cannot answer neither accepts nor refuses', async () => {
    const { token } = await issue();
    await database.close();
    const { code, headers } = await refusal(as(token));
    expect({ code, headers }).toEqual({ code: 'dependency-unavailable', headers: { 'Retry-After': '5' } });
  });

  it('AUT-11 no token is in the store, only its hash', async () => {
    const { token, prefix } = await issue();
    const everything = JSON.stringify(await database.query('select * from token'));
    expect(everything).toContain(tokenHash(token));
    expect(everything).not.toContain(token.slice(prefix.length));
  });

  it('only the first of several nodes that start on an empty store makes the development token', async () => {
    expect(await createDevelopment(principals, { random: randomBytes, perMinute: 60 })).toBeNull();
  });
});
