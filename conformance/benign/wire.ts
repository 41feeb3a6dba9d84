/** Ways in which an answer may come over the wire: whole or in pieces, compressed, with other responses before it. */
import type http from 'node:http';
import type { AlterableResponse } from '../model.ts';
import type { WireVariant } from './variant.ts';

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

export const compressed =
  (encoding: string, pack: (text: string) => Buffer): NonNullable<WireVariant['write']> =>
  (outgoing, answer) => {
    const body = pack(answer.body);
    plain(outgoing, answer, body, [
      ['Content-Encoding', encoding],
      ['Content-Length', String(body.length)],
    ]);
  };

export const inChunks: NonNullable<WireVariant['write']> = (outgoing, { status, headers, body }) => {
  outgoing.sendDate = false;
  outgoing.writeHead(status, headers.flat());
  if (outgoing.req.method === 'HEAD') return void outgoing.end();
  const bytes = Buffer.from(body);
  for (let at = 0; at < bytes.length; at += 997) outgoing.write(bytes.subarray(at, at + 997));
  outgoing.end();
};

export const closing: NonNullable<WireVariant['write']> = (outgoing, answer) =>
  plain(outgoing, answer, answer.body, [
    ['Connection', 'close'],
    ['Content-Length', String(Buffer.byteLength(answer.body))],
  ]);

/** With a response for the time being before it, which tells what will be needed. */
export const afterHints: NonNullable<WireVariant['write']> = (outgoing, answer) => {
  outgoing.writeEarlyHints({ link: '</>; rel=preload' });
  plain(outgoing, answer, answer.body, []);
};

export const withMark: NonNullable<WireVariant['write']> = (outgoing, answer) =>
  plain(outgoing, answer, `\ufeff${answer.body}\n`, []);
