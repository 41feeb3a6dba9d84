import { connect, type Socket } from 'node:net';
import { eventually, pause, untilHeld, type Bench } from './bench.ts';
import { atMost, exactly, type Fault, type Figure } from './fault.ts';
import { p99Of, unchanged } from './latency.ts';
import { checkRaw } from './raw.ts';

const settings = { HEADERS_TIMEOUT_SECONDS: '3', REQUEST_TIMEOUT_SECONDS: '4', WRITE_TIMEOUT_SECONDS: '3' };
/** The longest of the deadlines, the server's look at them once a second, and the second it leaves a refused socket. */
const deadlineSeconds = 4 + 1 + 1 + 2;
const held = Array.from({ length: 100 }, (_, index) => `known${index}`);

interface Peer {
  readonly socket: Socket;
  received: string;
}

/** Says a little each second and never comes to an end. */
function dripping(port: number, first: string, drop: string): Peer {
  const peer: Peer = { socket: connect(port, '127.0.0.1'), received: '' };
  peer.socket.write(first);
  const timer = setInterval(() => peer.socket.writable && peer.socket.write(drop), 1_000);
  peer.socket.on('error', () => {}).on('close', () => clearInterval(timer));
  peer.socket.on('data', (chunk) => (peer.received += chunk.toString('latin1')));
  return peer;
}

/** Asks for much, many times, and takes nothing. */
function unread(port: number, request: string): Peer {
  const peer: Peer = { socket: connect(port, '127.0.0.1').pause(), received: '' };
  peer.socket.on('error', () => {});
  peer.socket.write(request.repeat(30));
  return peer;
}

async function run(bench: Bench): Promise<Figure[]> {
  const [store, source] = [await bench.store(), await bench.source()];
  const node = await bench.node(store, source, 'one', settings);
  const token = await store.issue(1_000_000);
  const callers = Array.from({ length: 4 }, () => bench.caller({ port: node.port, token }));
  await untilHeld(callers[0]!, held, 30);
  const twenty = held.slice(0, 20);
  const before = await p99Of(bench, callers, twenty);
  const peers = slowPeers(bench, node.port, token);
  // What the readers asked for is worked for once; that they do not take it is the fault.
  await pause(bench.quick ? 2_000 : 5_000);
  const during = await p99Of(bench, callers, twenty);
  const start = performance.now();
  const isClosed = ({ socket }: Peer): boolean => socket.destroyed || socket.readableEnded;
  await eventually(() => peers.drips.every(isClosed), deadlineSeconds + 10, 100);
  const seconds = (performance.now() - start) / 1000;
  for (const { socket } of peers.readers) socket.resume();
  await pause(1_000);
  const unfinished = peers.drips.filter(({ received }) => received !== '');
  for (const { received } of unfinished) checkRaw(bench.guard, received);
  return [
    unchanged(before.milliseconds, during.milliseconds),
    exactly(`held reads that were not 200, of ${during.total}`, during.others, 0),
    exactly(
      `slow headers and bodies still open, of ${peers.drips.length}`,
      peers.drips.filter((peer) => !isClosed(peer)).length,
      0,
    ),
    atMost('time to close them all, after the measurement', seconds, deadlineSeconds, 's'),
    exactly(
      `readers that took nothing and are still connected, of ${peers.readers.length}`,
      peers.readers.filter((peer) => !isClosed(peer)).length,
      0,
    ),
    exactly(
      `of ${peers.drips.length}, answered with something else than the envelope of a 400`,
      peers.drips.length - unfinished.filter(({ received }) => received.startsWith('HTTP/1.1 400')).length,
      0,
    ),
  ];
}

function slowPeers(bench: Bench, port: number, token: string): { drips: Peer[]; readers: Peer[] } {
  const each = bench.quick ? 200 : 480;
  const authorization = `Host: localhost\r\nAuthorization: Bearer ${token}\r\n`;
  const body = `POST /api/v1/creators/batch HTTP/1.1\r\n${authorization}Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"ids":[`;
  const batch = `GET /api/v1/creators?ids=${held.join(',')} HTTP/1.1\r\n${authorization}\r\n`;
  const drips = [
    ...Array.from({ length: each }, () =>
      dripping(port, 'GET /api/v1/creators/netA/ada HTTP/1.1\r\n', 'X-Slow: 1\r\n'),
    ),
    ...Array.from({ length: each }, () => dripping(port, body, '"ada",')),
  ];
  const readers = Array.from({ length: bench.quick ? 5 : 20 }, () => unread(port, batch));
  for (const { socket } of [...drips, ...readers]) bench.owns(socket, (open) => open.destroy());
  return { drips, readers };
}

export const slowPeersFault: Fault = {
  id: 'F18',
  title: 'slow headers, slow bodies, slow readers: 1,000 sockets',
  mustHold: 'closed by deadline (3 and 4 s here), others unaffected',
  engines: ['sqlite', 'postgres'],
  run,
};
