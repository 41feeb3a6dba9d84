/** What went wrong with a request as a whole: a code of the contract, or one of the two that only a client can see. */
export type LookupErrorCode =
  | 'invalid-input'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'rate-limited'
  | 'internal-error'
  | 'dependency-unavailable'
  /** No answer: connection refused or cut, or the request's own time limit. */
  | 'unreachable'
  /** An answer that is not of this contract, such as a proxy's page. */
  | 'unexpected-response'
  | (string & {});

/** A request that could not be answered. An entity that can't be obtained is never one: that is an outcome. */
export class LookupError extends Error {
  override readonly name = 'LookupError';
  readonly code: LookupErrorCode;
  /** HTTP status, null when there was no answer. */
  readonly status: number | null;
  /** `x-request-id` of the answer, to quote to support. */
  readonly requestId: string | null;
  /** `Retry-After` of the answer in seconds, null without one. */
  readonly retryAfterSeconds: number | null;

  constructor(
    code: LookupErrorCode,
    message: string,
    answer: {
      status?: number | null;
      requestId?: string | null;
      retryAfterSeconds?: number | null;
      cause?: unknown;
    } = {},
  ) {
    super(message, answer.cause === undefined ? undefined : { cause: answer.cause });
    this.code = code;
    this.status = answer.status ?? null;
    this.requestId = answer.requestId ?? null;
    this.retryAfterSeconds = answer.retryAfterSeconds ?? null;
  }
}
