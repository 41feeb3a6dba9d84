/** Who may act for an organization other than its own: an account that is a member, or every account of an organization that it granted a role. */
import type { Organization, Principals } from '../storage/principals.ts';
import { CommandError, UsageError, type Arguments } from './arguments.ts';
import type { Verbs } from './command.ts';
import { accountNamed, organizationNamed, within } from './named.ts';
import { nameOf } from './words.ts';

export const member: Verbs = {
  add: {
    about: 'Give an account a role in another organization',
    words: ['account', 'org'],
    options: ['role'],
    async run({ principals }, given) {
      const role = nameOf(given.option('role') ?? 'member');
      const { id } = await accountNamed(principals, given.word('account'));
      const { id: organization, slug } = await organizationNamed(principals, given.word('org'));
      const value = { account: id, organization, role };
      await principals.addMember(value);
      return { line: `Account ${id} is ${value.role} of ${slug}`, value };
    },
  },
  remove: {
    about: "Remove an account's role",
    words: ['account', 'org'],
    async run({ principals }, given) {
      const { id, slug } = await organizationNamed(principals, given.word('org'));
      const value = { account: given.word('account'), organization: id };
      if (!(await principals.removeMember(value.account, id)))
        throw new CommandError(`${value.account} is no member of ${slug}`);
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

const pair = async (principals: Principals, given: Arguments): Promise<{ from: Organization; to: Organization }> => ({
  from: await organizationNamed(principals, given.word('from-org')),
  to: await organizationNamed(principals, given.word('to-org')),
});

export const grant: Verbs = {
  add: {
    about: 'Let the accounts of one organization (to) act for another (from)',
    words: ['from-org', 'to-org'],
    options: ['role'],
    async run({ principals }, given) {
      const role = nameOf(given.option('role') ?? 'delegate');
      const { from, to } = await pair(principals, given);
      if (from.id === to.id) throw new UsageError('An organization needs no grant for itself');
      const value = { from: from.id, to: to.id, role };
      await principals.addGrant(value);
      return { line: `${to.slug} may act for ${from.slug}`, value };
    },
  },
  remove: {
    about: 'Revoke such a grant',
    words: ['from-org', 'to-org'],
    async run({ principals }, given) {
      const { from, to } = await pair(principals, given);
      if (!(await principals.removeGrant(from.id, to.id)))
        throw new CommandError(`${from.slug} has granted ${to.slug} nothing`);
      return { line: `${to.slug} may no longer act for ${from.slug}`, value: { from: from.id, to: to.id } };
    },
  },
  list: {
    about: 'Show delegated grants',
    words: [],
    run: async ({ principals }) => ({ rows: await principals.grants() }),
  },
};
