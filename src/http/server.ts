import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Contract } from './contract.ts';
import { answerOf, badRequest } from './errors.ts';

/** Not imported: `import` reads every export of the module, which loads the global fetch as well: 11 MB. */
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
 * Node's HTTP server with the settings that the contract needs. By default Node answers bare 400, 408, 413, 417 and 431 without envelope or
 * request id (GEN-09), refuses 100 percent-encoded URLs as too long (GEN-11), and keeps unfinished requests open for long (F18).
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
  // A client that half-closes its connection after its last request still waits for the answers; Node would drop them (GEN-02).
  const server = Object.assign(createServer(options, listener), { httpAllowHalfOpen: true });
  server.maxConnections = limits.maxConnections;
  const refuse = refuseRaw(contract, requestId);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => refuse(socket, messageOf(error)));
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    // Node has removed its own error listener; without one a connection reset would end the process.
    socket.on('error', () => socket.destroy());
    refuse(socket, 'This server is not a proxy.');
  });
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    sayContinue(response);
    listener(request, response);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => listener(request, response));
  return server;
}

/** Sends `100 Continue`, but not before this response's turn: while it waits behind another, Node would write it into the middle of that one (GEN-07). */
function sayContinue(response: ServerResponse): void {
  if (response.socket === null) response.once('socket', () => sayContinue(response));
  else if (!response.headersSent) response.writeContinue();
}

function messageOf({ code }: NodeJS.ErrnoException): string {
  if (code === 'HPE_HEADER_OVERFLOW') return 'The head of the request is too large.';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'The request was not complete in time.';
  return 'The request is not valid HTTP.';
}

/** The response that is being written to the socket, if any. Node offers it under no public name. */
const responseOf = (socket: Duplex) =>
  (socket as Duplex & { _httpMessage?: ServerResponse | null })._httpMessage ?? null;

/** Writes a refusal by hand where Node made no request and so no response object: once for each socket, never into the middle of a response. */
function refuseRaw(contract: Contract, requestId: () => string) {
  const refused = new WeakSet<Duplex>();
  const waiting = new WeakSet<Duplex>();

  /** Whether to wait: a complete request ahead of the broken one on the same connection gets its own answer first. */
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
    // A client that goes on sending would lose the answer if we closed at once: the rest is read and thrown away, for a second at most.
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
