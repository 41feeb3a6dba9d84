import { LookupError } from './errors.ts';
import type { Exchange } from './send.ts';

export interface AttemptOptions {
  /** Bearer token, or a function that is called for it before each attempt. */
  readonly token: string | (() => string | Promise<string>);
  /** Default: the global `fetch`. */
  readonly fetch: ((request: Request) => Promise<Response>) | undefined;
}

/** What every request carries, as openapi-fetch takes it. */
export interface Carried {
  readonly headers: { readonly Authorization: string };
  readonly signal: AbortSignal;
  readonly fetch: (request: Request) => Promise<Response>;
}

const toldBy = ({ status, headers }: Response) => ({ status, requestId: headers.get('x-request-id') });

/** A hundred documents with their whole analysis are a few MiB; an endless body must not fill the memory. */
const maxAnswerBytes = 64 * 1024 * 1024;

function bounded(response: Response): Response {
  if (response.body === null) return response;
  let bytes = 0;
  const bound = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes <= maxAnswerBytes) controller.enqueue(chunk);
      else
        controller.error(new LookupError('unexpected-response', 'the answer is larger than 64 MiB', toldBy(response)));
    },
  });
  return new Response(response.body.pipeThrough(bound), response);
}

/**
 * Sends a request once, with what every request carries. Throws a `LookupError` for a token that cannot be sent, and for an answer
 * that is too large or no JSON; any other error says that there was no answer.
 */
export function createAttempt({ token, fetch = (request) => globalThis.fetch(request) }: AttemptOptions) {
  async function authorization(): Promise<Carried['headers']> {
    const told: unknown = typeof token === 'function' ? await token() : token;
    const current = typeof told === 'string' ? told.trim() : '';
    // Checked here, because the runtime's own error would quote the token.
    if (!/^[\x21-\x7e]+$/.test(current)) throw new LookupError('unauthorized', 'the token is not one that can be sent');
    return { Authorization: `Bearer ${current}` };
  }

  return async function attempt<Data>(
    exchange: (carried: Carried) => Promise<Exchange<Data>>,
    signal: AbortSignal,
  ): Promise<Exchange<Data>> {
    const headers = await authorization();
    let response: Response | undefined;
    const carried = { headers, signal, fetch: async (request: Request) => (response = bounded(await fetch(request))) };
    return exchange(carried).catch((cause: unknown) => {
      if (response === undefined || !(cause instanceof SyntaxError)) throw cause;
      throw new LookupError('unexpected-response', 'the answer is not JSON', { ...toldBy(response), cause });
    });
  };
}
