import type { IncomingMessage } from 'node:http';
import type { Documents } from './documents.ts';
import { parseCreatorPath, parseIdentifier, parsePostUrl, type Kind, type Parsed } from './identifiers.ts';
import { batchOfBody, batchOfQuery, included, jsonOf, single, type BatchInput } from './input.ts';
import { actAs, type Scope } from './principals.ts';
import { miss, Refusal } from './refusal.ts';
import type { States } from './states.ts';

export interface Answer {
  readonly status: 200 | 202;
  readonly body: unknown;
  readonly retryAfterSeconds: number | null;
}

export interface Reading {
  readonly states: States;
  readonly documents: Documents;
  readonly clock: () => number;
}

/** One of the five operations: its path template, its method, the scope it needs, and how it answers. */
export interface Operation {
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly scope: Scope;
  answer(
    request: IncomingMessage,
    query: URLSearchParams,
    segments: readonly string[],
    reading: Reading,
  ): Promise<Answer>;
}

const secondsUntil = (instant: number, now: number): number => Math.max(1, Math.ceil((instant - now) / 1000));
const afterSeconds = (now: number, seconds: number): string => new Date(now + seconds * 1000).toISOString();

/** One entity as 200, 202 or 404 (CRE-01 to CRE-04). */
function readOne(
  kind: Kind,
  parsed: Parsed,
  id: string,
  include: readonly string[],
  { states, documents, clock }: Reading,
): Answer {
  if ('reason' in parsed) throw miss(parsed.reason, false);
  const state = states.read(kind, parsed);
  if (state.is === 'unavailable') throw miss(state.reason, state.retryable);
  if (state.is === 'held')
    return { status: 200, body: { data: documents[kind](parsed, state.since, include) }, retryAfterSeconds: null };
  const seconds = secondsUntil(state.until, clock());
  return {
    status: 202,
    body: { fetching: [{ id, retryAfter: afterSeconds(clock(), seconds) }] },
    retryAfterSeconds: seconds,
  };
}

/** Many entities in three buckets, one wait for all that are being fetched (CRB-01 to CRB-06). */
function readMany(
  kind: Kind,
  input: BatchInput,
  include: readonly string[],
  { states, documents, clock }: Reading,
): Answer {
  const data: unknown[] = [];
  const fetching: { id: string; until: number }[] = [];
  const unavailable: { id: string; reason: string; retryable?: true }[] = [];
  for (const id of input.ids) {
    const parsed = parseIdentifier(kind, id, input.network);
    const state =
      'reason' in parsed
        ? ({ is: 'unavailable', reason: parsed.reason, retryable: false } as const)
        : states.read(kind, parsed);
    if (state.is === 'unavailable')
      unavailable.push({ id, reason: state.reason, ...(state.retryable ? { retryable: true as const } : {}) });
    else if (state.is === 'fetching') fetching.push({ id, until: state.until });
    else if ('name' in parsed) data.push(documents[kind](parsed, state.since, include));
  }
  const now = clock();
  const seconds = secondsUntil(Math.max(...fetching.map(({ until }) => until)), now);
  const retryAfter = fetching.length === 0 ? '' : afterSeconds(now, seconds);
  return {
    status: 200,
    body: { data, fetching: fetching.map(({ id }) => ({ id, retryAfter })), unavailable },
    retryAfterSeconds: fetching.length === 0 ? null : seconds,
  };
}

const actingOf = (query: URLSearchParams) => ({ asOrg: single(query, 'asOrg'), asProfile: single(query, 'asProfile') });

const getCreator: Operation = {
  path: '/creators/{network}/{handle}',
  method: 'GET',
  scope: 'creators:read',
  async answer(_request, query, [network = '', handle = ''], reading) {
    const include = included(query, ['posts']);
    actAs(actingOf(query));
    const parsed = parseCreatorPath(network, handle);
    return readOne('creator', parsed, parsed.handle, include, reading);
  },
};

const getPosts: Operation = {
  path: '/posts',
  method: 'GET',
  scope: 'posts:read',
  async answer(_request, query, _segments, reading) {
    const url = single(query, 'url');
    if (query.has('ids') === (url !== undefined))
      throw new Refusal('invalid-input', 'exactly one of url and ids is needed');
    const include = included(query, reading.documents.analysisKeys);
    single(query, 'network');
    const input = url === undefined ? batchOfQuery(query) : null;
    actAs(actingOf(query));
    if (input !== null) return readMany('post', input, include, reading);
    return readOne('post', parsePostUrl(url ?? ''), url ?? '', include, reading);
  },
};

const listCreators: Operation = {
  path: '/creators',
  method: 'GET',
  scope: 'creators:read',
  async answer(_request, query, _segments, reading) {
    const input = batchOfQuery(query);
    actAs(input);
    return readMany('creator', input, [], reading);
  },
};

const batch = (path: string, kind: Kind, scope: Scope): Operation => ({
  path,
  method: 'POST',
  scope,
  async answer(request, _query, _segments, reading) {
    const input = batchOfBody(await jsonOf(request));
    actAs(input);
    return readMany(kind, input, [], reading);
  },
});

export const operations: readonly Operation[] = [
  listCreators,
  batch('/creators/batch', 'creator', 'creators:read'),
  getPosts,
  batch('/posts/batch', 'post', 'posts:read'),
  getCreator,
];

/** The operation of an exact path under `/api/v1`, with its variable segments as they came (GEN-13). */
export function operationOf(path: string): { operation: Operation; segments: string[] } | null {
  if (!path.startsWith('/api/v1/')) return null;
  const rest = path.slice('/api/v1'.length);
  const fixed = operations.find((operation) => operation.path === rest);
  if (fixed !== undefined) return { operation: fixed, segments: [] };
  const found = /^\/creators\/([^/]+)\/([^/]+)$/.exec(rest);
  return found === null ? null : { operation: getCreator, segments: found.slice(1) };
}
