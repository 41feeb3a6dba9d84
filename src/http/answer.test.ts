import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Answer } from './answer.ts';
import { createContract, ContractViolation, pieceOf, type ContractDocument } from './contract.ts';

const bundle = JSON.parse(
  readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8'),
) as ContractDocument;
const contract = createContract(bundle);

describe('types: a wrong answer does not compile', () => {
  it('is checked by tsc', () => {
    const entry = { id: 'ada', retryAfter: '2026-01-01T00:00:00Z' };
    const right: Answer<'getCreator'> = { status: 202, headers: { 'Retry-After': 1 }, body: { fetching: [entry] } };
    // @ts-expect-error a status that is not documented
    const undocumented: Answer<'getCreator'> = { status: 418, headers: {}, body: {} };
    // @ts-expect-error 202 of a batch
    const batch: Answer<'listCreators'> = { status: 202, headers: { 'Retry-After': 1 }, body: { fetching: [entry] } };
    // @ts-expect-error 202 without Retry-After
    const waitless: Answer<'getCreator'> = { status: 202, headers: {}, body: { fetching: [entry] } };
    // @ts-expect-error 202 that names nothing
    const nameless: Answer<'getCreator'> = { status: 202, headers: { 'Retry-After': 1 }, body: { fetching: [] } };
    // @ts-expect-error a header as text
    const worded: Answer<'getCreator'> = { status: 202, headers: { 'Retry-After': '1' }, body: { fetching: [entry] } };
    const missing = { error: { code: 'not-found', message: '' } } as const;
    // @ts-expect-error a header that is not documented
    const tagged: Answer<'getCreator'> = { status: 404, headers: { ETag: 'x' }, body: missing };
    // @ts-expect-error a creator without channels
    const channelless: Answer<'getCreator'> = { status: 200, headers: {}, body: { data: { channels: [] } } };
    // @ts-expect-error a missing key
    const keyless: Answer<'listCreators'> = { status: 200, headers: {}, body: { data: [], fetching: [] } };
    // @ts-expect-error another status' code
    const code: Answer<'getCreator'> = {
      status: 404,
      headers: {},
      body: { error: { code: 'forbidden', message: '' } },
    };
    type BatchBody = Extract<Answer<'listCreators'>, { status: 200 }>['body'];
    // @ts-expect-error an undocumented key
    const extra: BatchBody = { data: [], fetching: [], unavailable: [], more: 1 };
    const wrong = [undocumented, batch, waitless, nameless, worded, tagged, channelless, keyless, code, extra];
    expect([right.status, wrong.length]).toEqual([202, 10]);
  });
});

const every = { 'x-request-id': 'a', 'Cache-Control': 'no-store' };
const fetching = { fetching: [{ id: 'ada', retryAfter: '2026-01-01T00:00:00.000Z' }] };
const error = (code: string, more: object = {}) => ({ error: { code, message: 'm', ...more } });

describe('the guard', () => {
  it('lets documented answers pass', () => {
    contract.check('getCreator', { status: 202, headers: { ...every, 'Retry-After': 1 }, body: fetching });
    contract.check('getPosts', {
      status: 404,
      headers: every,
      body: error('not-found', { details: { reason: 'new-one' } }),
    });
    contract.check(null, { status: 400, headers: every, body: error('invalid-input') });
    contract.check('listCreators', { status: 200, headers: every, body: { data: [], fetching: [], unavailable: [] } });
  });
  it.each([
    ['a status', 'listCreators', 202, { ...every, 'Retry-After': 1 }, fetching],
    ['no Retry-After', 'getCreator', 202, every, fetching],
    ['Retry-After 0', 'getCreator', 202, { ...every, 'Retry-After': 0 }, fetching],
    ['no x-request-id', 'getCreator', 202, { 'Retry-After': 1 }, fetching],
    ['an undocumented header', 'getCreator', 404, { ...every, ETag: 'x' }, error('not-found')],
    ["another status' code", 'getCreator', 404, every, error('forbidden')],
    ['details without reason', 'getCreator', 404, every, error('not-found', { details: {} })],
    ['retryable false', 'getCreator', 404, every, error('not-found', { details: { reason: 'x', retryable: false } })],
    ['an undocumented key', 'getCreator', 404, every, { ...error('not-found'), more: 1 }],
    [
      'two entries',
      'getCreator',
      202,
      { ...every, 'Retry-After': 1 },
      { fetching: [...fetching.fetching, ...fetching.fetching] },
    ],
    ['no bucket', 'listCreators', 200, every, { data: [], fetching: [] }],
    ['a 401 without challenge', 'getCreator', 401, every, error('unauthorized')],
    ['an undocumented error', null, 418, every, error('teapot')],
  ] as const)('ERR-05 holds back %s', (_name, operation, status, headers, body) => {
    expect(() => contract.check(operation, { status, headers, body })).toThrow(ContractViolation);
  });
  it.each(['{', '{"chanels":[]}', '{"channels":[],"posts":[]}', 'null'])(
    'ERR-05 holds back stored bytes %s',
    (text) => {
      expect(() => contract.checkPiece(Buffer.from(text), pieceOf.creator)).toThrow(ContractViolation);
    },
  );
});
