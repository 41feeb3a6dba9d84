import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { header, json } from './edit.ts';
import { operationOf, startFaultProxy } from './proxy.ts';

describe('the fault proxy', () => {
  const server = http.createServer((request, response) => {
    response.setHeader('content-encoding', 'gzip').setHeader('x-path', request.url ?? '');
    response.end(gzipSync(JSON.stringify({ data: 1, authorization: request.headersDistinct['authorization'] })));
  });
  let target = '';
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  it('forwards as it is, undoes compression and lets the fault at the answer, with a memory', async () => {
    const proxy = await startFaultProxy({
      target,
      alter: (response, request, state) => {
        state.set('asked', Number(state.get('asked') ?? 0) + 1);
        json(response, (body) => void (body.asked = state.get('asked')));
        header(response, 'x-operation', request.operation);
      },
    });
    const ask = () => fetch(`${proxy.url}/api/v1/creators/netA/a%21b?x=1`, { headers: { authorization: 'Bearer t' } });
    await (await ask()).text();
    const second = await ask();
    expect([second.headers.get('x-path'), second.headers.get('x-operation')]).toEqual([
      '/api/v1/creators/netA/a%21b?x=1',
      'getCreator',
    ]);
    expect(await second.json()).toEqual({ data: 1, authorization: ['Bearer t'], asked: 2 });
    await proxy.close();
  });

  it('forwards what its parser refuses as the bytes it is', async () => {
    const proxy = await startFaultProxy({ target, alter: (response) => header(response, 'x-altered', 'yes') });
    const answer = await new Promise<string>((resolve, reject) => {
      let text = '';
      const socket = net.connect(Number(new URL(proxy.url).port), '127.0.0.1', () =>
        socket.write('GET  / BROKEN\r\n\r\n'),
      );
      socket
        .on('data', (chunk) => (text += chunk.toString()))
        .on('end', () => resolve(text))
        .on('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1.1 400 [\s\S]*x-altered: yes/);
    await proxy.close();
  });

  it.each([
    ['GET', '/api/v1/creators?ids=a', 'listCreators'],
    ['GET', '/api/v1/creators/netA/a', 'getCreator'],
    ['POST', '/api/v1/posts/batch', 'batchPosts'],
    ['DELETE', '/api/v1/creators', null],
    ['GET', '/api/v1/creators/', null],
  ])('knows that %s %s is %s', (method, path, operation) => expect(operationOf(method, path)).toBe(operation));
});
