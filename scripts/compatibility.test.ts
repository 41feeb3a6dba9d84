import { describe, expect, it } from 'vitest';
import { readBundle } from './bundle.ts';
import type { Bundle, Operation, Parameter, Response, Schema } from './bundle.ts';
import { breakingChanges } from './compatibility.ts';

/** The contract, with short ways to the places that a change concerns. */
class Contract {
  readonly bundle: Bundle = structuredClone(readBundle());

  schema(name: string): Required<Pick<Schema, 'properties' | 'required'>> & Schema {
    return this.bundle.components.schemas[name] as Required<Pick<Schema, 'properties' | 'required'>> & Schema;
  }
  property(name: string, field: string): Schema {
    return this.schema(name).properties[field] as Schema;
  }
  operation(path: string, method = 'get'): Operation {
    return this.bundle.paths[path]?.[method] as Operation;
  }
  parameter(name: string): Parameter {
    return this.bundle.components['parameters']?.[name] as Parameter;
  }
  response(name: string): Required<Response> {
    return this.bundle.components['responses']?.[name] as Required<Response>;
  }
  header(name: string): { required?: boolean; schema: Schema } {
    return this.bundle.components['headers']?.[name] as { required?: boolean; schema: Schema };
  }
  nullable(name: string, field: string): void {
    const schema = this.property(name, field);
    schema.type = [schema.type as string, 'null'];
  }
  optional(name: string, field: string): void {
    this.schema(name).required = this.schema(name).required.filter((one) => one !== field);
  }
}

type Case = readonly [what: string, change: (contract: Contract) => void, naming: string];

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
  ['a parameter is removed', (it) => it.operation('/posts').parameters?.pop(), 'asProfile'],
  ['a parameter becomes required', (it) => (it.parameter('AsOrg').required = true), 'asOrg'],
  [
    'a new parameter is required',
    (it) =>
      it
        .operation('/posts')
        .parameters?.push({ name: 'region', in: 'query', required: true, schema: { type: 'string' } }),
    'region',
  ],
  ['a default of a parameter changes', (it) => (it.parameter('DefaultNetwork').schema.default = 'netB'), 'default'],
  [
    'a default of a body changes',
    (it) => (it.property('BatchRequest', 'creatorDeepAnalysis').default = true),
    'default',
  ],
  [
    'a parameter becomes a closed vocabulary',
    (it) => (it.parameter('Network').schema.enum = ['netA', 'netB']),
    'network',
  ],
  [
    'include loses a value',
    (it) =>
      (it.parameter('PostInclude').schema['pattern'] = String(it.parameter('PostInclude').schema['pattern']).replaceAll(
        'transcript|',
        '',
      )),
    'pattern',
  ],
  ['a parameter has a new pattern', (it) => (it.parameter('AsOrg').schema['pattern'] = '^[a-z-]+$'), 'pattern'],
  ['the cap is lowered', (it) => (it.property('BatchRequest', 'ids')['maxItems'] = 50), 'maxItems'],
  ['a new field of a request is required', (it) => it.schema('BatchRequest').required.push('network'), 'network'],
  [
    'a field of a request is removed',
    (it) => delete it.schema('BatchRequest').properties['creatorDeepAnalysis'],
    'creatorDeepAnalysis',
  ],
  [
    'a field of a request takes fewer types',
    (it) => (it.property('BatchRequest', 'network').type = 'integer'),
    'network',
  ],
  [
    'other fields of a request are refused',
    (it) => (it.schema('BatchRequest')['additionalProperties'] = false),
    'refused',
  ],
  ['items of a request must differ', (it) => (it.property('BatchRequest', 'ids')['uniqueItems'] = true), 'uniqueItems'],
];

const harmless: readonly (readonly [what: string, change: (contract: Contract) => void])[] = [
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
];

describe('VER-02 compatibility', () => {
  it('VER-02 the contract is compatible with itself', () => {
    expect(breakingChanges(readBundle(), readBundle())).toEqual([]);
  });

  it.each(breaking)('VER-02 breaking: %s', (_what, change, naming) => {
    const contract = new Contract();
    change(contract);
    const changes = breakingChanges(readBundle(), contract.bundle);
    expect(changes.join('\n')).toContain(naming);
  });

  it.each(harmless)('VER-02 not breaking: %s', (_what, change) => {
    const contract = new Contract();
    change(contract);
    expect(JSON.stringify(contract.bundle)).not.toBe(JSON.stringify(readBundle()));
    expect(breakingChanges(readBundle(), contract.bundle)).toEqual([]);
  });
});
