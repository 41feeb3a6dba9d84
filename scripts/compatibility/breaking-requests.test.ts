import { describe, expect, it } from 'vitest';
import { judged, type Change } from './contract.fixture.ts';

/** The fault is named in what the gate says; `given` is done to the released contract first. */
type Case = readonly [what: string, change: Change, naming: string, given?: Change];

const breaking: readonly Case[] = [
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
    'other fields',
  ],
  ['items of a request must differ', (it) => (it.property('BatchRequest', 'ids')['uniqueItems'] = true), 'uniqueItems'],
  [
    'other fields of a request are of one type',
    (it) => (it.schema('BatchRequest')['additionalProperties'] = { type: 'string' }),
    'other fields',
  ],
  [
    'other fields of a request are of fewer types',
    (it) => (it.schema('BatchRequest')['additionalProperties'] = { type: 'string' }),
    'number',
    (it) => (it.schema('BatchRequest')['additionalProperties'] = { type: ['string', 'number'] }),
  ],
  [
    'unevaluated fields of a request are refused',
    (it) => (it.schema('BatchRequest')['unevaluatedProperties'] = false),
    'unevaluatedProperties',
  ],
  [
    'include loses a value in one of the two places of its pattern',
    (it) =>
      (it.parameter('PostInclude').schema['pattern'] = String(it.parameter('PostInclude').schema['pattern']).replace(
        'transcript|',
        '',
      )),
    'include: pattern',
  ],
  [
    'a value of include has another name',
    (it) =>
      (it.parameter('PostInclude').schema['pattern'] = String(it.parameter('PostInclude').schema['pattern']).replaceAll(
        'transcript',
        'script',
      )),
    'include: pattern',
  ],
  [
    'the words of a pattern change places',
    (it) => (it.parameter('AsOrg').schema['pattern'] = '^(ccc|ddd)-(aaa|bbb)$'),
    'asOrg: pattern',
    (it) => (it.parameter('AsOrg').schema['pattern'] = '^(aaa|bbb)-(ccc|ddd)$'),
  ],
  [
    'a pattern excludes one word more',
    (it) => (it.parameter('AsOrg').schema['pattern'] = '^(?!aaa|bbb)'),
    'asOrg: pattern',
    (it) => (it.parameter('AsOrg').schema['pattern'] = '^(?!aaa)'),
  ],
  ['null is no longer accepted', () => {}, 'asOrg: null is no longer', (it) => it.nullable('BatchRequest', 'asOrg')],
  [
    'a vocabulary of a request loses a value',
    (it) => (it.parameter('Network').schema.enum = ['netA', 'netB']),
    '-netC',
    (it) => (it.parameter('Network').schema.enum = ['netA', 'netB', 'netC']),
  ],
  [
    'a value of a request is replaced',
    (it) => (it.parameter('Network').schema.enum = ['netA', 'netC']),
    '+netC -netB',
    (it) => (it.parameter('Network').schema.enum = ['netA', 'netB']),
  ],
  [
    'a number of a request must be whole',
    (it) => (it.schema('BatchRequest').properties['size'] = { type: 'integer' }),
    'number is no longer',
    (it) => (it.schema('BatchRequest').properties['size'] = { type: 'number' }),
  ],
  [
    'a text of a request may be less long',
    (it) => (it.parameter('AsOrg').schema['maxLength'] = 10),
    'maxLength from none to 10',
  ],
  [
    'a list of a request has to be longer',
    (it) => (it.property('BatchRequest', 'ids')['minItems'] = 2),
    'minItems from 1 to 2',
  ],
  ['a text of a request has to have a format', (it) => (it.parameter('AsOrg').schema['format'] = 'uuid'), 'format'],
  ['a text of a request has to be one', (it) => (it.property('BatchRequest', 'network').const = 'netA'), 'values -any'],
  [
    'a list of a request takes fewer types',
    () => {},
    'integer is no longer',
    (it) => (it.property('BatchRequest', 'ids').items = { oneOf: [{ type: 'string' }, { type: 'integer' }] }),
  ],
  [
    'a field is required beside a choice',
    (it) => {
      it.schema('BatchRequest').oneOf = [{ required: ['ids'] }];
      it.schema('BatchRequest').required.push('network');
    },
    'network: now required',
    (it) => (it.schema('BatchRequest').oneOf = [{ required: ['ids'] }]),
  ],
  [
    'a request has to fit one schema more',
    (it) => (it.schema('BatchRequest').allOf = [{ required: ['network'] }]),
    'allOf',
  ],
  [
    'a value of a request is excluded',
    (it) => (it.parameter('AsOrg').schema['not'] = { const: 'x' }),
    'asOrg: not changed',
  ],
  ['a parameter moves to a header', (it) => (it.parameter('AsOrg').in = 'header'), 'query asOrg: removed'],
  [
    'a list of a parameter is written otherwise',
    (it) => (it.parameter('AsOrg').style = 'spaceDelimited'),
    'asOrg: style',
  ],
  ['a repeated parameter is one', (it) => (it.parameter('AsOrg').explode = false), 'asOrg: explode'],
  [
    'reserved characters have to be escaped',
    (it) => (it.parameter('PostUrl').allowReserved = false),
    'reserved characters',
  ],
  [
    'a parameter is written as JSON',
    (it) => {
      const { schema } = it.parameter('AsOrg');
      Object.assign(it.parameter('AsOrg'), { schema: undefined, content: { 'application/json': { schema } } });
    },
    'asOrg: content',
  ],
  [
    'a path requires a parameter',
    (it) =>
      Object.assign(it.bundle.paths['/posts']!, {
        parameters: [{ name: 'region', in: 'query', required: true, schema: {} }],
      }),
    'region: now required',
  ],
  [
    'a body becomes required',
    () => {},
    'body: now required',
    (it) => it.requestBodies().forEach((body) => (body.required = false)),
  ],
  [
    'a body is taken in another type only',
    (it) => it.requestBodies().forEach((body) => (body.content = { 'text/plain': body.content['application/json']! })),
    'application/json: removed',
  ],
  [
    'a default of a parameter is dropped',
    (it) => delete it.parameter('DefaultNetwork').schema.default,
    'default from "netA" to none',
  ],
];

describe('VER-02 what no longer takes the requests of a client', () => {
  for (const [what, change, naming, given] of breaking)
    it(`VER-02 breaking: ${what}`, () => expect(judged(change, given).join('\n')).toContain(naming));
});
