/** Faults against PST: one post and batches of posts. */
import {
  admit,
  batch,
  documents,
  failure,
  given,
  header,
  headerOf,
  isBatch,
  isMiss,
  isPosts,
  isSingle,
  json,
  posts,
  refuse,
  table,
  where,
  type Any,
  type Row,
  type Table,
} from './edit.ts';

const only = (rows: readonly Row[]): Row[] => where(rows, (q) => isPosts(q) && q.method !== 'HEAD');

const wanted = (text: unknown): string[] =>
  String(text ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
const url = (path: string): boolean => /[?&]url=/.test(path);
const both = (path: string): boolean => url(path) && /[?&]ids=/.test(path);
const instead =
  (reason: string, other: string) =>
  (one: Any): void => {
    if (one.reason === reason) one.reason = other;
  };

export const pst: Table = () =>
  table(
    'PST',
    only([
      [
        'a post is not wrapped',
        'PST-01',
        (r, q) => void (isSingle(q) && r.status === 200 && json(r, (body) => ({ instead: body.data }))),
      ],
      [
        'every address answers one post',
        'PST-01',
        (r, q) =>
          void (
            isSingle(q) &&
            posts(r, (post) =>
              Object.assign(post, { externalId: 'other', updatedAt: null, netB: { ...post.netB, netBVideoId: null } }),
            )
          ),
      ],
      [
        'a post that cannot be had has another reason alone',
        'PST-02',
        (r, q) => {
          if (isSingle(q) && isMiss(r))
            failure(r, (error) => instead('outside-recent-media-window', 'post-withdrawn')(error.details));
        },
      ],
      [
        'a post is a list of one',
        'PST-01',
        (r, q) => void (isSingle(q) && r.status === 200 && json(r, (body) => void (body.data = [body.data]))),
      ],
      ['a miss says no reason', 'PST-01', (r) => void (isMiss(r) && failure(r, (error) => delete error.details))],
      [
        'a miss is null',
        'PST-01',
        (r) => {
          if (isMiss(r)) {
            r.status = 200;
            r.body = '{"data":null}';
          }
        },
      ],
      [
        'a post that is not held is an empty batch',
        'PST-01',
        (r, q) => {
          if (isSingle(q) && r.status === 202) {
            r.status = 200;
            json(r, (body) => {
              body.data = [];
              body.unavailable = [];
            });
          }
        },
      ],
      ['202 does not say how long', 'PST-01', (r) => void (r.status === 202 && header(r, 'Retry-After', null))],
      [
        'a batch is 202 while something is fetched',
        'PST-02',
        (r, q) => void (isBatch(q) && r.status === 200 && headerOf(r.headers, 'retry-after') && ((r.status = 202), 0)),
      ],
      ['one identifier is lost', 'PST-02', (r, q) => batch(r, q, (body) => void body.unavailable.shift())],
      ['unavailable is left out', 'PST-02', (r, q) => batch(r, q, (body) => void delete body.unavailable)],
      [
        'echoes are in lower case',
        'PST-02',
        (r, q) =>
          batch(r, q, (body) =>
            [...body.fetching, ...body.unavailable].forEach((one) => (one.id = one.id.toLowerCase())),
          ),
      ],
      [
        'every batch says Retry-After',
        'PST-02',
        (r, q) =>
          void (isBatch(q) && r.status === 200 && !headerOf(r.headers, 'retry-after') && header(r, 'Retry-After', '5')),
      ],
      ['of both the address counts', 'PST-03', (r, q) => void (r.status === 400 && both(q.path) && admit(r, q))],
      [
        'neither is an empty batch',
        'PST-03',
        (r, q) =>
          void (
            r.status === 400 &&
            q.operation === 'getPosts' &&
            !url(q.path) &&
            !/[?&]ids=/.test(q.path) &&
            admit(r, { ...q, operation: 'batchPosts', method: 'POST' })
          ),
        'ruling',
      ],
      [
        'analysis is always there',
        'PST-04',
        (r, q) => void (given(q, 'include') === undefined && posts(r, (post) => (post.analysis = {}))),
      ],
      ['analysis is never there', 'PST-04', (r) => posts(r, (post) => delete post.analysis)],
      [
        'analysis leaves out what is null',
        'PST-04',
        (r) =>
          posts(r, (post) =>
            Object.keys(post.analysis ?? {}).forEach((key) => post.analysis[key] === null && delete post.analysis[key]),
          ),
      ],
      [
        'analysis has a key that was not named',
        'PST-04',
        (r, q) =>
          void (
            q.method === 'GET' &&
            posts(
              r,
              (post) =>
                post.analysis && !wanted(given(q, 'include')).includes('narration') && (post.analysis.narration = null),
            )
          ),
      ],
      [
        'analysis lacks one key',
        'PST-04',
        (r) => posts(r, (post) => post.analysis && delete post.analysis[Object.keys(post.analysis)[0] ?? '']),
      ],
      ['the batch has no analysis', 'PST-04', (r, q) => void (isBatch(q) && posts(r, (post) => delete post.analysis))],
      [
        'any include is taken',
        'PST-05',
        (r, q) =>
          void (
            r.status === 400 &&
            q.method === 'GET' &&
            given(q, 'include') !== undefined &&
            !both(q.path) &&
            admit(r, q)
          ),
      ],
      [
        'another include is not found',
        'PST-05',
        (r, q) =>
          void (
            r.status === 400 &&
            q.method === 'GET' &&
            given(q, 'include') !== undefined &&
            !both(q.path) &&
            refuse(r, 404)
          ),
      ],
      [
        'POST knows include',
        'PST-06',
        (r, q) =>
          void (
            q.method === 'POST' &&
            given(q, 'include') !== undefined &&
            posts(r, (post) => (post.analysis = { narration: null }))
          ),
        'ruling',
      ],
      [
        'include in a body is refused',
        'PST-06',
        (r, q) => void (q.method === 'POST' && given(q, 'include') !== undefined && refuse(r, 400)),
        'ruling',
      ],
      [
        'creatorDeepAnalysis is refused',
        'PST-06',
        (r, q) =>
          void (
            q.method === 'POST' &&
            given(q, 'creatorDeepAnalysis') !== undefined &&
            r.status === 200 &&
            refuse(r, 400)
          ),
      ],
      [
        'an address of another host is refused',
        'PST-07',
        (r, q) => void (isSingle(q) && isMiss(r) && r.body.includes('unparseable-identifier') && refuse(r, 400)),
      ],
      [
        'an address of another host is fetched',
        'PST-07',
        (r, q) =>
          void (
            isSingle(q) &&
            isMiss(r) &&
            r.body.includes('unparseable-identifier') &&
            given(q, 'url') !== '' &&
            admit(r, q)
          ),
      ],
      [
        'an address of another host has another reason',
        'PST-07',
        (r, q) => {
          if (isSingle(q))
            failure(
              r,
              (error) => error.details && instead('unparseable-identifier', 'not-supported-on-network')(error.details),
            );
        },
      ],
      [
        'in a batch an address of another host has another reason',
        'PST-07',
        (r, q) =>
          batch(r, q, (body) =>
            body.unavailable
              .filter((one: Any) => one.id.includes('://'))
              .forEach(instead('unparseable-identifier', 'not-supported-on-network')),
          ),
      ],
      [
        'an old post has another reason',
        'PST-08',
        (r, q) => {
          batch(r, q, (body) =>
            body.unavailable.forEach(instead('outside-recent-media-window', 'account-not-discoverable')),
          );
          failure(
            r,
            (error) =>
              error.details && instead('outside-recent-media-window', 'account-not-discoverable')(error.details),
          );
        },
      ],
      [
        'a post without author has another reason',
        'PST-08',
        (r, q) => {
          batch(r, q, (body) => body.unavailable.forEach(instead('author-unresolved', 'outside-recent-media-window')));
          failure(
            r,
            (error) => error.details && instead('author-unresolved', 'outside-recent-media-window')(error.details),
          );
        },
      ],
      [
        'blanks in include are refused',
        'PST-09',
        (r, q) => void (r.status < 400 && /[?&]include=[^&]*(%20|\+| )/i.test(q.path) && refuse(r, 400)),
        'ruling',
      ],
      [
        'empty tokens of include are refused',
        'PST-09',
        (r, q) =>
          void (
            r.status < 400 &&
            /[?&]include=(?:[^&]*(?:,|%2c)(?:,|%2c|%20|\+)*(?:&|,|%2c|$)|&|$|(?:,|%2c))/i.test(q.path) &&
            refuse(r, 400)
          ),
        'ruling',
      ],
      [
        'a repeated include is refused',
        'PST-09',
        (r, q) =>
          void (
            r.status < 400 &&
            new Set(wanted(given(q, 'include'))).size < wanted(given(q, 'include')).length &&
            refuse(r, 400)
          ),
        'ruling',
      ],
      [
        'one identifier need not be in an array',
        'CRB-08',
        (r, q) => void (r.status === 400 && /"ids"\s*:\s*("|\d|\{)/.test(q.body) && admit(r, q)),
      ],
      [
        'a post has a number as text',
        'DOC-01',
        (r) =>
          documents(r, (post) => {
            if (post.netB) post.likeCount = String(post.likeCount);
          }),
      ],
    ]),
  );
