/** ERR: the error envelope. VER: the version in the path. */
import { detailsOf, documentOf, errorOf, headerOf, isObject } from '../answer.ts';
import type { Look } from '../look.ts';
import type { Check, CheckContext, Exchange, Level } from '../model.ts';
import { retryability } from './batch.ts';
import { answered, check } from './check.ts';

const codes: Readonly<Record<number, string>> = {
  400: 'invalid-input',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  405: 'method-not-allowed',
  429: 'rate-limited',
  500: 'internal-error',
  503: 'dependency-unavailable',
};
const oursAlone = new Set([405, 503]);

const outsideSteps = new Set(['path-version', 'path-broken-line', 'path-slash']);

/** Answers with an envelope; that there is one is GEN-03's business. */
const refusals = (context: CheckContext): Exchange[] =>
  answered(context).filter(
    ({ response }) =>
      response.status !== 200 && response.status !== 202 && isObject(response.json) && isObject(response.json['error']),
  );

const levelOf = ({ step }: Exchange): Level => (outsideSteps.has(step) ? 'ruling' : 'specification');

const misses = ['creator-missing', 'creator-unsupported', 'post-missing', 'post-unknown-url'];
const others = ['asorg-id', 'asprofile-unknown', 'asprofile-foreign'];

export const err: readonly Check[] = [
  check('ERR-01', (look, context) => {
    for (const exchange of refusals(context)) {
      const error = errorOf(exchange);
      const level = levelOf(exchange);
      for (const key of ['code', 'message'])
        look.that(
          typeof error[key] === 'string' && error[key] !== '',
          exchange,
          `/error/${key}`,
          'text',
          error[key],
          level,
        );
      ours(look, context, exchange);
      if (!('details' in error)) continue;
      const details = detailsOf(exchange);
      look.that(
        typeof details?.['reason'] === 'string' && details['reason'] !== '',
        exchange,
        '/error/details/reason',
        'text',
        error['details'],
        level,
      );
      if (details)
        look.that(
          !('retryable' in details) || details['retryable'] === true,
          exchange,
          '/error/details/retryable',
          'true, or no such key',
          details['retryable'],
          level,
        );
    }
  }),
  check('ERR-02', (look, context) => {
    for (const exchange of refusals(context)) {
      const { status } = exchange.response;
      const code = errorOf(exchange)['code'];
      const expected = codes[status];
      const level: Level = oursAlone.has(status) || outsideSteps.has(exchange.step) ? 'ruling' : 'specification';
      if (expected !== undefined)
        look.that(code === expected, exchange, '/error/code', `"${expected}", as the status is ${status}`, code, level);
      else
        look.that(
          !Object.values(codes).includes(String(code)),
          exchange,
          'status',
          `another status than ${status} for ${String(code)}`,
          status,
        );
    }
  }),
  check('ERR-03', (look, context) => {
    for (const step of misses) {
      const exchange = look.step(step);
      if (exchange?.response.status !== 404) continue;
      look.that(
        typeof detailsOf(exchange)?.['reason'] === 'string',
        exchange,
        '/error/details',
        'details with a reason',
        errorOf(exchange),
        // Whether a network that is not supported was read at all, the specification leaves open (CRE-05).
        step === 'creator-unsupported' ? 'ruling' : 'specification',
      );
    }
    for (const step of others) {
      const exchange = look.step(step);
      if (exchange) look.noDetails(exchange);
    }
    for (const step of ['path-version', 'path-slash']) {
      const exchange = context.last(step);
      if (exchange) look.noDetails(exchange, 'ruling');
    }
    for (const exchange of refusals(context)) {
      if (exchange.response.status !== 404)
        look.that(
          detailsOf(exchange) === undefined,
          exchange,
          '/error/details',
          'no such key: nothing was read',
          detailsOf(exchange),
          'ruling',
        );
      const details = detailsOf(exchange);
      if (details && exchange.response.status === 404) retryability(look, exchange, '/error/details', details);
    }
  }),
];

/** Traces of what went wrong inside: a stack, a path of a source file, a statement. */
const innards = /\n\s*at |\bat \S+:\d+:\d+|\/(?:src|app|usr|home|node_modules)\/|\bselect\b.+\bfrom\b/i;

/** What we hold ourselves to beyond the envelope's table: prose for people, nothing besides, nothing to wait for. */
function ours(look: Look, context: CheckContext, exchange: Exchange): void {
  const { message } = errorOf(exchange);
  const prose = typeof message !== 'string' || !innards.test(message);
  look.that(prose, exchange, '/error/message', 'prose for people', message, 'ruling');
  for (const { keyword, pointer, expected, seen } of context.breaches(exchange))
    if (keyword === 'additionalProperties') look.fail(exchange, pointer, expected, seen, 'ruling');
  const waits = [429, 500, 503].includes(exchange.response.status) || detailsOf(exchange)?.['retryable'] === true;
  const wait = headerOf(exchange.response, 'retry-after');
  if (!waits) look.that(wait === undefined, exchange, 'header:Retry-After', 'no such header', wait, 'ruling');
}

export const ver: readonly Check[] = [
  check('VER-01', (look, context) => {
    const exchange = look.step('path-version');
    if (exchange)
      look.that(
        documentOf(exchange) === undefined,
        exchange,
        '/data',
        'nothing served under another version',
        exchange.response.status,
      );
    const held = context.last('creator-held') ?? context.last('creators-batch');
    if (held) look.status(held, [200, 202]);
  }),
];
