import { describe, expect, it } from 'vitest';
import type { Exchange } from '../model.ts';
import { sample } from '../report/report.fixture.ts';
import type { Target } from '../target.ts';
import { fixturesOf, operationIds, withFixtures, type Bundle } from './document.ts';
import { findEngine, invocation } from './engine.ts';
import { downFrom, endingOf, fold, resultsOf, seenOf, unthrottled, type Folded, type Summary } from './fold.ts';
import { parseOptions, profileFor, Unusable } from './options.ts';

const summary: Summary = {
  complete: true,
  stop_reason: 'completed',
  phases: {},
  test_cases: { generated: 5 },
  failures: [],
  errors: [],
  warnings: {},
};
const failed = { ...summary, failures: [{ title: 'x', count: 1, operations: [] }] };

describe('exit codes', () => {
  it.each([
    ['0, complete, with cases', 0, summary, false, 0, 0],
    ['0 without a case', 0, { ...summary, test_cases: { generated: 0 } }, false, 0, 2],
    ['1 with failures', 1, failed, false, 0, 1],
    ['1 with only errors', 1, { ...summary, errors: [{}] }, false, 0, 2],
    ['1 with an empty report', 1, null, false, 0, 2],
    ['2', 2, null, false, 0, 2],
    ['1 with only throttling', 1, { ...summary, warnings: { rate_limited: ['GET /posts'] } }, false, 0, 3],
    ['1 with only a refused credential', 1, { ...summary, warnings: { missing_auth: ['GET /posts'] } }, false, 0, 3],
    ['1 with another warning', 1, { ...summary, warnings: { unsupported_regex: ['x'] } }, false, 0, 2],
    ['130 at the limit, nothing found', 130, summary, true, 0, 3],
    ['130 at the limit, with failures', 130, failed, true, 0, 1],
    ['130 by hand', 130, summary, false, 0, 2],
    ['0, but our guard found something', 0, summary, false, 1, 1],
  ] as const)('theirs %s', (_, code, report, capped, guarded, ours) => {
    const found = guarded + (report?.failures.length ?? 0);
    const missing = code === 130 ? ['coverage'] : [];
    expect(endingOf(code, report, { capped, found, reads: 1, missing }).exitCode).toBe(ours);
  });

  const exchanges = (...statuses: number[]): Exchange[] =>
    statuses.map((status, index) => {
      const [exchange] = sample.exchanges as [Exchange];
      return { ...exchange, id: `f${index}`, response: { ...exchange.response, status } };
    });
  const seen = (folded: Folded) => seenOf(unthrottled(folded), 0, false, []);

  it('nothing found where nothing was read is no pass: the base URL is another', () => {
    const folded = { exchanges: exchanges(404, 404), failures: [], made: new Map() };
    expect(endingOf(0, summary, seen(folded))).toEqual({ exitCode: 2, says: expect.stringContaining('base URL') });
  });

  it('a refusal that was answered 429 is a throttled run, not a failure of the target', () => {
    const failure = { check: 'missing_required_header', title: 'x', message: 'y' };
    const failures = [{ ...failure, exchangeId: 'f1' }];
    const throttled = { ...failed, warnings: { rate_limited: ['GET /posts'] } };
    const folded = (status: number): Folded => ({ exchanges: exchanges(200, status), failures, made: new Map() });
    expect(endingOf(1, throttled, seen(folded(429))).exitCode).toBe(3);
    expect(endingOf(1, throttled, seen(folded(404))).exitCode).toBe(1);
  });

  it('stopped before the first case is stopped by hand', () => {
    const nothing = { ...summary, test_cases: { generated: 0 } };
    expect(endingOf(130, nothing, { capped: false, found: 0, reads: 0, missing: ['examples'] }).says).toBe(
      'stopped by hand',
    );
  });

  it('says from where on a target was down', () => {
    const folded = (...statuses: number[]): Folded => ({
      exchanges: exchanges(...statuses),
      failures: [],
      made: new Map(),
    });
    expect(downFrom(folded(200, 404, ...Array<number>(12).fill(503)))).toMatch(/from f2 of 14 on every answer was 503/);
    expect(downFrom(folded(...Array<number>(12).fill(503)))).toBeNull();
    expect(downFrom(folded(200, ...Array<number>(12).fill(404)))).toBeNull();
  });
});

describe('options', () => {
  it.each([
    [['--profile', 'huge']],
    [['--requests', '0']],
    [['--seed', 'x']],
    [['--nonsense']],
    [['--rate-limit', 'fast']],
    [['--url', 'nonsense']],
  ])('%j is bad usage', (argv) => {
    expect(() => parseOptions(argv)).toThrow(Unusable);
  });

  it('sends little to what is not on loopback, unless figures say so', () => {
    expect(profileFor(parseOptions([]), 'https://api.example.com')).toBe('smoke');
    expect(() => profileFor(parseOptions(['--profile', 'deep']), 'https://api.example.com')).toThrow(Unusable);
    expect(profileFor(parseOptions(['--profile', 'deep', '--requests', '99']), 'https://api.example.com')).toBe('deep');
    expect(profileFor(parseOptions([]), 'http://127.0.0.1:8080')).toBe('contract');
    expect(profileFor(parseOptions([]), 'http://127.0.0.1:8080/team/lookup')).toBe('contract');
  });
});

describe('engine', () => {
  const none = { hasImage: () => false, find: () => null };
  const files = { input: '/in', output: '/out' };
  const run = {
    args: ['--seed', '1'],
    url: 'http://127.0.0.1:80/api/v1',
    token: 'SECRET',
    requests: 9,
    platform: 'linux',
  };

  it('takes the container where it has the image, else a command that says it is the one', () => {
    expect(findEngine('auto', { ...none, hasImage: () => true }).is).toBe('docker');
    const local = { ...none, find: (program: string) => (program === 'st' ? '/bin/st' : null) };
    expect(findEngine('auto', local, () => true)).toEqual({ is: 'local', command: '/bin/st' });
    expect(() => findEngine('auto', local, () => false)).toThrow(/pip install schemathesis==/);
    expect(() => findEngine('auto', none)).toThrow(Unusable);
  });

  it.each([{ is: 'docker' }, { is: 'local', command: 'st' }] as const)('$is: the token is in no argument', (engine) => {
    const { args, env } = invocation(engine, files, run);
    expect(args.join(' ')).not.toContain('SECRET');
    expect(env).toMatchObject({ FUZZ_TOKEN: 'SECRET', FUZZ_MAX_REQUESTS: '9' });
  });

  it('reaches this machine from a container on a Mac', () => {
    expect(invocation({ is: 'docker' }, files, { ...run, platform: 'darwin' }).args).toContain(
      'http://host.docker.internal:80/api/v1',
    );
  });
});

const target = {
  networks: {
    netA: {
      creators: { held: 'ada', notHeld: 'conf-{uuid}' },
      posts: { held: 'C1x' },
      urls: { post: 'https://neta.example/p/{post}' },
    },
  },
  unsupportedNetwork: 'netZ',
  organizations: {},
  profiles: {},
} as unknown as Target;

describe('document', () => {
  const bundle: Bundle = {
    paths: {
      '/creators': { get: { operationId: 'listCreators', parameters: [{ $ref: '#/components/parameters/ids' }] } },
    },
    components: {
      parameters: { ids: { name: 'ids', in: 'query', schema: { type: 'string' }, examples: { old: { value: 'x' } } } },
    },
  };

  it("has the target's identifiers as examples, unique to the run; the bundle stays", () => {
    const text = JSON.stringify(withFixtures(bundle, fixturesOf(target, 'r1')));
    expect(text).toContain('netA:ada,netA:conf-r1');
    expect(text).not.toContain('{uuid}');
    expect(JSON.stringify(bundle)).toContain('"old"');
    expect(operationIds(bundle)).toEqual(new Map([['GET /creators', 'listCreators']]));
  });
});

describe('fold', () => {
  const recorder = {
    label: 'GET /creators',
    checks: {
      a: [
        {
          name: 'not_a_server_error',
          status: 'failure',
          failure_info: { failure: { title: 'Server error', message: '500' } },
        },
      ],
    },
    interactions: {
      a: {
        request: {
          method: 'GET',
          uri: 'http://127.0.0.1:1/api/v1/creators?ids=a',
          headers: { Authorization: ['[Filtered]'] },
        },
        response: {
          status_code: 500,
          headers: { 'content-type': ['application/json'] },
          content: { $base64: Buffer.from('{"a":1}').toString('base64') },
          elapsed: 0.01,
        },
        timestamp: 1,
      },
    },
  };

  it('makes exchanges and results of its cases, and passes over torn lines and interrupted cases', () => {
    const interrupted = { label: 'GET /creators', checks: null, interactions: null };
    const folded = fold(
      [
        JSON.stringify({ ScenarioFinished: { recorder } }),
        JSON.stringify({ ScenarioFinished: { recorder: interrupted } }),
        '{"torn',
      ],
      new Map([['GET /creators', 'listCreators']]),
    );
    expect(folded.exchanges[0]).toMatchObject({
      operation: 'listCreators',
      role: 'full',
      response: { status: 500, json: { a: 1 } },
      request: { path: '/api/v1/creators?ids=a' },
    });
    const results = resultsOf(
      folded,
      () => [],
      () => 'curl',
    );
    expect(results.find(({ id }) => id === 'FUZZ-not_a_server_error')).toMatchObject({
      verdict: 'failed',
      findings: [{ seen: expect.stringContaining('(answered 500)'), curl: 'curl', exchangeId: 'f0001' }],
    });
    expect(results.find(({ id }) => id === 'FUZZ-use_after_free')?.verdict).toBe('not exercised');
  });
});
