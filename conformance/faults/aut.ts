/** Faults against AUT. The tokens are the target's, so that one fault is about one kind of token. */
import type { AlterableRequest } from '../model.ts';
import { admit, given, header, headersOf, refuse, submitted, table, tokenOf, type Table } from './edit.ts';

const lines = (q: AlterableRequest): string[] => headersOf(q, 'authorization');
const malformed = (q: AlterableRequest): boolean => lines(q).length > 0 && tokenOf(q) === undefined;
const badInput = (q: AlterableRequest): boolean =>
  q.operation === 'getPosts'
    ? (given(q, 'url') === undefined) === (submitted(q).length === 0) ||
      /include=\w*(?:bogus|wrong|nonsense|unknown|other)/i.test(q.path)
    : q.operation === 'getCreator'
      ? /include=(?!posts(?:&|$))/.test(q.path)
      : submitted(q).length === 0 || submitted(q).length > 100;

export const aut: Table = ({ tokens }) => {
  const is = (role: 'expired' | 'revoked' | 'creatorsOnly' | 'postsOnly', q: AlterableRequest): boolean =>
    tokenOf(q) !== undefined && tokenOf(q) === tokens[role]?.token;
  const known = Object.values(tokens).map((one) => one.token);
  const unknown = (q: AlterableRequest): boolean => {
    const token = tokenOf(q);
    return token !== undefined && !known.includes(token);
  };
  return table('AUT', [
    ['nobody may read', 'AUT-01', (r, q) => void (r.status === 401 && lines(q).length === 0 && admit(r, q))],
    ['nobody is forbidden', 'AUT-01', (r, q) => void (r.status === 401 && lines(q).length === 0 && refuse(r, 403))],
    [
      'another scheme is let in',
      'AUT-02',
      (r, q) => void (r.status === 401 && /^basic/i.test(lines(q)[0] ?? '') && admit(r, q)),
    ],
    ['any malformed header is let in', 'AUT-02', (r, q) => void (r.status === 401 && malformed(q) && admit(r, q))],
    [
      'a malformed header is a wrong input',
      'AUT-02',
      (r, q) => void (r.status === 401 && malformed(q) && refuse(r, 400)),
    ],
    ['any token is let in', 'AUT-03', (r, q) => void (r.status === 401 && unknown(q) && admit(r, q))],
    ['an unknown token is forbidden', 'AUT-03', (r, q) => void (r.status === 401 && unknown(q) && refuse(r, 403))],
    ['expiry is not looked at', 'AUT-04', (r, q) => void (is('expired', q) && admit(r, q))],
    ['an expired token is forbidden', 'AUT-04', (r, q) => void (is('expired', q) && refuse(r, 403))],
    ['revocation is not looked at', 'AUT-05', (r, q) => void (is('revoked', q) && admit(r, q))],
    ['a revoked token is not found', 'AUT-05', (r, q) => void (is('revoked', q) && refuse(r, 404))],
    [
      'getCreator needs no scope',
      'AUT-06',
      (r, q) => void (r.status === 403 && is('postsOnly', q) && q.operation === 'getCreator' && admit(r, q)),
    ],
    [
      'listCreators needs no scope',
      'AUT-06',
      (r, q) => void (r.status === 403 && is('postsOnly', q) && q.operation === 'listCreators' && admit(r, q)),
    ],
    [
      'batchCreators needs no scope',
      'AUT-06',
      (r, q) => void (r.status === 403 && is('postsOnly', q) && q.operation === 'batchCreators' && admit(r, q)),
    ],
    ['a missing scope is 401', 'AUT-06', (r, q) => void (r.status === 403 && is('postsOnly', q) && refuse(r, 401))],
    [
      'getPosts needs no scope',
      'AUT-07',
      (r, q) => void (r.status === 403 && is('creatorsOnly', q) && q.operation === 'getPosts' && admit(r, q)),
    ],
    [
      'batchPosts needs no scope',
      'AUT-07',
      (r, q) => void (r.status === 403 && is('creatorsOnly', q) && q.operation === 'batchPosts' && admit(r, q)),
    ],
    [
      'a missing scope hides the operation',
      'AUT-07',
      (r, q) => void (r.status === 403 && is('creatorsOnly', q) && refuse(r, 404)),
    ],
    ['401 names no scheme', 'AUT-09', (r) => void (r.status === 401 && header(r, 'WWW-Authenticate', null)), 'ruling'],
    [
      '200 asks for a credential',
      'AUT-09',
      (r) => void (r.status === 200 && header(r, 'WWW-Authenticate', 'Bearer')),
      'ruling',
    ],
    [
      '401 asks for Basic',
      'AUT-09',
      (r) => void (r.status === 401 && header(r, 'WWW-Authenticate', 'Basic realm="api"')),
      'ruling',
    ],
    [
      '403 does not say which scope',
      'AUT-09',
      (r, q) =>
        void (
          r.status === 403 &&
          (is('creatorsOnly', q) || is('postsOnly', q)) &&
          header(r, 'WWW-Authenticate', 'Bearer error="insufficient_scope"')
        ),
      'ruling',
    ],
    [
      '403 says nothing of scopes',
      'AUT-09',
      (r, q) =>
        void (r.status === 403 && (is('creatorsOnly', q) || is('postsOnly', q)) && header(r, 'WWW-Authenticate', null)),
      'ruling',
    ],
    [
      'input is looked at before the scope',
      'AUT-10',
      (r, q) => void (r.status === 403 && badInput(q) && refuse(r, 400)),
      'ruling',
    ],
    [
      'input is looked at before the credential',
      'AUT-10',
      (r, q) => void (r.status === 401 && badInput(q) && refuse(r, 400)),
      'ruling',
    ],
    [
      'asOrg is looked at before the input',
      'AUT-10',
      (r, q) => void (r.status === 400 && given(q, 'asOrg') !== undefined && refuse(r, 403)),
      'ruling',
    ],
    [
      'bearer in lower case is refused',
      'AUT-12',
      (r, q) => void ((lines(q)[0] ?? '').startsWith('bearer') && refuse(r, 401)),
      'ruling',
    ],
    [
      'two blanks are refused',
      'AUT-12',
      (r, q) => void (/^bearer {2,}/i.test(lines(q)[0] ?? '') && refuse(r, 401)),
      'ruling',
    ],
  ]);
};
