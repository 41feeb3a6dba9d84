/** Faults against IDS: how many identifiers a request has, and where each begins and ends. */
import type { AlterableRequest } from '../model.ts';
import {
  admit,
  batch,
  given,
  isBatch,
  isPosts,
  lose,
  posts,
  refuse,
  submitted,
  table,
  type Any,
  type Table,
} from './edit.ts';
import { some } from './ids-edit.ts';

const raw = (q: AlterableRequest): string[] => {
  const ids = given(q, 'ids');
  return Array.isArray(ids) ? ids : String(ids ?? '').split(',');
};

export const lists: Table = () =>
  table('IDS', [
    [
      'an empty token is an identifier',
      'IDS-04',
      (r, q) =>
        void (
          q.method === 'GET' &&
          /,\s*,|,\s*$/.test(String(given(q, 'ids'))) &&
          batch(r, q, (body) => body.unavailable.push({ id: '', reason: 'unparseable-identifier' }))
        ),
    ],
    [
      'an empty token is refused',
      'IDS-04',
      (r, q) =>
        void (q.method === 'GET' && /,\s*,|,\s*$/.test(String(given(q, 'ids'))) && r.status === 200 && refuse(r, 400)),
    ],
    [
      'blanks are part of an identifier',
      'IDS-04',
      (r, q) =>
        void (
          q.method === 'GET' &&
          /,\s*\S+\s+,|%20%2C|\+,|%20,/.test(q.path) &&
          batch(r, q, (body) => [...body.fetching, ...body.unavailable].forEach((one: Any) => (one.id = ` ${one.id}`)))
        ),
    ],
    [
      'over 50 posts are refused',
      'IDS-05',
      (r, q) => void (isPosts(q) && r.status === 200 && submitted(q).length > 50 && refuse(r, 400)),
    ],
    [
      'over 100 creators in a query are cut',
      'IDS-05',
      (r, q) => void (r.status === 400 && q.operation === 'listCreators' && submitted(q).length > 100 && admit(r, q)),
    ],
    [
      'over 100 posts by POST are cut',
      'IDS-05',
      (r, q) => void (r.status === 400 && q.operation === 'batchPosts' && submitted(q).length > 100 && admit(r, q)),
    ],
    ['over 100 are cut', 'IDS-05', (r, q) => void (r.status === 400 && submitted(q).length > 100 && admit(r, q))],
    [
      'over 100 is 413',
      'IDS-05',
      (r, q) => void (r.status === 400 && submitted(q).length > 100 && ((r.status = 413), 0)),
    ],
    [
      'no identifier is an empty batch',
      'IDS-05',
      (r, q) => void (r.status === 400 && isBatch(q) && submitted(q).length === 0 && q.method === 'GET' && admit(r, q)),
    ],
    [
      'a blank item is an identifier',
      'IDS-10',
      (r, q) =>
        void (
          q.method === 'POST' &&
          raw(q).some((id) => String(id).trim() === '') &&
          batch(r, q, (body) => body.unavailable.push({ id: '', reason: 'unparseable-identifier' }))
        ),
      'ruling',
    ],
    [
      'a blank item is refused',
      'IDS-10',
      (r, q) =>
        void (
          q.method === 'POST' &&
          r.status === 200 &&
          raw(q).some((id) => String(id).trim() === '') &&
          refuse(r, 400)
        ),
      'ruling',
    ],
    [
      'items are echoed without their blanks',
      'IDS-10',
      (r, q) =>
        void (
          q.method === 'POST' &&
          batch(r, q, (body) => [...body.fetching, ...body.unavailable].forEach((one: Any) => (one.id = one.id.trim())))
        ),
      'ruling',
    ],
    [
      'a repeat is answered again',
      'IDS-11',
      (r, q) =>
        void (
          new Set(submitted(q)).size < submitted(q).length &&
          batch(r, q, (body) =>
            body.unavailable.push(
              ...body.unavailable.filter((one: Any) => submitted(q).filter((id) => id === one.id).length > 1),
            ),
          )
        ),
      'ruling',
    ],
    [
      'repeats are joined before they are counted',
      'IDS-11',
      (r, q) =>
        void (r.status === 400 && submitted(q).length > 100 && new Set(submitted(q)).size <= 100 && admit(r, q)),
      'ruling',
    ],
    [
      'two names of one entity are answered once',
      'IDS-11',
      (r, q) =>
        void (
          new Set(submitted(q).map((id) => id.toLowerCase().replace(/^.*[:/@]/, ''))).size <
            new Set(submitted(q)).size &&
          batch(r, q, (body) => {
            (body.data.length > 1 ? body.data : body.fetching).pop();
          })
        ),
      'ruling',
    ],
    [
      'an item is read with its blanks',
      'IDS-10',
      (r, q) =>
        lose(
          r,
          some(q, (id) => id !== id.trim()),
          'unparseable-identifier',
        ),
      'ruling',
    ],
    [
      'ids given twice are refused',
      'IDS-14',
      (r, q) => void (r.status === 200 && /[?&]ids=.*&ids=/.test(q.path) && refuse(r, 400)),
      'ruling',
    ],
    [
      'include given twice is refused',
      'IDS-14',
      (r, q) => void (r.status === 200 && /[?&]include=.*&include=/.test(q.path) && refuse(r, 400)),
      'ruling',
    ],
    [
      'of include given twice the last counts',
      'IDS-14',
      (r, q) => {
        if (!/[?&]include=.*&include=/.test(q.path)) return;
        const last = q.path.split('include=').at(-1) ?? '';
        posts(r, (post) => (post.analysis = { [last]: post.analysis[last] }));
      },
      'ruling',
    ],
    [
      'of ids given twice the last counts',
      'IDS-14',
      (r, q) =>
        void (
          /[?&]ids=.*&ids=/.test(q.path) &&
          batch(r, q, (body) => {
            (body.data.length > 0 ? body.data : body.fetching.length > 0 ? body.fetching : body.unavailable).shift();
          })
        ),
      'ruling',
    ],
  ]);
