import type { Principals } from '../storage/principals.ts';
import { issueToken, type RandomBytes } from './tokens.ts';

export interface Development {
  readonly organization: string;
  readonly account: string;
  /** Shown once. */
  readonly token: string;
}

export const newId = (kind: 'org' | 'acc' | 'prf', random: RandomBytes): string =>
  `${kind}_${Buffer.from(random(12)).toString('hex')}`;

/**
 * What an empty store gets at the first start, outside production: the organization `development` with marketplace
 * credentials, an account and a token with both scopes. Null: somebody else (another node) was first, or the store is not empty.
 */
export async function createDevelopment(
  principals: Principals,
  { random, perMinute }: { readonly random: RandomBytes; readonly perMinute: number },
): Promise<Development | null> {
  if (!(await principals.isEmpty())) return null;
  const organization = newId('org', random);
  const account = newId('acc', random);
  // The slug is unique: of several nodes that start at once on an empty store, one gets on.
  if (!(await principals.createOrganization({ id: organization, slug: 'development', marketplace: true }))) return null;
  await principals.createAccount({ id: account, organization, name: 'development', perMinute });
  const { token, hash, prefix } = issueToken(random);
  const scopes = ['creators:read', 'posts:read'] as const;
  await principals.createToken({ hash, prefix, account, label: 'first start', scopes, expiresInSeconds: null });
  return { organization, account, token };
}
