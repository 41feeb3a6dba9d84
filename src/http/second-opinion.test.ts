import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ContractDocument } from './contract.ts';
import { createSecondOpinion, type SecondOpinion } from './second-opinion.ts';

const bundle = JSON.parse(
  readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8'),
) as ContractDocument;
let opinion: SecondOpinion;
beforeAll(async () => {
  opinion = await createSecondOpinion(bundle);
});

const headers = { 'content-type': 'application/json; charset=utf-8' };
const batch = { data: [], fetching: [], unavailable: [{ id: 'x', reason: 'new-one' }] };
const error = (code: string) => ({ error: { code, message: 'm' } });

describe("express-openapi-validator's own opinion", () => {
  it.each([
    ['listCreators', 200, batch],
    ['getPosts', 200, batch],
    ['getCreator', 202, { fetching: [{ id: 'ada', retryAfter: '2026-01-01T00:00:00.000Z' }] }],
    ['batchPosts', 400, error('invalid-input')],
  ] as const)('%s %i: nothing against what is legal', async (operation, status, body) => {
    await expect(opinion(operation, { status, headers, body })).resolves.toBeUndefined();
  });
  it.each([
    ['a missing bucket', 'listCreators', 200, { data: [], fetching: [] }, 'unavailable'],
    ['a document that is none', 'batchPosts', 200, { ...batch, data: [{}] }, 'required'],
    ['an entry without its instant', 'getCreator', 202, { fetching: [{ id: 'ada' }] }, 'retryAfter'],
    ["another status' code", 'getCreator', 404, error('forbidden'), 'code'],
    ['an undocumented status', 'listCreators', 202, batch, '202'],
  ] as const)('ERR-05 speaks against %s', async (_name, operation, status, body, message) => {
    await expect(opinion(operation, { status, headers, body })).rejects.toThrow(message);
  });
});
