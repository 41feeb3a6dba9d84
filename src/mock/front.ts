import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { queryOf } from './input.ts';
import type { Principal, Spent } from './principals.ts';
import { authenticate, requireScope } from './principals.ts';
import { parsePrefer, type Prism } from './prism.ts';
import { operationOf, type Operation, type Reading } from './reads.ts';
import { Refusal, statusOfCode } from './refusal.ts';

export interface FrontOptions {
  readonly prism: Prism;
  readonly reading: Reading;
  readonly spend: (principal: Principal) => Spent;
  readonly requestId: () => string;
  /** Waits as long as `--latency` says. */
  readonly delay: () => Promise<void>;
  /** Whether this request is to fail with 500, as `--fail-rate` says. */
  readonly fails: () => boolean;
}

const exposed = 'x-request-id, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate, Allow';

/** Sets the headers of every answer: its id, and that pages of any origin may read it. */
export function setCommonHeaders(response: ServerResponse, requestId: string): void {
  response.setHeader('x-request-id', requestId);
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', exposed);
}

export function sendJson(request: IncomingMessage, response: ServerResponse, status: number, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes.length,
    'Cache-Control': 'no-store',
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

export const envelopeOf = ({ code, message, details }: Refusal) => ({
  error: { code, message, ...(details ? { details } : {}) },
});

/** A client that sends its whole body before it reads would lose the answer if we closed at once: the rest is read and thrown away, for a second at most. */
async function discardBody(request: IncomingMessage): Promise<void> {
  request.resume();
  await Promise.race([new Promise((resolve) => request.once('close', resolve)), sleep(1000, null, { ref: false })]);
}

async function sendRefusal(request: IncomingMessage, response: ServerResponse, refusal: Refusal): Promise<void> {
  for (const [name, value] of Object.entries(refusal.headers)) response.setHeader(name, value);
  if (!request.complete) await discardBody(request);
  if (!request.complete) response.setHeader('Connection', 'close');
  sendJson(request, response, statusOfCode[refusal.code], envelopeOf(refusal));
}

/** The budget as the IETF draft's fields; `t` is left out where a `Retry-After` ends before the window does (RAT-07). */
function setBudget(response: ServerResponse, spent: Spent, retryAfterSeconds: number | null): void {
  const reset = retryAfterSeconds !== null && retryAfterSeconds < spent.resetSeconds ? '' : `;t=${spent.resetSeconds}`;
  response.setHeader('RateLimit-Policy', `"default";q=${spent.limit};w=60`);
  response.setHeader('RateLimit', `"default";r=${spent.remaining}${reset}`);
}

/** Path and query as received; of a target in absolute form only its path and query. */
function targetOf(request: IncomingMessage): { path: string; query: URLSearchParams } {
  const target = (request.url ?? '/').replace(/^https?:\/\/[^/?#]*/i, '');
  const mark = target.indexOf('?');
  return mark < 0
    ? { path: target, query: queryOf('') }
    : { path: target.slice(0, mark), query: queryOf(target.slice(mark + 1)) };
}

/** With a body and 200, as no other status goes without an envelope (GEN-03). */
function sendPreflight(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST');
  response.setHeader('Access-Control-Allow-Headers', 'authorization, content-type, prefer');
  response.setHeader('Access-Control-Max-Age', '600');
  sendJson(request, response, 200, {});
}

/** Refuses what HTTP has a status of its own for but the contract has not (GEN-07). */
function requireHead({ headers, headersDistinct, httpVersion }: IncomingMessage): void {
  const { host = [] } = headersDistinct;
  if (host.length > 1 || (host.length === 0 && httpVersion === '1.1'))
    throw new Refusal('invalid-input', 'one Host header is needed');
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue')
    throw new Refusal('invalid-input', 'the Expect header asks for what is not offered');
}

function requireMethod(request: IncomingMessage, { method }: Operation): void {
  const allowed = method === 'GET' ? ['GET', 'HEAD'] : ['POST'];
  if (allowed.includes(request.method ?? '')) return;
  throw new Refusal('method-not-allowed', `this path answers ${allowed.join(', ')}`, {
    headers: { Allow: allowed.join(', ') },
  });
}

/** The answer that `Prefer` chooses, as Prism takes it from the contract; it needs no token and costs no budget. */
async function sendPreferred(
  request: IncomingMessage,
  response: ServerResponse,
  operation: Operation,
  path: string,
  prism: Prism,
): Promise<boolean> {
  const header = request.headers['prefer'];
  if (header === undefined) return false;
  const refused = (error: unknown): never => {
    const detail = (error as { detail?: string }).detail;
    throw new Refusal('invalid-input', detail ?? (error as Error).message);
  };
  const preference = await Promise.resolve([header].flat().join(', ')).then(parsePrefer).catch(refused);
  if (preference === null) return false;
  const chosen = await prism
    .answer(path.slice('/api/v1'.length), operation.method === 'GET' ? 'get' : 'post', preference)
    .catch(refused);
  const isWaiting = ((chosen.body as { fetching?: unknown[] } | null)?.fetching ?? []).length > 0;
  for (const [name, value] of Object.entries(chosen.headers)) {
    if (/^(content-type|x-request-id|cache-control)$/i.test(name)) continue;
    if (/^retry-after$/i.test(name) && chosen.status < 400 && !isWaiting) continue;
    response.setHeader(name, String(value));
  }
  sendJson(request, response, chosen.status, chosen.body);
  return true;
}

/** One request from the path to the answer; the order of the checks is the contract's (AUT-10). */
async function handle(request: IncomingMessage, response: ServerResponse, options: FrontOptions): Promise<void> {
  const { path, query } = targetOf(request);
  const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
  if (isPreflight) return sendPreflight(request, response);
  requireHead(request);
  const found = operationOf(path);
  if (found === null)
    throw new Refusal('not-found', 'there is no such path: operations are under /api/v1, the reference page is /docs');
  const { operation, segments } = found;
  requireMethod(request, operation);
  await options.delay();
  if (await sendPreferred(request, response, operation, path, options.prism)) return;

  const principal = authenticate(request.headersDistinct['authorization'] ?? []);
  const spent = options.spend(principal);
  setBudget(response, spent, null);
  if (!spent.allowed)
    throw new Refusal('rate-limited', 'the budget of this minute is spent', {
      headers: { 'Retry-After': String(spent.resetSeconds) },
    });
  if (options.fails()) throw new Refusal('internal-error', 'the service failed');
  requireScope(principal, operation.scope);
  const answer = await operation.answer(request, query, segments, options.reading);
  setBudget(response, spent, answer.retryAfterSeconds);
  if (answer.retryAfterSeconds !== null) response.setHeader('Retry-After', String(answer.retryAfterSeconds));
  sendJson(request, response, answer.status, answer.body);
}

export function createFront(
  options: FrontOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    setCommonHeaders(response, options.requestId());
    // Node's parser silently drops whatever follows an Upgrade that nobody accepts.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    try {
      await handle(request, response, options);
    } catch (error) {
      const refusal = error instanceof Refusal ? error : new Refusal('internal-error', 'the mock failed');
      const isGone = request.socket.destroyed;
      if (!(error instanceof Refusal) && !isGone) console.error(error);
      if (!response.headersSent) await sendRefusal(request, response, refusal);
    }
  };
}
