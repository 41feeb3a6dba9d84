import { Refusal, type Actor, type Clock, type Principal } from '../model.ts';
import { orUnavailable } from '../storage/outage.ts';
import type { Organization, Principals } from '../storage/principals.ts';
import { createRemembered } from './remembered.ts';

/** What a request asks to act as; undefined where it does not ask. */
export interface Asked {
  readonly asOrg?: string | undefined;
  readonly asProfile?: string | undefined;
}

export interface Organizations {
  /**
   * What the principal acts as. `asOrg` is decided on before `asProfile` (AUT-10).
   *
   * @throws Refusal `forbidden` for a slug of an organization where the caller has no role, and alike for an unknown slug (ORG-03);
   *   `not-found` for an organization's id (ORG-04) and for an unknown profile (ORG-07); `dependency-unavailable` when the store
   *   cannot answer.
   */
  resolve(principal: Principal, asked: Asked): Promise<Actor>;
}

export interface OrganizationsOptions {
  readonly principals: Principals;
  readonly clock: Clock;
  /** How long a principal's own organization is remembered where another node's change of it goes unnoticed (PostgreSQL). */
  readonly cacheSeconds: number;
}

/** What an organization's id looks like. Its form alone decides, whether there is such an organization or not (ORG-04). */
const idForm = /^org_[^]/;

const noRole = (): Refusal => new Refusal('forbidden', 'You hold no role in the organization that asOrg names.');
const unknownProfile = (): Refusal =>
  new Refusal('not-found', 'Your organization has no profile with the slug that asProfile names.');
const maxEchoLength = 200;
const idInPlaceOfSlug = (id: string): Refusal => {
  const echoed = JSON.stringify(id.length > maxEchoLength ? `${id.slice(0, maxEchoLength)}…` : id);
  return new Refusal('not-found', `No organization has the slug ${echoed}: asOrg takes a slug, not an id.`);
};

/** No slug contains a NUL. PostgreSQL would reject a statement with one, which would look like an outage (ORG-03, ORG-07). */
const canBeSlug = (text: string): boolean => !text.includes('\0');

export function createOrganizations({ principals, clock, cacheSeconds }: OrganizationsOptions): Organizations {
  // Every read needs the marketplace flag of its caller's own organization (DOC-13).
  const own = createRemembered({
    version: () => principals.version(),
    async read(id) {
      const organization = await principals.organization(id);
      return organization && { value: organization, validMilliseconds: null };
    },
    clock,
    cacheSeconds,
  });

  async function organizationFor(principal: Principal, asOrg: string | undefined): Promise<Organization> {
    if (asOrg !== undefined && idForm.test(asOrg)) throw idInPlaceOfSlug(asOrg);
    const mine = own.recall(principal.organization) ?? (await own.load(principal.organization));
    if (mine === null) throw noRole();
    if (asOrg === undefined || asOrg === mine.slug) return mine; // ORG-05
    if (!canBeSlug(asOrg)) throw noRole();
    const other = await orUnavailable(() => principals.actable(asOrg, principal.account, principal.organization));
    if (!other) throw noRole();
    return other;
  }

  /** The id of a profile of the credential's own organization, also under `asOrg` (ORG-09). */
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
