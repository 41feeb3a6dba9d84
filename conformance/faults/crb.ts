/** Faults against CRB: batches of creators. */
import type { AlterableRequest, AlterableResponse } from '../model.ts';
import {
  batch,
  entries,
  given,
  header,
  headerOf,
  isBatch,
  isCreators,
  refuse,
  submitted,
  table,
  where,
  type Any,
  type Row,
  type Table,
} from './edit.ts';

const only = (rows: readonly Row[]): Row[] => where(rows, (q) => isCreators(q) && isBatch(q));

const later = (instant: string, seconds: number): string =>
  new Date(Date.parse(instant) + seconds * 1000).toISOString();
/** Everything that is in data is said to be fetched still. */
const unheld = (r: AlterableResponse, q: AlterableRequest): void =>
  batch(r, q, (body) => {
    const told = new Set(entries(body).map(({ id }) => id));
    const retryAfter = body.fetching[0]?.retryAfter ?? new Date(Date.now() + 3000).toISOString();
    for (const id of new Set(submitted(q))) if (!told.has(id)) body.fetching.push({ id, retryAfter });
    body.data = [];
    if (body.fetching.length > 0 && !headerOf(r.headers, 'retry-after')) header(r, 'Retry-After', '3');
  });
const wrongBody = (body: string): boolean => {
  try {
    return !Array.isArray(JSON.parse(body).ids);
  } catch {
    return true;
  }
};

export const crb: Table = () =>
  table(
    'CRB',
    only([
      [
        'an empty fetching is left out',
        'CRB-01',
        (r, q) => batch(r, q, (body) => void (body.fetching.length === 0 && delete body.fetching)),
      ],
      ['unavailable is left out', 'CRB-01', (r, q) => batch(r, q, (body) => void delete body.unavailable)],
      [
        'a batch is 202 while something is fetched',
        'CRB-01',
        (r) => void (r.status === 200 && headerOf(r.headers, 'retry-after') && ((r.status = 202), 0)),
      ],
      ['a batch is 207', 'CRB-01', (r) => void (r.status === 200 && ((r.status = 207), 0))],
      [
        'a batch in which nothing is found is 404',
        'CRB-01',
        (r) =>
          void (r.status === 200 && /"data":\[\]/.test(r.body) && /"fetching":\[\]/.test(r.body) && refuse(r, 404)),
      ],
      ['data is an object by handle', 'CRB-01', (r, q) => batch(r, q, (body) => void (body.data = { ...body.data }))],
      [
        'an item with a comma in it is two',
        'CRB-02',
        (r, q) =>
          void (
            q.method === 'POST' &&
            batch(
              r,
              q,
              (body) =>
                (body.unavailable = body.unavailable.flatMap(({ id, ...rest }: Any) =>
                  id.split(',').map((piece: string) => ({ id: piece, ...rest })),
                )),
            )
          ),
      ],
      ['one identifier is lost', 'CRB-02', (r, q) => batch(r, q, (body) => void body.unavailable.shift())],
      [
        'one fetched identifier is lost',
        'CRB-02',
        (r, q) => batch(r, q, (body) => void (body.fetching.length > 1 && body.fetching.shift())),
      ],
      [
        'what is fetched is unavailable too',
        'CRB-02',
        (r, q) =>
          batch(
            r,
            q,
            (body) =>
              void (
                body.fetching[0] &&
                body.unavailable.push({ id: body.fetching[0].id, reason: 'account-not-discoverable' })
              ),
          ),
      ],
      [
        'a batch has a document that nobody asked for',
        'CRB-02',
        (r, q) => batch(r, q, (body) => void (body.data[0] && body.data.push(body.data[0]))),
      ],
      [
        'a batch has posts',
        'CRB-03',
        (r, q) => batch(r, q, (body) => body.data.forEach((one: Any) => (one.posts = []))),
      ],
      [
        'a batch has posts when include asks for them',
        'CRB-03',
        (r, q) =>
          void (
            given(q, 'include') !== undefined &&
            batch(r, q, (body) => body.data.forEach((one: Any) => (one.posts = [])))
          ),
      ],
      [
        'every batch says Retry-After',
        'CRB-04',
        (r) => void (r.status === 200 && !headerOf(r.headers, 'retry-after') && header(r, 'Retry-After', '5')),
      ],
      [
        'a batch says Retry-After twice',
        'CRB-04',
        (r) => {
          const wait = headerOf(r.headers, 'retry-after');
          if (wait !== undefined) r.headers.push(['Retry-After', wait]);
        },
      ],
      ['no batch says Retry-After', 'CRB-04', (r) => header(r, 'Retry-After', null)],
      [
        'each entry has an instant of its own',
        'CRB-04',
        (r, q) =>
          batch(r, q, (body) =>
            body.fetching.forEach((one: Any, index: number) => (one.retryAfter = later(one.retryAfter, index))),
          ),
      ],
      [
        'retryAfter is in seconds',
        'GEN-05',
        (r, q) => batch(r, q, (body) => body.fetching.forEach((one: Any) => (one.retryAfter = 5))),
      ],
      [
        'waits are over before they begin',
        'CRB-04',
        (r, q) => batch(r, q, (body) => body.fetching.forEach((one: Any) => (one.retryAfter = '2020-01-01T00:00:00Z'))),
      ],
      [
        'header and instant are 20 s apart',
        'CRB-04',
        (r, q) =>
          batch(r, q, (body) => body.fetching.forEach((one: Any) => (one.retryAfter = later(one.retryAfter, 20)))),
        'ruling',
      ],
      [
        'Retry-After is a minute at least',
        'CRB-04',
        (r) => void (headerOf(r.headers, 'retry-after') && header(r, 'Retry-After', '60')),
        'ruling',
      ],
      [
        'echoes are in lower case',
        'CRB-05',
        (r, q) => batch(r, q, (body) => entries(body).forEach((one) => (one.id = one.id.toLowerCase()))),
      ],
      [
        'what is fetched is named by its canonical key',
        'CRB-05',
        (r, q) =>
          batch(r, q, (body) =>
            body.fetching.forEach((one: Any) => {
              if (!one.id.includes(':')) one.id = `netA:${one.id}`;
            }),
          ),
      ],
      [
        'echoes stay percent-encoded',
        'CRB-05',
        (r, q) =>
          void (
            q.method === 'GET' &&
            batch(r, q, (body) => entries(body).forEach((one) => (one.id = encodeURIComponent(one.id))))
          ),
      ],
      [
        'a terminal reason says retryable: false',
        'CRB-06',
        (r, q) => batch(r, q, (body) => body.unavailable.forEach((one: Any) => (one.retryable ??= false))),
      ],
      [
        'everything is retryable',
        'CRB-06',
        (r, q) => batch(r, q, (body) => body.unavailable.forEach((one: Any) => (one.retryable = true))),
      ],
      [
        'a failure of the service is terminal',
        'CRB-06',
        (r, q) => batch(r, q, (body) => body.unavailable.forEach((one: Any) => delete one.retryable)),
      ],
      [
        'a creator that cannot be had has a reason of posts',
        'CRB-06',
        (r, q) =>
          batch(r, q, (body) =>
            body.unavailable.forEach((one: Any) => {
              if (one.reason === 'account-not-discoverable') one.reason = 'author-unresolved';
            }),
          ),
      ],
      ['in a batch nothing is ever held', 'CRB-07', (r, q) => unheld(r, q)],
      [
        'a creator that cannot be had is answered with another',
        'CRB-07',
        (r, q) =>
          batch(r, q, (body) => {
            const at = body.unavailable.findIndex((one: Any) => one.reason === 'account-not-discoverable');
            if (at < 0 || !body.data[0]) return;
            body.unavailable.splice(at, 1);
            body.data.push(structuredClone(body.data[0]));
          }),
      ],
      [
        'POST answers in another order',
        'CRB-07',
        (r, q) => void (q.method === 'POST' && batch(r, q, (body) => void body.data.reverse())),
        'ruling',
      ],
      [
        'POST lists what is unavailable in another order',
        'CRB-07',
        (r, q) => void (q.method === 'POST' && batch(r, q, (body) => void body.unavailable.reverse())),
        'ruling',
      ],
      [
        'a snapshot is made anew by each read',
        'CRB-07',
        (r, q, state) => {
          const reads = Number(state.get('reads') ?? 0) + 1;
          state.set('reads', reads);
          const updatedAt = new Date(Date.parse('2026-11-01T00:00:00Z') + reads * 1000).toISOString();
          batch(r, q, (body) => body.data.forEach((one: Any) => (one.channels[0].updatedAt = updatedAt)));
        },
        'ruling',
      ],
      [
        'POST gives other reasons than GET',
        'CRB-07',
        (r, q) =>
          void (
            q.method === 'POST' &&
            batch(r, q, (body) => body.unavailable.forEach((one: Any) => (one.reason = `${one.reason}-post`)))
          ),
      ],
      [
        'POST has documents without their country',
        'CRB-07',
        (r, q) =>
          void (
            q.method === 'POST' &&
            batch(r, q, (body) =>
              body.data.forEach((one: Any) =>
                one.channels.forEach((channel: Any) => (channel.country = channel.country === null ? 'US' : null)),
              ),
            )
          ),
      ],
      [
        'a charset in the content type is refused',
        'GEN-06',
        (r, q) =>
          void (q.method === 'POST' && /charset/.test(headerOf(q.headers, 'content-type') ?? '') && refuse(r, 400)),
        'ruling',
      ],
      [
        'broken JSON is a fault',
        'CRB-08',
        (r, q) => void (r.status === 400 && q.method === 'POST' && wrongBody(q.body) && refuse(r, 500)),
      ],
      [
        'broken JSON is 422',
        'CRB-08',
        (r, q) => void (r.status === 400 && q.method === 'POST' && wrongBody(q.body) && ((r.status = 422), 0)),
      ],
    ]),
  );
