/** Cases about who asks, and for whom: credentials, organizations, profiles. */
import type { Role } from '../model.ts';
import { batch, list, posts, single, type Case } from './case.ts';
import type { Fixtures } from './fixtures.ts';
import { unknownHost } from './identifiers.ts';
import { creatorPath } from './planner.ts';

/** Each operation by itself wants a credential, and a right one. */
export function credentials({ unsupported }: Fixtures): Case[] {
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
      step: 'scope-getPosts-url',
      rules: ['AUT-07'],
      purpose: 'one post with a token that lacks its scope',
      request: posts({ url: unknownHost }),
      role: 'creatorsOnly',
      status: 403,
      level,
    },
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
export function organizations({ unsupported, unique, target }: Fixtures): Case[] {
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
export function onEachOperation({ a, unsupported, unique, target }: Fixtures): Case[] {
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
