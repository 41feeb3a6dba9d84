/**
 * The extended profile: what the core one has no room for, at most 45 requests of any one principal, most of them of one that
 * the core one does not know. Almost all of it is one table: a request, and how it has to be answered.
 */
import type { Level, PlannedRequest, Role } from '../model.ts';
import type { Fixtures, NetworkFixtures } from './fixtures.ts';
import { creatorPath, json, operationPath, query, type Planner, type Step } from './planner.ts';
import { unknownHost } from './reads.ts';

/** Rules that no other profile shows. */
export const extendedAlone: ReadonlySet<string> = new Set(['DOC-13', 'STA-04']);

interface Case {
  readonly step: string;
  readonly rules: readonly string[];
  readonly purpose: string;
  readonly request: Pick<PlannedRequest, 'operation' | 'path'> & Partial<Step>;
  readonly status: number;
  readonly reason?: string;
  /** `Allow` has to list it, and not the other of GET and POST. */
  readonly allow?: 'GET' | 'POST';
  readonly role?: Role;
  /** The specification says it; else it is a ruling, sent with --strict only. */
  readonly level?: Level;
}

export function planExtended(planner: Planner, fixtures: Fixtures): void {
  planEarly(planner, fixtures);
  planBrokenPost(planner, fixtures);
  planDeep(planner, fixtures);
  const cases = [
    ...credentials(fixtures),
    ...organizations(fixtures),
    ...onEachOperation(fixtures),
    ...siblings(fixtures),
    ...handles(fixtures),
    ...repeats(fixtures),
    ...bodies(fixtures),
    ...addresses(fixtures),
    ...paths(fixtures),
  ];
  for (const one of cases) addCase(planner, one);
  planMarketplace(planner, fixtures);
}

function addCase(planner: Planner, { step, rules, purpose, request, role, level = 'ruling', ...expected }: Case): void {
  planner.add({
    phase: 2,
    role: role ?? 'otherPrincipal',
    ...request,
    step: `more-${step}`,
    purpose,
    rules,
    strictOnly: level === 'ruling',
    facts: { ...expected, level },
  });
}

const list = (ids: string, more: Readonly<Record<string, string | undefined>> = {}): Case['request'] => ({
  operation: 'listCreators',
  path: `${operationPath.listCreators}${query({ ids, ...more })}`,
});
const single = (
  { name, held }: NetworkFixtures,
  more: Readonly<Record<string, string | undefined>>,
): Case['request'] => ({
  operation: 'getCreator',
  path: creatorPath(name, held ?? 'someone', more),
});
const posts = (parameters: Readonly<Record<string, string>>): Case['request'] => ({
  operation: 'getPosts',
  path: `${operationPath.getPosts}${query(parameters)}`,
});
const batch = (operation: 'batchCreators' | 'batchPosts', body: unknown): Case['request'] => ({
  operation,
  path: operationPath[operation],
  ...json(body),
});

/** Each operation by itself wants a credential, and a right one. */
function credentials({ unsupported }: Fixtures): Case[] {
  const id = `${unsupported}:someone`;
  const operations: readonly (readonly [string, Case['request']])[] = [
    ['listCreators', list(id)],
    ['batchCreators', batch('batchCreators', { ids: [id] })],
    ['getPosts', posts({ ids: id })],
    ['batchPosts', batch('batchPosts', { ids: [id] })],
  ];
  const level = 'specification';
  const [, , , [, request]] = operations as [unknown, unknown, unknown, readonly [string, Case['request']]];
  const malformed = (step: string, line: string, purpose: string): Case => ({
    step,
    rules: ['AUT-02'],
    purpose,
    request: { ...request, authorization: [line] },
    status: 401,
    level,
  });
  return [
    ...operations.map(([name, asked]): Case => ({
      step: `none-${name}`,
      rules: ['AUT-01'],
      purpose: `${name} without an Authorization header`,
      request: asked,
      role: 'none',
      status: 401,
      level,
    })),
    {
      step: 'expired',
      rules: ['AUT-04'],
      purpose: 'a token past its expiry',
      request,
      role: 'expired',
      status: 401,
      level,
    },
    { step: 'revoked', rules: ['AUT-05'], purpose: 'a revoked token', request, role: 'revoked', status: 401, level },
    {
      step: 'longer-token',
      rules: ['AUT-03'],
      purpose: 'a right token with one character more',
      request: { ...request, authorization: ['Bearer $TOKENx'] },
      status: 401,
      level,
    },
    malformed('quoted-token', 'Bearer "$TOKEN"', 'a right token in quotation marks'),
    {
      step: 'two-lines',
      rules: ['AUT-12'],
      purpose: 'two Authorization lines',
      request: { ...request, authorization: ['Bearer $TOKEN', 'Bearer $TOKEN'] },
      status: 401,
    },
    malformed('empty-authorization', '', 'an Authorization header with nothing in it'),
  ];
}

/** Slugs are exact, and what is an id is seen by its form. */
function organizations({ unsupported, unique, target }: Fixtures): Case[] {
  const id = `${unsupported}:someone`;
  const own = target.organizations.own ?? 'own';
  const profile = target.profiles.own ?? 'own';
  const rules = ['ORG-09'];
  return [
    { step: 'asorg-empty', rules, purpose: 'asOrg without a value', request: list(id, { asOrg: '' }), status: 403 },
    {
      step: 'asorg-blank',
      rules,
      purpose: 'a slug behind a blank',
      request: list(id, { asOrg: ` ${own}` }),
      status: 403,
    },
    {
      step: 'asprofile-empty',
      rules,
      purpose: 'asProfile without a value',
      request: batch('batchPosts', { ids: [id], asProfile: '' }),
      status: 404,
    },
    {
      step: 'asprofile-blank',
      rules,
      purpose: 'a slug before a blank',
      request: batch('batchCreators', { ids: [id], asProfile: `${profile} ` }),
      status: 404,
    },
    {
      step: 'asorg-unknown-id',
      rules: ['ORG-04'],
      purpose: 'the id of an organization that nobody has',
      request: { operation: 'getCreator', path: creatorPath(unsupported, 'someone', { asOrg: `org_${unique}` }) },
      status: 404,
    },
  ];
}

/** Each operation by itself looks at `asOrg` and `asProfile`; paid by the principals that have one scope only. */
function onEachOperation({ a, unsupported, unique, target }: Fixtures): Case[] {
  const ids = `${unsupported}:1`;
  const { id } = target.organizations;
  const unknown = `unknown-${unique}`;
  const level = 'specification';
  const status = 404;
  const ofId = (step: string, role: Role, request: Case['request']): Case => ({
    step: `asorg-id-${step}`,
    rules: ['ORG-04', 'ORG-08'],
    purpose: `${step} for an organization's id`,
    request: { ...request, needs: { "organization's id": id } },
    role,
    status,
    level,
  });
  const ofUnknown = (step: string, role: Role, request: Case['request']): Case => ({
    step: `asprofile-${step}`,
    rules: ['ORG-07', 'ORG-08'],
    purpose: `${step} for a profile that does not exist`,
    request,
    role,
    status,
    level,
  });
  const url = a.postUrl(a.post.held) ?? unknownHost;
  return [
    ofId('getCreator', 'creatorsOnly', single(a, { asOrg: id })),
    ofId('listCreators', 'creatorsOnly', list(ids, { asOrg: id })),
    ofId('batchCreators', 'creatorsOnly', batch('batchCreators', { ids: [ids], asOrg: id })),
    ofId('getPosts-url', 'postsOnly', posts({ url, ...(id === undefined ? {} : { asOrg: id }) })),
    ofId('batchPosts', 'postsOnly', batch('batchPosts', { ids: [ids], asOrg: id })),
    ofUnknown('getCreator', 'creatorsOnly', single(a, { asProfile: unknown })),
    ofUnknown('getPosts-url', 'postsOnly', posts({ url, asProfile: unknown })),
    ofUnknown('getPosts-ids', 'postsOnly', posts({ ids, asProfile: unknown })),
    ofUnknown('batchPosts', 'postsOnly', batch('batchPosts', { ids: [ids], asProfile: unknown })),
  ];
}

/** What the core profile asks of one operation, asked of its siblings. */
function siblings({ a, unsupported }: Fixtures): Case[] {
  const wrong = (step: string, rule: string, purpose: string, role: Role, request: Case['request']): Case => ({
    step,
    rules: [rule],
    purpose,
    request,
    role,
    status: 400,
    level: 'specification',
  });
  const ids = `${unsupported}:1`;
  return [
    wrong('posts-blank', 'IDS-05', 'ids of posts with nothing in it', 'postsOnly', posts({ ids: ' ,' })),
    wrong('creators-none', 'IDS-05', 'an empty list of creators', 'creatorsOnly', batch('batchCreators', { ids: [] })),
    wrong('creators-text', 'CRB-08', 'ids that are no array', 'creatorsOnly', batch('batchCreators', { ids })),
    wrong('posts-not-json', 'CRB-08', 'a body that is not JSON', 'postsOnly', {
      ...batch('batchPosts', {}),
      body: '{"ids": ["a"',
    }),
    wrong(
      'ids-include',
      'PST-05',
      'an include in capitals, with ids',
      'postsOnly',
      posts({ ids, include: 'Transcript' }),
    ),
    wrong('include-case', 'CRE-07', 'an include in capitals', 'creatorsOnly', single(a, { include: 'Posts' })),
  ];
}

/** A handle and a network in a path are read as strictly as in a list. */
function handles({ a, unique }: Fixtures): Case[] {
  const miss = { role: 'creatorsOnly', status: 404 } as const;
  const request = (network: string, handle: string): Case['request'] => ({
    operation: 'getCreator',
    path: creatorPath(network, handle),
  });
  return [
    {
      ...miss,
      step: 'handle-blank',
      rules: ['CRE-10'],
      purpose: 'a handle with a blank in it',
      request: request(a.name, `bad ${unique}`),
      reason: 'unparseable-identifier',
    },
    {
      ...miss,
      step: 'handle-long',
      rules: ['CRE-10'],
      purpose: 'a handle of 101 characters',
      request: request(a.name, unique.padEnd(101, 'x')),
      reason: 'unparseable-identifier',
    },
    {
      ...miss,
      step: 'network-capitals',
      rules: ['IDS-13'],
      purpose: 'a network in capitals',
      request: request(a.name.toUpperCase(), 'someone'),
      reason: 'not-supported-on-network',
    },
  ];
}

function repeats({ unsupported, target }: Fixtures): Case[] {
  const rules = ['IDS-14'];
  const twice = (name: string, one: string, other: string): Case => ({
    step: `${name.toLowerCase()}-twice`,
    rules,
    purpose: `${name} given twice`,
    request: { ...list(`${unsupported}:1`), path: `${list(`${unsupported}:1`).path}&${name}=${one}&${name}=${other}` },
    status: 400,
  });
  const own = target.organizations.own ?? 'own';
  return [twice('network', 'netA', 'netB'), twice('asOrg', own, own)];
}

/** What a body may not be. */
function bodies({ unsupported }: Fixtures): Case[] {
  const ids = [`${unsupported}:someone`];
  const wrong = (step: string, rule: string, purpose: string, body: unknown, level: Level): Case => ({
    step,
    rules: [rule],
    purpose,
    request: batch(step.length % 2 === 0 ? 'batchCreators' : 'batchPosts', body),
    status: 400,
    level,
  });
  return [
    wrong('ids-absent', 'IDS-05', 'a body without ids', { network: 'netA' }, 'specification'),
    wrong('ids-blank', 'IDS-10', 'a body with nothing but blank items', { ids: ['', ' '] }, 'ruling'),
    wrong('ids-numbers', 'CRB-08', 'numbers among ids', { ids: [7, ...ids] }, 'specification'),
    wrong('ids-nested', 'CRB-08', 'a list among ids', { ids: [ids] }, 'specification'),
    wrong('ids-null', 'CRB-08', 'ids that are null', { ids: null }, 'specification'),
    wrong('list', 'CRB-08', 'a body that is a list', ids, 'specification'),
    wrong('network-null', 'IDS-14', 'a network that is null', { ids, network: null }, 'ruling'),
    wrong('asorg-null', 'IDS-14', 'asOrg that is null', { ids, asOrg: null }, 'ruling'),
    wrong('asprofile-null', 'IDS-14', 'asProfile that is null', { ids, asProfile: null }, 'ruling'),
    wrong('deep-null', 'IDS-14', 'creatorDeepAnalysis that is null', { ids, creatorDeepAnalysis: null }, 'ruling'),
    wrong('deep-text', 'IDS-14', 'creatorDeepAnalysis that is text', { ids, creatorDeepAnalysis: 'yes' }, 'ruling'),
    {
      step: 'type',
      rules: ['CRB-08'],
      purpose: 'a body of another content type',
      request: { ...batch('batchCreators', { ids }), contentType: 'text/plain' },
      status: 400,
    },
    wrong('large', 'CRB-08', 'a body of more than 1 MiB', { ids, nonsense: 'x'.repeat(2 ** 20) }, 'ruling'),
  ];
}

/** The parameter `url` takes addresses of posts, and nothing else. */
function addresses({ a, unsupported }: Fixtures): Case[] {
  const unparseable = (step: string, rule: string, purpose: string, url: string): Case => ({
    step,
    rules: [rule],
    purpose,
    request: posts({ url }),
    status: 404,
    reason: 'unparseable-identifier',
  });
  return [
    unparseable('url-empty', 'PST-03', 'url without a value', ''),
    unparseable('url-qualified', 'IDS-13', 'a qualified identifier as url', `${a.name}:${a.post.held ?? 'x'}`),
    unparseable('url-profile', 'IDS-08', "a profile's URL as url", a.profileUrl(a.held) ?? 'https://unknown.invalid/x'),
    {
      step: 'url-and-no-ids',
      rules: ['PST-03'],
      purpose: 'url and ids together, the latter empty',
      request: posts({ url: a.postUrl(a.post.held) ?? `${unsupported}:1`, ids: '' }),
      status: 400,
    },
  ];
}

/** Paths and methods that there are not, without a credential. */
function paths({ a }: Fixtures): Case[] {
  const unknown = (step: string, path: string, purpose: string): Case => ({
    step,
    rules: ['GEN-13'],
    purpose,
    request: { operation: null, path },
    role: 'none',
    status: 404,
  });
  const wrong = (step: string, method: string, path: string, allow: 'GET' | 'POST'): Case => ({
    step,
    rules: ['GEN-07'],
    purpose: `${method} ${path}`,
    request: { operation: null, method, path: `/api/v1${path}` },
    role: 'none',
    status: 405,
    allow,
  });
  return [
    unknown('double-slash', '/api/v1//creators', 'a path with two slashes'),
    unknown('capitals', '/api/v1/Creators', 'a path in another case'),
    unknown('root', '/api/v1', 'the base of the interface, which is no operation'),
    unknown('deeper', `${creatorPath(a.name, a.held ?? 'someone')}/posts`, 'a path below one of a creator'),
    wrong('put-creators', 'PUT', '/creators', 'GET'),
    wrong('options-posts', 'OPTIONS', '/posts', 'GET'),
    wrong('get-creators-batch', 'GET', '/creators/batch', 'POST'),
    wrong('delete-posts-batch', 'DELETE', '/posts/batch', 'POST'),
  ];
}

/** PST-06: true is taken too; PST-02: one identifier; of a network that nobody supports, so that nothing is taken in. */
function planDeep(planner: Planner, { unsupported }: Fixtures): void {
  const identifiers = [`${unsupported}:someone`];
  planner.add({
    step: 'deep-accepted',
    phase: 2,
    role: 'otherPrincipal',
    operation: 'batchPosts',
    path: operationPath.batchPosts,
    ...json({ ids: identifiers, creatorDeepAnalysis: true }),
    identifiers,
    purpose: 'creatorDeepAnalysis that is true',
    rules: ['PST-06'],
  });
  planner.add({
    step: 'one-post',
    phase: 2,
    role: 'otherPrincipal',
    ...posts({ ids: `${unsupported}:someone` }),
    identifiers,
    purpose: 'a list of one identifier, which is a batch all the same',
    rules: ['PST-02'],
  });
}

/** CRB-06: what fails on the service's side says so alone as well; of netB, as the core profile reads netA by URL. */
function planBrokenPost(planner: Planner, { b }: Fixtures): void {
  const url = b.postUrl(b.post.broken);
  planner.add({
    step: 'post-broken',
    phase: 1,
    role: 'postsOnly',
    operation: 'getPosts',
    needs: { "post on netB that fails on the service's side": url },
    path: `/api/v1/posts${query({ url })}`,
    polls: 2,
    purpose: "a post of netB that fails on the service's side, by its URL",
    rules: ['PST-01', 'CRB-06'],
  });
}

/** STA-04: a read that comes before the wait is over. The one place where the suite is faster than it was told, on purpose. */
function planEarly(planner: Planner, { b }: Fixtures): void {
  const handle = b.notHeld(8);
  const request = {
    phase: 1,
    role: 'otherPrincipal',
    operation: 'getCreator',
    needs: { 'template of not held creators on netB': handle },
    path: creatorPath(b.name, handle ?? ''),
    rules: ['STA-04'],
  } as const;
  planner.add({ ...request, step: 'early-first', polls: 2, purpose: 'a creator that nobody asked for before' });
  planner.add({ ...request, step: 'early-again', purpose: 'the same, before the wait is over' });
}

/** DOC-13: a creator of netA by one whose organization has no marketplace credentials, and by one whose has them. */
function planMarketplace(planner: Planner, { a, target }: Fixtures): void {
  if (!target.capabilities.marketplace) return;
  for (const role of ['otherPrincipal', 'withoutMarketplace'] as const)
    planner.add({
      step: `marketplace-${role}`,
      role,
      ...(role === 'otherPrincipal' ? { phase: 1, polls: 1 } : { phase: 3 }),
      strictOnly: true,
      operation: 'getCreator',
      needs: { 'held creator on netA': a.held },
      path: creatorPath(a.name, a.held ?? '', { include: 'posts' }),
      purpose: `a held creator of netA, by a principal ${role === 'otherPrincipal' ? 'with' : 'without'} the marketplace`,
      rules: ['DOC-13'],
    });
}
