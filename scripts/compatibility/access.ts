/** Where an operation is reached and with which credentials: both must stay as they were for a client (VER-01, VER-02). */
import { isDeepStrictEqual } from 'node:util';
import type { Bundle, Operation } from '../bundle.ts';
import { missing } from './keywords.ts';
import type { Documents } from './schema.ts';

/** Addresses that an operation no longer has, a line each. */
export function serverChanges(before: Operation, after: Operation, documents: Documents): string[] {
  const urls = ({ servers }: Operation, bundle: Bundle): string[] =>
    (servers ?? bundle.servers ?? []).map(({ url }) => url);
  const gone = missing(urls(before, documents.before), urls(after, documents.after));
  return gone.map((url) => `${before.operationId}: server ${url} removed`);
}

/** Scheme → scopes, all of which are needed. */
type Requirement = Record<string, string[]>;

/** Credentials that were enough and no longer are, a line each: a scheme more, a scope more, or another scheme by the same name. */
export function securityChanges(before: Operation, after: Operation, documents: Documents): string[] {
  const isEnough = (held: Requirement, asked: Requirement): boolean =>
    Object.entries(asked).every(
      ([name, scopes]) =>
        held[name] !== undefined && missing(scopes, held[name]).length === 0 && isSameScheme(name, documents),
    );
  const now = requirementsOf(after, documents.after);
  return requirementsOf(before, documents.before)
    .filter((held) => !now.some((asked) => isEnough(held, asked)))
    .map((held) => `${before.operationId}: ${JSON.stringify(held)} is no longer enough`);
}

/** An empty list means that no credential is needed, as the empty requirement does. */
function requirementsOf({ security }: Operation, bundle: Bundle): Requirement[] {
  const requirements = security ?? bundle.security ?? [];
  return requirements.length === 0 ? [{}] : requirements;
}

function isSameScheme(name: string, { before, after }: Documents): boolean {
  const sent = ({ components: { securitySchemes = {} } }: Bundle): object => {
    const {
      description: _text,
      bearerFormat: _hint,
      ...scheme
    } = (securitySchemes[name] ?? {}) as Record<string, unknown>;
    return scheme;
  };
  return isDeepStrictEqual(sent(before), sent(after));
}
