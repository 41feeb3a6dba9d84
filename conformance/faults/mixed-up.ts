/** Faults of code that takes one thing for another: an entity, a network, an operation, a clock, an encoding. */
import type { Fault } from '../model.ts';
import type { Target } from '../target.ts';
import {
  admit,
  batch,
  channels,
  creatorPosts,
  documents,
  entries,
  given,
  handleOf,
  header,
  headerOf,
  isBatch,
  isCreators,
  isPosts,
  isSingle,
  networkOf,
  posts,
  refuse,
  submitted,
  table,
  tokenOf,
  type Any,
  type Row,
  type Table,
} from './edit.ts';

/** A variable of a loop that outlives its turn: all of one network are its first. */
const firstOfEach = (body: Any): void => {
  const first: Record<string, Any> = {};
  body.data = body.data.map((one: Any) => structuredClone((first[(one.channels?.[0] ?? one).network] ??= one)));
};

const eastOfHere = 9 * 3_600_000;
const later = (instant: string): string => new Date(Date.parse(instant) + eastOfHere).toISOString();

const entities: readonly Row[] = [
  ['creators of a batch are all the first one', 'CRB-02', (r, q) => void (isCreators(q) && batch(r, q, firstOfEach))],
  ['posts of a batch are all the first one', 'PST-02', (r, q) => void (isPosts(q) && batch(r, q, firstOfEach))],
  [
    'what was discovered is another creator',
    'CRE-03',
    (r, q) =>
      void (
        handleOf(q).toLowerCase().startsWith('conf') &&
        channels(r, (one) => Object.assign(one, { externalId: '7', username: 'somebody.else' }))
      ),
  ],
  [
    'what was discovered is another post',
    'PST-01',
    (r, q) =>
      void (
        isSingle(q) &&
        q.path.includes('conf') &&
        posts(r, (one) => {
          one.url = one.netA.permalink = 'https://neta.example/p/else';
          Object.assign(one.netA, { shortcode: 'else', netAMediaId: '7' });
          one.externalId = '7';
        })
      ),
  ],
];

const texts: readonly Row[] = [
  [
    'echoes are read as Latin-1',
    'CRB-05',
    (r, q) =>
      batch(r, q, (body) => entries(body).forEach((one) => (one.id = Buffer.from(one.id, 'utf8').toString('latin1')))),
  ],
  [
    'echoes are normalized',
    'CRB-05',
    (r, q) => batch(r, q, (body) => entries(body).forEach((one) => (one.id = one.id.normalize('NFC')))),
  ],
  [
    'local time of a snapshot is called UTC',
    'DOC-01',
    (r) => channels(r, (one) => (one.updatedAt &&= later(one.updatedAt))),
  ],
  [
    'a date that nobody set is the zero of the clock',
    'DOC-01',
    (r) => channels(r, (one) => (one.updatedAt = '1970-01-01T00:00:00.000Z')),
  ],
  ['local time of a post is called UTC', 'DOC-01', (r) => posts(r, (one) => (one.updatedAt &&= later(one.updatedAt)))],
  [
    'local time of a wait is called UTC',
    'CRB-04',
    (r, q) => batch(r, q, (body) => body.fetching.forEach((one: Any) => (one.retryAfter = later(one.retryAfter)))),
  ],
];

const profiles = ({ profiles: { own } }: Target): Row[] => [
  [
    'an own profile is none where posts are asked for',
    'ORG-06',
    (r, q) => void (isPosts(q) && given(q, 'asProfile') === own && refuse(r, 404)),
  ],
];

const ofNetB = (edit: Fault['alter']): Fault['alter'] => {
  return (r, q, state) => (networkOf(q) === 'netB' ? edit(r, q, state) : undefined);
};

/** What only the requests of the extended profile show. */
const further: readonly Row[] = [
  ['creators of netB have no posts', 'CRE-06', ofNetB((r) => documents(r, (one) => delete one.posts))],
  [
    'posts of creators of netB are of another author',
    'DOC-09',
    ofNetB((r) => creatorPosts(r, (one) => (one.author.accountId = '7'))),
  ],
  ['posts of creators of netB have no media', 'DOC-10', ofNetB((r) => creatorPosts(r, (one) => delete one.media))],
  ['one post needs no scope', 'AUT-07', (r, q) => void (r.status === 403 && isPosts(q) && isSingle(q) && admit(r, q))],
  ['a body that is null is a fault', 'CRB-08', (r, q) => void (q.body === 'null' && refuse(r, 500))],
];

/** What is left of a budget, `more` less than was said. */
const costs = (r: Parameters<Fault['alter']>[0], state: Map<string, unknown>, key: string, more: number): void => {
  const all = Number(state.get(key) ?? 0) + more;
  state.set(key, all);
  const limit = headerOf(r.headers, 'ratelimit');
  const fewer = (_all: string, left: string): string => `r=${Math.max(0, Number(left) - all)}`;
  if (limit !== undefined) header(r, 'RateLimit', limit.replace(/r=(\d+)/, fewer));
};

const budget: readonly Row[] = [
  [
    'a batch of posts costs as much as it has identifiers',
    'RAT-07',
    (r, q, state) =>
      costs(r, state, tokenOf(q) ?? '', isPosts(q) && isBatch(q) && r.status === 200 ? submitted(q).length - 1 : 0),
    'ruling',
  ],
];

/** Of one token, so that what another principal is told stays as it is. */
const exhausted = ({ tokens: { rateLimited } }: Target): Row[] => [
  [
    'creators and posts have a budget each',
    'RAT-01',
    (r, q) => void (r.status === 429 && isCreators(q) && tokenOf(q) === rateLimited?.token && admit(r, q)),
  ],
  [
    'a full batch of posts costs 100',
    'RAT-05',
    (r, q, state) => {
      if (tokenOf(q) === rateLimited?.token && state.has('spent')) refuse(r, 429);
      if (isPosts(q) && submitted(q).length === 100) state.set('spent', true);
    },
  ],
];

export const mixedUp: Table = (target) => [
  ...table('mixed up', [...entities, ...texts, ...profiles(target)]),
  ...table('mixed up', further).map((fault) => ({ ...fault, profile: 'extended' as const })),
  // Its headers are judged by the recording alone, as those of the other faults against the budget.
  ...table('RAT', budget),
  ...table('RAT', exhausted(target)).map((fault) => ({ ...fault, profile: 'rate-limit' as const })),
];
