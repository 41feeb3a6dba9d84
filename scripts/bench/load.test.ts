import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { load, requestOf } from './load.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(listener: RequestListener): Promise<number> {
  const made = (server = createServer(listener));
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  return (made.address() as AddressInfo).port;
}

const paths = (...list: string[]): Buffer[] => list.map((path) => requestOf(path, 'token'));

it('sends the requests in turn, with the token, and counts answers by status', async () => {
  const asked: string[] = [];
  const port = await serve(({ url = '', headers }, response) => {
    asked.push(`${url} ${headers.authorization}`);
    response.writeHead(url === '/b' ? 404 : 200).end('x');
  });
  const requests = paths('/a', '/b');
  const measured = await load({ port, requests, connections: 1, until: { answers: 4 } });
  expect(asked).toEqual(['/a Bearer token', '/b Bearer token', '/a Bearer token', '/b Bearer token']);
  expect(measured).toMatchObject({ answers: 4, statuses: { 200: 2, 404: 2 } });
  expect(measured.p99).toBeGreaterThanOrEqual(measured.p50);
});

it.each([
  ['a length, in pieces', { 'content-length': '200000' }],
  ['chunks', {}],
])('waits for the whole of an answer with %s', async (_form, headers) => {
  let finished = 0;
  const port = await serve((_request, response) => {
    response.writeHead(200, headers).write('a'.repeat(100_000));
    setImmediate(() => {
      finished += 1;
      response.end('b'.repeat(100_000));
    });
  });
  const measured = await load({ port, requests: paths('/'), connections: 3, until: { answers: 9 } });
  expect([measured.answers, finished]).toEqual([9, 9]);
});

it('says so when the server hangs up', async () => {
  const port = await serve((request) => void request.socket.destroy());
  const asked = { port, requests: paths('/'), connections: 1, until: { answers: 1 } };
  await expect(load(asked)).rejects.toThrow('closed a connection');
});
