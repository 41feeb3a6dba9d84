/** Sends recorded requests through Prism's proxy to a server that answers each as it was answered. */
import { createServer, request as send, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { violationsIn, type Finding } from './finding.ts';
import { headerBytes, startPrismProxy, type PrismProxy } from './proxy.ts';
import type { RecordedExchange } from './recorded.ts';

/** Long enough for a busy machine; a body that can't be parsed is known to get no answer, and is given less. */
const patienceMilliseconds = 20_000;
const patienceWithBrokenJsonMilliseconds = 2000;
const marker = 'x-recorded-exchange';
/** Of one connection, not of the message. */
const ofConnection = /^(host|connection|keep-alive|transfer-encoding|content-length|date)$/i;

const textOf = (base64: string): string => Buffer.from(base64, 'base64').toString();
const ofMessage = (headers: RecordedExchange['response']['headers']) =>
  headers.filter(([name]) => !ofConnection.test(name));

/** Answers each request as it was answered when it was recorded; the marker says which it is. */
function startPlayer(exchanges: readonly RecordedExchange[]): Promise<Server> {
  const server = createServer({ maxHeaderSize: headerBytes }, (request, response) => {
    const { response: recorded } = exchanges[Number(request.headers[marker])]!;
    // Not before it has read the request: an answer that overtakes a large body resets the connection.
    request.resume().once('end', () => {
      for (const [name, value] of ofMessage(recorded.headers)) response.appendHeader(name, value);
      response.setHeader(marker, 'answered');
      response.writeHead(recorded.status).end(Buffer.from(recorded.body, 'base64'));
    });
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

interface Came {
  readonly incoming: IncomingMessage;
  readonly body: string;
}

async function collect(incoming: IncomingMessage): Promise<Came> {
  let body = '';
  for await (const chunk of incoming) body += String(chunk);
  return { incoming, body };
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

function requestOf({ request }: RecordedExchange, index: number, proxy: URL) {
  const body = Buffer.from(request.body, 'base64');
  const own = [
    ['Host', proxy.host],
    ['Connection', 'close'],
    [marker, String(index)],
    ...(body.length > 0 ? [['Content-Length', String(body.length)]] : []),
  ];
  const headers = [...request.headers.filter(([name]) => !ofConnection.test(name)), ...own].flat();
  return { head: { method: request.method, path: request.target, headers }, body };
}

/** The answer that came through Prism; null: none did in time. */
function through(proxy: URL, exchange: RecordedExchange, index: number): Promise<Came | null> {
  const { head, body } = requestOf(exchange, index, proxy);
  const signal = AbortSignal.timeout(
    body.length === 0 || isJson(body.toString()) ? patienceMilliseconds : patienceWithBrokenJsonMilliseconds,
  );
  return new Promise((resolve) => {
    const outgoing = send({ ...head, hostname: proxy.hostname, port: proxy.port, signal });
    outgoing.on('response', (incoming) => void collect(incoming).then(resolve, () => resolve(null)));
    outgoing.on('error', () => resolve(null));
    outgoing.end(body);
  });
}

async function opinionOn(proxy: PrismProxy, exchange: RecordedExchange, index: number): Promise<Finding[]> {
  const { status, body } = exchange.response;
  const finding = (is: Finding['is'], text: string): Finding => ({ is, text, exchange });
  const answer = await through(new URL(proxy.url), exchange, index);
  if (answer === null) return [finding('lost', (await proxy.endsNow()) ? 'its process ends' : 'no answer')];
  const { headers, statusCode } = answer.incoming;
  if (headers[marker] === undefined) return [finding('lost', `an answer of its own, ${statusCode}`)];
  const altered = statusCode !== status ? `status ${statusCode}` : answer.body !== textOf(body) ? 'body' : null;
  const said = violationsIn(headers['sl-violations']?.toString(), status).map((text) => finding('said', text));
  return altered === null ? said : [...said, finding('altered', altered)];
}

/** What Prism finds in the exchanges, in their order; one at a time, as some of them end its process. */
export async function replayThroughPrism(exchanges: readonly RecordedExchange[]): Promise<Finding[]> {
  const player = await startPlayer(exchanges);
  const upstream = `http://127.0.0.1:${(player.address() as AddressInfo).port}`;
  const findings: Finding[] = [];
  let proxy = await startPrismProxy(upstream);
  try {
    for (const [index, exchange] of exchanges.entries()) {
      if (proxy.isOver()) proxy = await startPrismProxy(upstream);
      findings.push(...(await opinionOn(proxy, exchange, index)));
    }
  } finally {
    await proxy.close();
    player.close();
    player.closeAllConnections();
  }
  return findings;
}
