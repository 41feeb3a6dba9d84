/** Why a request failed as a whole: an error code of the contract, or one of the last two, which only a client can see. */
export type LookupErrorCode =
  | 'invalid-input'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'rate-limited'
  | 'internal-error'
  | 'dependency-unavailable'
  /** No answer: the connection was refused or cut, the request's time limit passed, or the token function failed. */
  | 'unreachable'
  /** An answer that the contract does not have, such as an error page of a proxy. */
  | 'unexpected-response'
  | (string & {});

/**
 * Thrown when a request as a whole fails. A creator or post that cannot be obtained is no error but an outcome:
 * `unavailable`.
 *
 * @example
 * ```ts
 * try {
 *   await client.readPost('https://neta.example/p/C1x');
 * } catch (error) {
 *   if (error instanceof LookupError && error.code === 'forbidden') console.error('ask for the scope', error.requestId);
 *   else throw error;
 * }
 * ```
 */
export class LookupError extends Error {
  override readonly name = 'LookupError';
  /** To switch over; new values may come. `message` is for people. */
  readonly code: LookupErrorCode;
  /** HTTP status of the answer; null when none was received, or none that could be read. */
  readonly status: number | null;
  /** `x-request-id` of the answer, to quote to the service's support; null without one. */
  readonly requestId: string | null;
  /** `Retry-After` of the answer, in seconds; null without one. */
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
