/** Requests that have to be refused (phase 2): credentials, scopes, organizations, input, paths. */
import { creatorPath, json, operationPath, query, type Planner } from './planner.ts';
import { unknownHost } from './reads.ts';
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

function planSingleInput(planner: Planner, { a, unsupported }: Fixtures): void {
  const url = a.postUrl(a.post.held) ?? unknownHost;
  const phase = 2;
  const { strict } = planner;
  planner.add({
    step: 'creator-unsupported',
    phase,
    operation: 'getCreator',
    path: strict ? `/api/v1/creators/${unsupported}/some%21one` : creatorPath(unsupported, 'someone'),
    purpose: 'a network that is not supported',
    rules: ['CRE-05', 'CRE-10', 'GEN-08'],
  });
  planner.add({
    step: 'creator-include',
    phase,
    operation: 'getCreator',
    path: creatorPath(a.name, a.held ?? 'someone', { include: 'posts,nonsense' }),
    purpose: 'an include that there is not',
    rules: ['CRE-07'],
  });
  planner.add({
    step: 'posts-include',
    phase,
    operation: 'getPosts',
    path: `/api/v1/posts${query({ url, include: 'transcript,nonsense' })}`,
    purpose: 'an include that there is not',
    rules: ['PST-05'],
  });
  planner.add({
    step: 'posts-both',
    phase,
    operation: 'getPosts',
    path: `/api/v1/posts${query({ url, ids: `${unsupported}:1` })}`,
    purpose: 'url and ids together',
    rules: ['PST-03'],
  });
  planner.add({
    step: 'posts-neither',
    phase,
    operation: 'getPosts',
    path: strict ? '/api/v1/posts?ids[]=a' : '/api/v1/posts',
    purpose: 'neither url nor ids',
    rules: ['PST-03', 'IDS-14'],
  });
  planner.add({
    step: 'post-unknown-url',
    phase,
    operation: 'getPosts',
    path: `/api/v1/posts${query({ url: unknownHost })}`,
    purpose: 'a URL of no supported network',
    rules: ['PST-07', 'IDS-07'],
  });
}

function planBatchInput(planner: Planner, { unsupported, unique, target }: Fixtures): void {
  const hundredOne = Array.from({ length: 101 }, (_, number) => `${unsupported}:over-${number}`);
  const repeated = [...hundredOne.slice(0, 100), `${unsupported}:over-0`];
  const phase = 2;
  const { strict } = planner;
  const asOrg = strict ? target.organizations.withoutRole : undefined;
  planner.add({
    step: 'creators-empty',
    phase,
    operation: 'listCreators',
    path: `/api/v1/creators${query({ ids: ' ,, ', asOrg })}`,
    purpose: 'ids with nothing in it',
    rules: ['IDS-05', 'AUT-10'],
  });
  if (!strict)
    planner.add({
      step: 'creators-missing-ids',
      phase,
      operation: 'listCreators',
      path: '/api/v1/creators',
      purpose: 'no ids',
      rules: ['IDS-05'],
    });
  planner.add({
    step: 'creators-101',
    phase,
    operation: 'batchCreators',
    path: operationPath.batchCreators,
    ...json({ ids: strict ? repeated : hundredOne }),
    purpose: strict ? '101 identifiers, one of them twice' : '101 identifiers',
    rules: ['IDS-05', 'IDS-11'],
  });
  planner.add({
    step: 'posts-101',
    phase,
    operation: 'getPosts',
    path: `/api/v1/posts${query({ ids: hundredOne.join(',') })}`,
    purpose: '101 identifiers in a query',
    rules: ['IDS-05'],
  });
  planner.add({
    step: 'creators-101-get',
    phase,
    operation: 'listCreators',
    path: `${operationPath.listCreators}${query({ ids: hundredOne.join(',') })}`,
    purpose: '101 identifiers in a query',
    rules: ['IDS-05'],
  });
  planner.add({
    step: 'posts-101-post',
    phase,
    operation: 'batchPosts',
    path: operationPath.batchPosts,
    ...json({ ids: hundredOne }),
    purpose: '101 identifiers',
    rules: ['IDS-05'],
  });
  planner.add({
    step: 'posts-none',
    phase,
    operation: 'batchPosts',
    path: operationPath.batchPosts,
    ...json({ ids: [] }),
    purpose: 'an empty list',
    rules: ['IDS-05'],
  });
  // Anybody who parses, decodes or shortens what he echoes changes this one.
  const touchy = `https://unknown.invalid:443/a+b%2Cc/${'y'.repeat(300)}?D=%20e#F`;
  const long = Array.from(
    { length: 99 },
    (_, number) => `https://unknown.invalid/${unique}/${number}/${'x'.repeat(strict ? 580 : 20)}`,
  );
  const identifiers = [touchy, ...long];
  planner.add({
    step: 'creators-long',
    phase,
    operation: 'listCreators',
    path: `/api/v1/creators?ids=${identifiers.map(encodeURIComponent).join(',')}`,
    identifiers,
    purpose: strict ? '100 percent-encoded URLs by GET, 64 KiB of them' : '100 percent-encoded URLs by GET',
    rules: ['GEN-11', 'IDS-05', 'IDS-07', 'CRB-05'],
  });
  planner.add({
    step: 'creators-not-json',
    phase,
    operation: 'batchCreators',
    method: 'POST',
    path: operationPath.batchCreators,
    body: '{"ids": ["a"',
    contentType: 'application/json',
    purpose: 'a body that is not JSON',
    rules: ['CRB-08'],
  });
  planner.add({
    step: 'posts-ids-string',
    phase,
    operation: 'batchPosts',
    path: operationPath.batchPosts,
    ...json({ ids: `${unsupported}:1` }),
    purpose: 'ids that is no array',
    rules: ['CRB-08'],
  });
}
