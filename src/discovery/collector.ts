import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { components } from '../../generated/source.ts';
import { type Entity, type EntityKind, type Obtained, type ObtainedPost, type Source } from '../model.ts';
import { SourceThrottled } from './source.ts';

/** An answer over HTTP: a status, and a body where it has one. */
interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

type CollectedCreator = components['schemas']['CollectedCreator'];
type CollectedPost = components['schemas']['CollectedPost'];

const path = /^\/v1\/([A-Za-z0-9]+)\/(creator|post)s\/([A-Za-z0-9._-]{1,128})$/;

/** Serves sources by `spec/source.yaml`: the sandbox over HTTP, and a pattern for collectors. */
export function createCollector(sources: readonly Source[]): Server {
  return createServer((request, response) => {
    const gone = new AbortController();
    response.on('close', () => gone.abort(new Error('the caller is gone')));
    answer(sources, request, gone.signal)
      .catch((error: unknown): Answer => failureOf(error))
      .then((told) => send(response, told))
      .catch(() => response.destroy());
  });
}

async function answer(
  sources: readonly Source[],
  { method, url }: IncomingMessage,
  signal: AbortSignal,
): Promise<Answer> {
  const { pathname, searchParams } = new URL(url ?? '/', 'http://collector.invalid');
  const [, network, kind, name] = path.exec(pathname) ?? [];
  const source = sources.find((each) => each.network === network);
  if (method !== 'GET' || source === undefined || name === undefined)
    return { status: 400, body: { reason: 'unparseable-identifier' } };
  const entity: Entity = { kind: kind as EntityKind, network: source.network, name };
  return answerOf(await source.obtain(entity, { deep: searchParams.get('deep') === 'true', signal }));
}

function answerOf(obtained: Obtained): Answer {
  if (obtained.is === 'unavailable') {
    const { reason, retryable } = obtained;
    return { status: 404, body: retryable ? { reason, retryable } : { reason } };
  }
  if (obtained.is === 'post') return { status: 200, body: collectedPost(obtained) };
  return { status: 200, body: collectedCreator(obtained) };
}

function collectedCreator({
  document: creator,
  posts,
  audienceUntil,
  deepPosts,
}: Extract<Obtained, { is: 'creator' }>): CollectedCreator {
  const until = audienceUntil === null ? null : new Date(audienceUntil).toISOString();
  return { creator, posts: [...posts], audienceUntil: until, deepPosts: deepPosts.map(collectedPost) };
}

const collectedPost = ({ entity, document: post, analysis }: ObtainedPost): CollectedPost => ({
  name: entity.name,
  post,
  analysis,
});

function failureOf(error: unknown): Answer {
  if (error instanceof SourceThrottled)
    return { status: 429, headers: { 'retry-after': String(error.retryAfterSeconds) } };
  return { status: 503 };
}

function send(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  response.writeHead(status, { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}
