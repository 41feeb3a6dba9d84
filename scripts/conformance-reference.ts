/**
 * The reference of the self-proof and of fuzzing: the service in a process of its own with the sandbox networks, its store in memory,
 * and everything that a target file declares. Prints the target as one line of JSON and serves until its standard input ends.
 *
 * Budgets are wide but for the role of the rate-limit profile, as hundreds of runs go against it one after another.
 */
import { randomBytes } from 'node:crypto';
import { issueToken, tokenHash } from '../src/auth/tokens.ts';
import { readConfig } from '../src/config.ts';
import type { Scope } from '../src/model.ts';
import { startService, type Service } from '../src/service.ts';

const WIDE = 1_000_000;
const DAY = 86_400;
const both: readonly Scope[] = ['creators:read', 'posts:read'];

interface Issue {
  readonly account: string;
  readonly scopes?: readonly Scope[];
  readonly expiresInSeconds?: number;
}

const issue = async (
  { principals }: Service,
  { account, scopes = both, expiresInSeconds = DAY }: Issue,
): Promise<string> => {
  const { token, hash, prefix } = issueToken(randomBytes);
  await principals.createToken({ hash, prefix, account, label: 'reference', scopes, expiresInSeconds });
  return token;
};

async function createOrganizations({ principals }: Service): Promise<void> {
  for (const slug of ['reference', 'joined', 'granting', 'stranger'])
    await principals.createOrganization({ id: `org_${slug}`, slug, marketplace: true });
  for (const [id, perMinute] of [
    ['full', WIDE],
    ['other', WIDE],
    ['limited', 60],
  ] as const) {
    await principals.createAccount({ id, organization: 'org_reference', name: id, perMinute });
  }
  await principals.addMember({ account: 'full', organization: 'org_joined', role: 'member' });
  await principals.addGrant({ from: 'org_granting', to: 'org_reference', role: 'agency' });
  await principals.createProfile({ id: 'profile_own', organization: 'org_reference', slug: 'campaign' });
  await principals.createProfile({ id: 'profile_foreign', organization: 'org_stranger', slug: 'theirs' });
}

async function createTokens(service: Service): Promise<object> {
  const token = async (principal: string, options: Omit<Issue, 'account'> = {}) => ({
    token: await issue(service, { account: principal, ...options }),
    principal,
  });
  const tokens = {
    full: await token('full'),
    creatorsOnly: await token('full', { scopes: ['creators:read'] }),
    postsOnly: await token('full', { scopes: ['posts:read'] }),
    otherPrincipal: await token('other'),
    expired: await token('full', { expiresInSeconds: -60 }),
    revoked: await token('full'),
    rateLimited: await token('limited'),
    rateLimitedSecond: await token('limited'),
  };
  await service.principals.revokeToken(tokenHash(tokens.revoked.token));
  return tokens;
}

const creators = {
  notHeld: 'conf-{uuid}',
  missing: 'missing-{uuid}',
  broken: 'broken-{uuid}',
  bare: 'bare-{uuid}',
  silent: 'silent-{uuid}',
};
const posts = {
  notHeld: 'conf{uuid}',
  missing: 'missing{uuid}',
  old: 'old{uuid}',
  orphan: 'orphan{uuid}',
  broken: 'broken{uuid}',
  bare: 'bare{uuid}',
  carousel: 'carousel{uuid}',
};

const networks = {
  netA: {
    creators: { ...creators, held: 'ada' },
    posts: { ...posts, held: 'C1x' },
    urls: {
      profile: 'https://neta.example/{handle}',
      post: 'https://neta.example/p/{post}',
      reel: 'https://neta.example/reel/{post}',
    },
  },
  netB: {
    creators: { ...creators, held: 'grace.hopper' },
    posts: { ...posts, held: '7301' },
    urls: { profile: 'https://netb.example/@{handle}', post: 'https://netb.example/@someone/video/{post}' },
  },
};

const wholeTarget = (service: Service, tokens: object): object => ({
  name: 'reference',
  baseUrl: service.url,
  tokens,
  organizations: {
    own: 'reference',
    member: 'joined',
    delegated: 'granting',
    withoutRole: 'stranger',
    id: 'org_joined',
  },
  profiles: { own: 'campaign', foreign: 'theirs' },
  networks,
  unsupportedNetwork: 'netZ',
  capabilities: { budget: 60, windowSeconds: 60, clockSkewSeconds: 3 },
});

/** Until what the target calls held is held. */
async function discover(service: Service, token: string): Promise<void> {
  const ask = async (path: string): Promise<number> =>
    (await fetch(`${service.url}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } })).status;
  const held = [
    '/creators/netA/ada',
    '/creators/netB/grace.hopper',
    '/posts?url=https://neta.example/p/C1x',
    '/posts?url=https://netb.example/@grace.hopper/video/7301',
  ];
  for (const path of held)
    for (let tries = 0; tries < 100 && (await ask(path)) === 202; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 50));
}

/** One attempt and no circuit breaker: runs by the hundred ask for what fails, and none may change what the next one sees. */
const environment = {
  HOST: '127.0.0.1',
  PORT: '0',
  DATA_DIR: ':memory:',
  LOG_LEVEL: 'silent',
  DRAIN_SECONDS: '0',
  ENVIRONMENT: 'development',
  CIRCUIT_FAILURES: '10000',
  DISCOVERY_ATTEMPTS: '1',
  CALLS_PER_MINUTE: '10000000',
  CALLS_BURST: '1000000',
  POLL_MILLISECONDS: '20',
};
const service = await startService(readConfig(environment), {
  sandbox: { ordinaryMilliseconds: 20, slowMilliseconds: 50 },
});
await createOrganizations(service);
const tokens = (await createTokens(service)) as { full: { token: string } };
await discover(service, tokens.full.token);
process.stdout.write(`${JSON.stringify(wholeTarget(service, tokens))}\n`);
process.stdin.resume().on('end', () => void service.close().then(() => process.exit(0)));
