/** Faults against ERR: the error envelope. */
import type { AlterableRequest } from '../model.ts';
import { batch, failure, given, header, headerOf, isMiss, table, type Any, type Table } from './edit.ts';

const forOrganization = (q: AlterableRequest): boolean =>
  given(q, 'asOrg') !== undefined || given(q, 'asProfile') !== undefined;

const codes: readonly (readonly [number, string])[] = [
  [400, 'bad-request'],
  [401, 'unauthenticated'],
  [403, 'insufficient-scope'],
  [404, 'creator-not-found'],
];

export const err: Table = () =>
  table('ERR', [
    ['an error has no message', 'ERR-01', (r) => failure(r, (error) => delete error.message)],
    ['an error has no code', 'ERR-01', (r) => void (r.status === 400 && failure(r, (error) => delete error.code))],
    [
      'the message has a stack',
      'ERR-01',
      (r) =>
        void (
          r.status === 400 &&
          failure(
            r,
            (error) => (error.message = 'SyntaxError: no\n    at JSON.parse (<anonymous>)\n    at /app/body.js:12:9'),
          )
        ),
      'ruling',
    ],
    ['an error has a stack', 'ERR-01', (r) => failure(r, (error) => (error.stack = 'Error: x')), 'ruling'],
    [
      'every error says Retry-After',
      'ERR-01',
      (r) => void (r.status >= 400 && !headerOf(r.headers, 'retry-after') && header(r, 'Retry-After', '5')),
      'ruling',
    ],
    ['details have no reason', 'ERR-01', (r) => void (isMiss(r) && failure(r, (error) => delete error.details.reason))],
    ['details are empty', 'ERR-01', (r) => failure(r, (error) => (error.details ??= {}))],
    ['details are null', 'ERR-01', (r) => failure(r, (error) => (error.details ??= null))],
    [
      'a terminal miss says retryable: false',
      'ERR-01',
      (r) => void (isMiss(r) && failure(r, (error) => (error.details.retryable ??= false))),
    ],
    [
      'the message is a list',
      'ERR-01',
      (r) => void (r.status === 400 && failure(r, (error) => (error.message = [error.message]))),
    ],
    ...codes.map(
      ([status, code]) =>
        [
          `the code of ${status} is ${code}`,
          'ERR-02',
          (r: Any) => void (r.status === status && failure(r, (error) => (error.code = code))),
        ] as const,
    ),
    [
      'the code of 405 is not-found',
      'ERR-02',
      (r) => void (r.status === 405 && failure(r, (error) => (error.code = 'not-found'))),
      'ruling',
    ],
    [
      'a code is written in capitals',
      'ERR-02',
      (r) => failure(r, (error) => (error.code = String(error.code).toUpperCase().replace('-', '_'))),
    ],
    ['a miss has no details', 'ERR-03', (r) => void (isMiss(r) && failure(r, (error) => delete error.details))],
    [
      'an unknown path has details',
      'ERR-03',
      (r, q) =>
        void (
          r.status === 404 &&
          !q.operation &&
          failure(r, (error) => (error.details = { reason: 'account-not-discoverable' }))
        ),
      'ruling',
    ],
    [
      'the 404 of asOrg has details',
      'ERR-03',
      (r, q) =>
        void (
          r.status === 404 &&
          forOrganization(q) &&
          failure(r, (error) => (error.details = { reason: 'account-not-discoverable' }))
        ),
    ],
    [
      'entries of a batch have the envelope',
      'GEN-04',
      (r, q) =>
        batch(r, q, (body) =>
          body.unavailable.forEach((one: Any) => (one.error = { code: 'not-found', message: 'x' })),
        ),
      'ruling',
    ],
  ]);
