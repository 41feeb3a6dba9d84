/** Faults against IDS: which names one entity goes by, and what is no name. */
import {
  batch,
  header,
  isBatch,
  isCreators,
  isPosts,
  lose,
  refuse,
  submitted,
  table,
  type Any,
  type Table,
} from './edit.ts';
import { fetched, isUrl, prefix, some } from './ids-edit.ts';

export const names: Table = ({ networks }) => {
  const [first = 'netA', second = 'netB'] = Object.keys(networks);
  return table('IDS', [
    [
      'what cannot be parsed is refused',
      'IDS-07',
      (r, q) => void (isBatch(q) && r.status === 200 && /unparseable-identifier/.test(r.body) && refuse(r, 400)),
    ],
    [
      'what cannot be parsed has another reason',
      'IDS-07',
      (r, q) =>
        batch(r, q, (body) =>
          body.unavailable.forEach((one: Any) => {
            if (one.reason === 'unparseable-identifier') one.reason = 'account-not-discoverable';
          }),
        ),
    ],
    [
      'what cannot be parsed is fetched',
      'IDS-07',
      (r, q) => batch(r, q, (body) => fetched(body, (_, reason) => reason === 'unparseable-identifier')),
    ],
    [
      'a profile among posts is fetched',
      'IDS-08',
      (r, q) =>
        void (
          isPosts(q) &&
          batch(r, q, (body) => fetched(body, (id, reason) => isUrl(id) && reason === 'unparseable-identifier'))
        ),
      'ruling',
    ],
    [
      'a post among creators is fetched',
      'IDS-08',
      (r, q) =>
        void (
          isCreators(q) &&
          batch(r, q, (body) => fetched(body, (id, reason) => isUrl(id) && reason === 'unparseable-identifier'))
        ),
      'ruling',
    ],
    [
      '@ is not dropped',
      'IDS-09',
      (r, q) =>
        lose(
          r,
          some(q, (id) => /^(?:[^:/]+:)?@/.test(id)),
          'unparseable-identifier',
        ),
      'ruling',
    ],
    [
      'm. is another host',
      'IDS-09',
      (r, q) =>
        lose(
          r,
          some(q, (id) => /^https?:\/\/m\./.test(id)),
          'unparseable-identifier',
        ),
      'ruling',
    ],
    [
      'addresses compare with their query',
      'IDS-09',
      (r, q) =>
        lose(
          r,
          some(q, (id) => isUrl(id) && /[?#]/.test(id)),
          'unparseable-identifier',
        ),
      'ruling',
    ],
    [
      'www is another host',
      'IDS-09',
      (r, q) =>
        lose(
          r,
          some(q, (id) => /^https?:\/\/(www|m)\./.test(id)),
          'unparseable-identifier',
        ),
      'ruling',
    ],
    [
      'handles compare with case',
      'IDS-09',
      (r, q) =>
        lose(
          r,
          some(q, (id) => isCreators(q) && !isUrl(id) && /[A-Z]/.test(id.replace(/^[^:]+:/, ''))),
          'account-not-discoverable',
        ),
      'ruling',
    ],
    [
      'a reel is another post',
      'IDS-12',
      (r, q) =>
        lose(
          r,
          some(q, (id) => isPosts(q) && id.includes('/reel/')),
          'outside-recent-media-window',
        ),
      'ruling',
    ],
    [
      'shortcodes compare without case',
      'IDS-12',
      (r, q) =>
        void (
          isPosts(q) &&
          batch(r, q, (body) => {
            const same = (id: string): boolean =>
              submitted(q).some((other) => other !== id && other.toLowerCase() === id.toLowerCase());
            const held = body.data.find((post: Any) => post.network === first);
            if (!held) return;
            const code = (post: Any): string => String(post.netA.shortcode);
            body.data = body.data.map((post: Any) =>
              post.network === first && code(post).toLowerCase() === code(held).toLowerCase() ? held : post,
            );
            if (!body.fetching.some((one: Any) => same(one.id))) return;
            body.data.push(...body.fetching.filter((one: Any) => same(one.id)).map(() => held));
            body.fetching = body.fetching.filter((one: Any) => !same(one.id));
            if (body.fetching.length === 0) header(r, 'Retry-After', null);
          })
        ),
      'ruling',
    ],
    [
      'a network compares without case',
      'IDS-13',
      (r, q) =>
        batch(r, q, (body) =>
          fetched(body, (id) =>
            [first, second].some(
              (name) =>
                prefix(id) !== undefined && prefix(id) !== name && prefix(id)?.toLowerCase() === name.toLowerCase(),
            ),
          ),
        ),
      'ruling',
    ],
    [
      'a host that only ends or begins like one will do',
      'IDS-13',
      (r, q) => batch(r, q, (body) => fetched(body, (id) => /^https:\/\/(?:not|[^/]+\.invalid\/(?!nobody))/.test(id))),
      'ruling',
    ],
    [
      'length is counted in UTF-16',
      'IDS-13',
      (r, q) =>
        batch(r, q, (body) =>
          body.unavailable.forEach((one: Any) => {
            if (one.id.length > 2048) one.reason = 'unparseable-identifier';
          }),
        ),
      'ruling',
    ],
    [
      'every @ is dropped',
      'CRE-10',
      (r, q) => batch(r, q, (body) => fetched(body, (id) => id.includes('@@'))),
      'ruling',
    ],
    [
      'a handle has at most 30 characters',
      'CRE-10',
      (r, q) =>
        lose(
          r,
          some(q, (id) => isCreators(q) && prefix(id) !== undefined && /:[\w.-]{31,100}$/.test(id)),
          'unparseable-identifier',
        ),
      'ruling',
    ],
    [
      'the id that the network gave to a post is no name of it',
      'IDS-12',
      (r, q) =>
        lose(
          r,
          some(q, (id) => isPosts(q) && prefix(id) === first && /:\d{10,}$/.test(id)),
          'outside-recent-media-window',
        ),
      'ruling',
    ],
    [
      'an address of another scheme is a name on a network',
      'IDS-13',
      (r, q) =>
        batch(r, q, (body) =>
          body.unavailable.forEach((one: Any) => {
            if (one.id.startsWith('ftp://')) one.reason = 'not-supported-on-network';
          }),
        ),
      'ruling',
    ],
    [
      'any length will do',
      'IDS-13',
      (r, q) => batch(r, q, (body) => fetched(body, (id) => id.length > 2048)),
      'ruling',
    ],
    [
      'user info in an address is passed over',
      'IDS-13',
      (r, q) => batch(r, q, (body) => fetched(body, (id) => /^https?:\/\/[^/]*@[^/]+\//.test(id))),
      'ruling',
    ],
    [
      'a port in an address is passed over',
      'IDS-13',
      (r, q) => batch(r, q, (body) => fetched(body, (id) => /^https?:\/\/[^/]+:\d+\//.test(id))),
      'ruling',
    ],
  ]);
};
