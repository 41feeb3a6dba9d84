import { connect } from 'node:net';
import { percentile } from './statistics.ts';

/** Latencies in milliseconds, from the first byte sent to the last received. */
export interface Measured {
  readonly answers: number;
  readonly requestsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
}

export interface Load {
  readonly port: number;
  /** Sent one after the other, from the first again after the last. */
  readonly requests: readonly Buffer[];
  readonly connections: number;
  /** Ends after so many seconds, or so many answers. */
  readonly until: { readonly seconds: number } | { readonly answers: number };
}

/** The bytes of a GET as a client sends it. */
export function requestOf(path: string, token: string, headers: Readonly<Record<string, string>> = {}): Buffer {
  const all = { Host: '127.0.0.1', Authorization: `Bearer ${token}`, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
}

/** One request after another on each connection: a thin client, so that the server is what is measured. */
export async function load({ port, requests, connections, until }: Load): Promise<Measured> {
  const latencies: number[] = [];
  const statuses: Record<string, number> = {};
  const started = performance.now();
  const end = 'seconds' in until ? started + until.seconds * 1000 : Number.POSITIVE_INFINITY;
  const most = 'answers' in until ? until.answers : Number.POSITIVE_INFINITY;
  let sent = 0;
  const conversation: Conversation = {
    next: (now) => (now < end && sent < most ? requests[sent++ % requests.length] : undefined),
    answered(status, milliseconds) {
      latencies.push(milliseconds);
      statuses[status] = (statuses[status] ?? 0) + 1;
    },
  };
  await Promise.all(Array.from({ length: connections }, () => converse(port, conversation)));
  const seconds = (performance.now() - started) / 1000;
  const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)];
  return { answers: latencies.length, requestsPerSecond: latencies.length / seconds, p50, p99, statuses };
}

interface Conversation {
  /** Undefined: it is over. */
  next(now: number): Buffer | undefined;
  answered(status: string, milliseconds: number): void;
}

function converse(port: number, { next, answered }: Conversation): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentAt = 0;
    const take = answerReader((status) => {
      const now = performance.now();
      answered(status, now - sentAt);
      send(now);
    });
    const onread = { buffer: Buffer.allocUnsafe(READ_BYTES), callback: take };
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread });
    const send = (now: number): void => {
      const request = next(now);
      if (request === undefined) {
        socket.destroy();
        return resolve();
      }
      sentAt = now;
      socket.write(request);
    };
    socket.on('connect', () => send(performance.now())).on('error', reject);
    socket.on('close', () => reject(new Error('The server closed a connection')));
  });
}

/** Read into one buffer for each connection: memory for every chunk of a large answer would cost more than many a server. */
const READ_BYTES = 128 * 1024;

const NOTHING = Buffer.alloc(0);
const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = '0\r\n\r\n';

/** Calls back once an answer is complete: by its Content-Length, or its last chunk. What it is handed may be overwritten once it returns. */
function answerReader(onAnswer: (status: string) => void): (bytes: number, buffer: Uint8Array) => boolean {
  let head: Buffer = NOTHING;
  let missing: number | 'head' | 'chunks' = 'head';
  let status = '';
  let tail = '';

  function begin(data: Buffer): Buffer | null {
    head = Buffer.concat([head, data]);
    const end = head.indexOf(HEAD_END);
    if (end < 0) return null;
    const text = head.toString('latin1', 0, end);
    status = text.slice(9, 12);
    const length = /content-length: (\d+)/i.exec(text)?.[1];
    missing = length === undefined ? 'chunks' : Number(length);
    const rest = head.subarray(end + HEAD_END.length);
    head = NOTHING;
    return rest;
  }

  function isWhole(data: Buffer): boolean {
    if (missing === 'chunks') {
      tail = (tail + data.toString('latin1', Math.max(0, data.length - LAST_CHUNK.length))).slice(-LAST_CHUNK.length);
      return tail === LAST_CHUNK;
    }
    missing = (missing as number) - data.length;
    return missing <= 0;
  }

  return (bytes, buffer) => {
    const data = Buffer.from(buffer.buffer, buffer.byteOffset, bytes);
    const body = missing === 'head' ? begin(data) : data;
    if (body !== null && isWhole(body)) {
      missing = 'head';
      tail = '';
      onAnswer(status);
    }
    return true;
  };
}
