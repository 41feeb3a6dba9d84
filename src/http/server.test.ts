import { once } from 'node:events';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpServer } from './server.ts';
import { startHarness, type Harness } from './testing.ts';

/** Short deadlines: what they cut off would else be open when the test times out. */
const DEADLINES = {
  HEADERS_TIMEOUT_SECONDS: '1',
  REQUEST_TIMEOUT_SECONDS: '2',
  KEEP_ALIVE_SECONDS: '1',
  WRITE_TIMEOUT_SECONDS: '1',
};
const LIMITS = {
  headerBytes: 16_384,
  headersTimeoutSeconds: 1,
  requestTimeoutSeconds: 1,
  keepAliveSeconds: 1,
  maxConnections: 9,
};
let service: Harness;
beforeAll(async () => {
  service = await startHarness({ settings: DEADLINES });
});
afterAll(() => service.close());

/** A server of ours with another listener. */
async function serving(listener: RequestListener): Promise<Server> {
  const { contract } = service.service;
  const server = createHttpServer(listener, { contract, requestId: () => 'id', limits: LIMITS }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const lines = (...all: string[]) => `${all.join('\r\n')}\r\n\r\n`;
const host = 'Host: a';
const bearer = () => `Authorization: Bearer ${service.tokens.full}`;
const json = 'Content-Type: application/json';
const POST = 'POST /api/v1/creators/batch HTTP/1.1';

/** All that comes back on one connection until the server closes it; `drip` goes on sending every 100 ms. */
function untilClosed(bytes: string, drip = '', { port } = service.service): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket: Socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const dripping = setInterval(() => drip !== '' && socket.writable && socket.write(drip), 100);
    socket.on('data', (chunk) => (answer += String(chunk)));
    socket.on('error', () => {});
    socket.once('close', () => {
      clearInterval(dripping);
      resolve(answer);
    });
  });
}
const statusesOf = (answer: string) => [...answer.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));
function expectRefused(answer: string): void {
  expect(statusesOf(answer)).toEqual([400]);
  expect(answer).toMatch(/\r\nx-request-id: \S+\r\n/i);
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)).error.code).toBe('invalid-input');
}

describe('F18 deadlines: a connection is closed by the server, with an answer', () => {
  it('slow headers, and such that drip: by a deadline of their own', async () => {
    const patient = await startHarness({ settings: { HEADERS_TIMEOUT_SECONDS: '1', REQUEST_TIMEOUT_SECONDS: '600' } });
    const [slow, dripping] = await Promise.all([
      untilClosed('GET /api/v1/posts HTTP/1.1\r\nHost: a\r\n', '', patient.service),
      untilClosed('GET /api/v1/posts HTTP/1.1\r\n', 'X: y\r\n', patient.service),
    ]);
    expectRefused(slow);
    expectRefused(dripping);
    await patient.close();
  });
  it('a slow body', async () =>
    expectRefused(await untilClosed(`${lines(POST, host, bearer(), json, 'Content-Length: 100')}{"ids":`)));
  it('a body that drips', async () =>
    expectRefused(await untilClosed(lines(POST, host, bearer(), json, 'Content-Length: 100000'), ' ')));
  it('a chunked body that drips', async () =>
    expectRefused(await untilClosed(lines(POST, host, bearer(), json, 'Transfer-Encoding: chunked'), '1\r\n \r\n')));
  it('a connection that asks nothing more is closed, without an error', async () => {
    const answer = await untilClosed(lines('GET /healthz HTTP/1.1', host));
    expect(statusesOf(answer)).toEqual([200]);
  });
  it('a reader that does not read is cut off', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => `Big${index}`).join(',');
    const asked = `/posts?ids=${ids}&include=${service.service.contract.analysisKeys.join(',')}`;
    const { text } = await service.held(asked);
    const requests = 60;
    const before = service.logged.length;
    const wasCut = (): boolean => service.logged.slice(before).some((line) => line.includes('"sent":false'));
    let received = 0;
    const request = lines(`GET /api/v1${asked} HTTP/1.1`, host, bearer());
    const socket = connect(service.service.port, '127.0.0.1', () => socket.write(request.repeat(requests)));
    socket.pause();
    socket.on('data', (chunk) => (received += chunk.length));
    socket.on('error', () => {});
    const closed = once(socket, 'close');
    await expect.poll(wasCut, { timeout: 20_000 }).toBe(true);
    socket.resume();
    await closed;
    expect(received).toBeLessThan((text.length * requests) / 2);
    expect((await service.get('/creators?ids=netZ:x')).status).toBe(200);
  });
  it('others are answered meanwhile', async () => {
    const slow = Array.from({ length: 200 }, () => untilClosed('GET / HTTP/1.1\r\nHo', 's'));
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.get('/creators?ids=netZ:x')));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    await Promise.all(slow);
  });
});

describe('what is refused before a body is read', () => {
  it('CRB-08 a declared length over the limit, at once', async () => {
    const answer = await untilClosed(lines(POST, host, bearer(), json, 'Content-Length: 9999999999'));
    expectRefused(answer);
    expect(answer).toContain('larger than');
    expect(answer).toMatch(/\r\nConnection: close\r\n/i);
  });
  it('CRB-08 chunks beyond the limit, where they pass it', async () => {
    const chunk = `${(65_536).toString(16)}\r\n${'x'.repeat(65_536)}\r\n`;
    expectRefused(
      await untilClosed(lines(POST, host, bearer(), json, 'Transfer-Encoding: chunked') + chunk.repeat(17)),
    );
  });
  it.each([
    ['credential', 'junk', '/api/v1/creators/batch', 401],
    ['scope', 'posts', '/api/v1/creators/batch', 403],
    ['path', 'full', '/nope', 404],
    ['method', 'full', '/api/v1/creators', 405],
    ['type', 'full', '/api/v1/creators/batch', 400],
  ] as const)('AUT-10 %s: nothing of the body is waited for', async (_name, role, path, status) => {
    const token = role === 'junk' ? role : service.tokens[role];
    const head = lines(`POST ${path} HTTP/1.1`, host, `Authorization: Bearer ${token}`, 'Content-Length: 100');
    const answer = await untilClosed(head);
    expect(statusesOf(answer)).toEqual([status]);
    expect(answer).not.toContain('in time');
  });
  it('the rest of a refused body is not read as the next request', async () => {
    const smuggled = lines('GET /api/v1/creators?ids=netZ:x HTTP/1.1', host, bearer());
    const head = lines(POST, host, 'Authorization: Bearer junk', json, `Content-Length: ${smuggled.length}`);
    expect(statusesOf(await untilClosed(head + smuggled))).toEqual([401]);
  });
});

describe('HTTP as it is spoken', () => {
  it('GEN-07 Expect: 100-continue is answered, then the request', async () => {
    const body = '{"ids":["netZ:x"]}';
    const head = lines(
      POST,
      host,
      bearer(),
      json,
      `Content-Length: ${body.length}`,
      'Expect: 100-continue',
      'Connection: close',
    );
    expect(statusesOf(await untilClosed(head + body))).toEqual([100, 200]);
  });
  it('GEN-07 100 Continue never comes into the middle of a response that waits behind another', async () => {
    const first: ServerResponse[] = [];
    const server = await serving((request, response) => {
      if (request.url === '/a') return void first.push(response);
      response.writeHead(200, { 'Content-Length': 5 }).end(Buffer.from('later'));
      first[0]?.end('A');
    });
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(
      lines('GET /a HTTP/1.1', host) + lines('GET /b HTTP/1.1', host, 'Expect: 100-continue', 'Connection: close'),
    );
    const answer = await text(socket);
    server.close();
    expect(statusesOf(answer)).toEqual([200, 200]);
  });
  it('GEN-07 100 Continue is said to whoever waits for it behind another, once it is its turn', async () => {
    const first: ServerResponse[] = [];
    const server = await serving((request, response) => {
      if (request.url === '/a') return void first.push(response);
      first[0]?.end('A');
      request.resume().once('end', () => response.end('B'));
    });
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const second = lines('POST /b HTTP/1.1', host, 'Content-Length: 1', 'Expect: 100-continue', 'Connection: close');
    socket.write(lines('GET /a HTTP/1.1', host) + second);
    let answer = '';
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      const before = answer;
      answer += chunk.toString();
      if (!before.includes(' 100 ') && answer.includes(' 100 ')) socket.write('y');
    }
    server.close();
    expect(statusesOf(answer)).toEqual([200, 100, 200]);
  });
  it('pipelined requests are answered in order', async () => {
    const ask = (path: string, more = 'Connection: keep-alive') =>
      lines(`GET /api/v1${path} HTTP/1.1`, host, bearer(), more);
    const answer = await untilClosed(
      ask('/nope') + ask('/creators?ids=netZ:x') + ask('/creators', 'Connection: close'),
    );
    expect(statusesOf(answer)).toEqual([404, 200, 400]);
  });
  it.each(['/api/v1/creators?ids=netZ:x', 'http://other.example/api/v1/creators?ids=netZ:x'])(
    'the request target %s',
    async (target) => {
      const answer = await untilClosed(lines(`GET ${target} HTTP/1.1`, host, bearer(), 'Connection: close'));
      expect(statusesOf(answer)).toEqual([200]);
    },
  );
  it('HTTP/1.0 needs no Host', async () => {
    const answer = await untilClosed(lines('GET /api/v1/creators?ids=netZ:x HTTP/1.0', bearer()));
    expect(answer).toMatch(/^HTTP\/1\.[01] 200 /);
  });
  it('AUT-12 of two different Authorization lines neither counts', async () => {
    const both = lines(
      'GET /api/v1/creators?ids=netZ:x HTTP/1.1',
      host,
      bearer(),
      'Authorization: Bearer x',
      'Connection: close',
    );
    expect(statusesOf(await untilClosed(both))).toEqual([401]);
  });
  it.each(['If-None-Match: *', `If-Modified-Since: ${new Date(4e12).toUTCString()}`])(
    'GEN-10 no 304 for %s, beside the API neither',
    async (condition) => {
      for (const path of ['/healthz', '/readyz', '/metrics', '/docs', '/docs/', '/openapi.json', '/api/v1/nope']) {
        const answer = await untilClosed(lines(`GET ${path} HTTP/1.1`, host, condition, 'Connection: close'));
        expect([path, statusesOf(answer)]).not.toEqual([path, [304]]);
      }
    },
  );
  it.each([
    ['smuggling: a length with a sign', [POST, host, 'Content-Length: +1']],
    ['smuggling: a length that is a list', [POST, host, 'Content-Length: 1, 1']],
    ['smuggling: chunks by another name', [POST, host, 'Transfer-Encoding: xchunked']],
    ['smuggling: chunks not last', [POST, host, 'Transfer-Encoding: chunked, identity']],
    ['smuggling: a blank before the colon', ['GET / HTTP/1.1', host, 'Content-Length : 1']],
    ['smuggling: a folded header', ['GET / HTTP/1.1', host, 'X: a', ' b']],
    ['a control character in a header', ['GET / HTTP/1.1', host, 'X: a\u0001b']],
    ['HTTP/2 spoken at it', ['PRI * HTTP/2.0']],
    ['another version', ['GET / HTTP/3.0', host]],
    ['a target that is none', ['GET api HTTP/1.1', host]],
  ])('GEN-09 %s', async (_name, head) => expectRefused(await untilClosed(lines(...head))));
  it('GEN-07 CONNECT from a peer that is reset at once is no end of the process', async () => {
    const { port } = service.service;
    for (let turn = 0; turn < 20; turn += 1)
      await new Promise<void>((done) => {
        const socket = connect(port, '127.0.0.1', () =>
          socket.write(lines('CONNECT a:1 HTTP/1.1', host), () => socket.resetAndDestroy()),
        );
        socket.on('error', () => {}).once('close', () => done());
      });
    expectRefused(await untilClosed(lines('CONNECT a:1 HTTP/1.1', host)));
  });
  it('GEN-09 whoever sends all of too large a head before it reads gets the answer nevertheless', async () => {
    const socket = connect(service.service.port, '127.0.0.1');
    await new Promise((sent) => socket.write(lines('GET / HTTP/1.1', host, `X: ${'y'.repeat(5_000_000)}`), sent));
    expectRefused(await text(socket));
  });
  it('GEN-09 whoever goes on sending after a refusal is cut off after a second', async () => {
    const socket = connect({ port: service.service.port, allowHalfOpen: true }).on('error', () => {});
    socket.write('NONSENSE\r\n\r\n');
    const dripping = setInterval(() => socket.write('more'), 100);
    await new Promise((closed) => socket.resume().once('close', closed));
    clearInterval(dripping);
    expect(socket.destroyed).toBe(true);
  });
  it('GEN-09 a broken second request on a connection gets its own answer', async () => {
    const answer = await untilClosed(`${lines('GET /api/v1/nope HTTP/1.1', host)}BROKEN\r\n\r\n`);
    expect(statusesOf(answer)).toEqual([404, 400]);
  });
  it('GEN-02 who sends no more than its requests is answered each, however late', async () => {
    const server = await serving(
      (request, response) =>
        void request.socket.once('end', () => setImmediate(() => response.end('x'.repeat(100_000)))),
    );
    const socket = connect({ port: (server.address() as AddressInfo).port, allowHalfOpen: true });
    socket.end(lines('GET / HTTP/1.1', host).repeat(2));
    const answer = await text(socket);
    server.close();
    expect(statusesOf(answer)).toEqual([200, 200]);
    expect(answer.length).toBeGreaterThan(200_000);
  });
  it.each([
    ['a document', 'GET /api/v1/creators?ids=netZ:x HTTP/1.1', 200],
    ['a page', 'GET /healthz HTTP/1.1', 200],
    ['an unknown path', 'GET /api/v1/nope HTTP/1.1', 404],
  ])(
    'GEN-09 with the answer to an Upgrade for %s the connection ends: nothing after it would be answered',
    async (...given) => {
      const [, line, status] = given;
      const answer = await untilClosed(
        `${lines(line, host, bearer(), 'Connection: Upgrade', 'Upgrade: h2c')}BROKEN\r\n\r\n`,
      );
      expect(statusesOf(answer)).toEqual([status]);
      expect(answer).toMatch(/^Connection: close/m);
    },
  );
});

describe('what never was seen before costs nothing that stays', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heapMiB = () => {
    collect();
    return process.memoryUsage().heapUsed / 2 ** 20;
  };
  it.each([
    [
      'Content-Types of a GET',
      (index: number) => service.get('/creators?ids=netZ:x', { headers: { 'Content-Type': `x/y${index}` } }),
    ],
    [
      'Content-Types of a POST',
      (index: number) =>
        service.post('/creators/batch', '{"ids":["netZ:x"]}', {
          headers: { 'Content-Type': `application/json; a=${index}` },
        }),
    ],
    ['query names', (index: number) => service.get(`/creators?ids=netZ:x&x${index}=1&asOrg[${index}]=q`)],
    ['paths', (index: number) => service.get(`/nope${index}`)],
    ['tokens', (index: number) => service.get('/creators?ids=x', { token: `junk${index}` })],
  ] as const)('200 new %s (a validator kept for each would be 280 MiB)', async (_name, ask) => {
    await ask(-1);
    const before = heapMiB();
    for (let index = 0; index < 200; index += 1) await ask(index);
    expect(heapMiB() - before).toBeLessThan(30);
  });
});
