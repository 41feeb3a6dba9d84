import type { Principals } from '../storage/principals.ts';
import { issueToken, type RandomBytes } from './tokens.ts';

/** What the first start has created. */
export interface Development {
  /** Id of the organization. */
  readonly organization: string;
  /** Id of the account. */
  readonly account: string;
  /** Shown once. */
  readonly token: string;
}

/** A new random id: `org_`, `acc_` or `prf_`, then 96 bits in hexadecimal. */
export const newId = (kind: 'org' | 'acc' | 'prf', random: RandomBytes): string =>
  `${kind}_${Buffer.from(random(12)).toString('hex')}`;

/**
 * Fills an empty store at the first start outside production: the organization `development` with marketplace credentials, an account
 * in it, and a token with both scopes. Null when the store is not empty or another node was first.
 */
export async function createDevelopment(
  principals: Principals,
  { random, perMinute }: { readonly random: RandomBytes; readonly perMinute: number },
): Promise<Development | null> {
  if (!(await principals.isEmpty())) return null;
  const organization = newId('org', random);
  const account = newId('acc', random);
  // The slug is unique: of several nodes that start at once on an empty store, only one creates it.
  if (!(await principals.createOrganization({ id: organization, slug: 'development', marketplace: true }))) return null;
  await principals.createAccount({ id: account, organization, name: 'development', perMinute });
  const { token, hash, prefix } = issueToken(random);
  const scopes = ['creators:read', 'posts:read'] as const;
  await principals.createToken({ hash, prefix, account, label: 'first start', scopes, expiresInSeconds: null });
  return { organization, account, token };
}
