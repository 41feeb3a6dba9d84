/** A report with a bit of everything, for the tests of the renderers. */
import type { Exchange, Report, RuleResult } from '../model.ts';

const rule = (id: string, verdict: RuleResult['verdict'], more: Partial<RuleResult> = {}): RuleResult => ({
  id,
  section: id.slice(0, 3),
  text: `What \`${id}\` says <b>of</b> a & b.`,
  ruling: null,
  how: 'B',
  level: 'specification',
  verdict,
  findings: [],
  reason: null,
  notes: [],
  exchanges: ['x01'],
  ...more,
});

const exchange: Exchange = {
  id: 'x01',
  step: 'creator-held',
  attempt: 0,
  role: 'full',
  purpose: 'a creator that is held',
  operation: 'getCreator',
  request: {
    method: 'GET',
    path: '/api/v1/creators/netB/ada?include=posts',
    headers: [['Authorization', 'Bearer $TOKEN']],
    body: null,
  },
  response: {
    status: 200,
    headers: [['Content-Type', 'application/json']],
    body: '{"data":{"channels":["</script><img src=x onerror=alert(1)>"]}}',
    json: { data: { channels: ['</script><img src=x onerror=alert(1)>'] } },
  },
  sentAt: 1000,
  receivedAt: 1042,
};

const finding = {
  level: 'specification' as const,
  expected: 'an object',
  seen: '"</script>"',
  pointer: '/data/channels/0',
  exchangeId: 'x01',
  curl: `curl -sS -i -H "Authorization: Bearer $TOKEN" 'http://127.0.0.1:1/api/v1/creators/netB/ada'`,
};

export const sample: Report = {
  reportVersion: 1,
  suiteVersion: '1.0.0',
  contractVersion: '1.0.0',
  target: { name: 'a <target>', baseUrl: 'http://127.0.0.1:1' },
  profile: 'core',
  strict: true,
  startedAt: '2026-11-21T12:00:00.000Z',
  finishedAt: '2026-11-21T12:00:02.500Z',
  requests: { plannedAtMost: 58, sent: 50, byPrincipal: { full: 41 }, rateLimitedOnce: false },
  results: [
    rule('GEN-01', 'passed'),
    rule('DOC-01', 'failed', { findings: [finding] }),
    rule('AUT-04', 'not exercised', { reason: 'the target declares no token for the role expired', exchanges: [] }),
    rule('GEN-10', 'observed', { reason: 'differs from a ruling of ours', ruling: 'no-store' }),
    rule('STA-01', 'not applicable', { how: 'W', reason: 'not testable from outside', exchanges: [] }),
  ],
  exchanges: [exchange],
  totals: { passed: 1, failed: 1, notExercised: 1, notApplicable: 0, observed: 1, error: 0, outside: 1 },
  knownFailures: [],
  problem: null,
  hints: [],
  exitCode: 1,
};
