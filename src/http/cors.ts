import type { Exchange } from './exchange.ts';

const EXPOSED = 'x-request-id, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate, Allow';

export interface Cors {
  headers(exchange: Exchange): Readonly<Record<string, string>> | null;
  /** Answers a preflight from an allowed origin. Returns whether it was one, and so has been answered. */
  preflight(exchange: Exchange): boolean;
}

/** Allows pages of the given origins, and of no other, to call the API (GEN-13). */
export function createCors(origins: readonly string[]): Cors {
  const allowed = new Set(origins);

  function headers({ request }: Exchange): Readonly<Record<string, string>> | null {
    if (allowed.size === 0) return null;
    const { origin } = request.headers;
    if (origin === undefined || !allowed.has(origin)) return { Vary: 'Origin' };
    return { 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED, Vary: 'Origin' };
  }

  return {
    headers,
    preflight(exchange) {
      const { request, response } = exchange;
      if (allowed.size === 0 || request.method !== 'OPTIONS') return false;
      if (request.headers['access-control-request-method'] === undefined || !allowed.has(request.headers.origin ?? ''))
        return false;
      // 200 with a body rather than 204: every other status must carry an error envelope (GEN-03). Browsers accept 200 to 299.
      response.writeHead(200, {
        ...headers(exchange),
        'x-request-id': exchange.requestId,
        'Cache-Control': 'no-store',
        'Content-Type': 'application/json; charset=utf-8',
        'Access-Control-Allow-Methods': 'GET, HEAD, POST',
        'Access-Control-Allow-Headers': 'Authorization, Content-Type',
        'Access-Control-Max-Age': '600',
      });
      response.end('{}');
      return true;
    },
  };
}
