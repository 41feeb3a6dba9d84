/** The few ways in which a fault changes an answer, so that a fault is a line or two. */
import type { AlterableRequest, AlterableResponse, Fault, Level } from '../model.ts';
import type { Target } from '../target.ts';

// Faults reach into answers of which nothing is known but that a right server gave them.
// oxlint-disable-next-line typescript/no-explicit-any
export type Any = any;

type Alter = Fault['alter'];
export type Row = readonly [name: string, breaks: string, alter: Alter, level?: Level];

/** Rows of one section as faults; `ruling` marks a fault that breaks only a ruling. */
export const table = (family: string, rows: readonly Row[]): Fault[] =>
  rows.map(([name, breaks, alter, level]) => ({ name, breaks, family, alter, ...(level ? { level } : {}) }));

/** Rows that leave other requests alone. */
export const where = (rows: readonly Row[], fits: (request: AlterableRequest) => boolean): Row[] =>
  rows.map(([name, breaks, alter, ...level]): Row => [
    name,
    breaks,
    (response, request, state) => (fits(request) ? alter(response, request, state) : undefined),
    ...level,
  ]);

export type Table = (target: Target) => Fault[];

export const parsed = (text: string): Any => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Edits the body as JSON; nothing happens where it is none. */
export function json(response: AlterableResponse, edit: (body: Any) => unknown): void {
  const body = parsed(response.body);
  if (body === undefined || body === null) return;
  const replaced = edit(body);
  response.body = JSON.stringify(
    replaced && typeof replaced === 'object' && 'instead' in replaced ? replaced.instead : body,
  );
}

export const headerOf = (headers: readonly (readonly [string, string])[], name: string): string | undefined =>
  headers.find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];

export const headersOf = (request: AlterableRequest, name: string): string[] =>
  request.headers.filter(([key]) => key.toLowerCase() === name.toLowerCase()).map(([, value]) => value);

/** Sets a header, or takes it away with null; in place, its name in the case it had. */
export function header(response: AlterableResponse, name: string, value: string | null): void {
  const at = response.headers.findIndex(([key]) => key.toLowerCase() === name.toLowerCase());
  if (value === null) response.headers = response.headers.filter(([key]) => key.toLowerCase() !== name.toLowerCase());
  else if (at < 0) response.headers.push([name, value]);
  else response.headers[at] = [response.headers[at]?.[0] ?? name, value];
}

const codes: Readonly<Record<number, string>> = {
  400: 'invalid-input',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  405: 'method-not-allowed',
  429: 'rate-limited',
  500: 'internal-error',
};

const answer = (response: AlterableResponse, status: number, body: unknown): void => {
  response.status = status;
  response.body = JSON.stringify(body);
  header(response, 'content-type', 'application/json; charset=utf-8');
};

/** A refusal that is right in itself, only not here. */
export function refuse(
  response: AlterableResponse,
  status: number,
  options: { reason?: string; message?: string; code?: string } = {},
): void {
  header(response, 'Retry-After', null);
  header(response, 'WWW-Authenticate', status === 401 ? 'Bearer' : null);
  const details = options.reason ? { details: { reason: options.reason } } : {};
  answer(response, status, {
    error: {
      code: options.code ?? codes[status] ?? 'invalid-input',
      message: options.message ?? 'This is refused.',
      ...details,
    },
  });
}

const parametersOf = (request: AlterableRequest): URLSearchParams =>
  new URLSearchParams(request.path.split('?')[1] ?? '');

/** A query parameter, or the field of a body. */
export const given = (request: AlterableRequest, name: string): Any =>
  request.method === 'POST' ? parsed(request.body)?.[name] : (parametersOf(request).get(name) ?? undefined);

/** Identifiers as the answer has to echo them. */
export function submitted(request: AlterableRequest): string[] {
  if (request.method === 'POST') {
    const ids = parsed(request.body)?.ids;
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string' && id.trim() !== '') : [];
  }
  return parametersOf(request)
    .getAll('ids')
    .flatMap((text) => text.split(','))
    .map((id) => id.trim())
    .filter((id) => id !== '');
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

export const pathOf = (request: AlterableRequest): string => request.path.split('?')[0] ?? '';
export const networkOf = (request: AlterableRequest): string => decoded(pathOf(request).split('/')[4] ?? '');
export const handleOf = (request: AlterableRequest): string => decoded(pathOf(request).split('/')[5] ?? '');
export const tokenOf = (request: AlterableRequest): string | undefined =>
  /^bearer +(\S+)$/i.exec(headersOf(request, 'authorization')[0] ?? '')?.[1];

export const isBatch = (request: AlterableRequest): boolean =>
  ['listCreators', 'batchCreators', 'batchPosts'].includes(request.operation ?? '') ||
  (request.operation === 'getPosts' && parametersOf(request).has('ids'));
export const isSingle = (request: AlterableRequest): boolean => request.operation !== null && !isBatch(request);
export const isCreators = (request: AlterableRequest): boolean =>
  ['getCreator', 'listCreators', 'batchCreators'].includes(request.operation ?? '');
export const isPosts = (request: AlterableRequest): boolean =>
  ['getPosts', 'batchPosts'].includes(request.operation ?? '');

/** Lets in what should be refused: an answer that is legal in itself, everything is being fetched. */
export function admit(response: AlterableResponse, request: AlterableRequest): void {
  const retryAfter = new Date(Math.ceil(Date.now() / 1000) * 1000 + 2000).toISOString();
  const ids = submitted(request);
  for (const name of ['WWW-Authenticate', 'Allow']) header(response, name, null);
  header(response, 'Retry-After', isBatch(request) && ids.length === 0 ? null : '3');
  const id = request.operation === 'getCreator' ? handleOf(request) : String(given(request, 'url') ?? 'x');
  if (isBatch(request))
    answer(response, 200, {
      data: [],
      fetching: [...new Set(ids)].map((one) => ({ id: one, retryAfter })),
      unavailable: [],
    });
  else answer(response, 202, { fetching: [{ id, retryAfter }] });
}

/** An identifier of a batch is moved to `unavailable`, out of whatever bucket it is in. */
export function lose(response: AlterableResponse, ids: readonly string[], reason: string): void {
  if (response.status !== 200 || ids.length === 0) return;
  json(response, (body) => {
    for (const id of ids) {
      if (body.unavailable.some((entry: Any) => entry.id === id)) continue;
      const at = body.fetching.findIndex((entry: Any) => entry.id === id);
      if (at >= 0) body.fetching.splice(at, 1);
      else body.data.pop();
      body.unavailable.push({ id, reason });
    }
    if (body.fetching.length === 0) header(response, 'Retry-After', null);
  });
}

/** What a batch's answer says of what it has no document of. */
export const entries = (body: Any): Any[] => [...body.fetching, ...body.unavailable];

/** Edits every document of an answer: of a read or of a batch. */
export const documents = (response: AlterableResponse, edit: (document: Any) => void): void => {
  if (response.status === 200)
    json(response, (body) => [body?.data].flat().forEach((document) => document && edit(document)));
};

export const channels = (response: AlterableResponse, edit: (channel: Any) => void): void =>
  documents(response, (document) => document.channels?.forEach(edit));

/** Posts as their own operations show them, not those inside a creator. */
export const posts = (response: AlterableResponse, edit: (post: Any) => void): void =>
  documents(response, (document) => document.netA && document.media && edit(document));

export const creatorPosts = (response: AlterableResponse, edit: (post: Any) => void): void =>
  documents(response, (document) => document.posts?.forEach(edit));

export const batch = (response: AlterableResponse, request: AlterableRequest, edit: (body: Any) => unknown): void => {
  if (isBatch(request) && response.status === 200) json(response, edit);
};

export const failure = (response: AlterableResponse, edit: (error: Any, body: Any) => unknown): void => {
  if (response.status >= 400) json(response, (body) => body.error && edit(body.error, body));
};

/** A miss: a 404 that says why. */
export const isMiss = (response: AlterableResponse): boolean =>
  response.status === 404 && parsed(response.body)?.error?.details !== undefined;
