/**
 * The suite's HTTP client: node:http as it is, so that raw headers stay as they were on the wire. It never follows a
 * redirect, never retries (but for a kept-alive connection that was closed under it), and bounds time and size.
 */
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import tls from 'node:tls';
import zlib from 'node:zlib';

import type { ExchangeResponse, RawHeader } from './model.ts';

const largestBodyBytes = 8 * 1024 * 1024;

export interface Sending {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly headers: readonly RawHeader[];
  readonly body: string | null;
  /** Bytes to write in place of the request. */
  readonly raw?: string;
  readonly timeoutMilliseconds: number;
}

/** No answer at all; `kind` says whether it is worth going on. */
export class NoAnswer extends Error {
  readonly kind: 'unreachable' | 'tls' | 'timeout' | 'broken';

  constructor(kind: NoAnswer['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

export interface Client {
  send(sending: Sending): Promise<ExchangeResponse>;
  close(): void;
}

export function createClient(): Client {
  const options = { keepAlive: true, maxSockets: 4 };
  const agents = { http: new http.Agent(options), https: new https.Agent(options) };
  return {
    send: (sending) => (sending.raw === undefined ? request(agents, sending, true) : rawRequest(sending)),
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

function request(
  agents: { http: http.Agent; https: https.Agent },
  sending: Sending,
  mayRepeat: boolean,
): Promise<ExchangeResponse> {
  const url = new URL(sending.url);
  const secure = url.protocol === 'https:';
  const headers = [['Host', url.host], ...sending.headers] as [string, string][];
  if (sending.body !== null) headers.push(['Content-Length', String(Buffer.byteLength(sending.body))]);
  return new Promise((resolve, reject) => {
    const outgoing = (secure ? https : http).request({
      agent: secure ? agents.https : agents.http,
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port || (secure ? 443 : 80),
      method: sending.method,
      path: pathOf(sending.url),
      headers: headers.flat(),
    });
    const timer = setTimeout(() => outgoing.destroy(tooSlow(sending)), sending.timeoutMilliseconds);
    outgoing.on('close', () => clearTimeout(timer));
    outgoing.on('error', (error) => {
      if (mayRepeat && outgoing.reusedSocket && hungUp(error)) resolve(request(agents, sending, false));
      else reject(noAnswer(error));
    });
    outgoing.on(
      'response',
      (incoming) => void collect(incoming).then(resolve, (error: Error) => reject(noAnswer(error))),
    );
    outgoing.end(sending.body ?? undefined);
  });
}

/** The path as written: `new URL` would mend what is sent broken on purpose. */
function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2);
  return start < 0 ? '/' : url.slice(start);
}

async function collect(incoming: http.IncomingMessage): Promise<ExchangeResponse> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > largestBodyBytes) throw new NoAnswer('broken', `the body is larger than ${largestBodyBytes} bytes`);
    chunks.push(chunk);
  }
  const headers = pairs(incoming.rawHeaders);
  return answer(incoming.statusCode ?? 0, headers, Buffer.concat(chunks));
}

const pairs = (flat: readonly string[]): RawHeader[] =>
  Array.from({ length: flat.length / 2 }, (_, index) => [flat[2 * index] ?? '', flat[2 * index + 1] ?? ''] as const);

function answer(status: number, headers: readonly RawHeader[], bytes: Buffer): ExchangeResponse {
  const encoding = headers
    .find(([name]) => name.toLowerCase() === 'content-encoding')?.[1]
    .trim()
    .toLowerCase();
  const body = decode(bytes, encoding).toString('utf8');
  return { status, headers, body, json: parse(body) };
}

function decode(bytes: Buffer, encoding: string | undefined): Buffer {
  if (bytes.length === 0) return bytes;
  const limit = { maxOutputLength: largestBodyBytes };
  try {
    if (encoding === 'gzip' || encoding === 'x-gzip') return zlib.gunzipSync(bytes, limit);
    // Some servers leave out the two bytes that mark zlib's format; every browser reads both.
    if (encoding === 'deflate') return (isZlib(bytes) ? zlib.inflateSync : zlib.inflateRawSync)(bytes, limit);
    if (encoding === 'br') return zlib.brotliDecompressSync(bytes, limit);
    return bytes;
  } catch (error) {
    const tooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    const what = tooLarge
      ? `larger than ${largestBodyBytes} bytes`
      : `not ${encoding}, though Content-Encoding says so`;
    throw new NoAnswer('broken', `the body is ${what}`);
  }
}

const isZlib = (bytes: Buffer): boolean =>
  bytes.length >= 2 && (bytes[0] ?? 0) % 16 === 8 && bytes.readUInt16BE(0) % 31 === 0;

const deepest = 200;

/** Whether brackets are nested deeper than any document of ours by far; whatever walks such a value would overflow. */
function isTooDeep(text: string): boolean {
  let [depth, inText] = [0, false];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (inText && character === '\\') at += 1;
    else if (character === '"') inText = !inText;
    else if (!inText && (character === '[' || character === '{')) depth += 1;
    else if (!inText && (character === ']' || character === '}')) depth -= 1;
    if (depth > deepest) return true;
  }
  return false;
}

/** The value of a JSON text; undefined where it is none, or nested so deeply that nobody can mean it. */
export function parse(text: string): unknown {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text) as unknown;
  } catch {
    return undefined;
  }
}

const tooSlow = (sending: Sending): NoAnswer =>
  new NoAnswer('timeout', `no answer within ${sending.timeoutMilliseconds / 1000} s`);

const hungUp = (error: Error): boolean => ['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '');

const unreachable = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EADDRNOTAVAIL',
]);

function noAnswer(error: Error): NoAnswer {
  if (error instanceof NoAnswer) return error;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (unreachable.has(code)) return new NoAnswer('unreachable', `cannot be reached (${code})`);
  if (/CERT|SSL|TLS|SIGNATURE|EPROTO|ALTNAME|SELF_SIGNED|ISSUER/.test(code))
    return new NoAnswer('tls', `TLS fails: ${oneLine(error.message)} (${code})`);
  return new NoAnswer('broken', `the connection broke: ${oneLine(error.message)}${code ? ` (${code})` : ''}`);
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 200);

/** Writes bytes that no HTTP library would send, and reads whatever comes back until the connection closes. */
function rawRequest(sending: Sending): Promise<ExchangeResponse> {
  const url = new URL(sending.url);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  return new Promise((resolve, reject) => {
    const socket =
      url.protocol === 'https:' ? tls.connect({ host, port, servername: host }) : net.connect({ host, port });
    const chunks: Buffer[] = [];
    const timer = setTimeout(() => socket.destroy(tooSlow(sending)), sending.timeoutMilliseconds);
    const finish = (): void => {
      clearTimeout(timer);
      socket.destroy();
      const parsed = parseResponse(Buffer.concat(chunks));
      if (parsed) resolve(parsed);
      else reject(new NoAnswer('broken', 'the connection was closed without an HTTP response'));
    };
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (isWhole(Buffer.concat(chunks))) finish();
    });
    socket.on('end', finish);
    socket.on('error', (error) => {
      clearTimeout(timer);
      if (chunks.length > 0) finish();
      else reject(noAnswer(error));
    });
    socket.write(sending.raw ?? '');
  });
}

const split = (bytes: Buffer): { head: string; body: Buffer } | null => {
  const end = bytes.indexOf('\r\n\r\n');
  return end < 0 ? null : { head: bytes.subarray(0, end).toString('latin1'), body: bytes.subarray(end + 4) };
};

function isWhole(bytes: Buffer): boolean {
  const parts = split(bytes);
  const length = parts && /^content-length:\s*(\d+)/im.exec(parts.head)?.[1];
  return parts !== null && length !== undefined && length !== null && parts.body.length >= Number(length);
}

function parseResponse(bytes: Buffer): ExchangeResponse | null {
  const parts = split(bytes);
  const [first = '', ...lines] = parts?.head.split('\r\n') ?? [];
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1];
  if (!parts || !status) return null;
  const headers = lines.map(
    (text) => [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 1).trim()] as const,
  );
  const chunked = headers.some(([name, value]) => name.toLowerCase() === 'transfer-encoding' && /chunked/i.test(value));
  return answer(Number(status), headers, chunked ? unchunk(parts.body) : parts.body);
}

function unchunk(bytes: Buffer): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf('\r\n', at);
    const size = end < 0 ? 0 : Number.parseInt(bytes.subarray(at, end).toString('latin1'), 16);
    if (!(size > 0)) break;
    pieces.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
  return Buffer.concat(pieces);
}
