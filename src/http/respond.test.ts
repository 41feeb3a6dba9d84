import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { readFileSync } from 'node:fs';
import supertest from 'supertest';
import { afterEach, describe, expect, it } from 'vitest';
import type { AnyAnswer } from './answer.ts';
import { createContract, type ContractDocument } from './contract.ts';
import type { Exchange } from './exchange.ts';
import { createRespond } from './respond.ts';

const bundle = JSON.parse(
  readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8'),
) as ContractDocument;

/** A server that answers whatever it is given as the answer of one operation. */
async function serve(answer: object, violations: string[]): Promise<Server> {
  const respond = createRespond({
    contract: createContract(bundle),
    writeTimeoutMilliseconds: 1000,
    transportHeaders: () => ({}),
    onViolation: (violation) => void violations.push(violation.message),
  });
  const server = createServer((request, response) => {
    const exchange = { request, response, requestId: 'a', operation: 'listCreators', spent: null, place: null };
    respond(exchange as unknown as Exchange, answer as AnyAnswer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

describe('the one place that sends', () => {
  let server: Server | undefined;
  afterEach(() => void server?.close());

  const legal = { data: [], fetching: [], unavailable: [] };
  it.each([
    ['a missing bucket', { status: 200, headers: {}, body: { data: [], fetching: [] } }],
    ['an undocumented key', { status: 200, headers: {}, body: { ...legal, more: 1 } }],
    ['an undocumented status', { status: 202, headers: { 'Retry-After': 1 }, body: legal }],
    ["another status' code", { status: 404, headers: {}, body: { error: { code: 'forbidden', message: 'm' } } }],
  ])('ERR-05 does not send %s: a generic 500, and the violation is told', async (_name, answer) => {
    const violations: string[] = [];
    server = await serve(answer, violations);
    const response = await supertest(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).get('/');
    expect(response.status).toBe(500);
    expect(response.body).toMatchObject({ error: { code: 'internal-error' } });
    expect(violations).toHaveLength(1);
  });

  it('ERR-05 sends what is legal, as it is', async () => {
    const violations: string[] = [];
    server = await serve({ status: 200, headers: {}, body: legal }, violations);
    const response = await supertest(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).get('/');
    expect([response.status, response.body, violations]).toEqual([200, legal, []]);
  });

  it.each(['POST', 'HEAD'])(
    'CRB-08 %s: a client that sends its whole body before it reads gets its answer',
    async (method) => {
      server = await serve({ status: 200, headers: {}, body: legal }, []);
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
      const body = Buffer.alloc(8 * 1024 * 1024);
      const head = `${method} / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`;
      await new Promise((sent) => socket.write(Buffer.concat([Buffer.from(head), body]), sent));
      const answer = await text(socket);
      expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n/);
      expect(answer.endsWith(method === 'HEAD' ? '\r\n\r\n' : '"unavailable":[]}')).toBe(true);
    },
  );
});
