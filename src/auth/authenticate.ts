import { Refusal, type Clock, type Principal } from '../model.ts';
import type { Credential, Principals } from '../storage/principals.ts';
import { createRemembered } from './remembered.ts';
import { isTokenForm, tokenHash } from './tokens.ts';

export interface Authentication {
  /**
   * The principal of a request, from all its `Authorization` header lines.
   *
   * @throws Refusal `unauthorized`, with one message for every cause (AUT-01 to AUT-05); `dependency-unavailable` when the store
   *   cannot answer, so that the token is neither accepted nor refused (AUT-08).
   */
  authenticate(authorization: readonly string[]): Promise<Principal>;
}

export interface AuthenticationOptions {
  readonly principals: Principals;
  readonly clock: Clock;
  /** How long a verified token is trusted where another node's revocation goes unnoticed (PostgreSQL); less than 5 (AUT-05). */
  readonly cacheSeconds: number;
}

// Credentials are a token68 (RFC 9110): the scheme in any case, one blank or more, one token (AUT-02, AUT-12).
const bearer = /^bearer +([A-Za-z0-9\-._~+/]+=*)[ \t]*$/i;
const maxHeaderLength = 4_096;

/** The one refusal for every credential that is not accepted, whatever the cause (AUT-01 to AUT-05). */
export const unauthorized = (): Refusal =>
  new Refusal('unauthorized', 'A valid bearer token is needed in one Authorization header.', {
    'WWW-Authenticate': 'Bearer',
  });

/** The token of exactly one well-formed header line, or null. */
export function bearerToken(authorization: readonly string[]): string | null {
  const [line] = authorization;
  if (authorization.length !== 1 || line === undefined || line.length > maxHeaderLength) return null;
  return bearer.exec(line)?.[1] ?? null;
}

export function createAuthentication({ principals, clock, cacheSeconds }: AuthenticationOptions): Authentication {
  // On the embedded store `version` notices every change, also by another process, so a revocation counts from the next request on.
  const remembered = createRemembered({
    version: () => principals.version(),
    async read(hash) {
      const credential = await principals.credential(hash);
      return credential && { value: principalOf(credential), validMilliseconds: credential.remainingMilliseconds };
    },
    clock,
    cacheSeconds,
  });

  return {
    async authenticate(authorization) {
      const token = bearerToken(authorization);
      if (token === null) throw unauthorized();
      const hash = tokenHash(token);
      const known = remembered.recall(hash);
      if (known) return known;
      const principal = isTokenForm(token) ? await remembered.load(hash) : null;
      if (principal === null) throw unauthorized();
      return principal;
    },
  };
}

const principalOf = ({ account, organization, scopes, perMinute }: Credential): Principal => ({
  account,
  organization,
  scopes: new Set(scopes),
  perMinute,
});
