import { describe, expect, it } from 'vitest';
import { Contract, judged, type Change } from './contract.fixture.ts';

/** `given` is done to the released contract first. */
type Case = readonly [what: string, change: Change, given?: Change];

const place = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };

const harmless: readonly Case[] = [
  ['an optional field is added', (it) => (it.schema('Post').properties['pinned'] = { type: 'boolean' })],
  [
    'a field that is always there is added',
    (it) => {
      it.schema('Post').properties['pinned'] = { type: 'boolean' };
      it.schema('Post').required.push('pinned');
    },
  ],
  [
    'an open vocabulary gains a value',
    (it) => (it.property('Channel', 'network')['examples'] = ['netA', 'netB', 'netC']),
  ],
  [
    'a reason gains a value',
    (it) => (it.property('ErrorDetails', 'reason')['examples'] as string[]).push('author-suspended'),
  ],
  [
    'an opaque group is described',
    (it) => (it.schema('NetAChannel').properties['audienceDemographics'] = { type: 'object', required: ['age'] }),
  ],
  [
    'an opaque group of a post changes',
    (it) => (it.schema('NetBPost').properties['audienceDistributions'] = { type: 'array' }),
  ],
  ['a key of analysis is removed', (it) => delete it.schema('Analysis').properties['vibeAnalysis']],
  ['a key of analysis changes its type', (it) => (it.property('Analysis', 'narration').type = 'number')],
  ['a risk grade is added', (it) => (it.property('BrandSafety', 'terrorism').enum as string[]).push('No Risk')],
  ['a field is never null any more', (it) => (it.property('Post', 'url').type = 'string')],
  ['an optional field is now always there', (it) => it.schema('NetBPost').required.push('audienceDistributions')],
  ['a response loses a value', (it) => (it.property('Mention', 'type').enum as string[]).pop()],
  ['a header is added', (it) => (it.response('Creator').headers['Sunset'] = { schema: { type: 'string' } })],
  ['an optional header is now always there', (it) => (it.header('RateLimit').required = true)],
  ['an error status is added', (it) => (it.operation('/posts').responses['451'] = {})],
  [
    'an operation is added',
    (it) => (it.bundle.paths['/networks'] = { get: { operationId: 'listNetworks', responses: {} } }),
  ],
  [
    'an optional parameter is added',
    (it) => it.operation('/posts').parameters?.push({ name: 'locale', in: 'query', schema: { type: 'string' } }),
  ],
  ['a required parameter becomes optional', (it) => (it.parameter('CreatorIds').required = false)],
  [
    'include gains a value',
    (it) =>
      (it.parameter('PostInclude').schema['pattern'] = String(it.parameter('PostInclude').schema['pattern']).replaceAll(
        'transcript|',
        'transcript|colorPalette|',
      )),
  ],
  ['the cap is raised', (it) => (it.property('BatchRequest', 'ids')['maxItems'] = 200)],
  [
    'an optional field of a request is added',
    (it) => (it.schema('BatchRequest').properties['locale'] = { type: 'string' }),
  ],
  ['a field of a request may be null', (it) => it.nullable('BatchRequest', 'asOrg')],
  ['a scope is no longer needed', (it) => (it.operation('/posts').security = [{ bearer: [] }])],
  ['an operation is deprecated', (it) => Object.assign(it.operation('/posts'), { deprecated: true })],
  [
    'descriptions and examples change',
    (it) => Object.assign(it.schema('Post'), { description: 'A post.', examples: [] }),
  ],
  [
    'components are reordered',
    (it) =>
      (it.bundle.components.schemas = Object.fromEntries(Object.entries(it.bundle.components.schemas).toReversed())),
  ],
  [
    'the encoding of a parameter is written out',
    (it) => Object.assign(it.parameter('AsOrg'), { style: 'form', explode: true }),
  ],
  ['reserved characters need no escape', () => {}, (it) => (it.parameter('PostUrl').allowReserved = false)],
  ['a const loses the type beside it', (it) => delete it.property('UnavailableEntry', 'retryable').type],
  ['a vocabulary has its type beside it', () => {}, (it) => delete it.property('Mention', 'type').type],
  ['a vocabulary loses the type beside it', (it) => delete it.property('Mention', 'type').type],
  [
    'null is written as a choice',
    (it) => (it.schema('Post').properties['place'] = { oneOf: [place, { type: 'null' }] }),
    (it) => (it.schema('Post').properties['place'] = { ...place, type: ['object', 'null'] }),
  ],
  [
    'null is written as a type',
    (it) => (it.schema('Post').properties['place'] = { ...place, type: ['object', 'null'] }),
    (it) => (it.schema('Post').properties['place'] = { oneOf: [place, { type: 'null' }] }),
  ],
  ['a choice of one', (it) => (it.schema('Post').properties['author'] = { oneOf: [it.property('Post', 'author')] })],
  [
    'a choice is written with anyOf',
    (it) =>
      (it.response('PostOrBatch').content['application/json'] = { schema: { anyOf: it.json('PostOrBatch').oneOf! } }),
  ],
  ['choices change places', (it) => it.json('PostOrBatch').oneOf?.reverse()],
  ['a choice stands in its place', (it) => (it.json('PostOrBatch').oneOf![0] = it.schema('PostResponse'))],
  [
    'a reference is replaced by what it names',
    (it) => (it.schema('Post').properties['author'] = it.schema('PostAuthor')),
  ],
  [
    'a component has another name',
    (it) => {
      it.bundle.components.schemas['Writer'] = it.schema('PostAuthor');
      it.schema('Post').properties['author'] = { $ref: '#/components/schemas/Writer' };
    },
  ],
  ['a component is added', (it) => (it.bundle.components.schemas['Unused'] = { type: 'string' })],
  ['items of a request may be the same', () => {}, (it) => (it.property('BatchRequest', 'ids')['uniqueItems'] = true)],
  ['items of a response differ', (it) => (it.property('NetAPost', 'hashtags')['uniqueItems'] = true)],
  ['a vocabulary of a request is opened', () => {}, (it) => (it.parameter('Network').schema.enum = ['netA', 'netB'])],
  [
    'a vocabulary of a request gains a value, in another order',
    (it) => (it.parameter('Network').schema.enum = ['netB', 'netA']),
    (it) => (it.parameter('Network').schema.enum = ['netA']),
  ],
  [
    'a number of a response is whole',
    (it) => (it.schema('Post').properties['size'] = { type: 'integer' }),
    (it) => (it.schema('Post').properties['size'] = { type: 'number' }),
  ],
  [
    'a number of a request may be broken',
    (it) => (it.schema('BatchRequest').properties['size'] = { type: 'number' }),
    (it) => (it.schema('BatchRequest').properties['size'] = { type: 'integer' }),
  ],
  ['a text of a request loses its pattern', () => {}, (it) => (it.parameter('AsOrg').schema['pattern'] = '^x')],
  ['a text of a response has a pattern', (it) => (it.property('Post', 'network')['pattern'] = '^net')],
  [
    'the words of a pattern are in another order',
    (it) => (it.parameter('AsOrg').schema['pattern'] = '^(bbb|aaa)$'),
    (it) => (it.parameter('AsOrg').schema['pattern'] = '^(aaa|bbb)$'),
  ],
  [
    'a text of a request may be shorter and longer',
    (it) => Object.assign(it.parameter('AsOrg').schema, { minLength: 2, maxLength: 6 }),
    (it) => Object.assign(it.parameter('AsOrg').schema, { minLength: 3, maxLength: 5 }),
  ],
  [
    'a number of a response has closer bounds',
    (it) => Object.assign(it.property('Post', 'likeCount'), { minimum: 1, maximum: 8 }),
    (it) => Object.assign(it.property('Post', 'likeCount'), { minimum: 0, maximum: 9 }),
  ],
  ['a response brings no other fields', (it) => (it.schema('Post')['additionalProperties'] = false)],
  ['a response may bring other fields', () => {}, (it) => (it.schema('Post')['additionalProperties'] = false)],
  [
    'other fields of a request are let through',
    () => {},
    (it) => (it.schema('BatchRequest')['additionalProperties'] = false),
  ],
  [
    'a refused field of a request is let through',
    (it) => (it.schema('BatchRequest').properties['more'] = { type: 'string' }),
    (it) => (it.schema('BatchRequest').properties['more'] = false),
  ],
  [
    'anything is written as true',
    (it) => (it.schema('Post').properties['more'] = true),
    (it) => (it.schema('Post').properties['more'] = {}),
  ],
  [
    'the token is described',
    (it) =>
      Object.assign(it.bundle.components['securitySchemes']!['bearer'] as object, {
        description: 'x',
        bearerFormat: 'JWT',
      }),
  ],
  [
    'another credential is enough too',
    (it) => {
      it.bundle.components['securitySchemes']!['key'] = { type: 'apiKey', in: 'header', name: 'x' };
      it.operation('/posts').security?.push({ key: [] });
    },
  ],
  ['no credential is needed', (it) => (it.operation('/posts').security = [])],
  ['an address is added', (it) => it.bundle.servers?.push({ url: '/v1' })],
  ['an operation repeats the address', (it) => (it.operation('/posts').servers = [{ url: '/api/v1' }])],
  [
    'the name of a header is written otherwise',
    (it) => {
      const { headers } = it.response('Creator');
      headers['X-Request-Id'] = headers['x-request-id']!;
      delete headers['x-request-id'];
    },
  ],
  [
    'a body is taken in another type too',
    (it) => it.requestBodies().forEach((body) => (body.content['text/plain'] = { schema: {} })),
  ],
  ['a body becomes optional', (it) => it.requestBodies().forEach((body) => (body.required = false))],
  [
    'a body may be sent where none was',
    (it) => (it.operation('/posts').requestBody = { content: { 'application/json': { schema: {} } } }),
  ],
  ['a response comes in another type too', (it) => (it.response('Creator').content['text/csv'] = { schema: {} })],
  [
    'a response has a body where none was',
    () => {},
    (it) => Object.assign(it.response('Creator'), { content: undefined }),
  ],
  ['parameters change places', (it) => it.operation('/posts').parameters?.reverse()],
  [
    'a parameter moves to its path',
    (it) => Object.assign(it.bundle.paths['/posts']!, { parameters: [it.operation('/posts').parameters?.pop()] }),
  ],
  [
    'an operation is described',
    (it) => Object.assign(it.operation('/posts'), { tags: ['x'], summary: 'x', description: 'x', 'x-y': 1 }),
  ],
  ['the document is described', (it) => Object.assign(it.bundle, { info: { title: 'x', version: '1.1.0' }, tags: [] })],
  ['a field is deprecated', (it) => Object.assign(it.property('Post', 'url'), { deprecated: true, title: 'x' })],
];

describe('VER-02 what breaks nobody', () => {
  for (const [what, change, given] of harmless)
    it(`VER-02 not breaking: ${what}`, () => {
      const [released, present] = [new Contract(), new Contract()];
      given?.(released);
      change(present);
      expect(JSON.stringify(present.bundle)).not.toBe(JSON.stringify(released.bundle));
      expect(judged(change, given)).toEqual([]);
    });
});
