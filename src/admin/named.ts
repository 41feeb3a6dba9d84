/** Finds what a command names, or throws the error that ends the command. */
import { parseIdentifier } from '../lookup/identifier.ts';
import type { Entity } from '../model.ts';
import { networks } from '../networks/index.ts';
import type { Account, Organization, Principals } from '../storage/principals.ts';
import { CommandError, UsageError, type Arguments } from './arguments.ts';

/** The organization with this slug or id. */
export async function organizationNamed(principals: Principals, name: string): Promise<Organization> {
  const found = (await principals.organizationBySlug(name)) ?? (await principals.organization(name));
  if (!found) throw new CommandError(`There is no organization ${JSON.stringify(name)}; \`org list\` shows them`);
  return found;
}

/** The account with this id. */
export async function accountNamed(principals: Principals, id: string): Promise<Account> {
  const found = await principals.account(id);
  if (!found) throw new CommandError(`There is no account ${JSON.stringify(id)}; \`account list\` shows them`);
  return found;
}

/** The id of the organization named by an optional word; undefined, which stands for all, when it was left out. */
export const within = async (principals: Principals, name: string): Promise<string | undefined> =>
  name ? (await organizationNamed(principals, name)).id : undefined;

/**
 * The entity that the words `kind`, `network` and `name` name, in any spelling of an API caller: a handle with `@`, a URL, a media id. A
 * caller's `network` does not filter; here a name of another network is refused, since `forget` cannot be undone.
 */
export function entityNamed(given: Arguments): Entity {
  const [kind, network, name] = [given.word('kind'), given.word('network'), given.word('name')];
  if (kind !== 'creator' && kind !== 'post')
    throw new UsageError(`${JSON.stringify(kind)} is neither creator nor post`);
  const parsed = parseIdentifier(name, kind, network, networks);
  if ('entity' in parsed && parsed.entity.network === network) return parsed.entity;
  if ('entity' in parsed)
    throw new UsageError(`${JSON.stringify(name)} is of ${parsed.entity.network}, not of ${network}`);
  if (parsed.reason === 'unparseable-identifier')
    throw new UsageError(`${JSON.stringify(name)} names no ${kind} of ${network}`);
  throw new UsageError(
    `${JSON.stringify(network)} is no network: ${networks.map(({ name: known }) => known).join(', ')}`,
  );
}
