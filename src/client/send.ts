import { LookupError } from './errors.ts';
import type { Reason } from './outcome.ts';
import type { Limits, Pace } from './pace.ts';
import { withTimeout, type Time } from './time.ts';

/** One request and its answer, as openapi-fetch resolves them. */
export interface Exchange<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** Sends the request once. */
export type Attempt<Data> = (signal: AbortSignal) => Promise<Exchange<Data>>;

/** An answer that is no error: 200, 202, or a 404 with a reason. */
export interface Answer<Data> {
  readonly status: number;
  readonly data: Data | undefined;
  /** Why the entity cannot be obtained, of a 404 with a reason; null for every other answer. */
  readonly miss: { readonly reason: Reason; readonly retryable: boolean } | null;
  /** `x-request-id`. */
  readonly requestId: string | null;
  /** `Retry-After`, at least 1. */
  readonly retryAfterSeconds: number | null;
}

export interface SendOptions {
  readonly time: Time;
  readonly pace: Pace;
  /** Attempts in all at one request, the first included. */
  readonly attempts: number;
  /** Time limit of one attempt. */
  readonly requestTimeoutSeconds: number;
}

const backoffSeconds = { first: 1, max: 30 } as const;
/** A request that is to be repeated later than this is not repeated: the caller gets the error, with `retryAfterSeconds`. */
const maxPauseSeconds = 300;
const jitterShare = 0.25;

/** Lengthens a wait by up to a quarter, so that many clients do not come back at the same instant. Never shortens it. */
export const withJitter = (milliseconds: number, random: () => number): number =>
  milliseconds * (1 + jitterShare * random());

/** A longer `Retry-After` is cut to this: nobody waits for it (`maxPauseSeconds`), but added to the clock it has to be a valid date. */
const maxRetryAfterSeconds = 366 * 86_400;

/**
 * `Retry-After` in whole seconds, at least 1; null for what is neither a number nor a date, although `Date.parse` would make one of it.
 * A proxy may send a date, which is taken relative to the answer's `Date`, as clocks differ.
 */
function retryAfterOf(headers: Headers, now: number): number | null {
  const text = headers.get('Retry-After') ?? '';
  const since = Date.parse(headers.get('Date') ?? '') || now;
  const date = text.endsWith(' GMT') ? Date.parse(text) : Number.NaN;
  const seconds = Math.ceil(/^\d+(\.\d+)?$/.test(text) ? Number(text) : (date - since) / 1000);
  return Number.isNaN(seconds) ? null : Math.min(maxRetryAfterSeconds, Math.max(1, seconds));
}

/** The error envelope of the contract (ERR-01). */
interface Envelope {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details?: { readonly reason?: string; readonly retryable?: boolean };
  };
}

function isEnvelope(body: unknown): body is Envelope {
  const error = (body as Partial<Envelope> | null | undefined)?.error;
  return typeof error?.code === 'string' && typeof error.message === 'string';
}

type Told = Pick<Answer<unknown>, 'status' | 'requestId' | 'retryAfterSeconds'>;

function errorOf({ response, error }: Exchange<unknown>, answer: Told): LookupError {
  if (isEnvelope(error)) return new LookupError(error.error.code, error.error.message, answer);
  return new LookupError(
    'unexpected-response',
    `status ${response.status} without the error envelope of the contract`,
    answer,
  );
}

function missOf(exchange: Exchange<unknown>): Answer<never>['miss'] {
  if (exchange.response.status !== 404 || !isEnvelope(exchange.error)) return null;
  const details = exchange.error.error.details;
  return typeof details?.reason === 'string' ? { reason: details.reason, retryable: details.retryable === true } : null;
}

const transientStatuses: readonly (number | null)[] = [429, 500, 502, 503, 504];

const isRetryable = ({ code, status, retryAfterSeconds }: LookupError): boolean =>
  (code === 'unreachable' || transientStatuses.includes(status)) && (retryAfterSeconds ?? 0) <= maxPauseSeconds;

/** Seconds before the next attempt: doubles from 1 to 30, and is never less than the service's `Retry-After`. */
function pauseSeconds(attempts: number, error: LookupError): number {
  const doubled = Math.min(backoffSeconds.max, backoffSeconds.first * 2 ** (attempts - 1));
  return Math.max(doubled, error.retryAfterSeconds ?? 0);
}

async function sendOnce<Data>(attempt: Attempt<Data>, options: SendOptions, limits: Limits): Promise<Answer<Data>> {
  const { signal } = limits;
  const admission = await options.pace.admit(limits);
  let exchange: Exchange<Data>;
  try {
    exchange = await withTimeout(options.requestTimeoutSeconds * 1000, signal, attempt);
  } catch (cause) {
    admission.lost();
    signal?.throwIfAborted();
    if (cause instanceof LookupError) throw cause;
    throw new LookupError('unreachable', `no answer: ${reasonText(cause)}`, { cause });
  }
  admission.answered(exchange.response.headers);
  const { status, ok, headers } = exchange.response;
  const told = {
    status,
    requestId: headers.get('x-request-id'),
    retryAfterSeconds: retryAfterOf(headers, options.time.clock()),
  };
  const miss = missOf(exchange);
  if (!ok && miss === null) throw errorOf(exchange, told);
  return { ...told, data: exchange.data, miss };
}

/** The cause's own words: `fetch` fails with "fetch failed" and has the reason in its `cause`. */
function reasonText(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const inner = cause.cause;
  return inner instanceof Error && inner.message !== '' ? inner.message : cause.message;
}

/**
 * Sends one request within the budget and repeats it while that may help: after 429 when the window has ended, after 500, 502,
 * 503, 504 and a lost connection with exponential backoff. Repeating is safe, as every operation is a read.
 *
 * @throws LookupError of the last attempt; the signal's reason; `TooLate` when the budget has no room before `notAfter`.
 */
export async function send<Data>(attempt: Attempt<Data>, options: SendOptions, limits: Limits): Promise<Answer<Data>> {
  const { pace, time } = options;
  const { signal, notAfter = Number.POSITIVE_INFINITY } = limits;
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await sendOnce(attempt, options, limits);
    } catch (error) {
      if (!(error instanceof LookupError) || !isRetryable(error) || attempts >= options.attempts) throw error;
      if (error.status === 429) {
        pace.refused(error.retryAfterSeconds ?? 60);
        continue;
      }
      const milliseconds = withJitter(pauseSeconds(attempts, error) * 1000, time.random);
      if (time.clock() + milliseconds > notAfter) throw error;
      await time.sleep(milliseconds, signal);
    }
  }
}
