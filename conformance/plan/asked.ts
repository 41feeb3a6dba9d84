/** Cases about what is asked: parameters, bodies, addresses, handles, paths and methods. */
import type { Level, Role } from '../model.ts';
import { batch, list, posts, single, type Case } from './case.ts';
import type { Fixtures } from './fixtures.ts';
import { creatorPath } from './planner.ts';

/** What the core profile asks of one operation, asked of its siblings. */
export function siblings({ a, unsupported }: Fixtures): Case[] {
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
export function handles({ a, unique }: Fixtures): Case[] {
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

export function repeats({ unsupported, target }: Fixtures): Case[] {
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
export function bodies({ unsupported }: Fixtures): Case[] {
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
    wrong('null', 'CRB-08', 'a body that is null', null, 'specification'),
    wrong('network-null', 'IDS-14', 'a network that is null', { ids, network: null }, 'ruling'),
    wrong('asorg-null', 'IDS-14', 'asOrg that is null', { ids, asOrg: null }, 'ruling'),
    wrong('asprofile-null', 'IDS-14', 'asProfile that is null', { ids, asProfile: null }, 'ruling'),
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
export function addresses({ a, unsupported }: Fixtures): Case[] {
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
export function paths({ a }: Fixtures): Case[] {
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
    unknown('deeper', `${creatorPath(a.name, a.held ?? 'someone')}/posts`, 'a path below one of a creator'),
    wrong('post-creators', 'POST', '/creators', 'GET'),
    wrong('options-posts', 'OPTIONS', '/posts', 'GET'),
    wrong('get-creators-batch', 'GET', '/creators/batch', 'POST'),
  ];
}
