import { newId } from '../auth/development.ts';
import { isTokenForm, issueToken, tokenHash, tokenPrefix } from '../auth/tokens.ts';
import { CommandError } from './arguments.ts';
import type { Verbs } from './command.ts';
import { accountNamed, organizationNamed, within } from './named.ts';
import { timeOf } from './said.ts';
import { budgetOf, durationOf, nameOf, scopes, scopesOf } from './words.ts';

export const account: Verbs = {
  create: {
    about: 'Add a service account to an organization',
    words: ['org', 'name'],
    options: ['budget'],
    async run({ principals, random, defaultPerMinute }, given) {
      const perMinute = budgetOf(given.option('budget') ?? String(defaultPerMinute));
      const name = nameOf(given.word('name'));
      const organization = (await organizationNamed(principals, given.word('org'))).id;
      const value = { id: newId('acc', random), organization, name, perMinute };
      await principals.createAccount(value);
      return { line: `Created account ${value.id} with ${perMinute} requests a minute`, value };
    },
  },
  list: {
    about: 'Show service accounts',
    words: ['[org]'],
    async run({ principals }, given) {
      const found = await principals.accounts(await within(principals, given.word('org')));
      return { rows: found.map(({ createdAt, ...rest }) => ({ ...rest, createdAt: timeOf(createdAt) })) };
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

export const token: Verbs = {
  issue: {
    about: 'Issue a token; it is shown once',
    words: ['account'],
    options: ['scopes', 'expires', 'label'],
    async run({ principals, random }, given) {
      const expires = given.option('expires');
      const expiresInSeconds = expires === undefined ? null : durationOf(expires);
      const granted = scopesOf(given.option('scopes') ?? scopes.join(','));
      const named = given.option('label') ?? '';
      const label = named === '' ? '' : nameOf(named);
      const { id } = await accountNamed(principals, given.word('account'));
      const { token: text, hash, prefix } = issueToken(random);
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
      const account = given.word('account');
      const found = await principals.tokens(account ? (await accountNamed(principals, account)).id : undefined);
      const rows = found.map(({ hash: _never, createdAt, expiresAt, revokedAt, ...rest }) => ({
        ...rest,
        createdAt: timeOf(createdAt),
        expiresAt: timeOf(expiresAt),
        revokedAt: timeOf(revokedAt),
      }));
      return { rows };
    },
  },
  revoke: {
    about: 'Revoke a token, named by its first characters or given whole',
    words: ['prefix'],
    async run({ principals }, given) {
      const word = given.word('prefix').replace(/…$/, '');
      // Who found a leaked token has all of it; the messages repeat only its first characters.
      const prefix = isTokenForm(word) ? tokenPrefix(word) : word;
      const revoked = await principals.revokeToken(isTokenForm(word) ? tokenHash(word) : word);
      if (revoked.length === 0)
        throw new CommandError(
          `No live token begins with exactly ${JSON.stringify(prefix)}; \`token list\` shows them`,
        );
      return { line: `Revoked ${revoked.join(', ')}`, value: { revoked } };
    },
  },
};
