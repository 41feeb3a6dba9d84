/** Faults that only the extended profile shows: what is right at one operation, and was forgotten at its sibling. */
import type { AlterableRequest, AlterableResponse, Fault } from '../model.ts';
import {
  admit,
  creatorPosts,
  failure,
  given,
  handleOf,
  isBatch,
  isMiss,
  isPosts,
  isSingle,
  networkOf,
  parsed,
  refuse,
  submitted,
  table,
  type Row,
  type Table,
} from './edit.ts';

type Fits = (q: AlterableRequest) => boolean;

const refused = (r: AlterableResponse): boolean => r.status >= 400;
const lets =
  (fits: Fits): Fault['alter'] =>
  (r, q) =>
    void (refused(r) && !isMiss(r) && fits(q) && admit(r, q));

const rows = (unsupportedNetwork: string): Row[] => [
  ...(['getCreator', 'listCreators', 'batchCreators', 'batchPosts'] as const).map((operation): Row => [
    `${operation} takes an id for a slug`,
    'ORG-04',
    lets((q) => q.operation === operation && String(given(q, 'asOrg')).startsWith('org_')),
  ]),
  [
    'a single read of a post has no asOrg',
    'ORG-04',
    lets((q) => isPosts(q) && isSingle(q) && given(q, 'asOrg') !== undefined),
  ],
  ...(['getCreator', 'batchPosts'] as const).map((operation): Row => [
    `${operation} has no asProfile`,
    'ORG-07',
    lets((q) => q.operation === operation && given(q, 'asProfile') !== undefined),
  ]),
  [
    'a single read of a post has no asProfile',
    'ORG-07',
    lets((q) => isPosts(q) && isSingle(q) && given(q, 'asProfile') !== undefined),
  ],
  [
    'the ids form has no asProfile',
    'ORG-07',
    lets((q) => q.operation === 'getPosts' && isBatch(q) && given(q, 'asProfile') !== undefined),
  ],
  [
    'ids of posts with nothing in it are an empty batch',
    'IDS-05',
    lets((q) => q.operation === 'getPosts' && isBatch(q) && submitted(q).length === 0),
  ],
  [
    'an empty list of creators is an empty batch',
    'IDS-05',
    lets((q) => q.operation === 'batchCreators' && parsed(q.body)?.ids?.length === 0),
  ],
  [
    'one creator need not be in an array',
    'CRB-08',
    lets((q) => q.operation === 'batchCreators' && typeof parsed(q.body)?.ids === 'string'),
  ],
  [
    'broken JSON of posts is a fault',
    'CRB-08',
    (r, q) => void (q.operation === 'batchPosts' && parsed(q.body) === undefined && refuse(r, 500)),
  ],
  [
    'the ids form takes any include',
    'PST-05',
    lets((q) => isBatch(q) && String(given(q, 'include')).includes('Transcript')),
  ],
  ['include compares without case', 'CRE-07', lets((q) => given(q, 'include') === 'Posts')],
  ...(['listCreators', 'getPosts', 'batchPosts'] as const).map((operation): Row => [
    `${operation} refuses a default network that is not supported`,
    'IDS-06',
    (r, q) => void (q.operation === operation && given(q, 'network') === unsupportedNetwork && refuse(r, 400)),
  ]),
  [
    'alone any handle is looked for',
    'CRE-10',
    (r, q) => void (isMiss(r) && networkOf(q) === 'netA' && /[^\w.%-]/.test(handleOf(q)) && admit(r, q)),
    'ruling',
  ],
  [
    'alone a handle of any length is looked for',
    'CRE-10',
    (r, q) => void (isMiss(r) && handleOf(q).length > 100 && admit(r, q)),
    'ruling',
  ],
  [
    'alone a network compares without case',
    'IDS-13',
    (r, q) => void (isMiss(r) && networkOf(q) === 'NETA' && admit(r, q)),
    'ruling',
  ],
  [
    'alone a post that the service failed at is terminal',
    'PST-01',
    (r, q) => void (isPosts(q) && isMiss(r) && failure(r, (error) => delete error.details.retryable)),
  ],
  [
    'the other network has no addresses of posts',
    'PST-01',
    (r, q) =>
      void (
        isSingle(q) &&
        String(given(q, 'url')).includes('netb.') &&
        refuse(r, 404, { reason: 'unparseable-identifier' })
      ),
  ],
  [
    'authors of posts are verified for everybody',
    'DOC-13',
    (r) => creatorPosts(r, (one) => void (one.author.verified = true)),
    'ruling',
  ],
];

export const forgotten: Table = ({ unsupportedNetwork }) =>
  table('in a hurry', rows(unsupportedNetwork)).map((fault) => ({ ...fault, profile: 'extended' as const }));
