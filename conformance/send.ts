/** Sends planned requests and records what came: credentials become `$TOKEN` before anything is kept. */
import type { Client, Sending } from './client.ts';
import { NoAnswer, parse } from './client.ts';
import type { Exchange, ExchangeResponse, PlannedRequest, RawHeader, Role } from './model.ts';
import type { Target } from './target.ts';

export interface Recorder {
  readonly exchanges: Exchange[];
  /** Throws `NoAnswer` when the target is not there at all. */
  send(planned: PlannedRequest, attempt: number): Promise<Exchange>;
}

const silencesBeforeGivingUp = 3;

export interface RecorderOptions {
  readonly target: Target;
  readonly client: Client;
  readonly unknownToken: string;
  readonly timeoutMilliseconds: number;
  now(): number;
}

export function createRecorder({ target, client, unknownToken, timeoutMilliseconds, now }: RecorderOptions): Recorder {
  const exchanges: Exchange[] = [];
  const hide = hider([...Object.values(target.tokens).map(({ token }) => token), unknownToken]);
  let silences = 0;
  const answerTo = async (sending: Sending): Promise<ExchangeResponse> => {
    try {
      const response = await client.send(sending);
      silences = 0;
      return response;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      silences += 1;
      if (exchanges.length === 0 || silences >= silencesBeforeGivingUp) throw error;
      return { status: 0, headers: [], body: '', json: undefined, failure: error.message };
    }
  };
  return {
    exchanges,
    async send(planned, attempt) {
      const headers = headersOf(planned, tokenOf(target, planned.role, unknownToken));
      const sentAt = now();
      const body = planned.body ?? null;
      const response = await answerTo({
        method: planned.method,
        url: `${target.baseUrl}${planned.path}`,
        headers,
        body,
        timeoutMilliseconds,
        ...(planned.raw === undefined ? {} : { raw: planned.raw }),
      });
      const exchange: Exchange = {
        id: `x${String(exchanges.length + 1).padStart(2, '0')}`,
        step: planned.step,
        attempt,
        role: planned.role,
        purpose: planned.purpose,
        operation: planned.operation,
        request: {
          method: planned.method,
          path: `${new URL(target.baseUrl).pathname.replace(/\/$/, '')}${planned.path}`,
          headers: headers.map(([name, value]) => [name, hide(value)]),
          body: kept(body),
        },
        response: hidden(response, hide),
        sentAt,
        receivedAt: now(),
      };
      exchanges.push(exchange);
      return exchange;
    },
  };
}

const longestBody = 256 * 1024;

/** A body made large on purpose would only make every report large. */
const kept = (body: string | null): string | null =>
  body !== null && body.length > longestBody ? `${body.slice(0, longestBody)}…` : body;

const tokenOf = (target: Target, role: Role, unknownToken: string): string | null =>
  role === 'none' ? null : role === 'unknown' ? unknownToken : (target.tokens[role]?.token ?? null);

function headersOf(planned: PlannedRequest, token: string | null): RawHeader[] {
  const authorization = planned.authorization ?? (token === null ? [] : ['Bearer $TOKEN']);
  return [
    ...authorization.map((line) => ['Authorization', line.replaceAll('$TOKEN', token ?? '')] as const),
    ['Accept', 'application/json'] as const,
    ['Accept-Encoding', 'gzip, deflate, br'] as const,
    ['User-Agent', 'conformance-suite'] as const,
    ...(planned.contentType ? [['Content-Type', planned.contentType] as const] : []),
    ...(planned.headers ?? []),
  ];
}

const shortestCredential = 6;

function hider(tokens: readonly string[]): (text: string) => string {
  const credentials = tokens.filter((token) => token.length >= shortestCredential);
  return (text) => credentials.reduce((rest, token) => rest.replaceAll(token, '$TOKEN'), text);
}

function hidden(response: ExchangeResponse, hide: (text: string) => string): ExchangeResponse {
  const body = hide(response.body);
  const headers = response.headers.map(([name, value]) => [name, hide(value)] as const);
  return { ...response, headers, body, json: body === response.body ? response.json : parse(body) };
}

/** A line for a shell that sends the request again; the credential is `$TOKEN`. */
export function curlOf(exchange: Exchange, target: Target): string {
  const { method, path, headers, body } = exchange.request;
  const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const lines = headers.filter(([name]) => !['accept', 'accept-encoding', 'user-agent'].includes(name.toLowerCase()));
  const shownHeaders = lines.map(([name, value]) =>
    value.includes('$TOKEN') ? `-H "${name}: ${value}"` : `-H ${quote(`${name}: ${value}`)}`,
  );
  const parts = [
    'curl -sS -i',
    ...(method === 'GET' ? [] : method === 'HEAD' ? ['-I'] : [`-X ${method}`]),
    ...shownHeaders,
  ];
  if (body !== null) parts.push(`--data-raw ${quote(body.length > 2000 ? `${body.slice(0, 2000)}…` : body)}`);
  return [...parts, quote(`${new URL(target.baseUrl).origin}${path}`)].join(' ');
}
