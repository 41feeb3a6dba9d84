import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Refusal } from '../model.ts';
import { answerOf, isFault } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { refuseAtTheDoor } from './door.ts';
import { isApiPath, NO_SUCH_PATH } from './match.ts';
import type { AnswerOperation } from './operations.ts';
import type { Pressure } from './pressure.ts';
import type { Respond } from './respond.ts';

export interface AppParts {
  readonly requestId: () => string;
  /** Milliseconds of a monotonic clock. */
  readonly timer: () => number;
  readonly answerOperation: AnswerOperation;
  readonly respond: Respond;
  /** Called once for each request, when its response is over or its connection gone. */
  readonly onEnd: (exchange: Exchange) => void;
  readonly onFault: (fault: unknown, exchange: Exchange) => void;
  /** Requests handled at once; more are refused cheaply (F13). */
  readonly maxInFlight: number;
  readonly pressure: Pressure;
  /** Answers a CORS preflight before anything else is looked at; true: it has been answered (GEN-13). */
  readonly preflight: (exchange: Exchange) => boolean;
  /** Everything beside `/api/v1`: health, metrics, documents. */
  readonly pages: readonly Router[];
}

type WithExchange = { exchange?: Exchange };

/**
 * Everything that happens to a request, from top to bottom. Paths below `/api/v1` are matched here, by our own table; going through
 * Express' router as well would match them twice (12 µs of a held read's 70). Express handles every other path.
 */
export function createApp(parts: AppParts): RequestListener {
  const { answerOperation, respond, preflight, onFault } = parts;
  const inFlight = countInFlight(parts);
  const beside = createPagesApp(parts);

  return function answer(request, response) {
    const exchange = begin(parts, request, response);
    inFlight.add(exchange);
    // Node's parser silently drops whatever follows an Upgrade that nobody accepts, so the connection ends with this answer (GEN-09).
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    const refusal = refuseAtTheDoor(request) ?? inFlight.refusal();
    if (refusal !== null) return respond(exchange, answerOf(refusal));
    if (preflight(exchange)) return;
    const [path, query] = split(request.url ?? '');
    if (!isApiPath(path)) return beside(exchange);
    const late = parts.pressure.refusal();
    if (late !== null) return respond(exchange, answerOf(late));
    exchange.place = parts.pressure.enter();
    void operate(exchange, path, query);
  };

  async function operate(exchange: Exchange, path: string, query: string): Promise<void> {
    try {
      const answered = await answerOperation(exchange, path, query);
      exchange.place?.end();
      respond(exchange, answered);
    } catch (thrown) {
      onFault(thrown, exchange);
      exchange.response.destroy();
    }
  }
}

/** The Express app for every path that is not an operation. */
function createPagesApp(parts: AppParts): (exchange: Exchange) => void {
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('strict routing').enable('case sensitive routing');
  app.set('query parser', false);
  for (const page of parts.pages) app.use(page);
  app.use(unknownPath(parts));
  app.use(fault(parts));

  return function beside(exchange) {
    const { request, response, requestId } = exchange;
    (response as WithExchange).exchange = exchange;
    response.setHeader('x-request-id', requestId);
    // Otherwise Express would answer 304, without the document.
    delete request.headers['if-none-match'];
    delete request.headers['if-modified-since'];
    app(request, response);
  };
}

function begin(
  { requestId, timer }: Pick<AppParts, 'requestId' | 'timer'>,
  request: IncomingMessage,
  response: ServerResponse,
): Exchange {
  return {
    request,
    response,
    requestId: requestId(),
    startedAt: timer(),
    operation: null,
    principal: null,
    spent: null,
    place: null,
  };
}

function countInFlight({ maxInFlight, onEnd }: Pick<AppParts, 'maxInFlight' | 'onEnd'>) {
  let inFlight = 0;
  return {
    add(exchange: Exchange): void {
      inFlight += 1;
      exchange.response.on('close', () => {
        inFlight -= 1;
        onEnd(exchange);
      });
    },
    refusal(): Refusal | null {
      if (inFlight <= maxInFlight) return null;
      return new Refusal('dependency-unavailable', 'Too many requests are in flight; ask again in a moment.', {
        'Retry-After': '1',
      });
    },
  };
}

/** Path and query as written in the request line, of which an absolute URL loses its scheme and host. */
function split(url: string): readonly [path: string, query: string] {
  const local = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '');
  const mark = local.indexOf('?');
  return mark === -1 ? [local, ''] : [local.slice(0, mark), local.slice(mark + 1)];
}

const exchangeOf = (response: object): Exchange => (response as Required<WithExchange>).exchange;

function unknownPath({ respond }: AppParts) {
  return function notFound(_request: Request, response: Response): void {
    respond(exchangeOf(response), answerOf(new Refusal('not-found', NO_SUCH_PATH)));
  };
}

/** Takes four parameters because Express recognizes an error handler by that. */
function fault({ respond, onFault }: AppParts) {
  return function internalError(thrown: unknown, _request: Request, response: Response, _next: NextFunction): void {
    const exchange = exchangeOf(response);
    const status = (thrown as { status?: unknown }).status;
    if (status === 400 || status === 404) return respond(exchange, answerOf(new Refusal('not-found', NO_SUCH_PATH)));
    if (isFault(thrown)) onFault(thrown, exchange);
    respond(exchange, answerOf(thrown));
  };
}
