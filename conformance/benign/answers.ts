/** Legal but unusual answers: headers, JSON, clocks, waits, messages and connections. */
import zlib from 'node:zlib';
import { batch, failure, given, header, headerOf, json, type Any } from '../faults/edit.ts';
import type { AlterableResponse } from '../model.ts';
import { rewritten, type Row } from './variant.ts';
import { afterHints, closing, compressed, inChunks, withMark } from './wire.ts';

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

const cased =
  (edit: (name: string) => string) =>
  (r: AlterableResponse): void => {
    r.headers = r.headers.map(([name, value]) => [edit(name), value]);
  };

export const unusualAnswers: readonly Row[] = [
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
  {
    name: 'answers are deflated',
    alter: () => undefined,
    write: compressed('deflate', (text) => zlib.deflateSync(text)),
  },
  {
    name: 'answers are deflated without the marks of zlib',
    alter: () => undefined,
    write: compressed('deflate', (text) => zlib.deflateRawSync(text)),
  },
  { name: 'early hints come before an answer', alter: () => undefined, write: afterHints },
  { name: 'bodies begin with a byte order mark', alter: () => undefined, write: withMark },
  {
    name: 'whole numbers have a fraction',
    alter: (r) => void (r.body = r.body.replace(/("\w+Count":\d+)(?=[,}])/g, '$1.0')),
  },
  { name: 'the clock is an hour ahead', alter: skewed(3600) },
  { name: 'waits are 5 minutes', alter: waiting(300) },
  {
    name: '401 names another scheme as well',
    alter: (r) => {
      if (r.status === 401) r.headers = [['WWW-Authenticate', 'Basic realm="lookup"'], ...r.headers];
    },
  },
  {
    name: 'Cache-Control comes in two lines',
    alter: (r) => {
      if (headerOf(r.headers, 'cache-control') !== undefined) r.headers = [['Cache-Control', 'private'], ...r.headers];
    },
  },
  {
    name: 'the budget has another name, and blanks',
    alter: (r) => {
      for (const name of ['RateLimit', 'RateLimit-Policy']) {
        const value = headerOf(r.headers, name)?.replace('"default"', '"per minute"').replaceAll(';', '; ');
        if (value !== undefined) header(r, name, value);
      }
    },
  },
  {
    name: 'the budget is one of several',
    alter: (r) => {
      const [policy, limit] = [headerOf(r.headers, 'RateLimit-Policy'), headerOf(r.headers, 'RateLimit')];
      if (policy !== undefined) header(r, 'RateLimit-Policy', `"day, all; q=1";q=86400;w=86400;pk=:YQ==:, ${policy}`);
      if (limit !== undefined) r.headers = [['RateLimit', '"day, all; q=1";r=86000;t=86300'], ...r.headers];
    },
  },
  {
    name: 'of what looks like nothing the network is looked at first',
    alter: (r, q) =>
      batch(r, q, (body) => {
        if (['netA', 'netB'].includes(given(q, 'network') ?? 'netA')) return;
        for (const one of body.unavailable)
          if (/^(?!https?:)\w+:\/\//.test(one.id)) one.reason = 'not-supported-on-network';
      }),
  },
  {
    name: 'messages name the request',
    alter: (r) => failure(r, (error) => void (error.message += ` (${headerOf(r.headers, 'x-request-id') ?? 'no id'})`)),
  },
];
