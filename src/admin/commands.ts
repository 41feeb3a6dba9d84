/** Every verb of `npm run admin`: what it takes, what it does, what it says. */
import { newId } from '../auth/development.ts';
import { issueToken, type RandomBytes } from '../auth/tokens.ts';
import { parseIdentifier } from '../lookup/identifier.ts';
import { entityOf, keyOf, type Entity, type Instant, type Scope } from '../model.ts';
import { networks } from '../networks/index.ts';
import type { Discoveries } from '../storage/discoveries.ts';
import type { Documents } from '../storage/documents.ts';
import type { Account, Organization, Principals } from '../storage/principals.ts';
import { Failed, Usage, type Arguments, type Shape } from './arguments.ts';

export interface Store {
  readonly principals: Principals;
  readonly documents: Documents;
  readonly discoveries: Discoveries;
  readonly random: RandomBytes;
  readonly defaultPerMinute: number;
}

/** What a command says: rows for a table (and `--json`), with a line before it for people. */
export interface Said {
  readonly line?: string;
  readonly rows?: readonly object[];
  readonly value?: object;
}

export interface Command extends Shape {
  readonly about: string;
  readonly run: (store: Store, given: Arguments) => Promise<Said>;
}

const scopes: readonly Scope[] = ['creators:read', 'posts:read'];
const slugForm = /^[a-z0-9][a-z0-9-]{0,62}$/;
const secondsOf = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;
const longestSeconds = 10 * 365 * 86_400;

function slugOf(text: string): string {
  if (slugForm.test(text)) return text;
  throw new Usage(
    `${JSON.stringify(text)} is no slug: 1 to 63 lower-case letters, digits and hyphens, not a hyphen first`,
  );
}

function budgetOf(text: string): number {
  const value = /^[0-9]{1,7}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= 1_000_000) return value;
  throw new Usage(`${JSON.stringify(text)} is no budget: whole requests a minute, 1 to 1000000`);
}

function durationOf(text: string): number {
  const [, count, unit] = /^([0-9]{1,9})([smhd])$/.exec(text) ?? [];
  const seconds = count && unit ? Number(count) * secondsOf[unit as keyof typeof secondsOf] : 0;
  if (seconds >= 1 && seconds <= longestSeconds) return seconds;
  throw new Usage(`${JSON.stringify(text)} is no duration: a number and s, m, h or d, such as 90d, at most 3650d`);
}

function scopesOf(text: string): Scope[] {
  const named = [
    ...new Set(
      text
        .split(',')
        .map((scope) => scope.trim())
        .filter(Boolean),
    ),
  ];
  const wrong = named.find((scope) => !scopes.includes(scope as Scope));
  if (wrong === undefined && named.length > 0) return named as Scope[];
  throw new Usage(`${JSON.stringify(wrong ?? text)} is no scope: ${scopes.join(', ')}, comma separated`);
}

async function organizationNamed(principals: Principals, name: string): Promise<Organization> {
  const found = (await principals.organizationBySlug(name)) ?? (await principals.organization(name));
  if (!found) throw new Failed(`There is no organization ${JSON.stringify(name)}; \`org list\` shows them`);
  return found;
}

async function accountNamed(principals: Principals, id: string): Promise<Account> {
  const found = await principals.account(id);
  if (!found) throw new Failed(`There is no account ${JSON.stringify(id)}; \`account list\` shows them`);
  return found;
}

/** Of an organization that was named, or of all. */
const within = async (principals: Principals, name: string): Promise<string | undefined> =>
  name ? (await organizationNamed(principals, name)).id : undefined;

const onOff = (text: string): boolean => {
  if (text === 'on' || text === 'off') return text === 'on';
  throw new Usage(`${JSON.stringify(text)} is neither on nor off`);
};

/** Any spelling that a caller might have used names it: a handle with `@`, a URL, a media id. */
function entityNamed(given: Arguments): Entity {
  const [kind, network, name] = [given.word('kind'), given.word('network'), given.word('name')];
  if (kind !== 'creator' && kind !== 'post') throw new Usage(`${JSON.stringify(kind)} is neither creator nor post`);
  const parsed = parseIdentifier(name, kind, network, networks);
  if ('entity' in parsed) return parsed.entity;
  if (parsed.reason === 'unparseable-identifier')
    throw new Usage(`${JSON.stringify(name)} names no ${kind} of ${network}`);
  throw new Usage(`${JSON.stringify(network)} is no network: ${networks.map(({ name: known }) => known).join(', ')}`);
}

const time = (at: Instant | null): string | null => (at === null ? null : new Date(at).toISOString());

const org: Record<string, Command> = {
  create: {
    about: 'Add an organization',
    words: ['slug'],
    options: ['marketplace!'],
    async run({ principals, random }, given) {
      const value = {
        id: newId('org', random),
        slug: slugOf(given.word('slug')),
        marketplace: given.flag('marketplace'),
      };
      if (!(await principals.createOrganization(value)))
        throw new Failed(`An organization ${value.slug} exists already`);
      return { line: `Created organization ${value.slug}, ${value.id}`, value };
    },
  },
  list: {
    about: 'Show all organizations',
    words: [],
    async run({ principals }) {
      const found = await principals.organizations();
      return { rows: found.map(({ createdAt, ...rest }) => ({ ...rest, createdAt: time(createdAt) })) };
    },
  },
  marketplace: {
    about: 'Say whether an organization has credentials of the partner marketplace',
    words: ['org', 'on|off'],
    async run({ principals }, given) {
      const marketplace = onOff(given.word('on|off'));
      const { id, slug } = await organizationNamed(principals, given.word('org'));
      await principals.setMarketplace(id, marketplace);
      return { line: `Marketplace of ${slug} is ${given.word('on|off')}`, value: { id, slug, marketplace } };
    },
  },
};

const account: Record<string, Command> = {
  create: {
    about: 'Add a service account to an organization',
    words: ['org', 'name'],
    options: ['budget'],
    async run({ principals, random, defaultPerMinute }, given) {
      const perMinute = budgetOf(given.option('budget') ?? String(defaultPerMinute));
      const organization = (await organizationNamed(principals, given.word('org'))).id;
      const value = { id: newId('acc', random), organization, name: given.word('name'), perMinute };
      await principals.createAccount(value);
      return { line: `Created account ${value.id} with ${perMinute} requests a minute`, value };
    },
  },
  list: {
    about: 'Show service accounts',
    words: ['[org]'],
    async run({ principals }, given) {
      const found = await principals.accounts(await within(principals, given.word('org')));
      return { rows: found.map(({ createdAt, ...rest }) => ({ ...rest, createdAt: time(createdAt) })) };
    },
  },
  budget: {
    about: "Set an account's requests a minute",
    words: ['account', 'requests'],
    async run({ principals }, given) {
      const perMinute = budgetOf(given.word('requests'));
      const { id } = await accountNamed(principals, given.word('account'));
      await principals.setBudget(id, perMinute);
      return { line: `Account ${id} has ${perMinute} requests a minute`, value: { id, perMinute } };
    },
  },
};

const token: Record<string, Command> = {
  issue: {
    about: 'Issue a token; it is shown once',
    words: ['account'],
    options: ['scopes', 'expires', 'label'],
    async run({ principals, random }, given) {
      const expires = given.option('expires');
      const expiresInSeconds = expires === undefined ? null : durationOf(expires);
      const granted = scopesOf(given.option('scopes') ?? scopes.join(','));
      const { id } = await accountNamed(principals, given.word('account'));
      const { token: text, hash, prefix } = issueToken(random);
      const label = given.option('label') ?? '';
      await principals.createToken({ hash, prefix, account: id, label, scopes: granted, expiresInSeconds });
      return {
        line: `Token ${prefix}… for ${id}, shown only now:\n\n  ${text}\n`,
        value: { token: text, prefix, account: id, label, scopes: granted, expiresInSeconds },
      };
    },
  },
  list: {
    about: 'Show tokens by their first characters',
    words: ['[account]'],
    async run({ principals }, given) {
      const found = await principals.tokens(given.word('account') || undefined);
      const rows = found.map(({ hash: _never, createdAt, expiresAt, revokedAt, ...rest }) => ({
        ...rest,
        createdAt: time(createdAt),
        expiresAt: time(expiresAt),
        revokedAt: time(revokedAt),
      }));
      return { rows };
    },
  },
  revoke: {
    about: 'Revoke a token, named by its first characters',
    words: ['prefix'],
    async run({ principals }, given) {
      const revoked = await principals.revokeToken(given.word('prefix').replace(/…$/, ''));
      if (revoked.length === 0)
        throw new Failed(
          `No live token begins with exactly ${JSON.stringify(given.word('prefix'))}; \`token list\` shows them`,
        );
      return { line: `Revoked ${revoked.join(', ')}`, value: { revoked } };
    },
  },
};

const member: Record<string, Command> = {
  add: {
    about: 'Give an account a role in another organization',
    words: ['account', 'org'],
    options: ['role'],
    async run({ principals }, given) {
      const { id } = await accountNamed(principals, given.word('account'));
      const { id: organization, slug } = await organizationNamed(principals, given.word('org'));
      const value = { account: id, organization, role: given.option('role') ?? 'member' };
      await principals.addMember(value);
      return { line: `Account ${id} is ${value.role} of ${slug}`, value };
    },
  },
  remove: {
    about: "Take an account's role away",
    words: ['account', 'org'],
    async run({ principals }, given) {
      const { id, slug } = await organizationNamed(principals, given.word('org'));
      const value = { account: given.word('account'), organization: id };
      if (!(await principals.removeMember(value.account, id)))
        throw new Failed(`${value.account} is no member of ${slug}`);
      return { line: `Account ${value.account} is no longer a member of ${slug}`, value };
    },
  },
  list: {
    about: 'Show members',
    words: ['[org]'],
    run: async ({ principals }, given) => ({
      rows: await principals.members(await within(principals, given.word('org'))),
    }),
  },
};

const pair = async (principals: Principals, given: Arguments): Promise<[Organization, Organization]> => {
  const [from, to] = await Promise.all(
    ['from-org', 'to-org'].map((name) => organizationNamed(principals, given.word(name))),
  );
  return [from!, to!];
};

const grant: Record<string, Command> = {
  add: {
    about: 'Let the accounts of one organization (to) act for another (from)',
    words: ['from-org', 'to-org'],
    options: ['role'],
    async run({ principals }, given) {
      const [from, to] = await pair(principals, given);
      if (from.id === to.id) throw new Usage('An organization needs no grant for itself');
      const value = { from: from.id, to: to.id, role: given.option('role') ?? 'delegate' };
      await principals.addGrant(value);
      return { line: `${to.slug} may act for ${from.slug}`, value };
    },
  },
  remove: {
    about: 'Take such a grant back',
    words: ['from-org', 'to-org'],
    async run({ principals }, given) {
      const [from, to] = await pair(principals, given);
      if (!(await principals.removeGrant(from.id, to.id)))
        throw new Failed(`${from.slug} has granted ${to.slug} nothing`);
      return { line: `${to.slug} may no longer act for ${from.slug}`, value: { from: from.id, to: to.id } };
    },
  },
  list: {
    about: 'Show delegated grants',
    words: [],
    run: async ({ principals }) => ({ rows: await principals.grants() }),
  },
};

const profile: Record<string, Command> = {
  create: {
    about: 'Add a profile to an organization, for asProfile',
    words: ['org', 'slug'],
    async run({ principals, random }, given) {
      const slug = slugOf(given.word('slug'));
      const { id: organization } = await organizationNamed(principals, given.word('org'));
      const value = { id: newId('prf', random), organization, slug };
      if (!(await principals.createProfile(value))) throw new Failed(`The organization has a profile ${slug} already`);
      return { line: `Created profile ${slug}, ${value.id}`, value };
    },
  },
  list: {
    about: 'Show profiles',
    words: ['[org]'],
    run: async ({ principals }, given) => ({
      rows: await principals.profiles(await within(principals, given.word('org'))),
    }),
  },
};

const adminLeaseSeconds = 15;

const entity: Record<string, Command> = {
  show: {
    about: 'Show all that is held of a creator or post',
    words: ['kind', 'network', 'name'],
    async run({ documents }, given) {
      const key = keyOf(entityNamed(given));
      const value = await documents.show(key);
      if (!value) throw new Failed(`Nothing is held of ${key}`);
      return { line: JSON.stringify(value, null, 2), value };
    },
  },
  refresh: {
    about: 'Make what is held stale and queue its discovery',
    words: ['kind', 'network', 'name'],
    async run({ documents, discoveries }, given) {
      const key = keyOf(entityNamed(given));
      const stale = await documents.expire(key);
      const by = {
        owner: null,
        leaseSeconds: adminLeaseSeconds,
        account: 'admin',
        organization: 'admin',
        profile: null,
        deep: false,
      };
      const started = (await discoveries.startOrJoin([{ key, waitSeconds: 5 }], by)).get(key)?.started ?? false;
      return {
        line: `${key}: ${started ? 'discovery queued' : 'a discovery is already under way'}`,
        value: { key, wasHeld: stale, started },
      };
    },
  },
  forget: {
    about: 'Remove all that is held, of a creator its posts too (a privacy request)',
    words: ['kind', 'network', 'name'],
    async run({ documents }, given) {
      const named = entityNamed(given);
      const removed = await documents.forget(named);
      const line =
        removed === 0 ? `Nothing was held of ${keyOf(named)}` : `Forgot ${keyOf(named)}: ${removed} entities`;
      return { line, value: { ...entityOf(keyOf(named)), removed } };
    },
  },
};

export const commands: Readonly<Record<string, Readonly<Record<string, Command>>>> = {
  org,
  account,
  token,
  member,
  grant,
  profile,
  entity,
};
