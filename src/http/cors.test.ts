import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHarness, type Ask, type Harness } from './testing.ts';

const APP = 'https://app.example';
let service: Harness;
beforeAll(async () => {
  service = await startHarness({ settings: { CORS_ORIGINS: ` ${APP} , https://other.example:8443` } });
});
afterAll(() => service.close());

const from = (origin: string): Ask => ({ headers: { Origin: origin } });
const preflight = (origin: string, more: Record<string, string> = { 'Access-Control-Request-Method': 'POST' }) =>
  fetch(`${service.service.url}/api/v1/creators/batch`, { method: 'OPTIONS', headers: { Origin: origin, ...more } });

describe('GEN-13 pages of other origins', () => {
  it.each([APP, 'https://other.example:8443'])('%s is named, and let in: to errors too', async (origin) => {
    const paths: [string, Ask][] = [
      ['/creators?ids=netZ:x', from(origin)],
      ['/creators?ids=', from(origin)],
      ['/nope', from(origin)],
      ['/posts?ids=x', { token: null, ...from(origin) }],
    ];
    for (const [path, ask] of paths) {
      const { headers } = await service.get(path, ask);
      expect([headers['access-control-allow-origin'], headers['vary']]).toEqual([origin, 'Origin']);
      expect(headers['access-control-expose-headers']).toContain('Retry-After');
      expect(headers['access-control-allow-credentials']).toBeUndefined();
    }
  });
  it.each([
    'https://evil.example',
    'http://app.example',
    `${APP}.evil.example`,
    `${APP}:443`,
    'null',
    APP.toUpperCase(),
  ])('%s is not', async (origin) => {
    const { status, headers } = await service.get('/creators?ids=netZ:x', from(origin));
    expect([status, headers['access-control-allow-origin'], headers['vary']]).toEqual([200, undefined, 'Origin']);
    const asked = await preflight(origin);
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([405, null]);
  });
  it('a preflight says what may be sent, without a credential and as every response', async () => {
    const answer = await preflight(APP);
    expect([answer.status, await answer.json()]).toEqual([200, {}]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': APP,
      'access-control-allow-methods': 'GET, HEAD, POST',
      'access-control-allow-headers': 'Authorization, Content-Type',
      'x-request-id': expect.stringMatching(/./),
      'cache-control': 'no-store',
    });
  });
  it('GEN-07 OPTIONS that is no preflight is a wrong method', async () => {
    expect((await preflight(APP, {})).status).toBe(405);
  });
  it('without the setting nobody is let in, and no response varies', async () => {
    const closed = await startHarness();
    const { headers } = await closed.get('/creators?ids=netZ:x', from(APP));
    expect([headers['access-control-allow-origin'], headers['vary']]).toEqual([undefined, undefined]);
    await closed.close();
  });
});
