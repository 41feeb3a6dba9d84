import { Refusal, type Clock, type Instant, type Principal } from '../model.ts';
import { orUnavailable, orUnavailableAtOnce } from '../storage/outage.ts';
import type { Credential, Principals } from '../storage/principals.ts';
import { isTokenForm, tokenHash } from './tokens.ts';

export interface Authentication {
  /**
   * Who asks, from all `Authorization` header lines of a request.
   * Throws a Refusal: `unauthorized` with one message for every cause (AUT-01 to AUT-05), or `dependency-unavailable` where the
   * store can't answer: the token is then neither accepted nor refused (AUT-08).
   */
  authenticate(authorization: readonly string[]): Promise<Principal>;
}

export interface AuthenticationOptions {
  readonly principals: Principals;
  readonly clock: Clock;
  /** How long an answer of the store holds where a change can't be noticed (several nodes); at most 5 (AUT-05). */
  readonly cacheSeconds: number;
  /** Tokens remembered at once. */
  readonly cacheTokens?: number;
}

interface Remembered {
  readonly principal: Principal;
  readonly until: Instant;
  readonly since: Instant;
}

// Credentials are token68 (RFC 9110): the scheme in any case, one blank or more, one token (AUT-02, AUT-12).
const bearer = /^bearer +([A-Za-z0-9\-._~+/]+=*)[ \t]*$/i;
const longest = 4_096;

export const unauthorized = (): Refusal =>
  new Refusal('unauthorized', 'A valid bearer token is needed in one Authorization header.', {
    'WWW-Authenticate': 'Bearer',
  });

/** The token of exactly one well-formed header line, or null. */
export function bearerToken(authorization: readonly string[]): string | null {
  const [line] = authorization;
  if (authorization.length !== 1 || line === undefined || line.length > longest) return null;
  return bearer.exec(line)?.[1] ?? null;
}

export function createAuthentication(options: AuthenticationOptions): Authentication {
  const { principals, clock, cacheSeconds, cacheTokens = 10_000 } = options;
  const remembered = new Map<string, Remembered>();
  const asked = new Map<string, Promise<Credential | null>>();
  let version = '';

  function known(hash: string): Principal | null {
    const now = clock();
    const hit = remembered.get(hash);
    // A clock set back makes an answer look younger than it is; such an answer is asked for again.
    if (hit && hit.since <= now && now < hit.until) return hit.principal;
    remembered.delete(hash);
    return null;
  }

  /** On the embedded store every change is noticed here, another process's too: a revocation shows at the next request. */
  function checkVersion(): void {
    const now = orUnavailableAtOnce(() => principals.version());
    if (now === version) return;
    version = now;
    remembered.clear();
    asked.clear();
  }

  /** Requests that come together with one token share one read. */
  function look(hash: string): Promise<Credential | null> {
    let read = asked.get(hash);
    if (!read) {
      read = principals.credential(hash).finally(() => {
        if (asked.get(hash) === read) asked.delete(hash);
      });
      asked.set(hash, read);
    }
    return read;
  }

  function remember(hash: string, credential: Credential): Principal {
    const principal = principalOf(credential);
    const since = clock();
    const longestHeld = Math.min(cacheSeconds * 1_000, credential.remainingMilliseconds ?? Number.POSITIVE_INFINITY);
    if (remembered.size >= cacheTokens) remembered.delete(remembered.keys().next().value!);
    remembered.set(hash, { principal, since, until: since + longestHeld });
    return principal;
  }

  return {
    async authenticate(authorization) {
      const token = bearerToken(authorization);
      if (token === null) throw unauthorized();
      const hash = tokenHash(token);
      checkVersion();
      const principal = known(hash);
      if (principal) return principal;
      if (!isTokenForm(token)) throw unauthorized();
      const before = version;
      const credential = await orUnavailable(() => look(hash));
      if (!credential) throw unauthorized();
      return before === version ? remember(hash, credential) : principalOf(credential);
    },
  };
}

const principalOf = ({ account, organization, scopes, perMinute }: Credential): Principal => ({
  account,
  organization,
  scopes: new Set(scopes),
  perMinute,
});
