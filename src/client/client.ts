/**
 * The typed client of the lookup service: reads creators and posts, one or any number of them, and knows how to wait. Runs
 * in Node and in browsers; its only dependency is openapi-fetch.
 */
import { creatorNamesOfId, namesOfCreator, namesOfPost, postNamesOfId } from './correlate.ts';
import { LookupError } from './errors.ts';
import type { AnalysisKey, Creator, CreatorEntry, Entry, Outcome, Post } from './outcome.ts';
import { createPace } from './pace.ts';
import { readMany, retryAt, usualDeadlineSeconds, type Wait } from './read-many.ts';
import { createRequests, needed, type Acting, type Single } from './requests.ts';
import { withJitter, type Answer } from './send.ts';
import { machineTime, type Time } from './time.ts';

export { LookupError, type LookupErrorCode } from './errors.ts';
export type { AnalysisKey, Creator, CreatorEntry, Entry, Outcome, Post, Reason } from './outcome.ts';
export type { Wait } from './read-many.ts';
export type { Time } from './time.ts';

export interface ClientOptions {
  /** Address of the service, with or without `/api/v1`: `https://lookup.example`. */
  readonly baseUrl: string;
  /** Access token, sent as `Authorization: Bearer`; a function is asked before each request. */
  readonly token: string | (() => string | Promise<string>);
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Most requests a minute that this client may spend; default: what the service says the principal's budget is. */
  readonly budgetPerMinute?: number;
  /** Attempts in all at a request that meets 429, 500, 503 or no answer. Default 5. */
  readonly attempts?: number;
  /** Time limit of each single request. Default 30. */
  readonly requestTimeoutSeconds?: number;
  /** Clock, sleep and chance, for tests. */
  readonly time?: Partial<Time>;
}

export interface ReadOptions {
  /** Slug of the organization to act for. */
  readonly asOrg?: string;
  /** Slug of the profile that the work is attributed to. */
  readonly asProfile?: string;
  /** Wait for what is being fetched, for 300 s or as long as it says. Default: answer `fetching` at once. */
  readonly wait?: boolean | Wait;
  /** Ends the read: it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface ReadCreatorOptions extends ReadOptions {
  readonly include?: readonly 'posts'[];
}

export interface ReadPostOptions extends ReadOptions {
  readonly include?: readonly AnalysisKey[];
}

export interface ReadManyOptions extends ReadOptions {
  /** Network of identifiers that do not name one. Default: the service's, `netA`. */
  readonly network?: string;
}

export interface ReadManyPostsOptions extends ReadManyOptions {
  readonly include?: readonly AnalysisKey[];
}

export interface ReadManyCreatorsOptions extends ReadManyOptions {
  /** Also ingest the other recent posts of these accounts, for seven days (CRB-09). */
  readonly creatorDeepAnalysis?: boolean;
}

export interface LookupClient {
  readCreator(network: string, handle: string, options?: ReadCreatorOptions): Promise<Outcome<Creator>>;
  /** Reads one post by its URL. */
  readPost(url: string, options?: ReadPostOptions): Promise<Outcome<Post>>;
  /** Reads any number of creators: qualified `netA:ada`, profile URLs, or bare handles of `network`. */
  readManyCreators(ids: Identifiers, options?: ReadManyCreatorsOptions): AsyncGenerator<Entry<CreatorEntry>>;
  /** Reads any number of posts: URLs, qualified `netA:C1x`, or bare ids of `network`. */
  readManyPosts(ids: Identifiers, options?: ReadManyPostsOptions): AsyncGenerator<Entry<Post>>;
}

export type Identifiers = Iterable<string> | AsyncIterable<string>;

const defaultNetwork = 'netA';

const actingOf = ({ asOrg, asProfile }: ReadOptions): Acting => given({ asOrg, asProfile });

const includeOf = (include: readonly string[] | undefined): { include?: string } =>
  include && include.length > 0 ? { include: include.join(',') } : {};

const waitOf = ({ wait }: ReadOptions): Wait | null => (wait === true ? {} : wait || null);

type Given<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };

/** Only those that have a value. */
const given = <Values extends object>(values: Values): Given<Values> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<Values>;

function outcomeOf<Document>(answer: Answer<Single<Document>>, now: number): Outcome<Document> {
  if (answer.miss !== null) return { is: 'unavailable', ...answer.miss };
  const { data, fetching } = needed(answer);
  if (answer.status === 200 && data) return { is: 'held', document: data };
  if (answer.status === 202)
    return { is: 'fetching', retryAt: new Date(retryAt(answer.retryAfterSeconds, fetching?.[0]?.retryAfter, now)) };
  throw new LookupError('unexpected-response', `status ${answer.status} is no answer of a single read`, answer);
}

/** Reads again and again until it is no longer being fetched, never before the instant that it was told. */
async function readOne<Document>(
  read: () => Promise<Answer<Single<Document>>>,
  options: ReadOptions,
  time: Time,
): Promise<Outcome<Document>> {
  const wait = waitOf(options);
  const deadline = time.clock() + (wait?.deadlineSeconds ?? usualDeadlineSeconds) * 1000;
  for (;;) {
    const outcome = outcomeOf(await read(), time.clock());
    if (outcome.is !== 'fetching' || wait === null) return outcome;
    const milliseconds = withJitter(outcome.retryAt.getTime() - time.clock(), time.random);
    if (time.clock() + milliseconds > deadline) return outcome;
    await time.sleep(milliseconds, options.signal);
  }
}

/** What no path can hold is told as the service would tell it: `..` would be another path, half a character is none (CRE-10). */
const canStandInPath = (handle: string): boolean => !/^\.*$/.test(handle) && handle.isWellFormed();

export function createClient(options: ClientOptions): LookupClient {
  const time: Time = { ...machineTime, ...options.time };
  const pace = createPace(time, options.budgetPerMinute ?? null);
  const sending = {
    time,
    pace,
    attempts: options.attempts ?? 5,
    requestTimeoutSeconds: options.requestTimeoutSeconds ?? 30,
  };
  const requests = createRequests({ baseUrl: options.baseUrl, token: options.token, fetch: options.fetch, sending });

  const many = (read: ReadManyOptions) => ({
    network: read.network || defaultNetwork,
    wait: waitOf(read),
    signal: read.signal,
    time,
  });
  const listing = (read: ReadManyOptions) => ({ ...given({ network: read.network }), ...actingOf(read) });

  return {
    readCreator: async (network, handle, read = {}) => {
      if (!canStandInPath(handle)) return { is: 'unavailable', reason: 'unparseable-identifier', retryable: false };
      const query = { ...includeOf(read.include), ...actingOf(read) };
      return readOne(() => requests.creator({ network, handle }, query, read.signal), read, time);
    },

    readPost: (url, read = {}) =>
      readOne(() => requests.post({ url, ...includeOf(read.include), ...actingOf(read) }, read.signal), read, time),

    readManyCreators: (ids, read = {}) =>
      readMany<CreatorEntry>({
        ...many(read),
        ids,
        names: { ofId: creatorNamesOfId, ofDocument: namesOfCreator },
        sendBatch: (asked) =>
          requests.creators(
            asked,
            { ...listing(read), ...given({ creatorDeepAnalysis: read.creatorDeepAnalysis }) },
            read.signal,
          ),
      }),

    readManyPosts: (ids, read = {}) =>
      readMany<Post>({
        ...many(read),
        ids,
        names: { ofId: postNamesOfId, ofDocument: namesOfPost },
        sendBatch: (asked) => requests.posts(asked, { ...listing(read), ...includeOf(read.include) }, read.signal),
      }),
  };
}
