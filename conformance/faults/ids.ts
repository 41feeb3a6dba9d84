/** Faults against IDS: the grammar of identifiers. */
import type { AlterableRequest } from '../model.ts';
import {
  admit,
  batch,
  channels,
  given,
  header,
  isBatch,
  isCreators,
  isPosts,
  lose,
  posts,
  refuse,
  submitted,
  table,
  type Any,
  type Table,
} from './edit.ts';

const isUrl = (id: string): boolean => /^https?:/i.test(id);
const prefix = (id: string): string | undefined => (isUrl(id) ? undefined : /^([^:]+):/.exec(id)?.[1]);
const some = (q: AlterableRequest, fits: (id: string) => boolean): string[] =>
  isBatch(q) ? [...new Set(submitted(q))].filter(fits) : [];
/** An identifier that should be unavailable is fetched. */
const fetched = (body: Any, fits: (id: string, reason: string) => boolean): void => {
  const moved = body.unavailable.filter((entry: Any) => fits(entry.id, entry.reason));
  body.unavailable = body.unavailable.filter((entry: Any) => !moved.includes(entry));
  for (const { id } of moved)
    body.fetching.push({ id, retryAfter: body.fetching[0]?.retryAfter ?? new Date(Date.now() + 3000).toISOString() });
};
/** A document becomes one of the other network. */
const onto = (document: Any, one: string, other: string): void => {
  const holder = document?.channels?.[0] ?? document;
  if (holder) holder.network = holder.network === one ? other : one;
};
const raw = (q: AlterableRequest): string[] => {
  const ids = given(q, 'ids');
  return Array.isArray(ids) ? ids : String(ids ?? '').split(',');
};

export const ids: Table = ({ networks, unsupportedNetwork }) => {
  const [first = 'netA', second = 'netB'] = Object.keys(networks);
  const bare = (id: string): boolean => !isUrl(id) && prefix(id) === undefined;
  return table('IDS', [
    ['an address is not understood', 'IDS-01', (r, q) => lose(r, some(q, isUrl), 'unparseable-identifier')],
    [
      'a qualified identifier is not understood',
      'IDS-01',
      (r, q) =>
        lose(
          r,
          some(q, (id) => prefix(id) === first || prefix(id) === second),
          'unparseable-identifier',
        ),
    ],
    ['a bare identifier is not understood', 'IDS-01', (r, q) => lose(r, some(q, bare), 'unparseable-identifier')],
    [
      'addresses are read on the other network',
      'IDS-01',
      (r, q) =>
        void (
          some(q, (id) => isUrl(id) && !id.includes('unknown.invalid')).length > 0 &&
          batch(r, q, (body) => onto(body.data.at(-1), first, second))
        ),
    ],
    [
      'POST of posts has no network',
      'IDS-02',
      (r, q) =>
        void (
          q.operation === 'batchPosts' &&
          given(q, 'network') === second &&
          batch(r, q, (body) =>
            onto(
              body.data.findLast((one: Any) => one.network === second),
              first,
              second,
            ),
          )
        ),
    ],
    [
      'network is a filter',
      'IDS-02',
      (r, q) =>
        lose(
          r,
          some(
            q,
            (id) => given(q, 'network') !== undefined && prefix(id) !== undefined && prefix(id) !== given(q, 'network'),
          ),
          'not-supported-on-network',
        ),
    ],
    [
      'network is a filter for addresses',
      'IDS-02',
      (r, q) =>
        lose(
          r,
          some(q, (id) => given(q, 'network') !== undefined && isUrl(id)),
          'not-supported-on-network',
        ),
    ],
    [
      'two networks in one batch are refused',
      'IDS-03',
      (r, q) => void (new Set(some(q, (id) => prefix(id) !== undefined).map(prefix)).size > 1 && refuse(r, 400)),
    ],
    [
      'the network of a post is in capitals',
      'IDS-03',
      (r, q) => void (isBatch(q) && posts(r, (post) => (post.network = post.network.toUpperCase()))),
    ],
    [
      'the network of a post read alone is in capitals',
      'PST-01',
      (r, q) => void (!isBatch(q) && posts(r, (post) => (post.network = post.network.toUpperCase()))),
    ],
    [
      'the network of a channel is in capitals',
      'CRE-01',
      (r, q) => void (!isBatch(q) && channels(r, (channel) => (channel.network = channel.network.toUpperCase()))),
    ],
    [
      'the second network of a batch is lost',
      'IDS-03',
      (r, q) =>
        lose(
          r,
          some(q, (id) => prefix(id) === second),
          'not-supported-on-network',
        ),
    ],
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
      'an unsupported network is refused',
      'IDS-06',
      (r, q) => void (some(q, (id) => prefix(id) === unsupportedNetwork).length > 0 && refuse(r, 400)),
    ],
    [
      'an unsupported network has another reason',
      'IDS-06',
      (r, q) =>
        batch(r, q, (body) =>
          body.unavailable.forEach((one: Any) => {
            if (one.reason === 'not-supported-on-network') one.reason = 'unparseable-identifier';
          }),
        ),
    ],
    [
      'an unsupported network is fetched',
      'IDS-06',
      (r, q) => batch(r, q, (body) => fetched(body, (_, reason) => reason === 'not-supported-on-network')),
    ],
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
      'an empty network is one that is not supported',
      'ORG-09',
      (r, q) => void (given(q, 'network') === '' && lose(r, some(q, bare), 'not-supported-on-network')),
      'ruling',
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
};
