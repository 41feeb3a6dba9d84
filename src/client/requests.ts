import createFetchClient from 'openapi-fetch';
import type { paths } from '../../generated/api.ts';
import { LookupError } from './errors.ts';
import type { Creator, CreatorEntry, Post } from './outcome.ts';
import type { Batch } from './buckets.ts';
import { send, type Answer, type Attempt, type SendOptions } from './send.ts';

/** A single read's answer: `{data}` with 200, `{fetching: [entry]}` with 202. */
export interface Single<Document> {
  readonly data?: Document;
  readonly fetching?: readonly { readonly id: string; readonly retryAfter: string }[];
}

/** Parameters that every read takes. */
export interface Acting {
  readonly asOrg?: string;
  readonly asProfile?: string;
}

interface Listing extends Acting {
  readonly network?: string;
}

/** The five operations, each one request within the budget. */
export interface Requests {
  creator(
    path: { network: string; handle: string },
    query: Acting & { include?: string },
    signal?: AbortSignal,
  ): Promise<Answer<Single<Creator>>>;
  post(query: Acting & { url: string; include?: string }, signal?: AbortSignal): Promise<Answer<Single<Post>>>;
  creators(
    ids: readonly string[],
    listing: Listing & { creatorDeepAnalysis?: boolean },
    signal?: AbortSignal,
  ): Promise<Answer<Batch<CreatorEntry>>>;
  posts(
    ids: readonly string[],
    listing: Listing & { include?: string },
    signal?: AbortSignal,
  ): Promise<Answer<Batch<Post>>>;
}

export interface RequestsOptions {
  readonly baseUrl: string;
  readonly token: string | (() => string | Promise<string>);
  readonly fetch: ((request: Request) => Promise<Response>) | undefined;
  readonly sending: SendOptions;
}

/** `https://lookup.example` and `https://lookup.example/api/v1/` are the same service. */
const apiBase = (baseUrl: string): string => `${baseUrl.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}/api/v1`;

export function needed<Data>(answer: Answer<Data>): Data {
  if (typeof answer.data === 'object' && answer.data !== null) return answer.data;
  throw new LookupError('unexpected-response', `status ${answer.status} without the body of this read`, answer);
}

/** What the identifiers of one query may take, encoded: of the 64 KiB that a request line may have (GEN-11), a part is for the rest. */
const mostOfLine = 60_000;

/** As many together as fit into a query. */
function* fitting(ids: readonly string[]): Generator<string[]> {
  let together: string[] = [];
  let length = 0;
  for (const id of ids) {
    const more = encodeURIComponent(`${id.toWellFormed()},`).length;
    if (together.length > 0 && length + more > mostOfLine) {
      yield together;
      [together, length] = [[], 0];
    }
    together.push(id);
    length += more;
  }
  if (together.length > 0) yield together;
}

/** A single read of a post as a batch of one. */
function asBatch(id: string, answer: Answer<Single<Post>>): Batch<Post> {
  const { miss } = answer;
  if (miss) return { data: [], fetching: [], unavailable: [{ id, ...miss }] };
  const { data, fetching } = needed(answer);
  const entries = answer.status === 202 ? [{ retryAfter: '', ...fetching?.[0], id }] : [];
  return { data: data ? [data] : [], fetching: entries, unavailable: [] };
}

function merged(answers: readonly Answer<Batch<Post>>[]): Answer<Batch<Post>> {
  const [first, ...rest] = answers;
  const all = answers.map(needed);
  const waits = answers.map(({ retryAfterSeconds }) => retryAfterSeconds).filter((seconds) => seconds !== null);
  return {
    ...first!,
    requestId: rest.length === 0 ? first!.requestId : null,
    retryAfterSeconds: waits.length === 0 ? null : Math.max(...waits),
    data: {
      data: all.flatMap(({ data }) => data),
      fetching: all.flatMap(({ fetching }) => fetching),
      unavailable: all.flatMap(({ unavailable }) => unavailable),
    },
  };
}

/** A hundred documents with all of their analysis are a few MiB; a body that has no end must not fill the memory. */
const mostBytes = 64 * 1024 * 1024;

function bounded(response: Response): Response {
  if (response.body === null) return response;
  let bytes = 0;
  const bound = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes <= mostBytes) controller.enqueue(chunk);
      else controller.error(new LookupError('unexpected-response', 'the answer is larger than 64 MiB', response));
    },
  });
  return new Response(response.body.pipeThrough(bound), response);
}

export function createRequests(options: RequestsOptions): Requests {
  const { sending, fetch = (request: Request) => globalThis.fetch(request) } = options;
  const api = createFetchClient<paths>({
    baseUrl: apiBase(options.baseUrl),
    // Nothing of the contract redirects (GEN-13), and to follow would be requests that no budget counts.
    redirect: 'manual',
    fetch: async (request) => bounded(await fetch(request)),
  });

  const headers = async (): Promise<{ Authorization: string }> => {
    const token = (typeof options.token === 'function' ? await options.token() : options.token).trim();
    // Said here, as the runtime's own error would quote it.
    if (!/^[\x21-\x7e]+$/.test(token)) throw new LookupError('unauthorized', 'the token is not one that can be sent');
    return { Authorization: `Bearer ${token}` };
  };

  const sent = <Data>(attempt: Attempt<unknown>, signal: AbortSignal | undefined): Promise<Answer<Data>> =>
    send<Data>(attempt as Attempt<Data>, sending, signal);

  const post: Requests['post'] = (query, signal) =>
    sent(
      async (limited) => api.GET('/posts', { params: { query }, headers: await headers(), signal: limited }),
      signal,
    );

  /** Only the query form knows `include`; a comma inside an identifier would split it there: such a one goes alone. */
  const postsWithInclude = async (
    ids: readonly string[],
    listing: Listing & { include: string },
    signal: AbortSignal | undefined,
  ): Promise<Answer<Batch<Post>>> => {
    const answers: Answer<Batch<Post>>[] = [];
    for (const listed of fitting(ids.filter((id) => !id.includes(',')))) {
      const query = { ...listing, ids: listed.join(',') };
      answers.push(
        await sent(
          async (limited) => api.GET('/posts', { params: { query }, headers: await headers(), signal: limited }),
          signal,
        ),
      );
    }
    const { network: _, ...query } = listing;
    for (const id of ids.filter((id) => id.includes(','))) {
      const answer = await post({ ...query, url: id }, signal);
      answers.push({ ...answer, data: asBatch(id, answer) });
    }
    return merged(answers);
  };

  return {
    post,
    creator: (path, query, signal) =>
      sent(
        async (limited) =>
          api.GET('/creators/{network}/{handle}', {
            params: { path, query },
            headers: await headers(),
            signal: limited,
          }),
        signal,
      ),
    creators: (ids, listing, signal) =>
      sent(
        async (limited) =>
          api.POST('/creators/batch', {
            body: { ...listing, ids: [...ids] },
            headers: await headers(),
            signal: limited,
          }),
        signal,
      ),
    posts: (ids, { include, ...listing }, signal) =>
      include === undefined
        ? sent(
            async (limited) =>
              api.POST('/posts/batch', {
                body: { ...listing, ids: [...ids] },
                headers: await headers(),
                signal: limited,
              }),
            signal,
          )
        : postsWithInclude(ids, { ...listing, include }, signal),
  };
}
