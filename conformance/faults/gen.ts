/** Faults against GEN and VER. */
import { admit, documents, given, header, headerOf, isBatch, json, pathOf, refuse, table, type Table } from './edit.ts';

const known = ['ids', 'url', 'network', 'include', 'asOrg', 'asProfile'];
const unknownParameter = (path: string): boolean =>
  [...new URLSearchParams(path.split('?')[1] ?? '').keys()].some((name) => !known.includes(name));
const withoutNulls = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, one) =>
      one && typeof one === 'object' && !Array.isArray(one)
        ? Object.fromEntries(Object.entries(one).filter(([, member]) => member !== null))
        : one,
    ),
  );
const each = (value: unknown, key: string, edit: (holder: Record<string, unknown>) => void): void => {
  if (value === null || typeof value !== 'object') return;
  if (key in value) edit(value as Record<string, unknown>);
  for (const member of Object.values(value)) each(member, key, edit);
};
const all = (key: string, edit: (text: string) => unknown) => (body: unknown) =>
  each(body, key, (holder) => {
    if (typeof holder[key] === 'string') holder[key] = edit(holder[key]);
  });

export const gen: Table = () =>
  table('GEN', [
    ['an operation is not there', 'GEN-01', (r, q) => void (q.operation === 'batchPosts' && refuse(r, 404))],
    ['another operation is not there', 'GEN-01', (r, q) => void (q.operation === 'listCreators' && refuse(r, 404))],
    ['errors have no request id', 'GEN-02', (r) => void (r.status >= 400 && header(r, 'x-request-id', null))],
    [
      '404 of an unknown path has no request id',
      'GEN-02',
      (r, q) => void (r.status === 404 && !q.operation && header(r, 'x-request-id', null)),
      'ruling',
    ],
    ['202 has no request id', 'GEN-02', (r) => void (r.status === 202 && header(r, 'x-request-id', null))],
    ['the request id is empty', 'GEN-02', (r) => header(r, 'x-request-id', '')],
    ['every request has one id', 'GEN-02', (r) => header(r, 'x-request-id', 'req-1')],
    ['the id repeats on errors', 'GEN-02', (r) => void (r.status >= 400 && header(r, 'x-request-id', 'error'))],
    ['an answer has two request ids', 'GEN-02', (r) => void r.headers.push(['x-request-id', 'another'])],
    ['an error is a bare string', 'GEN-03', (r) => void (r.status === 400 && (r.body = '"bad request"'))],
    [
      'an error is HTML',
      'GEN-03',
      (r) => {
        if (r.status === 404) {
          r.body = '<h1>Not Found</h1>';
          header(r, 'content-type', 'text/html');
        }
      },
    ],
    [
      'an error is problem+json',
      'GEN-03',
      (r) => {
        if (r.status === 401) {
          r.body = '{"title":"Unauthorized","status":401}';
          header(r, 'content-type', 'application/problem+json');
        }
      },
    ],
    ['an error has no body', 'GEN-03', (r) => void (r.status === 403 && (r.body = ''))],
    [
      'an error stands without its envelope',
      'GEN-03',
      (r) => void (r.status >= 400 && json(r, (body) => ({ instead: body.error ?? body }))),
    ],
    [
      'a document is called HTML',
      'GEN-04',
      (r) => void (r.status === 200 && header(r, 'content-type', 'text/html; charset=utf-8')),
    ],
    [
      'JSON is called Latin-1',
      'GEN-04',
      (r) => void (r.status === 200 && header(r, 'content-type', 'application/json; charset=iso-8859-1')),
      'ruling',
    ],
    [
      'JSON is called by another name',
      'GEN-04',
      (r) => void (r.status === 200 && header(r, 'content-type', 'application/hal+json')),
      'ruling',
    ],
    [
      'nulls are left out',
      'GEN-04',
      (r) => void (r.status === 200 && json(r, (body) => ({ instead: withoutNulls(body) }))),
    ],
    [
      'a key is left out while it is null',
      'GEN-04',
      (r) =>
        documents(r, (one) =>
          one.channels?.forEach(
            (channel: Record<string, unknown>) => channel['country'] === null && delete channel['country'],
          ),
        ),
    ],
    [
      'a required key is not there',
      'GEN-04',
      (r) =>
        documents(r, (one) =>
          one.channels?.forEach((channel: { netA: object }) => Reflect.deleteProperty(channel.netA, 'badges')),
        ),
    ],
    ['a document has a key of its own', 'GEN-04', (r) => documents(r, (one) => void (one.internalId = 7)), 'ruling'],
    [
      'an envelope has a key of its own',
      'GEN-04',
      (r, q) => void (isBatch(q) && r.status === 200 && json(r, (body) => void (body.total = 1))),
      'ruling',
    ],
    [
      'timestamps have no zone',
      'GEN-05',
      (r) =>
        json(
          r,
          all('updatedAt', (text) => text.replace(/(Z|[+-]\d\d:\d\d)$/, '')),
        ),
    ],
    [
      'timestamps are seconds',
      'GEN-05',
      (r) =>
        json(
          r,
          all('updatedAt', (text) => String(Date.parse(text) / 1000)),
        ),
    ],
    [
      'dates are written for people',
      'GEN-05',
      (r) =>
        json(
          r,
          all('postedAt', (text) => new Date(text).toUTCString()),
        ),
    ],
    [
      'the instant of a wait has no zone',
      'GEN-05',
      (r) =>
        json(
          r,
          all('retryAfter', (text) => text.replace(/Z$/, '')),
        ),
    ],
    [
      'Retry-After is a date',
      'GEN-05',
      (r) =>
        void (
          headerOf(r.headers, 'retry-after') && header(r, 'Retry-After', new Date(Date.now() + 3000).toUTCString())
        ),
    ],
    ['Retry-After is 0', 'GEN-05', (r) => void (r.status === 202 && header(r, 'Retry-After', '0'))],
    [
      'Retry-After has a fraction',
      'GEN-05',
      (r) => void (headerOf(r.headers, 'retry-after') && header(r, 'Retry-After', '1.5')),
    ],
    [
      'an unknown parameter is refused',
      'GEN-06',
      (r, q) => void (q.operation && r.status < 400 && unknownParameter(q.path) && refuse(r, 400)),
      'ruling',
    ],
    [
      'include on a creator batch is refused',
      'GEN-06',
      (r, q) =>
        void (
          ['listCreators', 'batchCreators'].includes(q.operation ?? '') &&
          given(q, 'include') !== undefined &&
          refuse(r, 400)
        ),
      'ruling',
    ],
    [
      'an unknown path wants a credential',
      'GEN-07',
      (r, q) => void (!q.operation && r.status === 404 && refuse(r, 401)),
      'ruling',
    ],
    [
      'another method is 404',
      'GEN-07',
      (r) => {
        if (r.status === 405) {
          header(r, 'Allow', null);
          refuse(r, 404);
        }
      },
      'ruling',
    ],
    ['405 does not say Allow', 'GEN-07', (r) => void (r.status === 405 && header(r, 'Allow', null)), 'ruling'],
    [
      'Allow lists everything',
      'GEN-07',
      (r) => void (r.status === 405 && header(r, 'Allow', 'GET, HEAD, POST, PUT, DELETE')),
      'ruling',
    ],
    [
      '405 carries a budget',
      'GEN-07',
      (r) => void (r.status === 405 && header(r, 'RateLimit', '"default";r=59;t=42')),
      'ruling',
    ],
    [
      'HEAD is refused',
      'GEN-07',
      (r, q) => {
        if (q.method === 'HEAD') {
          refuse(r, 405);
          header(r, 'Allow', 'GET');
        }
      },
      'ruling',
    ],
    [
      'a network not yet known is refused',
      'GEN-08',
      (r, q) => void (q.operation === 'getCreator' && /not-supported-on-network/.test(r.body) && refuse(r, 400)),
    ],
    [
      'a badge is an object',
      'GEN-08',
      (r) =>
        documents(r, (one) =>
          one.channels?.forEach((channel: { netA: { badges: unknown } }) => (channel.netA.badges = [{ name: 'x' }])),
        ),
    ],
    ['what the parser refuses has no envelope', 'GEN-09', (r, q) => void (q.method === '' && (r.body = '')), 'ruling'],
    [
      'what the parser refuses has no request id',
      'GEN-09',
      (r, q) => void (q.method === '' && header(r, 'x-request-id', null)),
      'ruling',
    ],
    ['answers may be stored', 'GEN-10', (r) => header(r, 'Cache-Control', null), 'ruling'],
    [
      'documents may be kept a minute',
      'GEN-10',
      (r) => void (r.status === 200 && header(r, 'Cache-Control', 'private, max-age=60')),
      'ruling',
    ],
    ['documents have an ETag', 'GEN-10', (r) => void (r.status === 200 && header(r, 'ETag', '"1"')), 'ruling'],
    [
      'a conditional read is 304',
      'GEN-10',
      (r, q) => {
        if (r.status !== 200 || headerOf(q.headers, 'if-none-match') === undefined) return;
        r.status = 304;
        r.body = '';
      },
      'ruling',
    ],
    ['errors may be stored', 'GEN-10', (r) => void (r.status >= 400 && header(r, 'Cache-Control', null)), 'ruling'],
    ['a long request line is refused', 'GEN-11', (r, q) => void (q.path.length > 4000 && refuse(r, 400)), 'ruling'],
    [
      'a trailing slash is forgiven',
      'GEN-13',
      (r, q) => void (pathOf(q).endsWith('/') && admit(r, { ...q, operation: 'listCreators' })),
      'ruling',
    ],
    [
      'a trailing slash redirects',
      'GEN-13',
      (r, q) => {
        if (pathOf(q).endsWith('/')) {
          r.status = 308;
          header(r, 'Location', pathOf(q).slice(0, -1));
        }
      },
      'ruling',
    ],
    [
      'paths compare without case',
      'GEN-13',
      (r, q) =>
        void (
          pathOf(q) !== pathOf(q).toLowerCase() &&
          !q.operation &&
          r.status === 404 &&
          admit(r, { ...q, operation: 'listCreators' })
        ),
      'ruling',
    ],
    [
      'whatever origin asks is let in',
      'GEN-13',
      (r, q) => header(r, 'Access-Control-Allow-Origin', headerOf(q.headers, 'origin') ?? null),
      'ruling',
    ],
    ['every origin is let in', 'GEN-13', (r) => header(r, 'Access-Control-Allow-Origin', '*'), 'ruling'],
    [
      'the one version is not served',
      'VER-01',
      (r, q) => void (q.operation === 'getCreator' && r.status === 200 && refuse(r, 404)),
    ],
    [
      'any version will do',
      'VER-01',
      (r, q) => {
        if (/^\/api\/v[02-9]/.test(pathOf(q))) {
          r.status = 200;
          r.body = '{"data":{"channels":[]}}';
        }
      },
    ],
  ]);
