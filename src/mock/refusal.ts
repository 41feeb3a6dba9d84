/** Every error code of the contract with its one status (ERR-02). */
export const statusOfCode = {
  'invalid-input': 400,
  unauthorized: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'rate-limited': 429,
  'internal-error': 500,
  'dependency-unavailable': 503,
} as const;

export type ErrorCode = keyof typeof statusOfCode;

export interface Details {
  readonly reason: string;
  readonly retryable?: true;
}

/** An answer other than 200 and 202. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly headers: Readonly<Record<string, string>>;
  readonly details: Details | null;

  constructor(code: ErrorCode, message: string, more: { headers?: Record<string, string>; details?: Details } = {}) {
    super(message);
    this.code = code;
    this.headers = more.headers ?? {};
    this.details = more.details ?? null;
  }
}

/** A single read of what can't be obtained (CRE-04). */
export const miss = (reason: string, retryable: boolean): Refusal =>
  new Refusal('not-found', `this can not be obtained: ${reason}`, {
    details: { reason, ...(retryable ? { retryable: true } : {}) },
  });
