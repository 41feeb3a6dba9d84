/** Faults against IDS: which network an identifier is of, and which there are. */
import { batch, channels, given, isBatch, lose, posts, refuse, table, type Any, type Table } from './edit.ts';
import { fetched, isUrl, prefix, some } from './ids-edit.ts';

/** A document becomes one of the other network. */
const onto = (document: Any, one: string, other: string): void => {
  const holder = document?.channels?.[0] ?? document;
  if (holder) holder.network = holder.network === one ? other : one;
};

export const networks: Table = ({ networks, unsupportedNetwork }) => {
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
      'an empty network is one that is not supported',
      'ORG-09',
      (r, q) => void (given(q, 'network') === '' && lose(r, some(q, bare), 'not-supported-on-network')),
      'ruling',
    ],
  ]);
};
