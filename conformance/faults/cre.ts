/** Faults against CRE: one creator. */
import type { AlterableRequest, AlterableResponse } from '../model.ts';
import {
  admit,
  creatorPosts,
  documents,
  failure,
  given,
  handleOf,
  header,
  isMiss,
  json,
  networkOf,
  refuse,
  table,
  where,
  type Any,
  type Row,
  type Table,
} from './edit.ts';

const only = (rows: readonly Row[]): Row[] => where(rows, (q) => q.operation === 'getCreator' && q.method !== 'HEAD');

const missed = (r: AlterableResponse, reason: string): void =>
  failure(r, (error) => {
    if (error.details.reason === 'account-not-discoverable') error.details.reason = reason;
  });

const once = (state: Map<string, unknown>, q: AlterableRequest): boolean => {
  const seen = state.has(q.path);
  state.set(q.path, true);
  return !seen;
};

export const cre: Table = ({ unsupportedNetwork }) =>
  table(
    'CRE',
    only([
      [
        'a document is not wrapped',
        'CRE-01',
        (r) => void (r.status === 200 && json(r, (body) => ({ instead: body.data }))),
      ],
      ['a document is called created', 'CRE-01', (r) => void (r.status === 200 && ((r.status = 201), 0))],
      [
        'a single read has other figures than a batch',
        'CRB-07',
        (r) =>
          documents(r, (one) =>
            one.channels.forEach((channel: Any) => (channel.followersCount = (channel.followersCount ?? 0) + 1)),
          ),
      ],
      [
        'every read answers one creator',
        'CRE-01',
        (r) =>
          documents(r, (one) => {
            Object.assign(one.channels[0], { externalId: '7700', username: 'somebody.else', updatedAt: null });
            one.posts?.forEach((post: Any) => (post.author.accountId = '7700'));
          }),
      ],
      [
        'a held creator has to be waited for no longer, but Retry-After stays',
        'CRE-01',
        (r) => void (r.status === 200 && header(r, 'Retry-After', '5')),
        'ruling',
      ],
      [
        'header and instant of a 202 are 30 s apart',
        'CRE-02',
        (r) =>
          void (
            r.status === 202 &&
            json(r, ({ fetching: [entry] }) => {
              entry.retryAfter = new Date(Date.parse(entry.retryAfter) + 30_000).toISOString();
            })
          ),
        'ruling',
      ],
      ['202 does not say how long', 'CRE-02', (r) => void (r.status === 202 && header(r, 'Retry-After', null))],
      [
        '202 has two entries',
        'CRE-02',
        (r) => void (r.status === 202 && json(r, (body) => void body.fetching.push(body.fetching[0]))),
      ],
      ['202 has no entry', 'CRE-02', (r) => void (r.status === 202 && json(r, (body) => void (body.fetching = [])))],
      [
        'what nobody ever asked for is there at once',
        'CRE-02',
        (r, q) => {
          if (r.status !== 202) return;
          r.status = 200;
          header(r, 'Retry-After', null);
          r.body = JSON.stringify({ data: { channels: [{ network: networkOf(q), username: handleOf(q) }] } });
        },
      ],
      ['what is fetched is 200', 'CRE-02', (r) => void (r.status === 202 && ((r.status = 200), 0))],
      [
        'a discovery never ends',
        'CRE-03',
        (r, q, state) =>
          void (
            (once(state, q) && r.status === 202 && state.set(`first ${q.path}`, 1)) ||
            (state.has(`first ${q.path}`) && r.status !== 202 && admit(r, q))
          ),
      ],
      [
        'a discovery ends in a fault',
        'CRE-03',
        (r, q, state) =>
          void (
            (once(state, q) && r.status === 202 && state.set(`first ${q.path}`, 1)) ||
            (state.has(`first ${q.path}`) && r.status === 200 && refuse(r, 500))
          ),
      ],
      ['a miss says no reason', 'CRE-04', (r) => void (isMiss(r) && failure(r, (error) => delete error.details))],
      ['a miss has a reason of posts', 'CRE-04', (r) => void (isMiss(r) && missed(r, 'outside-recent-media-window'))],
      [
        'what cannot be had is called unparseable',
        'CRE-04',
        (r) => void (isMiss(r) && missed(r, 'unparseable-identifier')),
      ],
      [
        'alone a miss has another reason than in a batch',
        'CRB-07',
        (r) => void (isMiss(r) && missed(r, 'account-private')),
      ],
      [
        'a failure on the side of the service is a 500',
        'CRE-04',
        (r) => void (isMiss(r) && /"retryable":true/.test(r.body) && refuse(r, 500)),
      ],
      [
        'alone a failure on the side of the service is terminal',
        'CRB-07',
        (r) => void (isMiss(r) && failure(r, (error) => delete error.details.retryable)),
      ],
      ['a miss is gone', 'CRE-04', (r) => void (isMiss(r) && ((r.status = 410), 0))],
      [
        'a miss is null',
        'CRE-04',
        (r) => {
          if (isMiss(r)) {
            r.status = 200;
            r.body = '{"data":null}';
          }
        },
      ],
      [
        'an unsupported network is refused',
        'CRE-05',
        (r, q) => void (networkOf(q) === unsupportedNetwork && r.status === 404 && refuse(r, 400)),
      ],
      [
        'an unsupported network is fetched',
        'CRE-05',
        (r, q) => void (networkOf(q) === unsupportedNetwork && r.status === 404 && admit(r, q)),
      ],
      [
        'an unsupported network has another reason',
        'CRE-05',
        (r, q) =>
          void (
            networkOf(q) === unsupportedNetwork &&
            failure(r, (error) => (error.details = { reason: 'account-not-discoverable' }))
          ),
        'ruling',
      ],
      [
        'posts are always there',
        'CRE-06',
        (r, q) => void (given(q, 'include') === undefined && documents(r, (one) => void (one.posts = []))),
      ],
      ['posts are never there', 'CRE-06', (r) => documents(r, (one) => void delete one.posts)],
      [
        'without posts the key is null',
        'CRE-06',
        (r, q) => void (given(q, 'include') === undefined && documents(r, (one) => void (one.posts = null))),
      ],
      [
        'any include is taken',
        'CRE-07',
        (r, q) => void (r.status === 400 && given(q, 'include') !== undefined && admit(r, q)),
      ],
      [
        'another include is not found',
        'CRE-07',
        (r, q) => void (r.status === 400 && given(q, 'include') !== undefined && refuse(r, 404)),
      ],
      ['the oldest post comes first', 'CRE-08', (r) => documents(r, (one) => void one.posts?.reverse()), 'ruling'],
      [
        'posts come as they like',
        'CRE-08',
        (r) => documents(r, (one) => void (one.posts && one.posts.push(one.posts.shift()))),
        'ruling',
      ],
      [
        'the entry names the handle in lower case',
        'CRE-09',
        (r) =>
          void (r.status === 202 && json(r, (body) => void (body.fetching[0].id = body.fetching[0].id.toLowerCase()))),
        'ruling',
      ],
      [
        'the entry names the network too',
        'CRE-09',
        (r, q) =>
          void (
            r.status === 202 && json(r, (body) => void (body.fetching[0].id = `${networkOf(q)}:${body.fetching[0].id}`))
          ),
        'ruling',
      ],
      [
        'a handle that is none is refused',
        'CRE-10',
        (r) => void (isMiss(r) && r.body.includes('unparseable-identifier') && refuse(r, 400)),
        'ruling',
      ],
      [
        'a handle that is none is fetched',
        'CRE-10',
        (r, q) =>
          void (
            isMiss(r) &&
            r.body.includes('unparseable-identifier') &&
            admit(r, { ...q, path: q.path.replace(/%(?![0-9a-f]{2})/gi, '') })
          ),
        'ruling',
      ],
      [
        'a handle that is none is not discoverable',
        'CRE-10',
        (r, q) =>
          void (
            networkOf(q) !== unsupportedNetwork &&
            handleOf(q) !== '' &&
            isMiss(r) &&
            failure(r, (error) => {
              if (error.details.reason === 'unparseable-identifier') error.details.reason = 'account-not-discoverable';
            })
          ),
        'ruling',
      ],
      [
        'a post of a creator has its metrics as text',
        'DOC-01',
        (r) => creatorPosts(r, (post) => (post.likeCount = String(post.likeCount))),
      ],
    ]),
  );
