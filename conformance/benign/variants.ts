/**
 * Legal but unusual implementations. The suite has to be silent about each, by default and with `--strict`; those that
 * only go against a ruling of ours may be spoken of with `--strict`.
 */
import type http from 'node:http';
import zlib from 'node:zlib';
import {
  batch,
  channels,
  creatorPosts,
  documents,
  failure,
  header,
  headerOf,
  isMiss,
  json,
  posts,
  type Any,
} from '../faults/edit.ts';
import type { AlterableResponse, Variant } from '../model.ts';

/** A variant may also say how its answer is written to the wire. */
export interface WireVariant extends Variant {
  readonly write?: (outgoing: http.ServerResponse, answer: AlterableResponse) => void;
}

const walk = (value: Any, edit: (key: string, value: Any) => Any): Any => {
  if (Array.isArray(value)) return value.map((one) => walk(one, edit));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, walk(edit(key, one), edit)]));
};

const rewritten = (r: AlterableResponse, edit: (key: string, value: Any) => Any): void =>
  json(r, (body) => ({ instead: walk(body, edit) }));

const instants = ['updatedAt', 'postedAt', 'retryAfter'];
const instant =
  (edit: (text: string) => string) =>
  (r: AlterableResponse): void => {
    rewritten(r, (key, value) => (instants.includes(key) && typeof value === 'string' ? edit(value) : value));
  };

const shifted = (text: string, minutes: number): string =>
  new Date(Date.parse(text) + minutes * 60_000).toISOString().replace('Z', '+05:30');

/** The same moment, a wait of `seconds` told in header and body alike. */
const waiting =
  (seconds: number) =>
  (r: AlterableResponse): void => {
    if (headerOf(r.headers, 'retry-after') === undefined || r.status === 429) return;
    header(r, 'Retry-After', String(seconds));
    const date = Date.parse(headerOf(r.headers, 'date') ?? new Date().toUTCString());
    rewritten(r, (key, value) => (key === 'retryAfter' ? new Date(date + seconds * 1000).toISOString() : value));
  };

const reversed = (value: Any): Any => {
  if (Array.isArray(value)) return value.map(reversed);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, one]) => [key, reversed(one)]),
  );
};

const skewed =
  (seconds: number) =>
  (r: AlterableResponse): void => {
    const moved = (text: string): string => new Date(Date.parse(text) + seconds * 1000).toISOString();
    const date = headerOf(r.headers, 'date');
    if (date) header(r, 'Date', new Date(Date.parse(date) + seconds * 1000).toUTCString());
    rewritten(r, (key, value) => (key === 'retryAfter' ? moved(value) : value));
  };

const plain = (
  outgoing: http.ServerResponse,
  { status, headers }: AlterableResponse,
  body: Buffer | string,
  more: [string, string][],
): void => {
  outgoing.sendDate = false;
  outgoing.writeHead(status, [...headers, ...more].flat());
  outgoing.end(outgoing.req.method === 'HEAD' ? undefined : body);
};

const compressed =
  (encoding: string, pack: (text: string) => Buffer): NonNullable<WireVariant['write']> =>
  (outgoing, answer) => {
    const body = pack(answer.body);
    plain(outgoing, answer, body, [
      ['Content-Encoding', encoding],
      ['Content-Length', String(body.length)],
    ]);
  };

const inChunks: NonNullable<WireVariant['write']> = (outgoing, { status, headers, body }) => {
  outgoing.sendDate = false;
  outgoing.writeHead(status, headers.flat());
  if (outgoing.req.method === 'HEAD') return void outgoing.end();
  const bytes = Buffer.from(body);
  for (let at = 0; at < bytes.length; at += 997) outgoing.write(bytes.subarray(at, at + 997));
  outgoing.end();
};

const closing: NonNullable<WireVariant['write']> = (outgoing, answer) =>
  plain(outgoing, answer, answer.body, [
    ['Connection', 'close'],
    ['Content-Length', String(Buffer.byteLength(answer.body))],
  ]);

const cased =
  (edit: (name: string) => string) =>
  (r: AlterableResponse): void => {
    r.headers = r.headers.map(([name, value]) => [edit(name), value]);
  };

const unobserved = (group: Any, but: readonly string[]): void => {
  for (const key of Object.keys(group))
    if (!but.includes(key) && typeof group[key] !== 'boolean' && !Array.isArray(group[key])) group[key] = null;
};

const secondChannel = (r: AlterableResponse): void =>
  documents(r, (one) => {
    if (one.channels?.length !== 1) return;
    one.channels.push({
      ...structuredClone(one.channels[0]),
      externalId: 'second-channel',
      username: 'second_channel',
    });
  });

const newReason = (r: AlterableResponse, q: Any): void => {
  batch(r, q, (body) =>
    body.unavailable.forEach((one: Any) => {
      if (one.reason === 'account-not-discoverable') one.reason = 'account-suspended';
    }),
  );
  if (isMiss(r))
    failure(r, (error) => {
      if (error.details.reason === 'account-not-discoverable') error.details.reason = 'account-suspended';
    });
};

const silent: readonly Omit<WireVariant, 'family' | 'strict'>[] = [
  { name: 'a reason nobody knows', alter: newReason },
  {
    name: 'a gender and an age range nobody knows',
    alter: (r) =>
      channels(r, (one) => {
        if (one.netA.gender !== null) {
          one.netA.gender = 'nonbinary';
          one.netA.ageBucket = '70+';
        }
      }),
  },
  { name: 'a badge nobody knows', alter: (r) => channels(r, (one) => one.netA.badges?.push('brand-new-badge')) },
  {
    name: 'raw kinds nobody knows',
    alter: (r) =>
      posts(r, (one) => {
        if (one.netA.mediaProductType !== null) one.netA.mediaProductType = 'THREAD';
      }),
  },
  {
    name: 'everything of a channel that may be null is',
    alter: (r) =>
      channels(r, (one) => {
        unobserved(one.netA, []);
        unobserved(one.netB, []);
        one.country = null;
        one.followersCount = null;
      }),
  },
  {
    name: 'a snapshot does not say when it was made',
    alter: (r) => rewritten(r, (key, value) => (key === 'updatedAt' ? null : value)),
  },
  {
    name: 'every asset is unavailable',
    alter: (r) => rewritten(r, (key, value) => (key === 'mediaUrl' || key === 'thumbnailUrl' ? null : value)),
  },
  {
    name: 'metrics of posts are null',
    alter: (r) =>
      creatorPosts(r, (one) => {
        for (const key of ['likeCount', 'commentCount', 'viewCount', 'shareCount', 'saveCount']) one[key] = null;
      }),
  },
  {
    name: 'the opaque groups are absent',
    alter: (r) => {
      channels(r, (one) => {
        delete one.netA.audienceDemographics;
        delete one.netA.creatorEngagedAccountsBreakdowns;
      });
      posts(r, (one) => delete one.netB.audienceDistributions);
    },
  },
  {
    name: 'the opaque groups have an odd shape',
    alter: (r) => {
      channels(r, (one) => {
        if (one.network === 'netA') one.netA.audienceDemographics = [7, { a: [] }, 'x'];
      });
      posts(r, (one) => {
        if (one.network === 'netB') one.netB.audienceDistributions = 'withheld';
      });
    },
  },
  {
    name: 'opaque analysis is a list',
    alter: (r) =>
      posts(r, (one) => {
        for (const key of ['vibeAnalysis', 'subjectAnalysis'])
          if (key in (one.analysis ?? {})) one.analysis[key] = [1, 'two'];
      }),
  },
  { name: 'keys come in another order', alter: (r) => json(r, (body) => ({ instead: reversed(body) })) },
  { name: 'JSON is pretty-printed', alter: (r) => json(r, (body) => void (r.body = JSON.stringify(body, null, 2))) },
  {
    name: 'JSON has escapes',
    alter: (r) =>
      void (r.body = r.body.replace(
        /[\u0080-\uffff]/g,
        (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )),
  },
  { name: 'header names are in lower case', alter: cased((name) => name.toLowerCase()) },
  { name: 'header names are in capitals', alter: cased((name) => name.toUpperCase()) },
  { name: 'the content type has no charset', alter: (r) => header(r, 'Content-Type', 'application/json') },
  {
    name: 'the content type has another case',
    alter: (r) => header(r, 'Content-Type', 'Application/JSON;charset=UTF-8'),
  },
  {
    name: 'more response headers',
    alter: (r) =>
      void r.headers.push(
        ['X-Served-By', 'edge-7'],
        ['Vary', 'Authorization'],
        ['Server', 'else'],
        ['Strict-Transport-Security', 'max-age=1'],
      ),
  },
  { name: 'there is no Date', alter: (r) => header(r, 'Date', null) },
  { name: 'the clock is 2 s ahead', alter: skewed(2) },
  { name: 'the clock is 2 s behind', alter: skewed(-2) },
  { name: 'waits are 1 s', alter: waiting(1) },
  { name: 'waits are 30 s', alter: waiting(30) },
  { name: 'timestamps are in another zone', alter: instant((text) => shifted(text, 330)) },
  {
    name: 'timestamps have six places',
    alter: instant((text) =>
      text.replace(/(\.\d+)?Z$/, (_, places: string | undefined) => `${(places ?? '.').padEnd(7, '0')}Z`),
    ),
  },
  { name: 'timestamps have no places', alter: instant((text) => text.replace(/\.\d+(?=Z$)/, '')) },
  { name: 'creators have two channels', alter: secondChannel },
  {
    name: 'messages are in another language',
    alter: (r, q) => {
      if (!/[?&"]asOrg/.test(q.path + q.body)) failure(r, (error) => (error.message = 'Das geht hier leider nicht.'));
    },
  },
  {
    name: 'request ids are numbers',
    alter: (r, _, state) => {
      const n = Number(state.get('n') ?? 0) + 1;
      state.set('n', n);
      if (headerOf(r.headers, 'x-request-id') !== undefined) header(r, 'x-request-id', String(n));
    },
  },
  { name: 'answers are gzipped', alter: () => undefined, write: compressed('gzip', (text) => zlib.gzipSync(text)) },
  {
    name: 'answers are compressed with brotli',
    alter: () => undefined,
    write: compressed('br', (text) =>
      zlib.brotliCompressSync(text, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 2 } }),
    ),
  },
  { name: 'answers come in chunks', alter: () => undefined, write: inChunks },
  { name: 'the connection is closed after each answer', alter: () => undefined, write: closing },
  { name: 'answers take a while', alter: () => new Promise((resolve) => setTimeout(resolve, 15)) },
];

const spoken: readonly Omit<WireVariant, 'family' | 'strict'>[] = [
  {
    name: 'another method is 404',
    alter: (r) => {
      if (r.status === 405) {
        r.status = 404;
        header(r, 'Allow', null);
        failure(r, (error) => (error.code = 'not-found'));
      }
    },
  },
  {
    name: 'neither url nor ids is another documented error',
    alter: (r, q) => {
      if (q.operation === 'getPosts' && !/[?&](url|ids)=/.test(q.path) && r.status === 400) {
        r.status = 404;
        failure(r, (error) => (error.code = 'not-found'));
      }
    },
  },
  {
    name: 'a single read names its entry otherwise',
    alter: (r, q) => {
      if (r.status === 202)
        json(
          r,
          (body) =>
            void (body.fetching[0].id =
              q.operation === 'getCreator' ? `discovery-of-${body.fetching[0].id}` : 'the-post'),
        );
    },
  },
  { name: 'documents have one more optional key', alter: (r) => documents(r, (one) => void (one.labels = ['new'])) },
  { name: 'channels have one more optional key', alter: (r) => channels(r, (one) => void (one.pronouns = null)) },
  {
    name: 'there are no budget headers',
    alter: (r) => {
      header(r, 'RateLimit', null);
      header(r, 'RateLimit-Policy', null);
    },
  },
  { name: 'answers may be stored', alter: (r) => header(r, 'Cache-Control', null) },
  { name: '401 names no scheme', alter: (r) => void (r.status === 401 && header(r, 'WWW-Authenticate', null)) },
  { name: 'posts of a creator come in another order', alter: (r) => documents(r, (one) => void one.posts?.reverse()) },
  {
    name: 'analysis has another shape inside',
    alter: (r) =>
      posts(r, (one) => {
        for (const key of Object.keys(one.analysis ?? {})) one.analysis[key] = { changed: true };
      }),
  },
  {
    name: 'a stale read is fetched',
    alter: (r, q, state) => {
      // The first read of a document is taken for a stale one; the second has been refreshed.
      if (q.operation !== 'getCreator' || q.method !== 'GET' || r.status !== 200 || state.has(q.path)) return;
      state.set(q.path, true);
      r.status = 202;
      header(r, 'Retry-After', '1');
      const id = decodeURIComponent((q.path.split('?')[0] ?? '').split('/')[5] ?? '');
      r.body = JSON.stringify({ fetching: [{ id, retryAfter: new Date(Date.now() + 1000).toISOString() }] });
    },
  },
];

export const variants: readonly WireVariant[] = [
  ...silent.map((one) => ({ ...one, family: 'silent', strict: 'silent' as const })),
  ...spoken.map((one) => ({ ...one, family: 'by default', strict: 'may speak' as const })),
];
