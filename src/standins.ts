/** For the first minutes only: what auth/ and discovery/ will bring. */
import { Refusal, keyOf, type Actor, type Clock, type Entity, type Principal, type Source, type Spent, entityOf } from './model.ts';
import type { Discoveries } from './storage/discoveries.ts';
import type { Documents } from './storage/documents.ts';

export const DEV_TOKEN = 'dev-token';
export function standInAuth() {
  const principal: Principal = { account: 'acc', organization: 'org_x', scopes: new Set(['creators:read', 'posts:read']), perMinute: 60 };
  return {
    authentication: {
      async authenticate(lines: readonly string[]): Promise<Principal> {
        if (lines.length === 1 && /^bearer +dev-token$/i.test(lines[0] as string)) return principal;
        throw new Refusal('unauthorized', 'The credential is missing or not valid.', { 'WWW-Authenticate': 'Bearer' });
      },
    },
    budget: { spend: async (): Promise<Spent> => ({ allowed: true, limit: 60, remaining: 59, resetSeconds: 42 }) },
    organizations: {
      resolve: async (principal: Principal): Promise<Actor> => ({ principal, organization: principal.organization, marketplace: true, profile: null }),
    },
  };
}
export function standInWorker(parts: { documents: Documents; discoveries: Discoveries; sources: readonly Source[]; clock: Clock; owner: string }) {
  const { documents, discoveries, sources, clock, owner } = parts;
  async function runDue(): Promise<number> {
    const claims = await discoveries.claim({ owner, leaseSeconds: 15, limit: 16 });
    await Promise.all(
      claims.map(async (claim) => {
        const entity = entityOf(claim.key);
        const source = sources.find(({ network }) => network === entity.network);
        const got = await source!
          .obtain(entity, { deep: claim.deep, signal: AbortSignal.timeout(30_000) })
          .catch(() => ({ is: 'unavailable' as const, reason: 'internal-error', retryable: true }));
        const when = { startedAt: claim.startedAt, freshUntil: clock() + 3_600_000 };
        if (got.is === 'unavailable') {
          const rememberedUntil = clock() + (got.retryable ? 120_000 : 86_400_000);
          await documents.putFailure(claim.key, { ...got, rememberedUntil, startedAt: claim.startedAt });
        } else if (got.is === 'creator') await documents.put({ entity, document: got.document, posts: got.posts, audienceUntil: got.audienceUntil }, when);
        else await documents.put({ entity, document: got.document, analysis: got.analysis }, when);
        await discoveries.done(claim);
      }),
    );
    return claims.length;
  }
  let timer: NodeJS.Timeout | undefined;
  return {
    start: () => void (timer = setInterval(() => void runDue(), 250)),
    wake: () => void runDue(),
    stop: async () => clearInterval(timer),
    runDue,
    waitSeconds: (entity: Entity) => sources.find(({ network }) => network === entity.network)?.expectedSeconds(entity) ?? 1,
  };
}
export { keyOf };
