/**
 * Writes every exchange that a server of this process has under `/api/v1` to a file, as it was. Loaded into the workers of the tests,
 * which know nothing of it; `RECORDED_EXCHANGES` names the file there.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RecordedExchange } from './recorded.ts';

const starts = 'http.server.request.start';

type Method = (...given: unknown[]) => unknown;

/** Keeps a copy of what is handed to a method of a stream. */
function tapped(stream: object, name: string, seen: Buffer[]): void {
  const methods = stream as Record<string, Method>;
  const original = methods[name]!;
  methods[name] = (...given) => {
    const [chunk] = given;
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) seen.push(Buffer.from(chunk as string));
    return original.apply(stream, given);
  };
}

const pairs = (flat: readonly string[]): [string, string][] =>
  Array.from({ length: flat.length / 2 }, (_, index) => [flat[2 * index]!, flat[2 * index + 1]!]);

/** The headers as they went out. */
const sentHeaders = (response: ServerResponse): [string, string][] =>
  ((response as ServerResponse & { _header: string })._header ?? '')
    .split('\r\n')
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]);

function recordOne(file: string, request: IncomingMessage, response: ServerResponse): void {
  const { method = '', url: target = '' } = request;
  if (!target.startsWith('/api/v1')) return;
  const [asked, answered]: [Buffer[], Buffer[]] = [[], []];
  tapped(request, 'push', asked);
  tapped(response, 'write', answered);
  tapped(response, 'end', answered);
  response.once('close', () => {
    const exchange: RecordedExchange = {
      request: {
        method,
        target,
        headers: pairs(request.rawHeaders),
        body: Buffer.concat(asked).toString('base64'),
        isWhole: request.complete,
      },
      response: {
        status: response.statusCode,
        headers: sentHeaders(response),
        body: Buffer.concat(answered).toString('base64'),
      },
    };
    appendFileSync(file, `${JSON.stringify(exchange)}\n`);
  });
}

/** Begins to write; answers how to stop. */
export function recordTo(file: string): () => void {
  const record = (message: unknown): void => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    recordOne(file, request, response);
  };
  subscribe(starts, record);
  return () => void unsubscribe(starts, record);
}

const wanted = process.env['RECORDED_EXCHANGES'];
if (wanted !== undefined) recordTo(wanted);
