/** Legal, and against a ruling of ours: the suite is silent by default, and may speak with `--strict`. */
import {
  batch,
  channels,
  documents,
  failure,
  given,
  header,
  headerOf,
  isMiss,
  json,
  posts,
  refuse,
} from '../faults/edit.ts';
import type { Row } from './variant.ts';

export const spoken: readonly Row[] = [
  {
    name: 'another method is 404',
    alter: (r) => {
      if (r.status === 405) {
        r.status = 404;
        header(r, 'Allow', null);
        failure(r, (error) => (error.code = 'not-found'));
      }
    },
  },
  {
    name: 'neither url nor ids is another documented error',
    alter: (r, q) => {
      if (q.operation === 'getPosts' && !/[?&](url|ids)=/.test(q.path) && r.status === 400) {
        r.status = 404;
        failure(r, (error) => (error.code = 'not-found'));
      }
    },
  },
  {
    name: 'a single read names its entry otherwise',
    alter: (r, q) => {
      if (r.status === 202)
        json(
          r,
          (body) =>
            void (body.fetching[0].id =
              q.operation === 'getCreator' ? `discovery-of-${body.fetching[0].id}` : 'the-post'),
        );
    },
  },
  { name: 'documents have one more optional key', alter: (r) => documents(r, (one) => void (one.labels = ['new'])) },
  { name: 'channels have one more optional key', alter: (r) => channels(r, (one) => void (one.pronouns = null)) },
  {
    name: 'there are no budget headers',
    alter: (r) => {
      header(r, 'RateLimit', null);
      header(r, 'RateLimit-Policy', null);
    },
  },
  { name: 'answers may be stored', alter: (r) => header(r, 'Cache-Control', null) },
  { name: '401 names no scheme', alter: (r) => void (r.status === 401 && header(r, 'WWW-Authenticate', null)) },
  { name: 'posts of a creator come in another order', alter: (r) => documents(r, (one) => void one.posts?.reverse()) },
  {
    name: 'analysis has another shape inside',
    alter: (r) =>
      posts(r, (one) => {
        for (const key of Object.keys(one.analysis ?? {})) one.analysis[key] = { changed: true };
      }),
  },
  {
    name: 'a stale read is fetched',
    alter: (r, q, state) => {
      // The first read of a document is taken for a stale one; the second has been refreshed.
      if (q.operation !== 'getCreator' || q.method !== 'GET' || r.status !== 200 || state.has(q.path)) return;
      state.set(q.path, true);
      r.status = 202;
      header(r, 'Retry-After', '1');
      const id = decodeURIComponent((q.path.split('?')[0] ?? '').split('/')[5] ?? '');
      r.body = JSON.stringify({ fetching: [{ id, retryAfter: new Date(Date.now() + 1000).toISOString() }] });
    },
  },
  {
    name: 'errors say when and where',
    alter: (r, q) =>
      failure(r, (error, body) => {
        body.timestamp = new Date().toISOString();
        body.path = q.path;
        error.requestId = headerOf(r.headers, 'x-request-id');
      }),
  },
  {
    name: 'a miss has a hint',
    alter: (r) => void (isMiss(r) && failure(r, ({ details }) => void (details.hint = 'x'))),
  },
  {
    name: 'a 401 says why',
    alter: (r) => void (r.status === 401 && failure(r, (error) => void (error.details = { reason: 'token-expired' }))),
  },
  {
    name: 'answers have something about themselves',
    alter: (r) => void (r.status < 300 && json(r, (body) => void (body.meta = { took: 3 }))),
  },
  {
    name: 'batches come in another order',
    alter: (r, q) =>
      batch(r, q, (body) => [body.data, body.fetching, body.unavailable].forEach((list) => list.reverse())),
  },
  {
    name: 'assets have a path for an address',
    alter: (r) =>
      posts(r, (one) => one.media.forEach((node: { mediaUrl: string }) => (node.mediaUrl = '/assets/1.mp4'))),
  },
  {
    name: 'profiles are those of the organization that is acted for',
    alter: (r, q) =>
      void (r.status < 300 && given(q, 'asOrg') !== undefined && given(q, 'asProfile') !== undefined && refuse(r, 404)),
  },
  {
    name: 'a network that is not supported has no details when read alone',
    alter: (r) =>
      void (
        isMiss(r) && failure(r, (error) => error.details.reason === 'not-supported-on-network' && delete error.details)
      ),
  },
  {
    name: 'another version wants a credential',
    alter: (r, q) => {
      if (!q.path.startsWith('/api/v0/')) return;
      r.status = 401;
      failure(r, (error) => void (error.code = 'unauthorized'));
    },
  },
  {
    name: 'entries of a batch say more',
    alter: (r, q) =>
      batch(r, q, (body) => [...body.fetching, ...body.unavailable].forEach((one) => (one.message = 'more'))),
  },
  {
    name: 'a 202 says more',
    alter: (r) =>
      void (r.status === 202 && json(r, (body) => void (body.status = body.fetching[0].state = 'fetching'))),
  },
  {
    name: 'an organization that nobody has is not found',
    alter: (r, q) => void (String(given(q, 'asOrg')).startsWith('unknown') && refuse(r, 404)),
  },
  {
    name: 'another version leads to this one',
    alter: (r, q) => {
      if (!q.path.startsWith('/api/v0/')) return;
      r.status = 301;
      r.body = '';
      header(r, 'Location', q.path.replace('v0', 'v1'));
    },
  },
  {
    name: 'another version is gone, in words for people',
    alter: (r, q) => {
      if (!q.path.startsWith('/api/v0/')) return;
      r.status = 410;
      r.body = '<h1>Gone</h1>';
      header(r, 'Content-Type', 'text/html');
      header(r, 'x-request-id', null);
    },
  },
  { name: 'another method wants a credential', alter: (r) => void (r.status === 405 && refuse(r, 401)) },
  { name: 'another method is forbidden', alter: (r) => void (r.status === 405 && refuse(r, 403)) },
  {
    name: 'another method is not implemented',
    alter: (r) =>
      void (r.status === 405 && ((r.status = 501), failure(r, (error) => void (error.code = 'not-implemented')))),
  },
  {
    name: 'the budget is told in an older form',
    alter: (r) =>
      void (
        headerOf(r.headers, 'RateLimit') !== undefined && header(r, 'RateLimit', 'limit=60, remaining=12, reset=3')
      ),
  },
  {
    name: 'what the network says of an audience is null',
    alter: (r) => channels(r, (one) => void (one.netA.audienceDemographics = null)),
  },
];
