/** What other languages, frameworks and the servers between make of an answer: legal, and unlike ours. */
import type http from 'node:http';
import zlib from 'node:zlib';
import { header, headerOf } from '../faults/edit.ts';
import type { AlterableResponse } from '../model.ts';
import type { Row } from './variant.ts';

/** An answer written byte by byte, on a connection that ends with it. */
const written =
  (line: string, more: readonly string[] = [], body = (text: string): string => text): NonNullable<Row['write']> =>
  (outgoing: http.ServerResponse, { status, headers, body: text }: AlterableResponse) => {
    const lines = [
      line.replace('200', String(status)),
      ...headers.map(([name, value]) => `${name}: ${value}`),
      ...more,
    ];
    outgoing.socket?.end([...lines, '', outgoing.req.method === 'HEAD' ? '' : body(text)].join('\r\n'));
  };

const asIs = (): void => undefined;
const edited =
  (name: string, edit: (value: string) => string): Row['alter'] =>
  (r) => {
    const value = headerOf(r.headers, name);
    if (value !== undefined) header(r, name, edit(value));
  };

const inOneChunk = (text: string): string =>
  `${Buffer.byteLength(text).toString(16).toUpperCase().padStart(6, '0')};note=1\r\n${text}\r\n0\r\nx-sum: 1\r\n\r\n`;

const numbers = (edit: (number: string) => string): Row['alter'] => {
  return (r) =>
    void (r.body = r.body.replace(
      /(":)(\d+(?:\.\d+)?)(?=[,}\]])/g,
      (_, key: string, number: string) => key + edit(number),
    ));
};

const cookies: [string, string][] = [
  ['Set-Cookie', 'lb=a; Path=/'],
  ['Set-Cookie', 'session=b; Path=/'],
  ['Content-Security-Policy', `default-src ${'https://a.example '.repeat(300)}`],
  ['Via', '1.1 cache'],
  ['Age', '0'],
  ['X-RateLimit-Limit', '60'],
];

export const stacks: readonly Row[] = [
  { name: 'the server speaks HTTP/1.0', alter: asIs, write: written('HTTP/1.0 200 OK') },
  {
    name: 'an answer ends with its connection, its status has no words',
    alter: asIs,
    write: written('HTTP/1.1 200', ['Connection: close']),
  },
  {
    name: 'a status has words of its own',
    alter: asIs,
    write: written('HTTP/1.1 200 All is well', ['Connection: close']),
  },
  {
    name: 'chunks have notes, and headers follow them',
    alter: asIs,
    write: written(
      'HTTP/1.1 200 OK',
      ['Transfer-Encoding: chunked', 'Trailer: x-sum', 'Connection: close'],
      inOneChunk,
    ),
  },
  {
    name: 'an answer is said to be in the making before it comes',
    alter: asIs,
    write: (outgoing, { status, headers, body }) => {
      outgoing.writeProcessing();
      outgoing.sendDate = false;
      outgoing.writeHead(status, headers.flat());
      outgoing.end(outgoing.req.method === 'HEAD' ? undefined : body);
    },
  },
  {
    name: 'the encoding has its old name, in capitals',
    alter: asIs,
    write: (outgoing, { status, headers, body }) => {
      outgoing.sendDate = false;
      outgoing.writeHead(status, [...headers, ['Content-Encoding', 'X-GZIP']].flat());
      outgoing.end(outgoing.req.method === 'HEAD' ? undefined : zlib.gzipSync(body));
    },
  },
  { name: 'the encoding is called identity', alter: (r) => header(r, 'Content-Encoding', 'identity') },
  { name: 'there is white space around JSON', alter: (r) => void (r.body &&= `\r\n\t ${r.body}\n\n`) },
  { name: 'slashes are escaped', alter: (r) => void (r.body = r.body.replaceAll('/', '\\/')) },
  {
    name: 'keys have escapes of plain letters',
    alter: (r) =>
      void (r.body = r.body.replace(
        /"([a-z])([A-Za-z]+)":/g,
        (_, letter: string, rest: string) => `"\\u00${letter.charCodeAt(0).toString(16)}${rest}":`,
      )),
  },
  { name: 'numbers have exponents', alter: numbers((number) => `${number}e0`) },
  {
    name: 'large numbers have exponents in capitals',
    alter: numbers((number) => (Number(number) >= 10 ? `${Number(number) / 10}E+1` : number)),
  },
  { name: 'the charset is quoted', alter: (r) => header(r, 'Content-Type', 'application/json; charset="utf-8"') },
  {
    name: 'the content type has a profile, and utf8 without its dash',
    alter: (r) => header(r, 'Content-Type', 'application/json;profile="v1";charset=utf8'),
  },
  {
    name: 'request ids are long, with signs',
    alter: edited('x-request-id', (id) => `1-${id}-${'abcdef0123456789'.repeat(12)}==`),
  },
  { name: 'a balancer sets cookies and long headers', alter: (r) => void r.headers.push(...cookies) },
  {
    name: 'no-store is one directive of many',
    alter: edited('cache-control', () => 'private, max-age=0, No-Store, must-revalidate'),
  },
  { name: 'a policy names its unit', alter: edited('RateLimit-Policy', (policy) => `${policy};qu="requests"`) },
  {
    name: 'a longer window is told after the shorter one',
    alter: (r, ...rest) => {
      void edited('RateLimit-Policy', (policy) => `${policy}, "hour";q=100000000;w=3600`)(r, ...rest);
      void edited('RateLimit', (limit) => `${limit}, "hour";r=90000000;t=1800`)(r, ...rest);
    },
  },
  {
    name: '401 says what is wrong, its scheme in small letters',
    alter: (r) =>
      void (r.status === 401 && header(r, 'WWW-Authenticate', 'bearer realm="lookup", error="invalid_token"')),
  },
  {
    name: '403 has a realm, and tells the scope first',
    alter: (r, ...rest) =>
      void (
        r.status === 403 &&
        edited('WWW-Authenticate', (challenge) => {
          const scope = /(?:creators|posts):read/.exec(challenge)?.[0];
          return `Bearer realm="api", scope="${scope}", error="insufficient_scope", error_description="more, please"`;
        })(r, ...rest)
      ),
  },
  {
    name: 'Allow has OPTIONS too, without blanks',
    alter: edited('allow', (list) => `OPTIONS,${list.replaceAll(' ', '')}`),
  },
  { name: 'Allow is in another order', alter: edited('allow', (list) => list.split(', ').reverse().join(' , ')) },
];
