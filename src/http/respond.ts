import type { ServerResponse } from 'node:http';
import { isPieces, type AnyAnswer } from './answer.ts';
import { ContractViolation, type Contract } from './contract.ts';
import { answerOf } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { limitOf, policyOf } from './rate-limit.ts';
import { createSlabs, type Slabs } from './slabs.ts';

export interface RespondParts {
  readonly contract: Contract;
  /** Told what broke the contract, and where (ERR-05). */
  readonly onViolation: (violation: Error, exchange: Exchange) => void;
  /** How long a reader may take for a response before its connection is closed. */
  readonly writeTimeoutMilliseconds: number;
  /** Headers that the way of transport needs, not the contract: CORS. */
  readonly transportHeaders: (exchange: Exchange) => Readonly<Record<string, string>> | null;
}

export type Respond = (exchange: Exchange, answer: AnyAnswer) => void;

/** Up to here a response is copied into one text that leaves with its head. */
const COPIED_BYTES = 32 * 1024;

/**
 * The one place that sends. What leaves has been held to the contract: what breaks it becomes a generic 500, and the log learns what it was
 * (ERR-05).
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
  // The rest of a refused body would otherwise be waited for before the next request.
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

/** Names and values in turn, which Node takes as they are; an object it would copy. */
function push(head: string[], headers: AnyAnswer['headers'] | null): void {
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) head.push(name, String(value));
  }
}

/** The one place that small responses are copied to: memory of their own would be most of their cost. */
const copy = Buffer.allocUnsafeSlow(COPIED_BYTES);

/** Byte for byte: as text in Latin-1 it leaves in one write with the head, as a buffer in a second one. */
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
 * Whoever sends all of its body before it reads would lose the answer with the connection (Python's clients do): the rest is taken and thrown
 * away until it ends, for a second at most.
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

/** Corked: one system call for all. */
function sendChunks(response: ServerResponse, chunks: readonly Buffer[]): void {
  response.cork();
  for (const chunk of chunks) response.write(chunk);
  response.end();
  response.uncork();
}

/** A reader that does not take what it asked for does not keep its connection, or the bytes (F18). */
function closeWhenLeft(response: ServerResponse, timeout: number): void {
  const timer = setTimeout(() => response.destroy(), timeout);
  timer.unref();
  response.once('close', () => clearTimeout(timer));
}
