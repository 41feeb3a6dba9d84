/** Servers that are not ours: a clear verdict each, the right exit code, and never a crash. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import express from 'express';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { Report } from './model.ts';
import { runSuite } from './suite.ts';
import { describeTarget, readTargetFile } from './target-file.ts';

const file = new URL('targets/service.yaml', import.meta.url).pathname;

/** Without rulings, as a stranger is judged, and with little patience. */
const judgeStranger = (baseUrl: string): Promise<Report> =>
  runSuite({
    target: describeTarget(readTargetFile(file), {
      CONFORMANCE_BASE_URL: baseUrl,
      CONFORMANCE_TOKEN_FULL: 'some-token',
    }),
    strict: false,
    timeoutMilliseconds: 1000,
    deadlineSeconds: 2,
  });

const servers: Server[] = [];
afterAll(() => servers.forEach((server) => server.close()));

async function urlOf(server: Server, scheme = 'http'): Promise<string> {
  servers.push(server.listen(0, '127.0.0.1'));
  await new Promise((resolve) => server.once('listening', resolve));
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const answering = (
  body: string | Buffer,
  headers: Record<string, string> = { 'content-type': 'application/json' },
  status = 200,
): Server => http.createServer((_, response) => void response.writeHead(status, headers).end(body));
const notFound = '{"error":{"code":"not-found","message":"x"}}';
const speaking = (bytes: string): Server =>
  net.createServer((socket) => void socket.on('error', () => {}).once('data', () => socket.end(bytes)));

const nobody = express().use((_request, response) => void response.sendStatus(404));
const breaking = http.createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"data":');
  setTimeout(() => response.destroy(), 5);
});
const endless = http.createServer((_, response) => {
  response.on('error', () => {});
  const more = (): void => {
    while (!response.destroyed && response.write(Buffer.alloc(1 << 20, 32)));
    response.once('drain', more);
  };
  more();
});

/** Node can't make a certificate; where the machine has no openssl, that one test is left out. */
const openssl = 'openssl';
const hasOpenssl = spawnSync(openssl, ['version']).status === 0;

function selfSigned(): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=127.0.0.1', '-days', '1'];
  execFileSync(openssl, ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, ...subject], {
    stdio: 'ignore',
  });
  const made = { key: readFileSync(key), cert: readFileSync(cert) };
  rmSync(folder, { recursive: true });
  return made;
}

describe('exit 1: it answers, and not as the contract says', () => {
  it.each<[string, Server, RegExp]>([
    ...['{}', '[]', 'null', '""', '{"data":null,"fetching":{},"unavailable":[null,1]}', '{"error":[]}'].map(
      (body): [string, Server, RegExp] => [`${body} to everything`, answering(body), /^$/],
    ),
    ['a bare Express that answers 404', http.createServer(nobody), /base URL/],
    ['HTML', answering('<h1>Welcome</h1>', { 'content-type': 'text/html' }), /hardly any answer is JSON/],
    ['redirects', answering('', { location: 'https://login.invalid/' }, 302), /hardly any answer is JSON/],
    ['HTTP/1.0', speaking(`HTTP/1.0 404 Not Found\r\nContent-Type: application/json\r\n\r\n${notFound}`), /is 404/],
    [
      'gzip',
      answering(gzipSync(notFound), { 'content-type': 'application/json', 'content-encoding': 'gzip' }, 404),
      /is 404/,
    ],
    ['401 to everything', answering('{"error":{"code":"unauthorized","message":"x"}}', undefined, 401), /right one/],
    ['JSON 20,000 levels deep', answering(`{"data":${'['.repeat(20_000)}${']'.repeat(20_000)}}`), /hardly any/],
  ])('%s', { timeout: 20_000 }, async (_, server, hint) => {
    const report = await judgeStranger(await urlOf(server));
    expect([report.exitCode, report.problem, report.totals.error]).toEqual([1, null, 0]);
    expect(report.hints.join(' ')).toMatch(hint);
  });
});

describe('exit 2: it cannot be judged', () => {
  it.each<[string, Server, RegExp]>([
    ['never answers', http.createServer(() => {}), /no answer within/],
    ['closes the connection in the middle of a body', breaking, /the connection broke/],
    ['sends without end', endless, /larger than 8388608 bytes/],
    [
      'unpacks to 100 MB',
      answering(gzipSync(Buffer.alloc(100 << 20)), { 'content-encoding': 'gzip' }),
      /larger than 8388608 bytes/,
    ],
    ['says gzip and is none', answering('{}', { 'content-encoding': 'gzip' }), /is not gzip/],
    ['speaks another protocol', speaking('SSH-2.0-x\r\n'), /the connection broke/],
    ['is throttled all the time', answering(notFound, { 'retry-after': '1' }, 429), /a second 429/],
  ])('%s', { timeout: 20_000 }, async (_, server, problem) => {
    const report = await judgeStranger(await urlOf(server));
    expect(report.exitCode).toBe(2);
    expect(report.problem).toMatch(problem);
  });

  it('a port that nobody listens on', async () => {
    const report = await judgeStranger('http://127.0.0.1:1');
    expect([report.exitCode, report.problem]).toEqual([2, 'cannot be reached (ECONNREFUSED)']);
  });

  it('a name that nobody has', async () => {
    const report = await judgeStranger('http://nobody.invalid');
    expect(report.problem).toMatch(/cannot be reached \(E/);
  });

  it('TLS where there is none', async () => {
    const report = await judgeStranger((await urlOf(answering('{}'))).replace('http:', 'https:'));
    expect([report.exitCode, report.problem]).toEqual([2, expect.stringMatching(/^TLS fails/)]);
  });

  it.skipIf(!hasOpenssl)('a certificate that nobody vouches for', async () => {
    const server = https.createServer(selfSigned(), (_, response) => void response.end('{}'));
    const report = await judgeStranger(await urlOf(server, 'https'));
    expect([report.exitCode, report.problem]).toEqual([2, expect.stringMatching(/^TLS fails: self.signed/)]);
  });

  it('the command says it in a few lines, without a stack', { timeout: 20_000 }, () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [new URL('main.ts', import.meta.url).pathname, '--target', file, '--quiet'],
      {
        encoding: 'utf8',
        env: {
          ...process.env,
          CONFORMANCE_BASE_URL: 'http://127.0.0.1:1',
          CONFORMANCE_TOKEN_FULL: 'some-token',
        },
      },
    );
    const afterPlan = stdout.slice(stdout.indexOf('STOPPED'));
    expect(status).toBe(2);
    expect(afterPlan.trim().split('\n')).toHaveLength(3);
    expect(afterPlan).toMatch(/^STOPPED http:\/\/127\.0\.0\.1:1 cannot be reached \(ECONNREFUSED\)/);
    expect(`${stdout}${stderr}`).not.toMatch(/\n\s+at |some-token/);
  });

  it('stopped by a signal it says so, and ends what it started', { timeout: 20_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stopped-'));
    const started = join(folder, 'target.yaml');
    const silent = http.createServer(() => undefined);
    const url = await urlOf(silent);
    const ended = join(folder, 'ended');
    const program = `process.once('SIGTERM', () => {
        require('node:fs').writeFileSync(${JSON.stringify(ended)}, '');
        process.exit();
      });
      console.log('${url}'); setInterval(() => {}, 1000)`;
    writeFileSync(started, JSON.stringify({ start: ['node', '-e', program], tokens: { full: { value: 'x' } } }));
    const child = spawn(process.execPath, [new URL('main.ts', import.meta.url).pathname, '--target', started]);
    let error = '';
    child.stderr.on('data', (text: Buffer) => (error += text.toString()));
    await once(silent, 'request');
    child.kill('SIGTERM');
    const [code] = (await once(child, 'close')) as [number];
    expect([code, error.trim().split('\n').at(-1)]).toEqual([2, 'error: stopped by hand, so nothing was judged']);
    await vi.waitFor(() => expect(existsSync(ended)).toBe(true));
    rmSync(folder, { recursive: true });
  });
});
