import { LookupError } from './errors.ts';
import type { Pace } from './pace.ts';
import { withTimeout, type Time } from './time.ts';

/** What openapi-fetch resolves to, without its generics. */
export interface Exchange<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

export type Attempt<Data> = (signal: AbortSignal) => Promise<Exchange<Data>>;

export interface Answer<Data> {
  readonly status: number;
  readonly data: Data | undefined;
  /** Of a 404 that tells why an entity can't be obtained; null for every other answer. */
  readonly miss: { readonly reason: string; readonly retryable: boolean } | null;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
}

export interface SendOptions {
  readonly time: Time;
  readonly pace: Pace;
  /** Attempts in all at one request that meets 429, 500, 503 or no answer. */
  readonly attempts: number;
  readonly requestTimeoutSeconds: number;
}

const backOffSeconds = { first: 1, most: 30 } as const;
/** Whoever is asked to come back later than that is told so, with `retryAfterSeconds`, and not held. */
const longestPauseSeconds = 300;
const jitterShare = 0.25;

/** Lengthens a wait by up to a quarter, so that many clients do not come back at one instant; it never shortens it. */
export const withJitter = (milliseconds: number, random: () => number): number =>
  milliseconds * (1 + jitterShare * random());

/** Beyond that no wait is believed; a service that says so is not waited for (`longestPauseSeconds`), and a date can still tell it. */
const longestRetrySeconds = 366 * 86_400;

/** Whole seconds from 1. A proxy may send a date instead: it is reckoned from the answer's own `Date`, as clocks differ. */
function retryAfterOf(headers: Headers, now: number): number | null {
  const text = headers.get('Retry-After') ?? '';
  const since = Date.parse(headers.get('Date') ?? '') || now;
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - since) / 1000);
  return Number.isNaN(seconds) ? null : Math.min(longestRetrySeconds, Math.max(1, seconds));
}

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

const passing: readonly (number | null)[] = [429, 500, 502, 503, 504];

const isWorthAnother = ({ code, status, retryAfterSeconds }: LookupError): boolean =>
  (code === 'unreachable' || passing.includes(status)) && (retryAfterSeconds ?? 0) <= longestPauseSeconds;

/** Seconds before the next attempt: doubling from 1 to 30, and never less than the service asked for. */
function pauseSeconds(attempt: number, error: LookupError): number {
  const doubled = Math.min(backOffSeconds.most, backOffSeconds.first * 2 ** attempt);
  return Math.max(doubled, error.retryAfterSeconds ?? 0);
}

async function sendOnce<Data>(
  attempt: Attempt<Data>,
  options: SendOptions,
  signal: AbortSignal | undefined,
): Promise<Answer<Data>> {
  const admission = await options.pace.admit(signal);
  let exchange: Exchange<Data>;
  try {
    exchange = await withTimeout(options.requestTimeoutSeconds * 1000, signal, attempt);
  } catch (cause) {
    admission.lost();
    signal?.throwIfAborted();
    if (cause instanceof LookupError) throw cause;
    if (cause instanceof SyntaxError) throw new LookupError('unexpected-response', 'the answer is not JSON', { cause });
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

function reasonText(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const inner = cause.cause;
  return inner instanceof Error && inner.message !== '' ? inner.message : cause.message;
}

/**
 * Sends one request within the budget. 429 waits the remainder of the window, 500 and 503 and a lost connection back off
 * and try again; every read may be repeated, so that is safe. Rejects with a `LookupError`, or with the signal's reason.
 */
export async function send<Data>(
  attempt: Attempt<Data>,
  options: SendOptions,
  signal?: AbortSignal,
): Promise<Answer<Data>> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await sendOnce(attempt, options, signal);
    } catch (error) {
      if (!(error instanceof LookupError) || !isWorthAnother(error) || tried >= options.attempts) throw error;
      if (error.status === 429) options.pace.refused(error.retryAfterSeconds ?? 60);
      else await options.time.sleep(withJitter(pauseSeconds(tried - 1, error) * 1000, options.time.random), signal);
    }
  }
}
