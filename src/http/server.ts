import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Contract } from './contract.ts';
import { answerOf, badRequest } from './errors.ts';

/** Not by `import`, which reads every export of the module and so loads the browser's fetch with it: 11 MB. */
const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');

export interface ServerLimits {
  readonly headerBytes: number;
  readonly headersTimeoutSeconds: number;
  readonly requestTimeoutSeconds: number;
  readonly keepAliveSeconds: number;
  readonly maxConnections: number;
}

export interface ServerParts {
  readonly contract: Contract;
  readonly requestId: () => string;
  readonly limits: ServerLimits;
}

/**
 * Node's HTTP server with the settings that the contract needs. Without them: bare 400, 408, 413, 417 and 431 that carry neither envelope nor
 * request id (GEN-09), 100 percent-encoded URLs that do not fit (GEN-11), and unfinished requests that stay open for ever (F18).
 */
export function createHttpServer(listener: RequestListener, { contract, requestId, limits }: ServerParts): Server {
  const options = {
    maxHeaderSize: limits.headerBytes,
    requireHostHeader: false,
    headersTimeout: limits.headersTimeoutSeconds * 1000,
    requestTimeout: limits.requestTimeoutSeconds * 1000,
    keepAliveTimeout: limits.keepAliveSeconds * 1000,
    connectionsCheckingInterval: 1000,
    noDelay: true,
  };
  // Whoever says that it has asked all it will (a half-closed connection) waits for its answers nevertheless; Node would drop them (GEN-02).
  const server = Object.assign(createServer(options, listener), { httpAllowHalfOpen: true });
  server.maxConnections = limits.maxConnections;
  const refuse = refuseRaw(contract, requestId);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => refuse(socket, messageOf(error)));
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    // Node has taken its own listener off: without one a peer that is reset ends the process.
    socket.on('error', () => socket.destroy());
    refuse(socket, 'This is no proxy.');
  });
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    sayContinue(response);
    listener(request, response);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => listener(request, response));
  return server;
}

/** Once it is its turn: of a response that waits behind another, Node would write it between head and body (GEN-07). */
function sayContinue(response: ServerResponse): void {
  if (response.socket === null) response.once('socket', () => sayContinue(response));
  else if (!response.headersSent) response.writeContinue();
}

function messageOf({ code }: NodeJS.ErrnoException): string {
  if (code === 'HPE_HEADER_OVERFLOW') return 'The head of the request is too large.';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'The request was not complete in time.';
  return 'The request is no valid HTTP.';
}

/** The response that the socket is at, if any: Node has no other name for it. */
const responseOf = (socket: Duplex) =>
  (socket as Duplex & { _httpMessage?: ServerResponse | null })._httpMessage ?? null;

/** Writes by hand what no response object can: there is no request. Once for each socket, and never into the middle of a response. */
function refuseRaw(contract: Contract, requestId: () => string) {
  const refused = new WeakSet<Duplex>();
  const waiting = new WeakSet<Duplex>();

  /** A request that came whole, ahead of the broken one on the same connection, gets its own answer first. */
  function waits(socket: Duplex, message: string): boolean {
    if (waiting.has(socket)) return true;
    const earlier = responseOf(socket);
    if (earlier === null || !earlier.req.complete) return false;
    waiting.add(socket);
    earlier.once('close', () => {
      waiting.delete(socket);
      refuse(socket, message);
    });
    return true;
  }

  function refuse(socket: Duplex, message: string): void {
    // Whoever goes on sending would lose the answer with the connection: the rest is taken and thrown away, for a second at most.
    if (refused.has(socket) || waits(socket, message)) return;
    if (!socket.writable || responseOf(socket)?.headersSent) return void socket.destroy();
    refused.add(socket);
    const { status, body } = answerOf(badRequest(message));
    const headers = { 'x-request-id': requestId(), 'Cache-Control': 'no-store' };
    contract.check(null, { status, headers, body });
    socket.end(rawResponse(status, headers, JSON.stringify(body)));
    const timer = setTimeout(() => socket.destroy(), UNREAD_MILLISECONDS);
    socket.once('close', () => clearTimeout(timer));
  }

  return refuse;
}

const UNREAD_MILLISECONDS = 1000;

function rawResponse(status: number, headers: Record<string, string>, body: string): string {
  const own = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...own,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
