/** Every noun of `npm run admin` and its verbs. */
import { account, token } from './accounts.ts';
import type { Verbs } from './command.ts';
import { entity } from './entities.ts';
import { organization, profile } from './organizations.ts';
import { grant, member } from './roles.ts';

export const commands: Readonly<Record<string, Verbs>> = {
  org: organization,
  account,
  token,
  member,
  grant,
  profile,
  entity,
};
