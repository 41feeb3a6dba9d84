import type { Exchange } from './exchange.ts';

const EXPOSED = 'x-request-id, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate, Allow';

export interface Cors {
  headers(exchange: Exchange): Readonly<Record<string, string>> | null;
  /** Answers a preflight of an origin that is let in; true: it has been answered. */
  preflight(exchange: Exchange): boolean;
}

/** Lets in the pages of the origins that a setting names, and nobody else's (GEN-13). */
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
      // 200 with a body, as no other status goes without an envelope (GEN-03); browsers take any from 200 to 299.
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
