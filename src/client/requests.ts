import createFetchClient from 'openapi-fetch';
import type { operations, paths } from '../../generated/api.ts';
import { createAttempt, type AttemptOptions, type Carried } from './attempt.ts';
import { LookupError } from './errors.ts';
import type { Creator, CreatorEntry, Post } from './outcome.ts';
import type { Batch } from './buckets.ts';
import { send, type Answer, type Exchange, type SendOptions } from './send.ts';

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

type PostsQuery = NonNullable<operations['getPosts']['parameters']['query']>;

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
    listing: Listing & { include?: string; creatorDeepAnalysis?: boolean },
    signal?: AbortSignal,
  ): Promise<Answer<Batch<Post>>>;
}

export interface RequestsOptions extends AttemptOptions {
  readonly baseUrl: string;
  readonly sending: SendOptions;
}

/** `https://lookup.example` and `https://lookup.example/api/v1/` are the same service. */
const apiBase = (baseUrl: string): string => `${baseUrl.replace(/\/+$/, '').replace(/\/api\/v1$/, '')}/api/v1`;

export function needed<Data>(answer: Answer<Data>): Data {
  if (typeof answer.data === 'object' && answer.data !== null) return answer.data;
  throw new LookupError('unexpected-response', `status ${answer.status} without the body of this read`, answer);
}

/** Bytes of the encoded identifiers in one query. A request line may have 64 KiB (GEN-11); the rest is for everything else in it. */
const maxIdsBytes = 60_000;

/** Splits identifiers into lists that each fit into one query. */
function* queriesOf(ids: readonly string[]): Generator<string[]> {
  let together: string[] = [];
  let length = 0;
  for (const id of ids) {
    const more = encodeURIComponent(`${id.toWellFormed()},`).length;
    if (together.length > 0 && length + more > maxIdsBytes) {
      yield together;
      [together, length] = [[], 0];
    }
    together.push(id);
    length += more;
  }
  if (together.length > 0) yield together;
}

/** The answer to a single read of a post, in the form of a batch of one. */
function asBatch(id: string, answer: Answer<Single<Post>>): Batch<Post> {
  const { miss } = answer;
  if (miss) return { data: [], fetching: [], unavailable: [{ id, ...miss }] };
  const { data, fetching } = needed(answer);
  const entries = answer.status === 202 ? [{ retryAfter: '', ...fetching?.[0], id }] : [];
  return { data: data ? [data] : [], fetching: entries, unavailable: [] };
}

/** The answers to several queries, as if one had asked for everything: all entries, and the longest wait. */
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

export function createRequests(options: RequestsOptions): Requests {
  const api = createFetchClient<paths>({
    baseUrl: apiBase(options.baseUrl),
    // No operation redirects (GEN-13), and the requests that follow a redirect would not be counted by the pace.
    redirect: 'manual',
  });

  const attempt = createAttempt(options);

  /**
   * Sends one request, with what every request carries. `Data` is the contract's type of the answer, asserted: the types of
   * openapi-fetch lose that `channels` has a first element, and cannot tell the two answers of `GET /posts` apart.
   */
  const request = <Data>(
    exchange: (carried: Carried) => Promise<Exchange<unknown>>,
    signal: AbortSignal | undefined,
  ): Promise<Answer<Data>> =>
    send(async (limited) => (await attempt(exchange, limited)) as Exchange<Data>, options.sending, signal);

  /** `GET /posts`: answers a `Single` for `url`, a `Batch` for `ids`. */
  const getPosts = <Data extends Single<Post> | Batch<Post>>(query: PostsQuery, signal: AbortSignal | undefined) =>
    request<Data>((carried) => api.GET('/posts', { params: { query }, ...carried }), signal);

  const post: Requests['post'] = (query, signal) => getPosts<Single<Post>>(query, signal);

  /** By `GET`, as only that takes `include`. A comma inside an identifier would split it in a query: such a one is read alone. */
  async function postsWithInclude(
    ids: readonly string[],
    listing: Listing & { include: string },
    signal: AbortSignal | undefined,
  ): Promise<Answer<Batch<Post>>> {
    const answers: Answer<Batch<Post>>[] = [];
    for (const listed of queriesOf(ids.filter((id) => !id.includes(',')))) {
      answers.push(await getPosts<Batch<Post>>({ ...listing, ids: listed.join(',') }, signal));
    }
    const { network: _, ...query } = listing;
    for (const id of ids.filter((id) => id.includes(','))) {
      const answer = await post({ ...query, url: id }, signal);
      answers.push({ ...answer, data: asBatch(id, answer) });
    }
    return merged(answers);
  }

  return {
    post,
    creator: (path, query, signal) =>
      request((carried) => api.GET('/creators/{network}/{handle}', { params: { path, query }, ...carried }), signal),
    creators: (ids, listing, signal) => {
      const body = { ...listing, ids: [...ids] };
      return request((carried) => api.POST('/creators/batch', { body, ...carried }), signal);
    },
    posts: (ids, { include, creatorDeepAnalysis, ...listing }, signal) => {
      if (include !== undefined) return postsWithInclude(ids, { ...listing, include }, signal);
      const body = { ...listing, ...(creatorDeepAnalysis && { creatorDeepAnalysis }), ids: [...ids] };
      return request((carried) => api.POST('/posts/batch', { body, ...carried }), signal);
    },
  };
}
