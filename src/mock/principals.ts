import { Refusal } from './refusal.ts';

export type Scope = 'creators:read' | 'posts:read';

export interface Principal {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly perMinute: number;
}

const both: readonly Scope[] = ['creators:read', 'posts:read'];
const full: Principal = { name: 'full', scopes: both, perMinute: 60 };

/** The tokens that the mock knows, and who each stands for; `mock-full-second` spends the budget of `mock-full` (RAT-06). */
export const principalOfToken: ReadonlyMap<string, Principal> = new Map([
  ['mock-full', full],
  ['mock-full-second', full],
  ['mock-other', { name: 'other', scopes: both, perMinute: 60 }],
  ['mock-creators-only', { name: 'creators-only', scopes: ['creators:read'], perMinute: 60 }],
  ['mock-posts-only', { name: 'posts-only', scopes: ['posts:read'], perMinute: 60 }],
  ['mock-small', { name: 'small', scopes: both, perMinute: 5 }],
]);

/** Tokens that are always refused, listed so that the help can name them. */
export const refusedTokens = ['mock-expired', 'mock-revoked'] as const;

const bearer = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/** Authenticates (AUT-01 to AUT-05, AUT-12): exactly one `Authorization` line with one token in it. */
export function authenticate(lines: readonly string[]): Principal {
  const token = lines.length === 1 ? bearer.exec(lines[0] ?? '')?.[1] : undefined;
  const principal = principalOfToken.get(token ?? '');
  if (principal !== undefined) return principal;
  throw new Refusal('unauthorized', 'a valid access token is needed: lookup-mock --help names those of the mock', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

export function requireScope(principal: Principal, scope: Scope): void {
  if (principal.scopes.includes(scope)) return;
  const headers = { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` };
  throw new Refusal('forbidden', `the token lacks the scope ${scope}`, { headers });
}

const windowMilliseconds = 60_000;

export interface Spent {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** Counts requests in fixed windows of a minute, each beginning with the first request after the last one ended (RAT-03). */
export function createBudgets(clock: () => number): (principal: Principal) => Spent {
  const windows = new Map<string, { endsAt: number; used: number }>();
  return ({ name, perMinute }) => {
    const now = clock();
    let window = windows.get(name);
    if (window === undefined || now >= window.endsAt) window = { endsAt: now + windowMilliseconds, used: 0 };
    windows.set(name, window);
    window.used += 1;
    return {
      allowed: window.used <= perMinute,
      limit: perMinute,
      remaining: Math.max(0, perMinute - window.used),
      resetSeconds: Math.max(1, Math.ceil((window.endsAt - now) / 1000)),
    };
  };
}

/** The mock's organizations: the tokens belong to `home`, hold a role in `acme` and none in `globex`; `home` has one profile. */
export const organizations = { own: 'home', withRole: ['acme'], profiles: ['campaign'] } as const;

/** Resolves `asOrg` and `asProfile` (ORG-01 to ORG-09); slugs are exact, and one that is unknown can't be told from a foreign one. */
export function actAs({ asOrg, asProfile }: { asOrg?: string | undefined; asProfile?: string | undefined }): void {
  if (asOrg !== undefined && /^org_./s.test(asOrg))
    throw new Refusal('not-found', `asOrg takes a slug, and ${asOrg} is an id`);
  const roles: readonly string[] = [organizations.own, ...organizations.withRole];
  if (asOrg !== undefined && !roles.includes(asOrg))
    throw new Refusal('forbidden', 'no role in the organization that asOrg names');
  const profiles: readonly string[] = organizations.profiles;
  if (asProfile !== undefined && !profiles.includes(asProfile))
    throw new Refusal('not-found', 'there is no such profile');
}
