import type { ServerResponse } from 'node:http';
import { isPieces, type AnyAnswer } from './answer.ts';
import { ContractViolation, type Contract } from './contract.ts';
import { answerOf } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { limitOf, policyOf } from './rate-limit.ts';
import { createSlabs, type Slabs } from './slabs.ts';

export interface RespondParts {
  readonly contract: Contract;
  /** Called with what broke the contract, and where (ERR-05). */
  readonly onViolation: (violation: Error, exchange: Exchange) => void;
  /** How long a reader may take for a response before its connection is closed. */
  readonly writeTimeoutMilliseconds: number;
  /** Headers for the transport that are not part of the contract: CORS, `Connection`. */
  readonly transportHeaders: (exchange: Exchange) => Readonly<Record<string, string>> | null;
}

export type Respond = (exchange: Exchange, answer: AnyAnswer) => void;

/** Up to this size a response is copied into one string and sent together with its head. */
const COPIED_BYTES = 32 * 1024;

/**
 * The only place that sends responses. Each is checked against the contract first; one that breaks it is replaced by a generic 500,
 * and the log says what was wrong (ERR-05).
 */
export function createRespond(parts: RespondParts): Respond {
  const slabs = createSlabs();
  return function respond(exchange, answer) {
    if (exchange.response.headersSent || exchange.response.destroyed) return;
    send(exchange, check(parts, exchange, answer), parts, slabs);
  };
}

function check({ contract, onViolation }: RespondParts, exchange: Exchange, answer: AnyAnswer): AnyAnswer {
  const dressed = { status: answer.status, headers: headersOf(exchange, answer), body: answer.body };
  try {
    contract.check(exchange.operation, dressed);
    return dressed;
  } catch (violation) {
    if (!(violation instanceof ContractViolation)) throw violation;
    onViolation(violation, exchange);
    const fault = answerOf(violation);
    return { ...fault, headers: headersOf(exchange, fault) };
  }
}

/** The headers of every response (GEN-02, GEN-10, RAT-07) and those of this answer. */
function headersOf(
  { requestId, spent }: Exchange,
  { headers }: AnyAnswer,
): Record<string, string | number | undefined> {
  const all: Record<string, string | number | undefined> = {
    'x-request-id': requestId,
    'Cache-Control': 'no-store',
    ...headers,
  };
  if (spent === null) return all;
  all['RateLimit-Policy'] = policyOf(spent);
  all.RateLimit = limitOf(spent, headers['Retry-After']);
  return all;
}

function send(exchange: Exchange, { status, headers, body }: AnyAnswer, parts: RespondParts, slabs: Slabs): void {
  const { request, response } = exchange;
  const pieces = isPieces(body) ? body.pieces : [Buffer.from(JSON.stringify(body))];
  let bytes = 0;
  for (const piece of pieces) bytes += piece.length;
  const head = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(bytes)];
  push(head, headers);
  push(head, parts.transportHeaders(exchange));
  // Kept open, the connection would have to receive the rest of the refused body before the next request.
  const unread = !request.complete && hasBody(request.headers);
  if (unread) push(head, CLOSE);
  response.writeHead(status, head);
  if (unread) sendBeforeBody(exchange, pieces);
  else if (request.method === 'HEAD') response.end();
  else if (bytes <= COPIED_BYTES) response.end(textOf(pieces), 'latin1');
  else sendChunks(response, slabs.gather(pieces, bytes, response));
  if (response.writableLength > 0) closeWhenLeft(response, parts.writeTimeoutMilliseconds);
}

const CLOSE = { Connection: 'close' };

/** Appends names and values in turn: Node takes such a list as it is, but copies an object. */
function push(head: string[], headers: AnyAnswer['headers'] | null): void {
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) head.push(name, String(value));
  }
}

/** Shared by all small responses: allocating memory for each would be most of their cost. */
const copy = Buffer.allocUnsafeSlow(COPIED_BYTES);

/** The bytes as a Latin-1 string, which Node sends in one write with the head; a buffer would take a second write. */
function textOf(pieces: readonly Buffer[]): string {
  let bytes = 0;
  for (const piece of pieces) {
    copy.set(piece, bytes);
    bytes += piece.length;
  }
  return copy.toString('latin1', 0, bytes);
}

const hasBody = (headers: Record<string, unknown>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Sends an answer while the request's body is still arriving. A client that sends its whole body before it reads (Python's do) would
 * lose the answer if the connection closed at once, so the rest of the body is read and thrown away, for a second at most.
 */
function sendBeforeBody({ request, response }: Exchange, pieces: readonly Buffer[]): void {
  response.cork();
  response.flushHeaders();
  if (request.method !== 'HEAD') for (const piece of pieces) response.write(piece);
  response.uncork();
  const end = (): void => void response.end();
  const timer = setTimeout(end, UNREAD_MILLISECONDS);
  request.once('close', end).resume();
  response.once('close', () => clearTimeout(timer));
}

const UNREAD_MILLISECONDS = 1000;

/** Corked, so that all chunks leave in one system call. */
function sendChunks(response: ServerResponse, chunks: readonly Buffer[]): void {
  response.cork();
  for (const chunk of chunks) response.write(chunk);
  response.end();
  response.uncork();
}

/** Closes the connection of a client that does not read its response in time, and so frees the bytes (F18). */
function closeWhenLeft(response: ServerResponse, timeout: number): void {
  const timer = setTimeout(() => response.destroy(), timeout);
  timer.unref();
  response.once('close', () => clearTimeout(timer));
}
