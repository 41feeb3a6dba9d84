/** What stands beside `/api/v1`, where Express answers. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startHarness, type Harness } from './testing.ts';

let service: Harness;
beforeAll(async () => void (service = await startHarness()));
afterAll(() => service.close());

const fetchPage = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${service.service.url}${path}`, { headers });

it.each(['/nowhere', '/docs/%zz', '/docs/%2e%2e%2fpackage.json', '/healthz/', '/Healthz'])(
  'GEN-03 GEN-13 %s is an unknown path, with the envelope, and nothing for the log of faults',
  async (path) => {
    const before = service.logged.length;
    const response = await fetchPage(path);
    expect([response.status, response.headers.get('x-request-id')]).toEqual([404, expect.any(String)]);
    expect(await response.json()).toMatchObject({ error: { code: 'not-found' } });
    expect(service.logged.slice(before).filter((line) => line.includes('"fault"'))).toEqual([]);
  },
);

it.each([{ 'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' }, { 'If-None-Match': '*' }])(
  'GEN-10 the document is sent whole, whatever a cache has: %j',
  async (headers) => {
    const response = await fetchPage('/openapi.json', headers);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ openapi: expect.any(String) });
  },
);
