import { describe, expect, it } from 'vitest';
import type { Schema } from '../bundle.ts';
import { judged, type Change } from './contract.fixture.ts';

/** The fault is named in what the gate says; `given` is done to the released contract first. */
type Case = readonly [what: string, change: Change, naming: string, given?: Change];

const breaking: readonly Case[] = [
  ['an operation is removed', (it) => delete it.bundle.paths['/posts/batch'], 'batchPosts'],
  ['an operation is renamed', (it) => (it.operation('/posts').operationId = 'readPosts'), 'getPosts'],
  ['the path has another version', (it) => (it.bundle.servers = [{ url: '/api/v2' }]), 'server'],
  [
    'a scope is added',
    (it) => (it.operation('/posts').security = [{ bearer: ['posts:read', 'analysis:read'] }]),
    'getPosts',
  ],
  ['another scheme is asked for', (it) => (it.operation('/posts').security = [{ key: [] }]), 'getPosts'],
  ['a status is removed', (it) => delete it.operation('/posts').responses['202'], 'getPosts 202'],
  ['a success status is new', (it) => (it.operation('/posts').responses['204'] = {}), 'getPosts 204'],
  ['a required header is removed', (it) => delete it.response('FetchingCreator').headers['Retry-After'], 'Retry-After'],
  ['an optional header is removed', (it) => delete it.response('Creator').headers['RateLimit'], 'RateLimit'],
  ['a required header becomes optional', (it) => (it.header('RetryAfter').required = false), 'Retry-After'],
  ['a header may be less than before', (it) => (it.header('RetryAfter').schema['minimum'] = 0), 'minimum'],
  [
    'a body comes in another type',
    (it) => (it.response('Creator').content = { 'text/csv': { schema: {} } }),
    'application/json',
  ],
  ['a field of a response is removed', (it) => delete it.schema('Post').properties['url'], '.url: removed'],
  [
    'an optional field of a response is removed',
    (it) => delete it.schema('Creator').properties['posts'],
    '.posts: removed',
  ],
  [
    'an opaque group is removed',
    (it) => delete it.schema('NetAChannel').properties['audienceDemographics'],
    'audienceDemographics: removed',
  ],
  ['a field becomes nullable', (it) => it.nullable('Channel', 'verified'), 'verified'],
  [
    'an object becomes nullable by oneOf',
    (it) => (it.schema('Post').properties['author'] = { oneOf: [it.property('Post', 'author'), { type: 'null' }] }),
    'author',
  ],
  ['a field becomes optional', (it) => it.optional('NetBPost', 'anchorId'), 'anchorId'],
  ['a field has another type', (it) => (it.property('Post', 'likeCount').type = ['string', 'null']), 'likeCount'],
  [
    'a field has one type more',
    (it) => (it.property('Post', 'likeCount').type = ['number', 'string', 'null']),
    'likeCount',
  ],
  ['an item has another type', (it) => (it.property('NetAPost', 'hashtags').items = { type: 'number' }), 'hashtags'],
  [
    'a closed vocabulary of a response gains a value',
    (it) => (it.property('Mention', 'type').enum as string[]).push('LIVE'),
    'LIVE',
  ],
  ['a closed vocabulary of a response becomes open', (it) => delete it.property('Post', 'mediaKind').enum, 'mediaKind'],
  [
    'a const changes',
    (it) => (((it.property('NotFoundError', 'error').properties ?? {})['code'] as Schema).const = 'missing'),
    'code',
  ],
  ['a const is dropped', (it) => delete it.property('UnavailableEntry', 'retryable').const, 'retryable'],
  ['a timestamp loses its format', (it) => delete it.property('FetchingEntry', 'retryAfter')['format'], 'format'],
  ['channels may be empty', (it) => (it.property('Creator', 'channels')['minItems'] = 0), 'minItems'],
  [
    'batch entries may have posts',
    (it) => (it.schema('CreatorEntry').properties['posts'] = { type: 'array' }),
    'posts',
  ],
  ['a response loses a shape', (it) => it.json('PostOrBatch').oneOf?.pop(), 'shape { data, fetching, unavailable }'],
  [
    'a response of several shapes has one',
    (it) => (it.response('PostOrBatch').content['application/json'] = { schema: it.json('PostOrBatch').oneOf![0]! }),
    'shape { data, fetching, unavailable }',
  ],
  ['a response may be a string', (it) => it.json('PostOrBatch').oneOf?.push({ type: 'string' }), 'string is new'],
  [
    'a response may have another shape',
    (it) => it.json('PostOrBatch').oneOf?.push({ type: 'object', properties: { other: { type: 'string' } } }),
    '200.data: removed',
  ],
  [
    'the bearer scheme becomes basic',
    (it) => (it.bundle.components['securitySchemes']!['bearer'] = { type: 'http', scheme: 'basic' }),
    'no longer enough',
  ],
  [
    'the token moves to the query',
    (it) => (it.bundle.components['securitySchemes']!['bearer'] = { type: 'apiKey', in: 'query', name: 'token' }),
    'no longer enough',
  ],
  ['a credential is asked for where none was', () => {}, 'getPosts', (it) => (it.operation('/posts').security = [])],
  [
    'a credential is asked for where nothing was said of any',
    () => {},
    'getPosts',
    (it) => (delete it.operation('/posts').security, delete it.bundle.security),
  ],
  [
    'two schemes are asked for at once',
    (it) => (it.operation('/posts').security = [{ bearer: ['posts:read'], key: [] }]),
    'getPosts',
  ],
  [
    'an operation has another address',
    (it) => (it.operation('/posts').servers = [{ url: '/elsewhere' }]),
    'getPosts: server /api/v1',
  ],
  [
    'a path has another address',
    (it) => Object.assign(it.bundle.paths['/posts']!, { servers: [{ url: '/elsewhere' }] }),
    'getPosts: server /api/v1',
  ],
  [
    'a path is renamed',
    (it) => {
      it.bundle.paths['/media'] = it.bundle.paths['/posts']!;
      delete it.bundle.paths['/posts'];
    },
    'GET /posts removed',
  ],
  [
    'an operation has another method',
    (it) => (it.bundle.paths['/posts'] = { put: it.operation('/posts') }),
    'GET /posts removed',
  ],
  ['an error status is removed', (it) => delete it.operation('/posts').responses['404'], 'getPosts 404: removed'],
  [
    'a closed vocabulary of a response gains null',
    (it) => {
      it.nullable('Mention', 'type');
      it.property('Mention', 'type').enum?.push(null);
    },
    'null is new',
  ],
  [
    'a whole number of a response may be any',
    (it) => (it.schema('Post').properties['size'] = { type: 'number' }),
    'number is new',
    (it) => (it.schema('Post').properties['size'] = { type: 'integer' }),
  ],
  [
    'a field is removed beside a choice',
    (it) => {
      it.schema('Post').oneOf = [{ required: ['url'] }];
      delete it.schema('Post').properties['url'];
    },
    '.url: removed',
    (it) => (it.schema('Post').oneOf = [{ required: ['url'] }]),
  ],
  [
    'an item may be null',
    (it) => (it.property('NetAPost', 'hashtags').items = { type: ['string', 'null'] }),
    'hashtags[]: null is new',
  ],
  ['an item may be anything', (it) => delete it.property('NetAPost', 'hashtags').items, 'hashtags[]: anything is new'],
  ['a field may be anything', (it) => (it.schema('Post').properties['url'] = true), 'url: anything is new'],
  ['an optional field never comes', (it) => (it.schema('Creator').properties['posts'] = false), 'posts: removed'],
  [
    'a number of a response may be larger',
    (it) => (it.property('Post', 'likeCount')['maximum'] = 100),
    'maximum from 10 to 100',
    (it) => (it.property('Post', 'likeCount')['maximum'] = 10),
  ],
  [
    'a text of a response loses its pattern',
    () => {},
    'network: pattern',
    (it) => (it.property('Post', 'network')['pattern'] = '^net'),
  ],
  [
    'an opaque group may be missing',
    () => {},
    'analysis: no longer always there',
    (it) => it.schema('Post').required.push('analysis'),
  ],
  ['a header has another type', (it) => (it.header('XRequestId').schema = { type: 'integer' }), 'integer is new'],
  [
    'a response has no body',
    (it) => Object.assign(it.response('Creator'), { content: undefined }),
    'application/json: removed',
  ],
];

describe('VER-02 what a client no longer reaches, or cannot read', () => {
  for (const [what, change, naming, given] of breaking)
    it(`VER-02 breaking: ${what}`, () => expect(judged(change, given).join('\n')).toContain(naming));
});
