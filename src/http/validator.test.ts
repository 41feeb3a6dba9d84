import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { Refusal, type Principal, type Scope } from '../model.ts';
import type { ContractDocument } from './contract.ts';
import { createRequestValidator, type RequestValidator } from './validator.ts';

const bundle = JSON.parse(
  readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8'),
) as ContractDocument;
let validator: RequestValidator;
beforeAll(async () => {
  validator = await createRequestValidator(bundle);
});

const principal = (...scopes: Scope[]): Principal => ({
  account: 'a',
  organization: 'o',
  scopes: new Set(scopes),
  perMinute: 60,
});

describe('express-openapi-validator', () => {
  it('AUT-06, AUT-07 asks for the scopes that the document lists, each time a principal comes without', async () => {
    const creators = principal('creators:read');
    await validator.checkScope('getCreator', creators);
    await validator.checkScope('getCreator', creators);
    await expect(validator.checkScope('getPosts', creators)).rejects.toThrow(Refusal);
    await expect(validator.checkScope('getPosts', creators)).rejects.toThrow('posts:read');
    await expect(validator.checkScope('getCreator', principal())).rejects.toThrow('creators:read');
  });
  it.each([
    { ids: 'ada', network: 'netA' },
    { ids: 'ada,netB:x,https://neta.example/p/x?a=b&c', network: '😀' },
    { ids: 'C1x', network: 'netA', include: 'narration,transcript,commentSentimentBreakdown' },
  ])('has nothing to say of lists that ours let pass: %j', async (query) => {
    await expect(validator.checkRequest('getPosts', { params: {}, query })).resolves.toBeUndefined();
  });
  it('says which field is wrong', async () => {
    const body = { ids: Array.from({ length: 101 }, () => 'a'), network: 'netA' };
    await expect(validator.checkRequest('batchPosts', { params: {}, query: {}, body })).rejects.toThrow(
      '"ids" must NOT have more than 100 items',
    );
    await expect(validator.checkRequest('getPosts', { params: {}, query: { ids: 'a', include: 'x' } })).rejects.toThrow(
      'include',
    );
  });
});
