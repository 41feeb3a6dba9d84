import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ContractDocument } from './contract.ts';
import { requestsOnly } from './requests-only.ts';

const bundle = JSON.parse(
  readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8'),
) as ContractDocument;

describe('the document as the validator of requests is shown it', () => {
  const shown = requestsOnly(bundle);
  const at = (pointer: string): unknown =>
    pointer.split('/').reduce((value: unknown, name) => (value as Record<string, unknown> | undefined)?.[name], shown);

  it('has all that requests refer to, and its credentials', () => {
    const references = [...JSON.stringify(shown).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, pointer = '']) => pointer);
    expect(references.length).toBeGreaterThan(10);
    for (const pointer of references) expect(at(pointer), pointer).toBeDefined();
    expect(shown.components['securitySchemes']).toEqual(bundle.components['securitySchemes']);
  });
  it('has the operations as they are, without their responses', () => {
    const operations = ({ paths }: ContractDocument) =>
      Object.values(paths).flatMap((item) => Object.values(item).map(({ responses: _gone, ...rest }) => rest));
    expect(operations(shown)).toEqual(operations(bundle));
    expect(JSON.stringify(shown)).not.toContain('#/components/responses/');
  });
  it('follows references from one component to another', () => {
    const parameters = { A: { schema: { $ref: '#/components/schemas/B' } } };
    const schemas = {
      B: { items: { $ref: '#/components/schemas/C/properties/c' } },
      C: { properties: { c: {} } },
      D: {},
    };
    const paths = {
      '/x': { get: { operationId: 'x', responses: {}, parameters: [{ $ref: '#/components/parameters/A' }] } },
    };
    const { B, C } = schemas;
    expect(requestsOnly({ paths, components: { parameters, schemas } }).components).toEqual({
      securitySchemes: {},
      parameters,
      schemas: { B, C },
    });
  });
});
