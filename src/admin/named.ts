/** What a command names: it is there, or the command fails in one line. */
import { parseIdentifier } from '../lookup/identifier.ts';
import type { Entity } from '../model.ts';
import { networks } from '../networks/index.ts';
import type { Account, Organization, Principals } from '../storage/principals.ts';
import { Failed, Usage, type Arguments } from './arguments.ts';

export async function organizationNamed(principals: Principals, name: string): Promise<Organization> {
  const found = (await principals.organizationBySlug(name)) ?? (await principals.organization(name));
  if (!found) throw new Failed(`There is no organization ${JSON.stringify(name)}; \`org list\` shows them`);
  return found;
}

export async function accountNamed(principals: Principals, id: string): Promise<Account> {
  const found = await principals.account(id);
  if (!found) throw new Failed(`There is no account ${JSON.stringify(id)}; \`account list\` shows them`);
  return found;
}

/** Of an organization that was named, or of all. */
export const within = async (principals: Principals, name: string): Promise<string | undefined> =>
  name ? (await organizationNamed(principals, name)).id : undefined;

/** Any spelling that a caller might have used names it: a handle with `@`, a URL, a media id. */
export function entityNamed(given: Arguments): Entity {
  const [kind, network, name] = [given.word('kind'), given.word('network'), given.word('name')];
  if (kind !== 'creator' && kind !== 'post') throw new Usage(`${JSON.stringify(kind)} is neither creator nor post`);
  const parsed = parseIdentifier(name, kind, network, networks);
  if ('entity' in parsed) return parsed.entity;
  if (parsed.reason === 'unparseable-identifier')
    throw new Usage(`${JSON.stringify(name)} names no ${kind} of ${network}`);
  throw new Usage(`${JSON.stringify(network)} is no network: ${networks.map(({ name: known }) => known).join(', ')}`);
}
