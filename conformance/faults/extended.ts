/** Faults that only the requests of the extended profile show, each against the rule that those requests are for. */
import type { AlterableRequest, AlterableResponse, Fault } from '../model.ts';
import {
  admit,
  documents,
  failure,
  given,
  header,
  headersOf,
  isBatch,
  isPosts,
  parsed,
  pathOf,
  refuse,
  submitted,
  table,
  tokenOf,
  type Any,
  type Row,
  type Table,
} from './edit.ts';

const lines = (q: AlterableRequest): string[] => headersOf(q, 'authorization');
const refused = (r: AlterableResponse): boolean => r.status >= 400;
const body = (q: AlterableRequest): Any => (q.method === 'POST' ? parsed(q.body) : undefined);
const urlOf = (q: AlterableRequest): string | null => new URLSearchParams(q.path.split('?')[1] ?? '').get('url');

/** Lets in what is refused, where it fits. */
const lets =
  (fits: (q: AlterableRequest) => boolean): Fault['alter'] =>
  (r, q) =>
    void (refused(r) && fits(q) && admit(r, q));

const open = (operation: string): Row => [
  `${operation} needs no credential`,
  'AUT-01',
  lets((q) => q.operation === operation && lines(q).length === 0),
];
const nullable = (field: string): Row => [
  `${field} may be null`,
  'IDS-14',
  lets((q) => body(q)?.[field] === null),
  'ruling',
];
const given2 = (name: string): Row => [
  `of ${name} given twice one is taken`,
  'IDS-14',
  lets((q) => q.path.split(`${name}=`).length > 2),
  'ruling',
];

export const extended: Table = ({ tokens, organizations }) => {
  const full = Object.values(tokens).map(({ token }) => token);
  const begins = (q: AlterableRequest): boolean =>
    full.some((token) => (tokenOf(q) ?? '').startsWith(token) && tokenOf(q) !== token);
  const rows: Row[] = [
    ...['listCreators', 'batchCreators', 'getPosts', 'batchPosts'].map(open),
    ['a token is compared by its beginning', 'AUT-03', lets(begins)],
    [
      'quotation marks around a token are taken away',
      'AUT-02',
      lets((q) => (lines(q)[0] ?? '').startsWith('Bearer "')),
    ],
    ['an empty Authorization header is nobody, who may read', 'AUT-02', lets((q) => lines(q)[0] === '')],
    [
      'expiry is looked at for creators only',
      'AUT-04',
      lets((q) => isPosts(q) && tokenOf(q) === tokens.expired?.token),
    ],
    [
      'revocation is looked at for creators only',
      'AUT-05',
      lets((q) => isPosts(q) && tokenOf(q) === tokens.revoked?.token),
    ],
    ['an empty asOrg counts as absent', 'ORG-09', lets((q) => given(q, 'asOrg') === ''), 'ruling'],
    ['an empty asProfile counts as absent', 'ORG-09', lets((q) => given(q, 'asProfile') === ''), 'ruling'],
    ['slugs of organizations are trimmed', 'ORG-09', lets((q) => String(given(q, 'asOrg')).startsWith(' ')), 'ruling'],
    ['slugs of profiles are trimmed', 'ORG-09', lets((q) => String(given(q, 'asProfile')).endsWith(' ')), 'ruling'],
    [
      'only the id of an organization that exists is taken for one',
      'ORG-04',
      (r, q) => {
        const asked = String(given(q, 'asOrg'));
        if (asked.startsWith('org_') && asked !== organizations.id) refuse(r, 403);
      },
      'ruling',
    ],
    given2('network'),
    given2('asOrg'),
    ...['network', 'asOrg', 'asProfile'].map(nullable),
    ['any value will do for a flag', 'IDS-14', lets((q) => typeof body(q)?.creatorDeepAnalysis === 'string'), 'ruling'],
    [
      'a body without ids is an empty batch',
      'IDS-05',
      lets((q) => body(q) && !Array.isArray(body(q)) && !('ids' in body(q))),
    ],
    [
      'blank items are an empty batch',
      'IDS-10',
      lets((q) => body(q)?.ids?.length === 2 && submitted(q).length === 0),
      'ruling',
    ],
    ['numbers among ids are taken as text', 'CRB-08', lets((q) => typeof body(q)?.ids?.[0] === 'number')],
    ['lists among ids are flattened', 'CRB-08', lets((q) => Array.isArray(body(q)?.ids?.[0]))],
    ['null is a list of nothing', 'CRB-08', lets((q) => body(q)?.ids === null)],
    ['a bare list is a body too', 'CRB-08', lets((q) => Array.isArray(body(q)))],
    [
      'a body of more than 1 MiB is 413',
      'CRB-08',
      (r, q) => void (q.body.length > 2 ** 18 && (r.status = 413)),
      'ruling',
    ],
    ['of two Authorization lines the first counts', 'AUT-12', lets((q) => lines(q).length > 1), 'ruling'],
    [
      'another content type is 415',
      'CRB-08',
      (r, q) =>
        void (r.status === 400 && /text\/plain/.test(headersOf(q, 'content-type')[0] ?? '') && (r.status = 415)),
      'ruling',
    ],
    [
      'a list of one identifier is a single read',
      'PST-02',
      (r, q) => {
        if (q.operation !== 'getPosts' || q.method !== 'GET' || r.status !== 200 || submitted(q).length !== 1) return;
        refuse(r, 404, { reason: 'not-supported-on-network' });
      },
    ],
    ...(['listCreators', 'getPosts'] as const).map((operation): Row => [
      `${operation} is 202 where there is nothing but to wait`,
      operation === 'getPosts' ? 'PST-02' : 'CRB-01',
      (r, q) => {
        const { data, fetching, unavailable } = (isBatch(q) && r.status === 200 && parsed(r.body)) || {};
        if (q.operation === operation && fetching?.length && !data.length && !unavailable.length) r.status = 202;
      },
    ]),
    [
      'an empty list of posts is left out',
      'CRE-06',
      (r) => documents(r, (one) => void (one.posts?.length === 0 && delete one.posts)),
    ],
    [
      'POST of a list is a batch',
      'GEN-07',
      (r, q) => {
        if (q.method !== 'POST' || !pathOf(q).endsWith('/creators')) return;
        admit(r, { ...q, operation: 'batchCreators', body: '{"ids":["someone"]}' });
      },
      'ruling',
    ],
    [
      'creatorDeepAnalysis that is true is refused',
      'PST-06',
      (r, q) => void (body(q)?.creatorDeepAnalysis === true && refuse(r, 400)),
    ],
    ['an empty url counts as absent', 'PST-03', (r, q) => void (urlOf(q) === '' && refuse(r, 400)), 'ruling'],
    [
      'empty ids beside url count as absent',
      'PST-03',
      lets((q) => urlOf(q) !== null && given(q, 'ids') === ''),
      'ruling',
    ],
    ['url takes any identifier', 'IDS-13', lets((q) => /^\w+:(?!\/\/)/.test(urlOf(q) ?? '')), 'ruling'],
    [
      'the profile of an author is looked for among posts',
      'IDS-08',
      (r, q) => void (urlOf(q) && failure(r, (error) => error.details && (error.details.reason = 'author-unresolved'))),
      'ruling',
    ],
    ['two slashes are one', 'GEN-13', lets((q) => pathOf(q).includes('//')), 'ruling'],
    [
      'paths compare without case',
      'GEN-13',
      lets((q) => pathOf(q) !== pathOf(q).toLowerCase() && !q.operation),
      'ruling',
    ],
    [
      'what is below a creator is the creator',
      'GEN-13',
      lets((q) => pathOf(q).endsWith('/posts') && !q.operation),
      'ruling',
    ],
    [
      'Allow is one for all paths',
      'GEN-07',
      (r) => void (r.status === 405 && header(r, 'Allow', 'GET, HEAD, POST')),
      'ruling',
    ],
    [
      'OPTIONS is answered with nothing',
      'GEN-07',
      (r, q) => void (q.method === 'OPTIONS' && ((r.status = 204), (r.body = ''))),
      'ruling',
    ],
    [
      'GET of a batch is not found',
      'GEN-07',
      (r, q) => void (q.method === 'GET' && pathOf(q).endsWith('/batch') && refuse(r, 404)),
      'ruling',
    ],
    [
      'marketplace fields show to everybody',
      'DOC-13',
      (r, q) => {
        if (tokenOf(q) !== tokens.withoutMarketplace?.token) return;
        documents(r, (one) => one.channels?.forEach((channel: Any) => (channel.netA.onboardedStatus = true)));
      },
      'ruling',
    ],
    [
      'verified shows to everybody',
      'DOC-13',
      (r, q) => {
        if (tokenOf(q) !== tokens.withoutMarketplace?.token) return;
        documents(r, (one) => one.channels?.forEach((channel: Any) => (channel.verified = true)));
      },
      'ruling',
    ],
    [
      'a read that comes early is refused',
      'STA-04',
      (r, q, state) => {
        const times = Number(state.get(q.path) ?? 0) + 1;
        state.set(q.path, times);
        if (times !== 2 || q.operation !== 'getCreator') return;
        refuse(r, 400);
      },
    ],
    [
      'a read that comes early ends the discovery',
      'STA-04',
      (r, q, state) => {
        const times = Number(state.get(q.path) ?? 0) + 1;
        state.set(q.path, times);
        if (times > 2 && q.operation === 'getCreator') refuse(r, 500);
      },
    ],
  ];
  return table('beyond the core', rows).map((fault) => ({ ...fault, profile: 'extended' as const }));
};
