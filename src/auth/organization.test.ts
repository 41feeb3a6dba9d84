import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Refusal, type Principal } from '../model.ts';
import { createPrincipals, type Principals } from '../storage/principals.ts';
import { createClock, engines, type TestStore } from '../testing/engines.ts';
import { createOrganizations, type Asked, type Organizations } from './organization.ts';

const caller: Principal = { account: 'acc_me', organization: 'org_mine', scopes: new Set(), perMinute: 60 };

describe.each(engines)('organizations on $name', ({ name, createStore }) => {
  const clock = createClock();
  let store: TestStore;
  let principals: Principals;
  let organizations: Organizations;

  beforeAll(async () => {
    store = await createStore(clock);
    principals = createPrincipals(await store.open());
    organizations = createOrganizations({ principals, clock, cacheSeconds: 2 });
    for (const slug of ['mine', 'joined', 'granting', 'granted', 'stranger']) {
      await principals.createOrganization({ id: `org_${slug}`, slug, marketplace: slug === 'joined' });
    }
    await principals.addMember({ account: 'acc_me', organization: 'org_joined', role: 'member' });
    await principals.addGrant({ from: 'org_granting', to: 'org_mine', role: 'delegate' });
    await principals.addGrant({ from: 'org_mine', to: 'org_granted', role: 'delegate' });
    await principals.createProfile({ id: 'prf_1', organization: 'org_mine', slug: 'brand' });
    await principals.createProfile({ id: 'prf_2', organization: 'org_joined', slug: 'theirs' });
  });
  afterAll(() => store.close());

  /** As a request does it: each comes up in a turn of the event loop of its own. */
  const resolve = async (asked: Asked) => {
    await nextTurn();
    return organizations.resolve(caller, asked);
  };
  const refused = async (asked: Asked) => {
    const error: unknown = await resolve(asked).catch((thrown: unknown) => thrown);
    if (!(error instanceof Refusal)) return expect.fail(`was let in: ${JSON.stringify(error)}`);
    return { code: error.code, message: error.message, headers: error.headers };
  };
  const actor = (organization: string, marketplace = false, profile: string | null = null) => ({
    principal: caller,
    organization,
    marketplace,
    profile,
  });

  it('without asOrg, and ORG-05 with the own slug: as the own organization', async () => {
    expect(await resolve({})).toEqual(actor('org_mine'));
    expect(await resolve({ asOrg: 'mine' })).toEqual(actor('org_mine'));
  });

  it('ORG-01 as an organization of which the caller is a member, DOC-13 with its marketplace credentials', async () => {
    expect(await resolve({ asOrg: 'joined' })).toEqual(actor('org_joined', true));
  });

  it("ORG-02 as one that granted the caller's organization a role; a grant has one direction", async () => {
    expect(await resolve({ asOrg: 'granting' })).toEqual(actor('org_granting'));
    expect((await refused({ asOrg: 'granted' })).code).toBe('forbidden');
  });

  it('ORG-03 no role and an unknown slug are told apart by nothing; ORG-09 slugs are exact', async () => {
    const noRole = await refused({ asOrg: 'stranger' });
    expect(noRole.code).toBe('forbidden');
    for (const asOrg of ['nowhere', '', 'Joined', ' joined', 'org_', 'ORG_x', 'mine ', 'joined\0', '\0', '\ud800'])
      expect(await refused({ asOrg })).toEqual(noRole);
  });

  it('ORG-04 an id is one by its form alone, and is echoed', async () => {
    for (const asOrg of ['org_mine', 'org_nowhere', 'org_\n', 'org_ x']) {
      const { code, message } = await refused({ asOrg });
      expect(code).toBe('not-found');
      expect(message).toContain(JSON.stringify(asOrg));
    }
    const { message } = await refused({ asOrg: `org_${'x'.repeat(1_000)}` });
    expect(message).toContain(`org_${'x'.repeat(196)}…`);
  });

  it('ORG-03 an account whose own organization is not there acts for nobody', async () => {
    await expect(organizations.resolve({ ...caller, organization: 'org_gone' }, {})).rejects.toMatchObject({
      code: 'forbidden',
    });
  });

  it('ORG-06 ORG-09 asProfile names a profile of the own organization, also under asOrg', async () => {
    expect(await resolve({ asProfile: 'brand' })).toEqual(actor('org_mine', false, 'prf_1'));
    expect(await resolve({ asOrg: 'joined', asProfile: 'brand' })).toEqual(actor('org_joined', true, 'prf_1'));
  });

  it("ORG-07 an unknown profile and another organization's are told apart by nothing", async () => {
    const unknown = await refused({ asProfile: 'nobody' });
    expect(unknown.code).toBe('not-found');
    for (const asked of [
      { asProfile: 'theirs' },
      { asOrg: 'joined', asProfile: 'theirs' },
      { asProfile: '' },
      { asProfile: 'Brand' },
      { asProfile: 'brand\0' },
    ]) {
      expect(await refused(asked)).toEqual(unknown);
    }
  });

  it('AUT-10 asOrg is looked at before asProfile', async () => {
    expect((await refused({ asOrg: 'stranger', asProfile: 'nobody' })).code).toBe('forbidden');
  });

  it('a role that was taken away, and a marketplace flag set elsewhere, show', async () => {
    const elsewhere = createPrincipals(await store.open());
    await elsewhere.setMarketplace('org_mine', true);
    await elsewhere.removeMember('acc_me', 'org_joined');
    if (name === 'postgres') clock.pass(2_000);
    expect(await resolve({})).toEqual(actor('org_mine', true));
    expect((await refused({ asOrg: 'joined' })).code).toBe('forbidden');
  });
});
