import { newId } from '../auth/development.ts';
import { CommandError } from './arguments.ts';
import type { Verbs } from './command.ts';
import { organizationNamed, within } from './named.ts';
import { timeOf } from './said.ts';
import { onOff, slugOf } from './words.ts';

export const organization: Verbs = {
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
        throw new CommandError(`An organization ${value.slug} exists already`);
      return { line: `Created organization ${value.slug}, ${value.id}`, value };
    },
  },
  list: {
    about: 'Show all organizations',
    words: [],
    async run({ principals }) {
      const found = await principals.organizations();
      return { rows: found.map(({ createdAt, ...rest }) => ({ ...rest, createdAt: timeOf(createdAt) })) };
    },
  },
  marketplace: {
    about: 'Record whether an organization has partner-marketplace credentials',
    words: ['org', 'on|off'],
    async run({ principals }, given) {
      const marketplace = onOff(given.word('on|off'));
      const { id, slug } = await organizationNamed(principals, given.word('org'));
      await principals.setMarketplace(id, marketplace);
      return { line: `Marketplace of ${slug} is ${given.word('on|off')}`, value: { id, slug, marketplace } };
    },
  },
};

export const profile: Verbs = {
  create: {
    about: 'Add a profile to an organization, for asProfile',
    words: ['org', 'slug'],
    async run({ principals, random }, given) {
      const slug = slugOf(given.word('slug'));
      const { id: organization } = await organizationNamed(principals, given.word('org'));
      const value = { id: newId('prf', random), organization, slug };
      if (!(await principals.createProfile(value)))
        throw new CommandError(`The organization has a profile ${slug} already`);
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
