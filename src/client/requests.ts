import createFetchClient from 'openapi-fetch';
import type { operations, paths } from '../../generated/api.ts';
import { createAttempt, type AttemptOptions, type Carried } from './attempt.ts';
import { LookupError } from './errors.ts';
import type { Creator, CreatorEntry, Post } from './outcome.ts';
import type { Batch } from './buckets.ts';
import type { Limits } from './pace.ts';
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
    limits: Limits,
  ): Promise<Answer<Single<Creator>>>;
  post(query: Acting & { url: string; include?: string }, limits: Limits): Promise<Answer<Single<Post>>>;
  creators(
    ids: readonly string[],
    listing: Listing & { creatorDeepAnalysis?: boolean },
    limits: Limits,
  ): Promise<Answer<Batch<CreatorEntry>>>;
  posts(
    ids: readonly string[],
    listing: Listing & { include?: string; creatorDeepAnalysis?: boolean },
    limits: Limits,
  ): Promise<Answer<Batch<Post>>>;
}

export interface RequestsOptions extends AttemptOptions {
  /** Ends in `/api/v1`. */
  readonly apiBase: string;
  readonly sending: SendOptions;
}

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
    baseUrl: options.apiBase,
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
    limits: Limits,
  ): Promise<Answer<Data>> =>
    send(async (limited) => (await attempt(exchange, limited)) as Exchange<Data>, options.sending, limits);

  /** `GET /posts`: answers a `Single` for `url`, a `Batch` for `ids`. */
  const getPosts = <Data extends Single<Post> | Batch<Post>>(query: PostsQuery, limits: Limits) =>
    request<Data>((carried) => api.GET('/posts', { params: { query }, ...carried }), limits);

  const post: Requests['post'] = (query, limits) => getPosts<Single<Post>>(query, limits);

  /** By `GET`, as only that takes `include`. A comma inside an identifier would split it in a query: such a one is read alone. */
  async function postsWithInclude(
    ids: readonly string[],
    listing: Listing & { include: string },
    limits: Limits,
  ): Promise<Answer<Batch<Post>>> {
    const answers: Answer<Batch<Post>>[] = [];
    for (const listed of queriesOf(ids.filter((id) => !id.includes(',')))) {
      answers.push(await getPosts<Batch<Post>>({ ...listing, ids: listed.join(',') }, limits));
    }
    const { network: _, ...query } = listing;
    for (const id of ids.filter((id) => id.includes(','))) {
      const answer = await post({ ...query, url: id }, limits);
      answers.push({ ...answer, data: asBatch(id, answer) });
    }
    return merged(answers);
  }

  return {
    post,
    creator: (path, query, limits) =>
      request((carried) => api.GET('/creators/{network}/{handle}', { params: { path, query }, ...carried }), limits),
    creators: (ids, listing, limits) => {
      const body = { ...listing, ids: [...ids] };
      return request((carried) => api.POST('/creators/batch', { body, ...carried }), limits);
    },
    posts: (ids, { include, creatorDeepAnalysis, ...listing }, limits) => {
      if (include !== undefined) return postsWithInclude(ids, { ...listing, include }, limits);
      const body = { ...listing, ...(creatorDeepAnalysis && { creatorDeepAnalysis }), ids: [...ids] };
      return request((carried) => api.POST('/posts/batch', { body, ...carried }), limits);
    },
  };
}
