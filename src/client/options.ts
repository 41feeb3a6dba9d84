import type { AnalysisKey } from './outcome.ts';
import type { Wait } from './read-many.ts';
import type { Time } from './time.ts';

/** Options of `createClient`. */
export interface ClientOptions {
  /**
   * Base URL of the service, with or without `/api/v1`: `https://lookup.example`. http or https, without user, query and fragment; in a
   * browser it may be relative to the page.
   */
  readonly baseUrl: string;
  /**
   * Bearer token, or a function that returns the current one and is called before each request. When the function rejects,
   * or does not settle within the request's time limit, the request counts as unanswered (`unreachable`).
   */
  readonly token: string | (() => string | Promise<string>);
  /** Sends the requests in place of the global `fetch`. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /**
   * Largest number of requests that this client sends in a minute. Default: the budget that the service reports for the
   * token's account. Set it lower where several clients share one account.
   */
  readonly budgetPerMinute?: number | undefined;
  /** How often a request is sent at most, when it is answered with 429, 500, 502, 503 or 504, or not at all. Default 5. */
  readonly attempts?: number | undefined;
  /** Seconds after which one attempt at a request is given up. Default 30. */
  readonly requestTimeoutSeconds?: number | undefined;
  /** Replaces the clock, the sleep and the random numbers, for tests. */
  readonly time?: Partial<Time> | undefined;
}

/** Options of every read. */
export interface ReadOptions {
  /** Slug of the organization to act for. Default: the organization of the token's account. */
  readonly asOrg?: string | undefined;
  /** Slug of the profile that the discoveries started by this read are attributed to. Default: none. */
  readonly asProfile?: string | undefined;
  /**
   * Whether to wait for what the service is still fetching, reading it again each time that the service says to. `true`
   * waits for up to 300 s. Default: no wait; the outcome is `fetching`.
   */
  readonly wait?: boolean | Wait | undefined;
  /** Aborts the read, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of `readCreator`. */
export interface ReadCreatorOptions extends ReadOptions {
  /** `['posts']` adds the creator's recent posts to the document. */
  readonly include?: readonly 'posts'[] | undefined;
}

/** Options of `readPost`. */
export interface ReadPostOptions extends ReadOptions {
  /** Keys of `analysis` to add to the document. Default: none, and no `analysis`. */
  readonly include?: readonly AnalysisKey[] | undefined;
}

/** Options of a read of many creators or posts. */
export interface ReadManyOptions extends ReadOptions {
  /** Network of bare identifiers, which name none themselves. Default `netA`. */
  readonly network?: string | undefined;
}

interface WithAnalysis {
  /** Keys of `analysis` to add to each document. Default: none, and no `analysis`. Not beside `creatorDeepAnalysis`. */
  readonly include?: readonly AnalysisKey[] | undefined;
  readonly creatorDeepAnalysis?: false | undefined;
}

interface WithDeepAnalysis {
  readonly include?: readonly [] | undefined;
  /** Also ingest the recent posts of the posts' authors, now and for seven days (PST-06). Default false. Not beside `include`. */
  readonly creatorDeepAnalysis?: boolean | undefined;
}

/**
 * Options of a read of many posts: with `include` or with `creatorDeepAnalysis`, as the operation that knows the one does not know
 * the other.
 */
export type ReadManyPostsOptions = ReadManyOptions & (WithAnalysis | WithDeepAnalysis);

/** Options of `readManyCreators`. */
export interface ReadManyCreatorsOptions extends ReadManyOptions {
  /** Also ingest the other recent posts of these accounts, now and for seven days (CRB-09, CRB-10). Default false. */
  readonly creatorDeepAnalysis?: boolean | undefined;
}

/**
 * Identifiers as they come: a list, or a stream of any length. Blanks around them, empty ones and repeats are dropped. One text is no
 * list, though it would be one of letters.
 */
export type Identifiers = (Iterable<string> | AsyncIterable<string>) & object;
