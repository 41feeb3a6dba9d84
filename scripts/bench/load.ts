import { connect, type Socket } from 'node:net';

/** What one connection after another saw: latencies in milliseconds, sorted, and requests answered a second. */
export interface Measured {
  readonly requestsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly statuses: Readonly<Record<string, number>>;
}

export interface Load {
  readonly port: number;
  readonly path: string;
  readonly token: string;
  readonly connections: number;
  readonly seconds: number;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/** Sends one request after another on each of `connections` sockets for `seconds`; a thin client, so that the server is what is measured. */
export async function load({ port, path, token, connections, seconds }: Load): Promise<Measured> {
  const request = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  const latencies: number[] = [];
  const statuses: Record<string, number> = {};
  const started = performance.now();
  const until = started + seconds * 1000;
  await Promise.all(Array.from({ length: connections }, () => drive(port, request, until, latencies, statuses)));
  const elapsed = (performance.now() - started) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  return { requestsPerSecond: latencies.length / elapsed, p50: at(0.5), p99: at(0.99), statuses };
}

function drive(
  port: number,
  request: Buffer,
  until: number,
  latencies: number[],
  statuses: Record<string, number>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let sentAt = 0;
    const send = () => {
      sentAt = performance.now();
      socket.write(request);
    };
    const onAnswer = (status: string) => {
      latencies.push(performance.now() - sentAt);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (performance.now() < until) return send();
      socket.destroy();
      resolve();
    };
    socket.on('connect', send).on('error', reject);
    readAnswers(socket, onAnswer);
  });
}

/** Calls back once an answer is complete, by its Content-Length or its last chunk. */
function readAnswers(socket: Socket, onAnswer: (status: string) => void): void {
  let head: Buffer = Buffer.alloc(0);
  let missing = -1;
  let status = '';
  let chunked = false;
  let tail = '';
  socket.on('data', (data: Buffer) => {
    if (missing < 0 && !chunked) {
      head = head.length === 0 ? data : Buffer.concat([head, data]);
      const end = head.indexOf(HEAD_END);
      if (end < 0) return;
      const text = head.toString('latin1', 0, end);
      status = text.slice(9, 12);
      const length = /content-length: (\d+)/i.exec(text)?.[1];
      chunked = length === undefined;
      data = head.subarray(end + 4);
      head = Buffer.alloc(0);
      missing = Number(length ?? 0);
    }
    if (chunked) {
      tail = (tail + data.toString('latin1', Math.max(0, data.length - 8))).slice(-8);
      if (!tail.endsWith('0\r\n\r\n')) return;
    } else {
      missing -= data.length;
      if (missing > 0) return;
    }
    missing = -1;
    chunked = false;
    tail = '';
    onAnswer(status);
  });
}
