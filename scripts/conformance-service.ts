/**
 * The service as the conformance suite's reference: an empty store in memory, organizations and a token for each role.
 * Run as a program it prints one JSON line with its address and tokens; they die with the process.
 */
import { randomBytes } from 'node:crypto';

import { newId } from '../src/auth/development.ts';
import { issueToken } from '../src/auth/tokens.ts';
import { readConfig } from '../src/config.ts';
import type { Scope } from '../src/model.ts';
import { startService, type Overrides, type Service } from '../src/service.ts';

export interface ReferenceOptions {
  /** Requests a minute of every account but the rate-limited one; 60 unless told. */
  readonly perMinute?: number;
  readonly overrides?: Overrides;
  /** Settings of the service other than its own here. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** In the form of a target file: what the suite has to be told of it. */
export interface Reference {
  readonly baseUrl: string;
  readonly tokens: Readonly<Record<string, { value: string; principal: string }>>;
  readonly organizations: {
    readonly own: string;
    readonly member: string;
    readonly delegated: string;
    readonly withoutRole: string;
    readonly id: string;
  };
  readonly profiles: { readonly own: string; readonly foreign: string };
  readonly service: Service;
}

const both: readonly Scope[] = ['creators:read', 'posts:read'];

export async function startReference({
  perMinute = 60,
  overrides = {},
  settings = {},
}: ReferenceOptions = {}): Promise<Reference> {
  const environment = {
    DATA_DIR: ':memory:',
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'silent',
    ENVIRONMENT: 'production',
    ...settings,
  };
  const service = await startService(readConfig(environment), overrides);
  const { principals } = service;
  const organization = async (slug: string, marketplace: boolean): Promise<string> => {
    const id = newId('org', randomBytes);
    await principals.createOrganization({ id, slug, marketplace });
    return id;
  };
  const account = async (name: string, of: string, budget: number): Promise<string> => {
    const id = newId('acc', randomBytes);
    await principals.createAccount({ id, organization: of, name, perMinute: budget });
    return id;
  };
  const token = async (
    of: string,
    scopes: readonly Scope[],
    expiresInSeconds: number | null = null,
  ): Promise<{ value: string; prefix: string }> => {
    const { token: value, hash, prefix } = issueToken(randomBytes);
    await principals.createToken({ hash, prefix, account: of, label: 'conformance', scopes, expiresInSeconds });
    return { value, prefix };
  };

  const home = await organization('home', true);
  const partner = await organization('partner', true);
  const client = await organization('agency-client', true);
  const stranger = await organization('stranger', true);
  const plain = await organization('plain', false);
  const full = await account('full', home, perMinute);
  await principals.addMember({ account: full, organization: partner, role: 'reader' });
  await principals.addGrant({ from: client, to: home, role: 'reader' });
  await principals.createProfile({ id: newId('prf', randomBytes), organization: home, slug: 'campaign' });
  await principals.createProfile({ id: newId('prf', randomBytes), organization: stranger, slug: 'secret-campaign' });

  const rateLimited = await account('rate limited', home, 60);
  const revoked = await token(full, both);
  await principals.revokeToken(revoked.prefix);
  const of = async (name: string, scopes: readonly Scope[], organizationId = home): Promise<string> =>
    (await token(await account(name, organizationId, perMinute), scopes)).value;
  return {
    baseUrl: service.url,
    tokens: {
      full: { value: (await token(full, both)).value, principal: 'full' },
      creatorsOnly: { value: await of('creators only', ['creators:read']), principal: 'creatorsOnly' },
      postsOnly: { value: await of('posts only', ['posts:read']), principal: 'postsOnly' },
      otherPrincipal: { value: await of('other', both), principal: 'otherPrincipal' },
      withoutMarketplace: {
        value: await of('without marketplace', both, plain),
        principal: 'withoutMarketplace',
      },
      expired: { value: (await token(full, both, -60)).value, principal: 'full' },
      revoked: { value: revoked.value, principal: 'full' },
      rateLimited: { value: (await token(rateLimited, both)).value, principal: 'rateLimited' },
      rateLimitedSecond: { value: (await token(rateLimited, both)).value, principal: 'rateLimited' },
    },
    organizations: {
      own: 'home',
      member: 'partner',
      delegated: 'agency-client',
      withoutRole: 'stranger',
      id: stranger,
    },
    profiles: { own: 'campaign', foreign: 'secret-campaign' },
    service,
  };
}

if (import.meta.main) {
  const { service, ...reference } = await startReference();
  const stop = (): void => void service.close().then(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  process.stdout.write(`${JSON.stringify(reference)}\n`);
}
