import { connect, type Socket } from 'node:net';
import { clients, eventually, pause, untilHeld, type Bench } from './bench.ts';
import { Tally, type Caller } from './caller.ts';
import { atLeast, atMost, exactly, type Figure } from './fault.ts';
import { openDescriptors, processorSeconds, type ServiceProcess } from './node.ts';
import { checkRaw } from './raw.ts';

const held = Array.from({ length: 20 }, (_, index) => `known${index}`);
const polite = 4;
const perSecond = 20;
const mostConnections = 500;
const headersTimeoutSeconds = 3;
const settings = { MAX_CONNECTIONS: String(mostConnections), HEADERS_TIMEOUT_SECONDS: String(headersTimeoutSeconds) };

/** F13 by connections: new ones as fast as they can be made, and ones that never say anything, up to the limit and four times over. */
export async function connectionFloods(bench: Bench): Promise<Figure[]> {
  const [store, source] = [await bench.store(), await bench.source()];
  const node = await bench.node(store, source, 'one', settings);
  const token = await store.issue(1_000_000);
  const callers = Array.from({ length: polite }, () => bench.caller({ port: node.port, token }));
  await untilHeld(callers[0]!, held, 30);
  return [
    ...(await newConnections(bench, node, callers, token, mostConnections / 2)),
    ...(await newConnections(bench, node, callers, token, mostConnections * 2)),
    ...(await silentConnections(bench, node, callers, token)),
  ];
}

/** Callers that ask at their own pace, and come again after a second where they are told so. */
async function politeReads(callers: readonly Caller[], seconds: number): Promise<Tally> {
  const tally = new Tally();
  const until = performance.now() + seconds * 1000;
  await clients(
    callers.length,
    () => performance.now() < until,
    async (client) => {
      const answered = await callers[client]!.creators(held);
      tally.add(answered);
      await pause(answered.status === 503 ? 1000 * Number(answered.headers['retry-after']) : 1000 / perSecond);
    },
  );
  return tally;
}

/** A request, its answer, and the end of the connection. What came; empty: nothing. */
function askOnce(port: number, request: string): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.on('error', () => {}).on('close', () => resolve(received));
  });
}

const path = '/api/v1/creators/netA/known0';
const requestWith = (token: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`;

/** So many strangers at once, each with a connection for each request, half of them with junk for a token; below the limit and over it. */
async function newConnections(
  bench: Bench,
  node: ServiceProcess,
  callers: readonly Caller[],
  token: string,
  strangers: number,
): Promise<Figure[]> {
  const seconds = bench.quick ? 4 : 10;
  const before = await politeReads(callers, seconds / 2);
  const answers: string[] = [];
  const until = performance.now() + seconds * 1000;
  const flood = clients(
    strangers,
    () => performance.now() < until,
    async (_stranger, turn) => {
      const answer = await askOnce(node.port, requestWith(turn % 2 === 0 ? token : 'junk'));
      answers.push(answer);
      if (answer === '') await pause(50);
    },
  );
  const during = await politeReads(callers, seconds);
  await flood;
  const after = await politeReads(callers, seconds / 2);
  const answered = answers.filter((answer) => answer !== '');
  for (const answer of answered.slice(0, 500)) checkRaw(bench.guard, answer, path);
  const [usual, goodput] = [(2 * before.count(200)) / seconds, during.count(200) / seconds];
  const rate = `${strangers} strangers, ${(answers.length / seconds).toFixed(0)} new connections a second`;
  bench.say(`${rate}, ${answered.length} of ${answers.length} answered; polite: ${before}; ${during}; ${after}`);
  return [
    atLeast(
      `${rate}: polite reads, of ${usual.toFixed(0)} a second before (${during})`,
      (100 * goodput) / usual,
      // The strangers take their part of the same processors.
      60,
      '%',
    ),
    atMost('slowest of them', during.percentile(1), 1_000, 'ms'),
    ...(strangers < mostConnections
      ? [exactly('connections without an answer, below the limit', answers.length - answered.length, 0)]
      : []),
    exactly(`polite reads at once afterwards that were not 200, of ${after.total}`, after.others(200), 0),
    atMost('slowest of them', after.percentile(1), 500, 'ms'),
  ];
}

interface Silent {
  readonly socket: Socket;
  openedAt: number;
  closedAt: number;
}

function silentOne(port: number): Silent {
  const one: Silent = { socket: connect(port, '127.0.0.1'), openedAt: performance.now(), closedAt: 0 };
  one.socket
    .on('error', () => {})
    .on('close', () => (one.closedAt = performance.now()))
    .resume();
  return one;
}

/** As many as the kernel queues for a server: the first packet of more is dropped, and sent again seconds later. */
const wave = 250;

/** They are there, or were closed. */
async function silentWave(bench: Bench, port: number): Promise<Silent[]> {
  const ones = Array.from({ length: wave }, () => silentOne(port));
  for (const { socket } of ones) bench.owns(socket, (open) => open.destroy());
  await eventually(() => ones.every(({ socket, closedAt }) => closedAt > 0 || !socket.connecting), 10);
  return ones;
}

async function silentConnections(
  bench: Bench,
  node: ServiceProcess,
  callers: readonly Caller[],
  token: string,
): Promise<Figure[]> {
  await politeReads(callers, 1);
  const [descriptors, processor] = [openDescriptors(node.pid), processorSeconds(node.pid)];
  const crowd: Silent[] = [];
  while (crowd.length < 4 * mostConnections) crowd.push(...(await silentWave(bench, node.port)));
  await pause(1_000);
  const took = openDescriptors(node.pid) - descriptors;
  const spent = processorSeconds(node.pid) - processor;
  const refused = crowd.filter(({ closedAt }) => closedAt > 0);
  const during = await politeReads(callers, headersTimeoutSeconds - 1.5);
  // The rest is closed by its deadline, though it never said anything; whoever is new is let in from then on.
  await eventually(() => crowd.every(({ closedAt }) => closedAt > 0), headersTimeoutSeconds + 10);
  const open = crowd.filter(({ closedAt }) => closedAt === 0).length;
  const longest = Math.max(...crowd.map(({ openedAt, closedAt }) => closedAt - openedAt)) / 1000;
  const newcomer = bench.caller({ port: node.port, token });
  const { status, milliseconds } = await newcomer.creators(held);
  bench.say(
    `${crowd.length} silent, ${refused.length} refused, ${took} let in, the last closed after ${longest.toFixed(1)} s; ${during}`,
  );
  return [
    atMost(
      `connections let in of ${crowd.length} that never say anything, at a limit of ${mostConnections}`,
      took,
      mostConnections,
    ),
    atLeast('of the others, closed at once', refused.length, crowd.length - mostConnections),
    atMost('processor time of one, let in or not', (1000 * spent) / crowd.length, 1, 'ms'),
    exactly(`polite reads on kept connections meanwhile that were not 200, of ${during.total}`, during.others(200), 0),
    atMost('slowest of them', during.percentile(1), 1_000, 'ms'),
    exactly('silent ones that outlived their deadline', open, 0),
    atMost('longest that one was kept', longest, headersTimeoutSeconds + 3, 's'),
    exactly('a new caller afterwards: status', status, 200),
    atMost('answered to it after', milliseconds, 1_000, 'ms'),
  ];
}
