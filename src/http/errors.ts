import { Refusal, type ErrorCode, type Reason } from '../model.ts';

/** The one table of codes and statuses (ERR-02). */
export const STATUS_OF = {
  'invalid-input': 400,
  unauthorized: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'rate-limited': 429,
  'internal-error': 500,
  'dependency-unavailable': 503,
} as const satisfies Record<ErrorCode, number>;

export type ErrorStatus = (typeof STATUS_OF)[ErrorCode];

/** The envelope of every response that is neither 200 nor 202 (GEN-03). */
export interface ErrorEnvelope<Code extends ErrorCode = ErrorCode> {
  error: { code: Code; message: string; details?: { reason: string; retryable?: true } };
}

export interface ErrorAnswer {
  readonly status: ErrorStatus;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ErrorEnvelope;
}

/** ERR-04: all that a caller is told about a fault. */
const GENERIC = new Refusal('internal-error', 'Something went wrong on our side. It is safe to retry after a moment.');

/** The answer to whatever was thrown: a refusal as it says, anything else a generic 500. */
export function answerOf(thrown: unknown): ErrorAnswer {
  const { code, message, headers } = thrown instanceof Refusal ? thrown : GENERIC;
  return { status: STATUS_OF[code], headers, body: { error: { code, message } } };
}

/** Whether to log it: a failure of our own, or of something we depend on. */
export const isFault = (thrown: unknown): boolean =>
  !(thrown instanceof Refusal) || thrown.code === 'internal-error' || thrown.cause !== undefined;

/** `details` of a read miss, the same vocabulary as an `unavailable` entry (ERR-03). */
export function detailsOf(reason: Reason, retryable: boolean): { reason: string; retryable?: true } {
  return retryable ? { reason, retryable } : { reason };
}

export const badRequest = (message: string): Refusal => new Refusal('invalid-input', message);
