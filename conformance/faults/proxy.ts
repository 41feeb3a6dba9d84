/** A server that forwards to a right one and alters its answers: a faulty implementation for the length of a run. */
import http from 'node:http';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import zlib from 'node:zlib';
import type { AlterableRequest, AlterableResponse, Fault, OperationId, RawHeader } from '../model.ts';

export interface FaultProxy {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  close(): Promise<void>;
}

export interface ProxyOptions {
  readonly target: string;
  readonly alter: Fault['alter'];
  /** How an altered answer is written; the default is with `content-length` on a connection that stays. */
  readonly write?: (outgoing: http.ServerResponse, answer: AlterableResponse) => void;
}

const pairs = (raw: readonly string[]): [string, string][] =>
  raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as [string, string]] : []));

/** Hop-by-hop, or no longer true of a decoded and altered body. */
const dropped = ['content-length', 'transfer-encoding', 'connection', 'keep-alive', 'content-encoding'];
const kept = (headers: readonly RawHeader[]): [string, string][] =>
  headers.filter(([name]) => !dropped.includes(name.toLowerCase())).map(([name, value]) => [name, value]);

export function operationOf(method: string, path: string): OperationId | null {
  const bare = path.split('?')[0] ?? '';
  if (method === 'POST')
    return bare === '/api/v1/creators/batch' ? 'batchCreators' : bare === '/api/v1/posts/batch' ? 'batchPosts' : null;
  if (method !== 'GET' && method !== 'HEAD') return null;
  if (bare === '/api/v1/creators') return 'listCreators';
  if (bare === '/api/v1/posts') return 'getPosts';
  return /^\/api\/v1\/creators\/[^/]+\/[^/]+$/.test(bare) ? 'getCreator' : null;
}

const decode = (body: Buffer, encoding: string | undefined): Buffer => {
  if (encoding === 'gzip') return zlib.gunzipSync(body);
  if (encoding === 'br') return zlib.brotliDecompressSync(body);
  return encoding === 'deflate' ? zlib.inflateSync(body) : body;
};

async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function forward(
  target: URL,
  agent: http.Agent,
  method: string,
  path: string,
  headers: readonly RawHeader[],
  body: Buffer,
): Promise<AlterableResponse> {
  return new Promise((resolve, reject) => {
    const sent = headers.map(([name, value]) => (name.toLowerCase() === 'host' ? [name, target.host] : [name, value]));
    const outgoing = http.request({
      agent,
      host: target.hostname,
      port: target.port,
      method,
      path,
      headers: sent.flat() as unknown as http.OutgoingHttpHeaders,
    });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      bytesOf(incoming).then((bytes) => {
        const decoded = method === 'HEAD' ? bytes : decode(bytes, incoming.headers['content-encoding']);
        resolve({
          status: incoming.statusCode ?? 0,
          headers: kept(pairs(incoming.rawHeaders)),
          body: decoded.toString('utf8'),
        });
      }, reject);
    });
    outgoing.end(body);
  });
}

const plainly = (outgoing: http.ServerResponse, { status, headers, body }: AlterableResponse): void => {
  const flat = [
    ...headers,
    ...(outgoing.req.method === 'HEAD' ? [] : [['Content-Length', String(Buffer.byteLength(body))]]),
  ].flat();
  // A target without `Date` stays one.
  outgoing.sendDate = false;
  outgoing.writeHead(status, flat);
  outgoing.end(outgoing.req.method === 'HEAD' ? undefined : body);
};

/** What the parser refuses goes on as the bytes it is, so that GEN-09 can be judged through the proxy too. */
function forwardBytes(target: URL, bytes: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(target.port), target.hostname, () => socket.write(bytes));
    socket.setTimeout(3000, () => socket.destroy(new Error('no answer')));
    bytesOf(socket).then((answer) => resolve(answer.toString('latin1')), reject);
  });
}

function textOf(answer: string): AlterableResponse {
  const [head = '', body = ''] = [
    answer.slice(0, answer.indexOf('\r\n\r\n')),
    answer.slice(answer.indexOf('\r\n\r\n') + 4),
  ];
  const [line = '', ...lines] = head.split('\r\n');
  const headers = lines.map((text): [string, string] => [
    text.slice(0, text.indexOf(':')),
    text.slice(text.indexOf(':') + 1).trim(),
  ]);
  return {
    status: Number(line.split(' ')[1]),
    headers: headers.filter(([name]) => !['content-length', 'connection'].includes(name.toLowerCase())),
    body,
  };
}

const asBytes = ({ status, headers, body }: AlterableResponse): string =>
  [
    `HTTP/1.1 ${status} Error`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');

export async function startFaultProxy({ target, alter, write = plainly }: ProxyOptions): Promise<FaultProxy> {
  const url = new URL(target);
  const state = new Map<string, unknown>();
  const agent = new http.Agent({ keepAlive: true });
  const altered = async (answer: AlterableResponse, request: AlterableRequest): Promise<AlterableResponse> =>
    (await alter(answer, request, state)) ?? answer;
  const server = http.createServer({ maxHeaderSize: 256 * 1024, requireHostHeader: false }, (incoming, outgoing) => {
    const [method = '', path = '', headers] = [incoming.method, incoming.url, pairs(incoming.rawHeaders)];
    bytesOf(incoming)
      .then(async (body) => {
        const answer = await forward(url, agent, method, path, headers, body);
        write(
          outgoing,
          await altered(answer, {
            method,
            path,
            headers,
            body: body.toString('utf8'),
            operation: operationOf(method, path),
          }),
        );
      })
      .catch((error: Error) => {
        if (!outgoing.headersSent) outgoing.writeHead(502, { 'content-type': 'text/plain' });
        outgoing.end(error.message);
      });
  });
  server.on('clientError', (error: Error & { rawPacket?: Buffer }, socket) => {
    forwardBytes(url, error.rawPacket ?? Buffer.alloc(0))
      .then(async (answer) =>
        socket.end(
          asBytes(await altered(textOf(answer), { method: '', path: '', headers: [], body: '', operation: null })),
        ),
      )
      .catch(() => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      agent.destroy();
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
