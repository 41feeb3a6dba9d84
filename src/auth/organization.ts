import { Refusal, type Actor, type Clock, type Instant, type Principal } from '../model.ts';
import { orUnavailable, orUnavailableAtOnce } from '../storage/outage.ts';
import type { Organization, Principals } from '../storage/principals.ts';

export interface Asked {
  readonly asOrg?: string | undefined;
  readonly asProfile?: string | undefined;
}

export interface Organizations {
  /**
   * What the principal acts as. Throws a Refusal, `asOrg` before `asProfile` (AUT-10): `not-found` for an id (ORG-04) or an
   * unknown profile (ORG-07), `forbidden` without a role, also where no organization has the slug (ORG-03).
   */
  resolve(principal: Principal, asked: Asked): Promise<Actor>;
}

export interface OrganizationsOptions {
  readonly clock: Clock;
  /** How long the marketplace flag of the own organization holds where a change can't be noticed (several nodes). */
  readonly cacheSeconds?: number;
}

/** An id is one by its form alone, before any look-up (ORG-04). */
const idForm = /^org_[^]/;

const noRole = (): Refusal => new Refusal('forbidden', 'You hold no role in the organization that asOrg names.');
const unknownProfile = (): Refusal =>
  new Refusal('not-found', 'Your organization has no profile with the slug that asProfile names.');
/** PostgreSQL refuses a text with a NUL as a fault of the statement; no slug has one (ORG-03, ORG-07). */
const canBeSlug = (text: string): boolean => !text.includes('\0');
const longestEcho = 200;
const isId = (id: string): Refusal => {
  const echoed = JSON.stringify(id.length > longestEcho ? `${id.slice(0, longestEcho)}…` : id);
  return new Refusal('not-found', `No organization has the slug ${echoed}: asOrg takes a slug, not an id.`);
};

export function createOrganizations(principals: Principals, options: OrganizationsOptions): Organizations {
  const own = createOwn(principals, options);

  async function organizationFor(principal: Principal, asOrg: string | undefined): Promise<Organization> {
    if (asOrg !== undefined && idForm.test(asOrg)) throw isId(asOrg);
    const mine = own.known(principal.organization) ?? (await own.load(principal.organization));
    if (asOrg === undefined || asOrg === mine.slug) return mine; // ORG-05
    if (!canBeSlug(asOrg)) throw noRole();
    const other = await orUnavailable(() => principals.actable(asOrg, principal.account, principal.organization));
    if (!other) throw noRole();
    return other;
  }

  /** In the credential's own organization, also under `asOrg` (ORG-09). */
  async function profileOf(principal: Principal, slug: string | undefined): Promise<string | null> {
    if (slug === undefined) return null;
    if (!canBeSlug(slug)) throw unknownProfile();
    const profile = await orUnavailable(() => principals.profile(principal.organization, slug));
    if (!profile) throw unknownProfile();
    return profile.id;
  }

  return {
    async resolve(principal, { asOrg, asProfile }) {
      const organization = await organizationFor(principal, asOrg);
      const profile = await profileOf(principal, asProfile);
      return { principal, organization: organization.id, marketplace: organization.marketplace, profile };
    },
  };
}

/** The principals' own organizations, remembered: every read needs its caller's marketplace flag (DOC-13). */
function createOwn(principals: Principals, { clock, cacheSeconds = 2 }: OrganizationsOptions) {
  const remembered = new Map<string, { organization: Organization; at: Instant }>();
  let version = '';
  return {
    known(id: string): Organization | undefined {
      const current = orUnavailableAtOnce(() => principals.version());
      if (current !== version) {
        version = current;
        remembered.clear();
      }
      const hit = remembered.get(id);
      return hit && Math.abs(clock() - hit.at) < cacheSeconds * 1_000 ? hit.organization : undefined;
    },
    async load(id: string): Promise<Organization> {
      const before = version;
      const organization = await orUnavailable(() => principals.organization(id));
      if (!organization) throw noRole();
      if (before === version) remembered.set(id, { organization, at: clock() });
      return organization;
    },
  };
}
