import { execFile, spawn } from 'node:child_process';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMock, type Mock } from './start.ts';

const state = { now: 1_800_000_000_000 };
let mock: Mock;
beforeAll(async () => void (mock = await startMock({ port: 0, clock: () => state.now, random: () => 1 })));
afterAll(() => mock.close());

interface Got {
  readonly status: number;
  readonly headers: Headers;
  // The shape is what each test looks into.
  readonly body: any;
}

async function get(path: string, init: RequestInit & { token?: string } = {}): Promise<Got> {
  state.now += 100;
  const headers = {
    ...(init.token === '' ? {} : { Authorization: `Bearer ${init.token ?? 'mock-full'}` }),
    ...(init.headers as object),
  };
  const response = await fetch(`${mock.url}/api/v1${path}`, { ...init, headers });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

const post = (path: string, body: unknown, token = 'mock-other') =>
  get(path, {
    method: 'POST',
    token,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  });

const nextMinute = () => (state.now += 61_000);

/** What comes back for these bytes, of which nothing is read before all are sent. */
function raw(text: string): Promise<string> {
  const { hostname, port } = new URL(mock.url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.end(text, () => socket.resume())).pause();
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString())).pause();
    socket.on('error', () => {}).on('close', () => resolve(answer));
  });
}

describe('the mock', () => {
  it('CRE-01 CRE-02 CRE-06 goes from 202 to 200, with the names that were asked for', async () => {
    const first = await get('/creators/netA/Ada.B');
    expect(first.status).toBe(202);
    expect(first.headers.get('Retry-After')).toBe('1');
    expect(first.body.fetching).toEqual([{ id: 'Ada.B', retryAfter: expect.any(String) }]);
    state.now += 1000;
    const held = await get('/creators/netA/ada.b?include=posts');
    expect(held.status).toBe(200);
    expect(held.headers.has('Retry-After')).toBe(false);
    const [channel] = held.body.data.channels;
    expect(channel).toMatchObject({ network: 'netA', username: 'ada.b' });
    expect(held.body.data.posts.every((item: any) => item.author.accountId === channel.externalId)).toBe(true);
    expect((await get('/creators/netA/ada.b')).body.data).not.toHaveProperty('posts');
  });

  it('CRB-02 CRB-05 DOC-06 sorts a batch into buckets and keeps equal what is equal', async () => {
    const ids = ['netA:carouselX', 'netB:77', ' netA:storyY ', 'old1', 'broken1', 'mars:1', 'bareZ'];
    nextMinute();
    const first = await post('/posts/batch', { ids });
    expect(first.body.data).toEqual([]);
    expect(first.body.fetching.map((entry: any) => entry.id)).toContain(' netA:storyY ');
    state.now += 1000;
    const { body } = await post('/posts/batch', { ids });
    expect(body.unavailable).toEqual([
      { id: 'old1', reason: 'outside-recent-media-window' },
      { id: 'broken1', reason: 'internal-error', retryable: true },
      { id: 'mars:1', reason: 'not-supported-on-network' },
    ]);
    const [carousel, netB, story, bare] = body.data;
    expect(carousel).toMatchObject({
      mediaKind: 'carousel',
      url: 'https://neta.example/p/carouselX',
      netA: { shortcode: 'carouselX', permalink: carousel.url },
    });
    expect(carousel.netA.netAMediaId).toBe(carousel.externalId);
    expect(netB).toMatchObject({ network: 'netB', externalId: '77', netB: { netBVideoId: '77' } });
    expect(story.netA.mediaProductType).toBe('STORY');
    expect(bare).toMatchObject({
      mediaKind: null,
      likeCount: null,
      updatedAt: null,
      netA: { shortcode: null, hashtags: [] },
    });
  });

  it.each(['netA', 'netB'])("DOC-09 a creator's posts of %s name it when they are read alone too", async (network) => {
    const path = `/creators/${network}/grace.h?include=posts`;
    await get(path);
    state.now += 1000;
    const { data: creator } = (await get(path)).body;
    const [{ url }] = creator.posts;
    await get(`/posts?url=${url}`);
    state.now += 1000;
    const { data: post } = (await get(`/posts?url=${url}`)).body;
    expect(post.url).toBe(url);
    expect(post.author).toMatchObject({ accountId: creator.channels[0].externalId, username: 'grace.h' });
    const told = network === 'netA' ? post.netA.authorUsername : post.netB.creatorHandleName;
    expect(told).toBe('grace.h');
  });

  it('PST-04 the analysis has exactly what was asked for', async () => {
    nextMinute();
    await get('/posts?ids=C9');
    state.now += 1000;
    const { body } = await get('/posts?url=https://neta.example/p/C9&include=transcript,%20brandSafety,transcript');
    expect(Object.keys(body.data.analysis).toSorted()).toEqual(['brandSafety', 'transcript']);
    expect((await get('/posts?ids=C9')).body.data[0]).not.toHaveProperty('analysis');
  });

  it.each([
    ['both forms', '/posts?url=https://neta.example/p/C9&ids=a', 400],
    ['neither form', '/posts', 400],
    ['101 identifiers', `/creators?ids=${Array.from({ length: 101 }, (_, index) => `c${index}`).join(',')}`, 400],
    ['no identifier', '/creators?ids=%20,', 400],
    ['an unknown include', '/creators/netA/ada?include=friends', 400],
    ['a repeated parameter', '/creators?ids=a&network=netA&network=netB', 400],
    ['an unknown path', '/people', 404],
    ['a trailing slash', '/creators/', 404],
    ['an unsupported network', '/creators/mars/ada', 404],
    ['a broken escape', '/creators/netA/%zz', 404],
    ['a foreign organization', '/creators/netA/ada?asOrg=globex', 403],
    ['an organization id', '/creators/netA/ada?asOrg=org_1', 404],
    ['an unknown profile', '/creators/netA/ada?asProfile=x', 404],
  ])('GEN-02 GEN-03 has the envelope and an id: %s', async (_name, path, status) => {
    nextMinute();
    const got = await get(path);
    expect(got.status).toBe(status);
    expect(got.body.error).toMatchObject({ code: expect.any(String), message: expect.any(String) });
    expect(got.headers.get('x-request-id')).toMatch(/.+/);
    expect(got.headers.get('Cache-Control')).toBe('no-store');
  });

  it('CRB-08 a body that is broken, of another type or too large is 400, at once', async () => {
    nextMinute();
    expect((await post('/posts/batch', '{"ids":')).body.error.code).toBe('invalid-input');
    expect((await post('/posts/batch', { ids: ['a', null] })).status).toBe(400);
    expect((await post('/posts/batch', { ids: ['a'], network: null })).status).toBe(400);
    expect(
      (await get('/posts/batch', { method: 'POST', body: '{"ids":["a"]}', headers: { 'Content-Type': 'text/plain' } }))
        .status,
    ).toBe(400);
    expect((await post('/posts/batch', `{"ids":["${'a'.repeat(1_100_000)}"]}`)).status).toBe(400);
  });

  it.each([
    ['application/json; charset=utf-8', '', 200],
    ['Application/JSON;charset="UTF-8"; x=y', 'Identity', 200],
    ['application/json; charset=latin1', '', 400],
    ['application/json; x=y; charset=utf-16', '', 400],
    ['application/jsonp', '', 400],
    ['application/json', 'gzip', 400],
  ])('CRB-08 the type "%s" with the encoding "%s" is %i', async (type, encoding, status) => {
    nextMinute();
    const headers = { 'Content-Type': type, 'Content-Encoding': encoding };
    const got = await get('/posts/batch', { method: 'POST', body: '{"ids":["mars:a"]}', headers });
    expect(got.status).toBe(status);
  });

  it('CRB-08 whoever sends all of a refused body first gets the answer nevertheless', async () => {
    nextMinute();
    const head = 'POST /api/v1/posts/batch HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer mock-full\r\n';
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const type = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    expect(await raw(`${head}${type}${chunk.repeat(200)}0\r\n\r\n`)).toMatch(/^HTTP\/1.1 400 .*1 MiB/s);
  });

  it.each([
    ['HTTP/1.1\r\nHost: a\r\nHost: a', 400],
    ['HTTP/1.1\r\nX: a', 400],
    ['HTTP/1.1\r\nHost: a\r\nExpect: 100-continue, more', 400],
    ['HTTP/1.1\r\nHost: a\r\nExpect: magic', 400],
    ['HTTP/1.0\r\nX: a', 404],
  ])('GEN-07 a head %j is %i', async (head, status) => {
    expect(await raw(`GET /nope ${head}\r\n\r\n`)).toMatch(new RegExp(`HTTP/1.1 ${status} .*x-request-id`, 's'));
  });

  it('GEN-07 100 Continue never comes into the middle of a response that waits behind another', async () => {
    const head = 'GET /api/v1/posts HTTP/1.1\r\nHost: a\r\n';
    const answer = await raw(`${head}\r\n${head}Expect: 100-continue\r\n\r\n`);
    expect(answer.replaceAll(/\{.*?\}\}/g, '')).not.toMatch(/\r\n\r\nHTTP\/1.1 100 Continue/);
  });

  it('GEN-09 a whole request ahead of a broken one gets its own answer first', async () => {
    const statuses = (await raw('GET /nope HTTP/1.1\r\nHost: a\r\n\r\nNONSENSE\r\n\r\n')).match(/HTTP\/1.1 \d+/g);
    expect(statuses).toEqual(['HTTP/1.1 404', 'HTTP/1.1 400']);
  });

  it('GEN-09 after an Upgrade the connection ends, as nothing more would be answered', async () => {
    const upgrade = 'GET /nope HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n';
    expect(await raw(upgrade)).toMatch(/^HTTP\/1.1 404 .*Connection: close/s);
  });

  it('GEN-07 outlives a CONNECT from a peer that is reset at once', async () => {
    const { hostname, port } = new URL(mock.url);
    for (let turn = 0; turn < 20; turn += 1)
      await new Promise<void>((done) => {
        const socket = connect(Number(port), hostname, () =>
          socket.write('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', () => socket.resetAndDestroy()),
        );
        socket.on('error', () => {}).once('close', () => done());
      });
    expect((await get('/creators/netA/ada')).status).toBeLessThan(300);
  });

  it('GEN-07 GEN-09 other methods and unreadable requests get the envelope too', async () => {
    const wrong = await get('/creators/batch');
    expect([wrong.status, wrong.headers.get('Allow'), wrong.body.error.code]).toEqual([
      405,
      'POST',
      'method-not-allowed',
    ]);
    expect((await get('/creators/netA/ada', { method: 'HEAD' })).body).toBeNull();
    const unreadable = await raw('NONSENSE\r\n\r\n');
    expect(unreadable).toMatch(/^HTTP\/1.1 400/);
    expect(unreadable).toMatch(/x-request-id: .+/);
    expect(unreadable).toContain('"code":"invalid-input"');
  });

  it('AUT-01 to AUT-07 knows its tokens', async () => {
    for (const token of ['', 'mock-expired', 'mock-revoked', 'two words', 'nobody']) {
      const got = await get('/creators/netA/ada', { token });
      expect([got.status, got.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer']);
    }
    const scope = await get('/posts?ids=a', { token: 'mock-creators-only' });
    expect([scope.status, scope.headers.get('WWW-Authenticate')]).toEqual([
      403,
      'Bearer error="insufficient_scope", scope="posts:read"',
    ]);
    expect((await get('/creators?ids=a', { token: 'mock-posts-only' })).status).toBe(403);
    const twice = await new Promise((resolve) => {
      httpRequest(
        `${mock.url}/api/v1/creators/netA/ada`,
        { headers: { Authorization: ['Bearer mock-full', 'Bearer mock-full'] } },
        (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        },
      ).end();
    });
    expect(twice).toBe(401);
  });

  it('RAT-02 RAT-03 RAT-07 the small budget is exact, and tells itself', async () => {
    nextMinute();
    for (let left = 4; left >= 0; left -= 1) {
      const got = await get('/creators/mars/a', { token: 'mock-small' });
      expect(got.headers.get('RateLimit')).toContain(`r=${left};t=`);
    }
    const over = await get('/creators/mars/a', { token: 'mock-small' });
    expect([over.status, over.body.error.code]).toEqual([429, 'rate-limited']);
    state.now += Number(over.headers.get('Retry-After')) * 1000;
    expect((await get('/creators/mars/a', { token: 'mock-small' })).status).toBe(404);
  });

  it('Prefer chooses an answer by hand, and a bad one is told', async () => {
    const chosen = await get('/creators/netA/ada', { headers: { Prefer: 'code=404, example=NotFoundAccount' } });
    expect([chosen.status, chosen.body.error.details.reason]).toEqual([404, 'account-not-discoverable']);
    expect((await get('/creators/netA/ada', { headers: { Prefer: 'code=503' } })).status).toBe(503);
    for (const bad of ['code=abc', 'code=418', 'code=404, example=nope', 'dynamic=perhaps']) {
      const got = await get('/creators/netA/ada', { headers: { Prefer: bad } });
      expect([bad, got.status, got.body.error.code]).toEqual([bad, 400, 'invalid-input']);
    }
  });

  it('GEN-03 GEN-13 lets browsers of any origin in, with a body', async () => {
    const preflight = await fetch(`${mock.url}/api/v1/posts/batch`, {
      method: 'OPTIONS',
      headers: { Origin: 'https://a.example', 'Access-Control-Request-Method': 'POST' },
    });
    expect([preflight.status, await preflight.json()]).toEqual([200, {}]);
    expect(preflight.headers.get('Access-Control-Allow-Origin')).toBe('*');
  });

  it('GEN-11 a query of 100 encoded URLs is a legal batch', async () => {
    nextMinute();
    const ids = Array.from({ length: 100 }, (_, index) =>
      encodeURIComponent(`https://neta.example/p/${'x'.repeat(120)}${index}`),
    );
    expect((await get(`/posts?ids=${ids.join(',')}`)).body.fetching).toHaveLength(100);
  });
});

describe('trouble on demand', () => {
  it('--fail-rate fails that share of the reads, with 500 in the envelope', async () => {
    const chances = [0.1, 0.9, 0.1, 0.9];
    const failing = await startMock({ port: 0, failRate: 0.5, clock: Date.now, random: () => chances.shift() ?? 1 });
    const statuses: number[] = [];
    for (let reads = 0; reads < 4; reads += 1) {
      const answer = await fetch(`${failing.url}/api/v1/creators/mars/a`, {
        headers: { Authorization: 'Bearer mock-full' },
      });
      const { error } = (await answer.json()) as { error: { code: string } };
      expect(error.code).toBe(answer.status === 500 ? 'internal-error' : 'not-found');
      statuses.push(answer.status);
    }
    await failing.close();
    expect(statuses).toEqual([500, 404, 500, 404]);
  });

  it('--latency holds every answer back, also a refusal', async () => {
    const late = await startMock({ port: 0, latencyMilliseconds: 80, clock: Date.now, random: () => 1 });
    const start = performance.now();
    expect((await fetch(`${late.url}/api/v1/creators/netA/ada`)).status).toBe(401);
    expect(performance.now() - start).toBeGreaterThanOrEqual(79);
    await late.close();
  });
});

describe('lookup-mock', () => {
  const run = (args: string[]): Promise<{ code: number | null; err: string; out: string }> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [fileURLToPath(new URL('./main.ts', import.meta.url)), ...args]);
      let [out, err] = ['', ''];
      child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
      child.on('close', (code) => resolve({ code, out, err }));
    });

  it('prints lines to paste that read what the mock holds', async () => {
    const child = spawn(process.execPath, [fileURLToPath(new URL('./main.ts', import.meta.url)), '--port', '0']);
    let said = '';
    for await (const chunk of child.stdout) {
      said += String(chunk);
      if (said.includes('curl')) break;
    }
    const lines = said.split('\n').filter((line) => line.startsWith('  '));
    const pasted = await promisify(execFile)('sh', ['-c', lines.join('\n')]);
    child.kill();
    expect(pasted.stdout).toMatch(/^HTTP\/1\.1 202[\s\S]*"fetching":\[\{"id":"ada"/);
  });

  it('tells an address that can be asked where it listens on all of them', async () => {
    const everywhere = await startMock({ port: 0, host: '0.0.0.0', clock: Date.now, random: Math.random });
    expect((await fetch(`${everywhere.url}/openapi.json`)).status).toBe(200);
    expect(new URL(everywhere.url).hostname).toBe('localhost');
    await everywhere.close();
  });

  it.each([
    ['a port in use', () => ['--port', new URL(mock.url).port], /port \d+ is in use: choose another with --port/],
    ['a bad latency', () => ['--latency', 'soon'], /--latency must be a number/],
    ['an address of somebody else', () => ['--port', '0', '--host', '192.0.2.1'], /can not listen there/],
    ['no host, as of a variable that is not set', () => ['--port', '0', '--host='], /--host must name an address/],
    ['a bad port', () => ['--port', 'x'], /--port must be a number/],
    ['a part of a port', () => ['--port', '80.5'], /--port must be a whole number/],
    ['a value like an option', () => ['--port', '-1'], /'--port' argument is ambiguous/],
    ['a bad share', () => ['--fail-rate', '2'], /--fail-rate must be/],
    ['an unknown option', () => ['--colour'], /--colour/],
  ])('ends with 2 and one line: %s', async (_name, args, line) => {
    const { code, err } = await run(args());
    expect(code).toBe(2);
    expect(err).toMatch(line);
    expect(err.trim().split('\n')).toHaveLength(1);
  });
});
