/** Faults of somebody in a hurry: what only a second name, a full batch or a touchy character shows. */
import type { AlterableRequest, AlterableResponse, Fault } from '../model.ts';
import type { Target } from '../target.ts';
import {
  admit,
  batch,
  channels,
  documents,
  entries,
  given,
  handleOf,
  header,
  headerOf,
  headersOf,
  isBatch,
  isCreators,
  isPosts,
  isSingle,
  lose,
  posts,
  refuse,
  submitted,
  table,
  tokenOf,
  type Any,
  type Row,
  type Table,
} from './edit.ts';

const isUrl = (id: string): boolean => id.includes('://');
const bare = (id: string): boolean => !id.includes(':');
const known = (id: string): boolean => !/unknown\.invalid|^netZ:/.test(id);
const echoed = (edit: (id: string) => string): Fault['alter'] => {
  return (r, q) => batch(r, q, (body) => entries(body).forEach((one) => (one.id = edit(one.id))));
};

/** Identifiers of a batch that are held stay among those being fetched. */
function neverHeld(r: AlterableResponse, q: AlterableRequest, ids: readonly string[]): void {
  batch(r, q, (body) => {
    const retryAfter =
      body.fetching[0]?.retryAfter ?? new Date(Math.ceil(Date.now() / 1000) * 1000 + 3000).toISOString();
    const told = new Set(entries(body).map(({ id }) => id));
    for (const id of ids.filter((one) => !told.has(one))) {
      body.data.pop();
      body.fetching.push({ id, retryAfter });
    }
    if (body.fetching.length > 0 && !headerOf(r.headers, 'retry-after')) header(r, 'Retry-After', '3');
  });
}

/** One name for every spelling of an entity. */
function canonical(q: AlterableRequest, id: string): string {
  const [, network, name] = /^https:\/\/(net[ab])\.example\/(?:@|p\/|@[^/]+\/video\/)?([^/]+)$/.exec(id) ?? [];
  if (name !== undefined) return `${network}:${name}`.toLowerCase();
  return (bare(id) ? `${given(q, 'network') ?? 'netA'}:${id}` : id).toLowerCase();
}

function joined(q: AlterableRequest, list: Any[]): Any[] {
  const byName = new Map(list.toReversed().map((one) => [canonical(q, one.id), one]));
  return list.filter((one) => byName.get(canonical(q, one.id)) === one);
}

const identifiers: readonly Row[] = [
  ...(['listCreators', 'getPosts', 'batchCreators', 'batchPosts'] as const).map((operation): Row => [
    `${operation} takes 99`,
    'IDS-05',
    (r, q) => void (q.operation === operation && submitted(q).length === 100 && refuse(r, 400)),
  ]),
  [
    'two names of what is not held are answered once',
    'CRB-02',
    (r, q) =>
      batch(r, q, (body) => {
        body.fetching = joined(q, body.fetching);
        body.unavailable = joined(q, body.unavailable);
      }),
  ],
  [
    'two names of a post that is not held are answered once',
    'PST-02',
    (r, q) => batch(r, q, (body) => void (body.unavailable = joined(q, body.unavailable))),
  ],
  [
    'a creator is held under its bare name only',
    'IDS-01',
    (r, q) =>
      void (
        isCreators(q) &&
        neverHeld(
          r,
          q,
          submitted(q).filter((id) => isUrl(id) && known(id)),
        )
      ),
  ],
  [
    'a post is held by its address only',
    'IDS-01',
    (r, q) => void (isPosts(q) && neverHeld(r, q, submitted(q).filter(bare))),
  ],
  [
    'POST of posts reads bare names on the default network',
    'IDS-01',
    (r, q) =>
      void (
        q.operation === 'batchPosts' &&
        given(q, 'network') === 'netB' &&
        lose(r, submitted(q).filter(bare), 'outside-recent-media-window')
      ),
  ],
  [
    'commas count only as they are',
    'IDS-04',
    (r, q) =>
      void (
        /[?&]ids=[^&]*%2C/i.test(q.path) &&
        r.status === 200 &&
        submitted(q).length > 1 &&
        admit(r, { ...q, path: q.path.replaceAll('%2C', '%EF%BC%8C') })
      ),
  ],
  [
    'queries are decoded twice',
    'CRB-05',
    echoed((id) => {
      try {
        return decodeURIComponent(id);
      } catch {
        return id;
      }
    }),
  ],
  ['a plus is a blank', 'CRB-05', echoed((id) => id.replaceAll('+', ' '))],
  ['echoes are what a parser made of an address', 'CRB-05', echoed((id) => (isUrl(id) ? new URL(id).href : id))],
  ['echoes of addresses lose their query', 'CRB-05', echoed((id) => (isUrl(id) ? (id.split(/[?#]/)[0] ?? '') : id))],
  ['echoes end after 255 characters', 'CRB-05', echoed((id) => id.slice(0, 255))],
  [
    'alone a handle compares with case',
    'IDS-09',
    (r, q) =>
      void (
        q.operation === 'getCreator' &&
        r.status === 200 &&
        handleOf(q) !== handleOf(q).toLowerCase() &&
        refuse(r, 404, { reason: 'account-not-discoverable' })
      ),
    'ruling',
  ],
  [
    'alone a handle may have no @',
    'IDS-09',
    (r, q) => void (handleOf(q).startsWith('@') && refuse(r, 404, { reason: 'unparseable-identifier' })),
    'ruling',
  ],
  [
    'alone an address may have no query',
    'IDS-09',
    (r, q) =>
      void (
        r.status === 200 &&
        isSingle(q) &&
        /[?#]/.test(String(given(q, 'url'))) &&
        refuse(r, 404, { reason: 'unparseable-identifier' })
      ),
    'ruling',
  ],
  [
    'the address of a post may have no query',
    'IDS-12',
    (r, q) =>
      void (
        isPosts(q) &&
        isBatch(q) &&
        lose(
          r,
          submitted(q).filter((id) => known(id) && /[?#]/.test(id)),
          'unparseable-identifier',
        )
      ),
    'ruling',
  ],
];

const answers: readonly Row[] = [
  [
    'the request id is the one that the caller sent',
    'GEN-02',
    (r, q) => {
      const [sent] = headersOf(q, 'x-request-id');
      if (sent !== undefined) header(r, 'x-request-id', sent);
    },
    'ruling',
  ],
  [
    'an instant is of a month that there is not',
    'GEN-05',
    (r, q) => batch(r, q, (body) => body.fetching.forEach((one: Any) => (one.retryAfter = '2026-13-45T00:00:00Z'))),
  ],
  ['Allow has no HEAD', 'GEN-07', (r) => void (r.status === 405 && header(r, 'Allow', 'GET')), 'ruling'],
  ['HEAD shows no budget', 'GEN-07', (r, q) => void (q.method === 'HEAD' && header(r, 'RateLimit', null)), 'ruling'],
  [
    'asOrg is looked at before the scope',
    'AUT-10',
    (r, q) => void (r.status === 403 && String(given(q, 'asOrg')).startsWith('org_') && refuse(r, 404)),
    'ruling',
  ],
  [
    'batches tell their snapshots to the second, and other figures',
    'CRB-07',
    (r, q) =>
      void (
        isBatch(q) &&
        channels(r, (one) => {
          one.updatedAt = one.updatedAt?.replace(/\.\d+Z$/, 'Z') ?? null;
          if (one.followersCount !== null) one.followersCount += 1;
        })
      ),
  ],
  [
    'a body of more than 100 kB is refused',
    'CRB-08',
    (r, q) => void (q.body.length > 102_400 && r.status === 200 && refuse(r, 400)),
    'ruling',
  ],
  [
    'a challenge names every scope there is',
    'AUT-09',
    (r) =>
      void (
        r.status === 403 &&
        header(
          r,
          'WWW-Authenticate',
          headerOf(r.headers, 'www-authenticate')?.replace(/(?:creators|posts):read/, 'creators:read posts:read') ??
            null,
        )
      ),
    'ruling',
  ],
  [
    'a creator has each post twice',
    'CRE-08',
    (r) => documents(r, (one) => void (one.posts &&= one.posts.flatMap((post: Any) => [post, post]))),
    'ruling',
  ],
  [
    'names are lost in batches',
    'CRB-07',
    (r, q) => void (isBatch(q) && channels(r, (one) => void (one.username = null))),
  ],
  [
    'an asset not yet there has an empty address',
    'DOC-10',
    (r) => posts(r, (one) => one.media.forEach((node: Any) => (node.thumbnailUrl = ''))),
  ],
  [
    'an asset has a path for an address',
    'DOC-10',
    (r) => posts(r, (one) => one.media.forEach((node: Any) => (node.mediaUrl = '/assets/1.mp4'))),
    'ruling',
  ],
  [
    'a post has a path for an address',
    'DOC-01',
    (r) => posts(r, (one) => (one.url = one.netA.permalink = '/p/1')),
    'ruling',
  ],
  ['an unknown country is an empty text', 'DOC-01', (r) => channels(r, (one) => (one.country = '')), 'ruling'],
];

const organizations = ({ organizations: { member, delegated } }: Target): Row[] => [
  [
    'a member of another organization reads no posts for it',
    'ORG-01',
    (r, q) => void (q.operation === 'batchPosts' && given(q, 'asOrg') === member && refuse(r, 403)),
  ],
  [
    'a delegated role does not count for creators',
    'ORG-02',
    (r, q) => void (isCreators(q) && given(q, 'asOrg') === delegated && refuse(r, 403)),
  ],
];

const spent = (r: AlterableResponse, state: Map<string, unknown>, key: string, more: number): void => {
  const limit = headerOf(r.headers, 'ratelimit');
  if (limit === undefined) return;
  const all = Number(state.get(key) ?? 0) + more;
  state.set(key, all);
  const fewer = (_all: string, left: string): string => `r=${Math.max(0, Number(left) - all)}`;
  header(r, 'RateLimit', limit.replace(/r=(\d+)/, fewer));
};

const budget: readonly Row[] = [
  [
    'a batch costs as much as it has identifiers',
    'RAT-07',
    (r, q, state) =>
      spent(r, state, tokenOf(q) ?? '', isBatch(q) && r.status === 200 ? Math.max(0, submitted(q).length - 1) : 0),
    'ruling',
  ],
];

/** A window has to last for some seconds before anybody sees that it does not end. */
const windows: readonly Row[] = [
  [
    'the window begins anew with each request',
    'RAT-07',
    (r) => header(r, 'RateLimit', headerOf(r.headers, 'ratelimit')?.replace(/t=\d+/, 't=60') ?? null),
    'ruling',
  ],
];

export const hurried: Table = (target) => [
  ...table('in a hurry', [...identifiers, ...organizations(target), ...answers]),
  // Its headers are judged by the recording alone, as those of the other faults against the budget.
  ...table('RAT', budget),
  ...table('RAT', windows).map((fault) => ({ ...fault, profile: 'rate-limit' as const })),
];
