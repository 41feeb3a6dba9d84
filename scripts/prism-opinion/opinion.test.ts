import { describe, expect, it } from 'vitest';
import { violationsIn } from './finding.ts';
import { ownFaults } from './own-faults.ts';
import type { RecordedExchange } from './recorded.ts';
import { replayThroughPrism } from './replay.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

interface Answer {
  readonly status?: number;
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: unknown;
}

const fetching = { fetching: [{ id: 'ada', retryAfter: '2026-01-01T00:00:05Z' }] };
const common = [
  ['Content-Type', 'application/json'],
  ['x-request-id', 'r1'],
  ['Cache-Control', 'no-store'],
  ['RateLimit-Policy', '"default";q=60;w=60'],
  ['RateLimit', '"default";r=59'],
] as const;

const exchange = (
  { status = 202, headers = [...common, ['Retry-After', '5']], body = fetching }: Answer = {},
  request: Partial<RecordedExchange['request']> = {},
): RecordedExchange => ({
  request: {
    method: 'GET',
    target: '/api/v1/creators/netA/ada',
    headers: [['Authorization', 'Bearer x']],
    body: '',
    isWhole: true,
    ...request,
  },
  response: { status, headers, body: base64(JSON.stringify(body)) },
});

const refused: Answer = { status: 404, headers: common, body: { error: { code: 'not-found', message: 'no' } } };

describe('the second opinion', () => {
  it('sees what is wrong with an answer, and nothing in a right one', async () => {
    const cases: [RecordedExchange, RegExp | null][] = [
      [exchange(), null],
      [exchange(refused), null],
      [exchange({ headers: common }), /response\.header: .*'retry-after'/],
      [exchange({ body: { fetching: [{ id: 'ada' }] } }), /response\.body\.fetching\.0: .*'retryAfter'/],
      [exchange({ status: 418 }), /Unable to match the returned status code/],
      [
        exchange({ ...refused, body: { error: { code: 'gone', message: '' } } }),
        /error\.code must be equal to constant/,
      ],
      [exchange({}, { target: '/api/v1/creators?network=netA' }), /request\.query: .*'ids'/],
    ];
    const findings = await replayThroughPrism(cases.map(([given]) => given));
    for (const [given, told] of cases) {
      const own = findings.filter((finding) => finding.exchange === given).map(({ text }) => text);
      expect(own.join('\n')).toMatch(told ?? /^$/);
    }
    expect(findings.filter((finding) => ownFaults.some((fault) => fault.covers(finding)))).toEqual([]);
  }, 60_000);

  it('goes on after a request that ends the process of Prism, and names the fault', async () => {
    const findings = await replayThroughPrism([
      exchange(refused, { target: '/api/v1/creators/netA/a%zz' }),
      exchange({ headers: common }),
    ]);
    expect(findings.map(({ is }) => is)).toEqual(['lost', 'said']);
    expect(ownFaults.filter((fault) => fault.covers(findings[0]!)).map(({ name }) => name)).toEqual([
      'dies-of-a-broken-escape',
    ]);
  }, 60_000);

  it('reads a list of violations that Prism has cut, and passes over what the service refused too', () => {
    const entry = { location: ['response', 'body'], message: 'must be {that}' };
    const cut = `Too many violations! ${JSON.stringify([entry, entry, entry]).slice(0, -20)}`;
    expect(violationsIn(cut, 200)).toEqual(['response.body: must be {that}', 'response.body: must be {that}']);
    const request = JSON.stringify([{ location: ['request', 'query'], message: 'no' }]);
    expect(violationsIn(request, 400)).toEqual([]);
    expect(violationsIn(request, 200)).toEqual(['request.query: no']);
    expect(violationsIn(undefined, 200)).toEqual([]);
  });
});
