import express from 'express';
import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { docsPage } from '../docs/page.ts';
import { readContract } from './contract.ts';
import { createDocuments } from './documents.ts';
import { createFront, envelopeOf, setCommonHeaders } from './front.ts';
import { createBudgets } from './principals.ts';
import { createPrism } from './prism.ts';
import { Refusal, statusOfCode } from './refusal.ts';
import { createStates } from './states.ts';

/** Options of `startMock`. */
export interface MockOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** Address to listen on. Default `127.0.0.1`. */
  readonly host?: string;
  /** Milliseconds before each answer. */
  readonly latencyMilliseconds?: number;
  /** Share of reads that answer 500, from 0 to 1. */
  readonly failRate?: number;
  /** Milliseconds since the epoch: `Date.now`, or a test's own, which then decides what is held and how much of the budget is left. */
  readonly clock: () => number;
  /** From 0 up to, not including, 1: `Math.random`. What falls below `failRate` fails. */
  readonly random: () => number;
}

/** A running mock. */
export interface Mock {
  /** Base address, without `/api/v1`. */
  readonly url: string;
  /** Stops listening, and cuts the connections that are open. */
  close(): Promise<void>;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const maxHeaderBytes = 80 * 1024;

/** What the HTTP parser itself refuses gets the envelope too (GEN-09), once per connection and after the answer to what came whole before it. */
function answerParserError(error: NodeJS.ErrnoException, socket: Socket): void {
  const { _httpMessage: earlier } = socket as Socket & { _httpMessage?: ServerResponse };
  if (earlier?.req.complete) return void earlier.once('close', () => answerParserError(error, socket));
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  socket.end(rawRefusal('the request can not be read'));
  // What follows is thrown away, for a second at most.
  setTimeout(() => socket.destroy(), 1000).unref();
}

function rawRefusal(message: string): string {
  const refusal = new Refusal('invalid-input', message);
  const status = statusOfCode[refusal.code];
  const body = JSON.stringify(envelopeOf(refusal));
  const headers = [
    `x-request-id: ${randomUUID()}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.join('\r\n')}\r\n\r\n${body}`;
}

/** The reference page; what is not part of it is answered by the front. */
function withDocs(front: Handler): Handler {
  const shell = express().disable('x-powered-by').disable('etag');
  shell.use((_request, response, next) => {
    setCommonHeaders(response, randomUUID());
    next();
  });
  shell.use(docsPage());
  shell.use((request, response) => front(request, response));
  return (request, response) =>
    /^\/(docs|openapi\.)/.test(request.url ?? '') ? shell(request, response) : front(request, response);
}

/** Once it is its turn: of a response that waits behind another, Node would write it between head and body (GEN-07). */
function sayContinue(response: ServerResponse): void {
  if (response.socket === null) response.once('socket', () => sayContinue(response));
  else if (!response.headersSent) response.writeContinue();
}

function serverOf(handler: Handler): Server {
  const options = {
    maxHeaderSize: maxHeaderBytes,
    requireHostHeader: false,
    headersTimeout: 10_000,
    requestTimeout: 15_000,
  };
  // Whoever says that it has asked all it will (a half-closed connection) waits for its answers nevertheless; Node would drop them (GEN-02).
  const server = Object.assign(createServer(options, handler), { httpAllowHalfOpen: true });
  server.on('clientError', answerParserError);
  // Node has taken its own listener off such a socket: without one a peer that is reset ends the process.
  server.on('connect', (_request, socket) =>
    socket.on('error', () => socket.destroy()).end(rawRefusal('CONNECT has no meaning here')),
  );
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    sayContinue(response);
    handler(request, response);
  });
  server.on('checkExpectation', handler);
  return server;
}

function listening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}

/** The host as a URL has it: "all addresses" is none that could be asked. */
function authorityOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

/** Starts the mock; rejects with `EADDRINUSE` when the port is taken. */
export async function startMock(options: MockOptions): Promise<Mock> {
  const { clock, random, latencyMilliseconds = 0, failRate = 0, host = '127.0.0.1' } = options;
  const contract = readContract();
  const prism = await createPrism(contract);
  const front = createFront({
    prism,
    reading: { states: createStates(clock), documents: await createDocuments(prism, contract), clock },
    spend: createBudgets(clock),
    requestId: randomUUID,
    delay: () => (latencyMilliseconds > 0 ? sleep(latencyMilliseconds) : Promise.resolve()),
    fails: () => random() < failRate,
  });
  const server = serverOf(withDocs((request, response) => void front(request, response)));
  await listening(server, options.port, host);
  return {
    url: `http://${authorityOf(host)}:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
