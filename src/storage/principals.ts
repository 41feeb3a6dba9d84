/** Who may ask: organizations, service accounts, tokens (by hash only, AUT-11), memberships, delegated grants, profiles. */
import type { Instant, Scope } from '../model.ts';
import type { Database, Parameter } from './database.ts';

export interface Organization {
  readonly id: string;
  readonly slug: string;
  /** Has credentials of the partner marketplace (DOC-13). */
  readonly marketplace: boolean;
  readonly createdAt: Instant;
}
export interface Account {
  readonly id: string;
  readonly organization: string;
  readonly name: string;
  readonly perMinute: number;
  readonly createdAt: Instant;
}
export interface Token {
  readonly hash: string;
  /** First characters, by which people know it. */
  readonly prefix: string;
  readonly account: string;
  readonly label: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Instant;
  readonly expiresAt: Instant | null;
  readonly revokedAt: Instant | null;
}
export interface Member {
  readonly account: string;
  readonly organization: string;
  readonly role: string;
}
/** `from` lets every account of `to` act for it. */
export interface Grant {
  readonly from: string;
  readonly to: string;
  readonly role: string;
}
export interface Profile {
  readonly id: string;
  readonly organization: string;
  readonly slug: string;
}

/** A token that is neither expired nor revoked by the store's clock when asked, with its account. */
export interface Credential {
  readonly account: string;
  readonly organization: string;
  readonly perMinute: number;
  readonly scopes: readonly Scope[];
  /** Milliseconds it has left at that moment; null: for ever. */
  readonly remainingMilliseconds: number | null;
}

/** Admin writes answer false where there was nothing to change. Unique names that are taken make `create…` false too. */
export interface Principals {
  /** Changes whenever something may have changed on this store; PostgreSQL: by this process only. */
  version(): string;
  /** Null: unknown, expired or revoked; which of them is nobody's business (AUT-03 to AUT-05). */
  credential(hash: string): Promise<Credential | null>;
  organization(id: string): Promise<Organization | null>;
  organizationBySlug(slug: string): Promise<Organization | null>;
  /** The organization of that slug, if the account is a member (ORG-01) or its organization was granted a role (ORG-02). */
  actable(slug: string, account: string, organization: string): Promise<Organization | null>;
  profile(organization: string, slug: string): Promise<Profile | null>;
  isEmpty(): Promise<boolean>;

  organizations(): Promise<Organization[]>;
  createOrganization(organization: Pick<Organization, 'id' | 'slug' | 'marketplace'>): Promise<boolean>;
  setMarketplace(id: string, marketplace: boolean): Promise<boolean>;
  accounts(organization?: string): Promise<Account[]>;
  account(id: string): Promise<Account | null>;
  createAccount(account: Omit<Account, 'createdAt'>): Promise<boolean>;
  setBudget(account: string, perMinute: number): Promise<boolean>;
  tokens(account?: string): Promise<Token[]>;
  createToken(
    token: Omit<Token, 'createdAt' | 'revokedAt' | 'expiresAt'> & { readonly expiresInSeconds: number | null },
  ): Promise<boolean>;
  /** By hash or by prefix; answers the prefixes that are now revoked. */
  revokeToken(name: string): Promise<string[]>;
  members(organization?: string): Promise<Member[]>;
  addMember(member: Member): Promise<boolean>;
  removeMember(account: string, organization: string): Promise<boolean>;
  grants(): Promise<Grant[]>;
  addGrant(grant: Grant): Promise<boolean>;
  removeGrant(from: string, to: string): Promise<boolean>;
  profiles(organization?: string): Promise<Profile[]>;
  createProfile(profile: Profile): Promise<boolean>;
}

const organizationColumns = 'o.id, o.slug, o.marketplace, o.created_at as "createdAt"';
const accountColumns = 'id, organization, name, per_minute as "perMinute", created_at as "createdAt"';
const tokenColumns = `hash, prefix, account, label, scopes, created_at as "createdAt", expires_at as "expiresAt", revoked_at as "revokedAt"`;

const sql = {
  credential: `
    select a.id as account, a.organization, a.per_minute as "perMinute", t.scopes,
           t.expires_at - now_ms() as "remainingMilliseconds"
      from token t join account a on a.id = t.account
     where t.hash = $1 and t.revoked_at is null and (t.expires_at is null or t.expires_at > now_ms())`,
  actable: `
    select ${organizationColumns} from organization o
     where o.slug = $1
       and (exists (select 1 from member m where m.organization = o.id and m.account = $2)
         or exists (select 1 from delegation d where d.grantor = o.id and d.grantee = $3))`,
  organization: `select ${organizationColumns} from organization o where o.id = $1`,
  organizationBySlug: `select ${organizationColumns} from organization o where o.slug = $1`,
  organizations: `select ${organizationColumns} from organization o order by o.slug`,
  createOrganization: `
    insert into organization (id, slug, marketplace, created_at) values ($1, $2, $3, now_ms()) on conflict do nothing returning id`,
  setMarketplace: 'update organization set marketplace = $2 where id = $1 returning id',
  account: `select ${accountColumns} from account where id = $1`,
  accounts: `select ${accountColumns} from account where cast($1 as text) is null or organization = $1 order by created_at, id`,
  createAccount: `
    insert into account (id, organization, name, per_minute, created_at) values ($1, $2, $3, $4, now_ms())
    on conflict do nothing returning id`,
  setBudget: 'update account set per_minute = $2 where id = $1 returning id',
  tokens: `select ${tokenColumns} from token where cast($1 as text) is null or account = $1 order by created_at, hash`,
  createToken: `
    insert into token (hash, prefix, account, label, scopes, created_at, expires_at)
    values ($1, $2, $3, $4, $5, now_ms(), now_ms() + cast($6 as bigint)) on conflict do nothing returning hash`,
  revokeToken: `
    update token set revoked_at = now_ms() where (hash = $1 or prefix = $1) and revoked_at is null returning prefix`,
  members: `select account, organization, role from member where cast($1 as text) is null or organization = $1
    order by organization, account`,
  addMember: `
    insert into member (account, organization, role, created_at) values ($1, $2, $3, now_ms())
    on conflict (account, organization) do update set role = excluded.role returning account`,
  removeMember: 'delete from member where account = $1 and organization = $2 returning account',
  grants: 'select grantor as "from", grantee as "to", role from delegation order by grantor, grantee',
  addGrant: `
    insert into delegation (grantor, grantee, role, created_at) values ($1, $2, $3, now_ms())
    on conflict (grantor, grantee) do update set role = excluded.role returning grantor`,
  removeGrant: 'delete from delegation where grantor = $1 and grantee = $2 returning grantor',
  profile: 'select id, organization, slug from profile where organization = $1 and slug = $2',
  profiles: `select id, organization, slug from profile where cast($1 as text) is null or organization = $1
    order by organization, slug`,
  createProfile: `
    insert into profile (id, organization, slug, created_at) values ($1, $2, $3, now_ms()) on conflict do nothing returning id`,
};

type Stored<Value, Key extends keyof Value> = Omit<Value, Key> & { readonly [key in Key]: string | number };

const organizationOf = (row: Stored<Organization, 'marketplace'>): Organization => ({
  ...row,
  marketplace: row.marketplace === 1,
});
const scopesOf = (text: string | number): Scope[] => String(text).split(' ').filter(Boolean) as Scope[];
const withScopes = <Row extends { readonly scopes: string | number }>(row: Row) => ({
  ...row,
  scopes: scopesOf(row.scopes),
});

export function createPrincipals(database: Database): Principals {
  let written = 0;

  async function one<Row, Value>(
    text: string,
    values: readonly Parameter[],
    map: (row: Row) => Value,
  ): Promise<Value | null> {
    const [row] = await database.query<Row>(text, values);
    return row === undefined ? null : map(row);
  }
  async function many<Row, Value>(
    text: string,
    values: readonly Parameter[],
    map: (row: Row) => Value,
  ): Promise<Value[]> {
    return (await database.query<Row>(text, values)).map(map);
  }
  async function write(text: string, values: readonly Parameter[]): Promise<boolean> {
    const rows = await database.query(text, values);
    written += 1;
    return rows.length > 0;
  }
  const plain = <Row extends object>(row: Row): Row => ({ ...row });

  return {
    version: () => `${written}/${database.engine === 'sqlite' ? database.dataVersion() : 0}`,
    credential: (hash) => one(sql.credential, [hash], withScopes<Stored<Credential, 'scopes'>>),
    organization: (id) => one(sql.organization, [id], organizationOf),
    organizationBySlug: (slug) => one(sql.organizationBySlug, [slug], organizationOf),
    actable: (slug, account, organization) => one(sql.actable, [slug, account, organization], organizationOf),
    profile: (organization, slug) => one(sql.profile, [organization, slug], plain<Profile>),
    isEmpty: async () => (await database.query('select 1 as one from organization limit 1')).length === 0,

    organizations: () => many(sql.organizations, [], organizationOf),
    createOrganization: ({ id, slug, marketplace }) => write(sql.createOrganization, [id, slug, marketplace ? 1 : 0]),
    setMarketplace: (id, marketplace) => write(sql.setMarketplace, [id, marketplace ? 1 : 0]),
    accounts: (organization) => many(sql.accounts, [organization ?? null], plain<Account>),
    account: (id) => one(sql.account, [id], plain<Account>),
    createAccount: ({ id, organization, name, perMinute }) =>
      write(sql.createAccount, [id, organization, name, perMinute]),
    setBudget: (account, perMinute) => write(sql.setBudget, [account, perMinute]),
    tokens: (account) => many(sql.tokens, [account ?? null], withScopes<Stored<Token, 'scopes'>>),
    createToken: ({ hash, prefix, account, label, scopes, expiresInSeconds }) =>
      write(sql.createToken, [
        hash,
        prefix,
        account,
        label,
        scopes.join(' '),
        expiresInSeconds === null ? null : expiresInSeconds * 1_000,
      ]),
    async revokeToken(name) {
      const rows = await database.query<{ prefix: string }>(sql.revokeToken, [name]);
      written += 1;
      return rows.map(({ prefix }) => prefix);
    },
    members: (organization) => many(sql.members, [organization ?? null], plain<Member>),
    addMember: ({ account, organization, role }) => write(sql.addMember, [account, organization, role]),
    removeMember: (account, organization) => write(sql.removeMember, [account, organization]),
    grants: () => many(sql.grants, [], plain<Grant>),
    addGrant: ({ from, to, role }) => write(sql.addGrant, [from, to, role]),
    removeGrant: (from, to) => write(sql.removeGrant, [from, to]),
    profiles: (organization) => many(sql.profiles, [organization ?? null], plain<Profile>),
    createProfile: ({ id, organization, slug }) => write(sql.createProfile, [id, organization, slug]),
  };
}
