import express, { type Express, type NextFunction, type Request, type Response, type Router } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal } from '../model.ts';
import { answerOf, isFault } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { refuseAtTheDoor } from './door.ts';
import { isApiPath } from './match.ts';
import type { AnswerOperation } from './operations.ts';
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
  /** What other origins' pages are answered before everything else: preflights (GEN-13). */
  readonly preflight: (exchange: Exchange) => boolean;
  /** Everything beside `/api/v1`: health, metrics, documents. */
  readonly pages: readonly Router[];
}

type WithExchange = { exchange?: Exchange };

/** All that happens to a request, from top to bottom. */
export function createApp(parts: AppParts): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('strict routing').enable('case sensitive routing');
  app.set('query parser', false);

  app.use(api(parts));
  for (const page of parts.pages) app.use(page);
  app.use(unknownPath(parts));
  app.use(fault(parts));
  return app;
}

/** The API itself: one middleware that has matched its path, so that Express does not have to match it again. */
function api({ answerOperation, respond, ...parts }: AppParts) {
  const inFlight = countInFlight(parts);
  return function operations(request: IncomingMessage, response: ServerResponse, next: NextFunction): void {
    const exchange = begin(parts, request, response);
    inFlight.add(exchange);
    const refusal = refuseAtTheDoor(request) ?? inFlight.refusal();
    if (refusal !== null) return respond(exchange, answerOf(refusal));
    if (parts.preflight(exchange)) return;
    const [path, query] = split(request.url ?? '');
    if (!isApiPath(path)) return next();
    answerOperation(exchange, path, query)
      .then((answer) => respond(exchange, answer))
      .catch((thrown: unknown) => next(thrown));
  };
}

function begin({ requestId, timer }: Pick<AppParts, 'requestId' | 'timer'>, request: IncomingMessage, response: ServerResponse): Exchange {
  const exchange: Exchange = {
    request,
    response,
    requestId: requestId(),
    startedAt: timer(),
    operation: null,
    principal: null,
    spent: null,
  };
  (response as WithExchange).exchange = exchange;
  response.setHeader('x-request-id', exchange.requestId);
  // Express would answer 304 to them, which the contract does not have (GEN-10).
  delete request.headers['if-none-match'];
  delete request.headers['if-modified-since'];
  return exchange;
}

function countInFlight({ maxInFlight, onEnd }: Pick<AppParts, 'maxInFlight' | 'onEnd'>) {
  let inFlight = 0;
  return {
    add(exchange: Exchange): void {
      inFlight += 1;
      exchange.response.once('close', () => {
        inFlight -= 1;
        onEnd(exchange);
      });
    },
    refusal(): Refusal | null {
      if (inFlight <= maxInFlight) return null;
      return new Refusal('dependency-unavailable', 'Too many requests are in flight; ask again in a moment.', { 'Retry-After': '1' });
    },
  };
}

/** Path and query, as they stand in the request line; of an absolute URL its path. */
function split(url: string): readonly [path: string, query: string] {
  const local = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '');
  const mark = local.indexOf('?');
  return mark === -1 ? [local, ''] : [local.slice(0, mark), local.slice(mark + 1)];
}

const exchangeOf = (response: object): Exchange => (response as Required<WithExchange>).exchange;

function unknownPath({ respond }: AppParts) {
  return function notFound(_request: Request, response: Response): void {
    respond(exchangeOf(response), answerOf(new Refusal('not-found', 'There is no such path.')));
  };
}

/** Four parameters, or Express does not take it for a handler of errors. */
function fault({ respond, onFault }: AppParts) {
  return function internalError(thrown: unknown, _request: Request, response: Response, _next: NextFunction): void {
    const exchange = exchangeOf(response);
    const status = (thrown as { status?: unknown }).status;
    if (status === 400 || status === 404) return respond(exchange, answerOf(new Refusal('not-found', 'There is no such path.')));
    if (isFault(thrown)) onFault(thrown, exchange);
    respond(exchange, answerOf(thrown));
  };
}
