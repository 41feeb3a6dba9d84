import type { OperationId } from './answer.ts';

/** What a method and a path name together. */
export type Matched =
  | {
      readonly is: 'operation';
      readonly operation: OperationId;
      readonly path: Readonly<Record<string, string | null>>;
    }
  | { readonly is: 'wrong-method'; readonly operation: OperationId; readonly allow: string }
  | { readonly is: 'unknown' };

const BASE = '/api/v1';
const UNKNOWN: Matched = { is: 'unknown' };
const NO_PARAMETERS = {};

const FIXED: ReadonlyMap<string, { readonly operation: OperationId; readonly method: 'GET' | 'POST' }> = new Map([
  [`${BASE}/creators`, { operation: 'listCreators', method: 'GET' }],
  [`${BASE}/creators/batch`, { operation: 'batchCreators', method: 'POST' }],
  [`${BASE}/posts`, { operation: 'getPosts', method: 'GET' }],
  [`${BASE}/posts/batch`, { operation: 'batchPosts', method: 'POST' }],
] as const);

const CREATORS = `${BASE}/creators/`;

/** What is said of every other path: the paths that there are, as they have to be written. */
export const NO_SUCH_PATH = `There is no such path. Exact paths are ${[`${CREATORS}{network}/{handle}`, ...FIXED.keys()].join(', ')}.`;

/** Whether the path belongs to the API, so that nothing else may answer it. */
export const isApiPath = (path: string): boolean => path === BASE || path.startsWith(`${BASE}/`);

/** Matches exactly: another case, a trailing or double slash, or an escape in a fixed segment makes a path unknown (GEN-13). HEAD works where GET does (GEN-07). */
export function match(method: string, path: string): Matched {
  const fixed = FIXED.get(path);
  if (fixed !== undefined) return allowed(method, fixed.method, fixed.operation, NO_PARAMETERS);
  if (!path.startsWith(CREATORS)) return UNKNOWN;
  const [network, handle, ...rest] = path.slice(CREATORS.length).split('/');
  if (!network || !handle || rest.length > 0) return UNKNOWN;
  return allowed(method, 'GET', 'getCreator', { network: decode(network), handle: decode(handle) });
}

function allowed(
  given: string,
  method: 'GET' | 'POST',
  operation: OperationId,
  path: Record<string, string | null>,
): Matched {
  if (given === method || (given === 'HEAD' && method === 'GET')) return { is: 'operation', operation, path };
  return { is: 'wrong-method', operation, allow: method === 'GET' ? 'GET, HEAD' : 'POST' };
}

/** The decoded segment; null for a broken percent escape, which names nothing (CRE-10). */
function decode(segment: string): string | null {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
