/** Requests that have to be refused (phase 2): credentials, scopes, organizations, paths, input. */
import { creatorPath, json, operationPath, query, type Planner } from './planner.ts';
import { planBatchInput, planSingleInput } from './input.ts';
import type { Fixtures } from './fixtures.ts';
import type { OperationId, Role } from '../model.ts';

export function planRefusals(planner: Planner, fixtures: Fixtures): void {
  planCredentials(planner, fixtures);
  planScopes(planner, fixtures);
  planOrganizations(planner, fixtures);
  planPaths(planner, fixtures);
  planSingleInput(planner, fixtures);
  planBatchInput(planner, fixtures);
}

/** A request of each operation that is right in itself, and starts nothing. */
function plain(
  operation: OperationId,
  { unsupported }: Fixtures,
): { operation: OperationId; path: string; method?: string; body?: string; contentType?: string | null } {
  const ids = `${unsupported}:someone`;
  if (operation === 'getCreator') return { operation, path: creatorPath(unsupported, 'someone') };
  if (operation === 'listCreators' || operation === 'getPosts')
    return { operation, path: `${operationPath[operation]}${query({ ids })}` };
  return {
    operation,
    path: operationPath[operation],
    ...(json({ ids: [ids] }) as { method: string; body: string; contentType: string }),
  };
}

function planCredentials(planner: Planner, fixtures: Fixtures): void {
  const phase = 2;
  const { strict } = planner;
  planner.add({
    step: 'auth-none',
    phase,
    role: 'none',
    ...plain('getCreator', fixtures),
    purpose: 'no Authorization header',
    rules: ['AUT-01', 'AUT-09'],
  });
  planner.add({
    step: 'auth-scheme',
    phase,
    ...plain('listCreators', fixtures),
    authorization: ['Basic $TOKEN'],
    purpose: 'a right token under another scheme',
    rules: ['AUT-02'],
  });
  const body = strict ? { ...plain('batchCreators', fixtures), body: '{"ids":' } : plain('batchCreators', fixtures);
  planner.add({
    step: 'auth-no-token',
    phase,
    ...body,
    role: 'none',
    authorization: ['Bearer'],
    purpose: strict ? 'the scheme alone, over a broken body' : 'the scheme alone',
    rules: ['AUT-02', 'AUT-10'],
  });
  planner.add({
    step: 'auth-two-tokens',
    phase,
    ...plain('getPosts', fixtures),
    authorization: ['Bearer $TOKEN $TOKEN'],
    purpose: 'two tokens in one line',
    rules: ['AUT-02'],
  });
  planner.add({
    step: 'auth-unknown',
    phase,
    role: 'unknown',
    ...plain('batchPosts', fixtures),
    purpose: 'a token that nobody issued',
    rules: ['AUT-03'],
  });
  planner.add({
    step: 'auth-expired',
    phase,
    role: 'expired',
    ...plain('getCreator', fixtures),
    purpose: 'a token past its expiry',
    rules: ['AUT-04'],
  });
  planner.add({
    step: 'auth-revoked',
    phase,
    role: 'revoked',
    ...plain('getCreator', fixtures),
    purpose: 'a revoked token',
    rules: ['AUT-05'],
  });
}

function planScopes(planner: Planner, fixtures: Fixtures): void {
  const scope = (role: Role, operation: OperationId, rules: string[]): void =>
    planner.add({
      step: `scope-${operation}`,
      phase: 2,
      role,
      ...plain(operation, fixtures),
      purpose: `${operation} with a token that lacks its scope`,
      rules,
    });
  scope('postsOnly', 'getCreator', ['AUT-06', 'AUT-09']);
  planner.add({
    step: 'scope-listCreators',
    phase: 2,
    role: 'postsOnly',
    operation: 'listCreators',
    path: `${operationPath.listCreators}${query({ ids: `${fixtures.unsupported}:someone`, ...(planner.strict ? { asOrg: fixtures.target.organizations.id } : {}) })}`,
    purpose: `listCreators with a token that lacks its scope${planner.strict ? ", and an organization's id" : ''}`,
    rules: ['AUT-06', 'AUT-10'],
  });
  scope('postsOnly', 'batchCreators', ['AUT-06']);
  scope('creatorsOnly', 'getPosts', ['AUT-07']);
  if (!planner.strict) return scope('creatorsOnly', 'batchPosts', ['AUT-07']);
  planner.add({
    step: 'scope-batchPosts',
    phase: 2,
    role: 'creatorsOnly',
    operation: 'batchPosts',
    path: operationPath.batchPosts,
    ...json({ ids: [] }),
    purpose: 'batchPosts with a token that lacks its scope, and no identifier',
    rules: ['AUT-07', 'AUT-10'],
  });
}

/** A slug that nobody has, as slugs compare exactly; the other where capitals make no difference. */
const inCapitals = (slug: string | undefined, other: string): string =>
  slug !== undefined && slug !== slug.toUpperCase() ? slug.toUpperCase() : other;

function planOrganizations(planner: Planner, fixtures: Fixtures): void {
  const { a, unique, target, unsupported } = fixtures;
  const { withoutRole, id } = target.organizations;
  const unknown = `unknown-${unique}`;
  const unknownOrg = planner.strict ? inCapitals(target.organizations.own, unknown) : unknown;
  const unknownProfile = planner.strict ? inCapitals(target.profiles.own, unknown) : unknown;
  const phase = 2;
  const handle = a.held ?? 'someone';
  planner.add({
    step: 'asorg-without-role',
    phase,
    operation: 'getCreator',
    needs: { 'organization without a role': withoutRole },
    path: creatorPath(a.name, handle, { asOrg: withoutRole }),
    facts: { slug: withoutRole ?? '' },
    purpose: 'for an organization in which the caller has no role',
    rules: ['ORG-03'],
  });
  planner.add({
    step: 'asorg-unknown',
    phase,
    operation: 'batchPosts',
    path: operationPath.batchPosts,
    ...json({ ids: [`${unsupported}:1`], asOrg: unknownOrg, ...(planner.strict ? { asProfile: unknown } : {}) }),
    facts: { slug: unknownOrg },
    purpose: planner.strict
      ? 'for an organization that does not exist, its own slug in capitals, with an unknown profile'
      : 'for an organization that does not exist',
    rules: ['ORG-03', 'ORG-08', 'ORG-09', 'AUT-10'],
  });
  planner.add({
    step: 'asorg-id',
    phase,
    operation: 'getPosts',
    needs: { "organization's id": id },
    path: `/api/v1/posts${query({ ids: `${unsupported}:1`, asOrg: id })}`,
    facts: { slug: id ?? '' },
    purpose: "an organization's id in place of its slug",
    rules: ['ORG-04', 'ORG-08'],
  });
  planner.add({
    step: 'asprofile-unknown',
    phase,
    operation: 'listCreators',
    path: `/api/v1/creators${query({ ids: `${unsupported}:1`, asProfile: unknownProfile })}`,
    facts: { slug: unknownProfile },
    purpose: planner.strict ? 'a profile that does not exist: an own one in capitals' : 'a profile that does not exist',
    rules: ['ORG-07', 'ORG-09'],
  });
  const { foreign } = target.profiles;
  planner.add({
    step: 'asprofile-foreign',
    phase,
    operation: 'batchCreators',
    needs: { 'profile of another organization': foreign },
    path: operationPath.batchCreators,
    ...json({ ids: [`${unsupported}:1`], asProfile: foreign }),
    facts: { slug: foreign ?? '' },
    purpose: 'a profile of another organization',
    rules: ['ORG-07', 'ORG-08'],
  });
}

function planPaths(planner: Planner, { a }: Fixtures): void {
  const path = creatorPath(a.name, a.held ?? 'someone');
  const phase = 2;
  planner.add({
    step: 'path-version',
    phase,
    operation: null,
    path: path.replace('/api/v1/', '/api/v0/'),
    purpose: 'the same path under another version',
    rules: ['VER-01', 'GEN-07'],
  });
  planner.add({
    step: 'path-method',
    phase,
    operation: null,
    role: 'none',
    method: 'DELETE',
    path,
    purpose: 'a method that the path does not have',
    rules: ['GEN-07'],
  });
  planner.add({
    step: 'path-slash',
    phase,
    strictOnly: true,
    operation: null,
    role: 'none',
    path: `${path}/`,
    purpose: 'a path with a slash too many',
    rules: ['GEN-13', 'GEN-07'],
  });
  planner.add({
    step: 'path-broken-line',
    phase,
    strictOnly: true,
    operation: null,
    role: 'none',
    path: '/',
    raw: 'GET  /api/v1/creators BROKEN\r\nno header\r\n\r\n',
    purpose: 'a request line that is none',
    rules: ['GEN-09'],
  });
  planner.add({
    step: 'path-percent',
    phase,
    strictOnly: true,
    operation: 'getCreator',
    path: `/api/v1/creators/${a.name}/%zz`,
    purpose: 'a percent escape that is none',
    rules: ['CRE-10'],
  });
}
