/**
 * The typed client of the lookup service. It reads creators and posts, one or any number of them, waits for what the service
 * is still fetching, and keeps within the request budget. Runs in Node and in browsers; depends on openapi-fetch alone.
 *
 * @module
 */
import { apiBase, fitsInPath } from './address.ts';
import type {
  ClientOptions,
  ReadOptions,
  ReadCreatorOptions,
  ReadPostOptions,
  ReadManyOptions,
  ReadManyPostsOptions,
  ReadManyCreatorsOptions,
  Identifiers,
} from './options.ts';
import { creatorNames, postNames } from './correlate.ts';
import { LookupError } from './errors.ts';
import type { Creator, CreatorEntry, Entry, Outcome, Post } from './outcome.ts';
import { createPace, TooLate } from './pace.ts';
import { readMany, retryAt, defaultDeadlineSeconds, type Wait } from './read-many.ts';
import { createRequests, needed, type Acting, type Single } from './requests.ts';
import { withJitter, type Answer } from './send.ts';
import { machineTime, type Time } from './time.ts';

export { LookupError, type LookupErrorCode } from './errors.ts';
export type { AnalysisKey, Creator, CreatorEntry, Entry, Outcome, Post, Reason } from './outcome.ts';
export type * from './options.ts';
export type { Wait } from './read-many.ts';
export type { Time } from './time.ts';

/**
 * The four reads. Each rejects with a `LookupError` when the service refuses the request or cannot be reached, and with the
 * signal's reason when it is aborted. A creator or post that cannot be obtained is an outcome, `unavailable`, not an error.
 */
export interface LookupClient {
  /** Reads one creator by the identifier of its network (`netA`) and its handle. */
  readCreator(network: string, handle: string, options?: ReadCreatorOptions): Promise<Outcome<Creator>>;
  /** Reads one post by its URL. */
  readPost(url: string, options?: ReadPostOptions): Promise<Outcome<Post>>;
  /**
   * Reads any number of creators: qualified handles (`netA:ada`), profile URLs, or bare handles of `network`. Yields one entry
   * for each identifier, as soon as its outcome is known and so in no particular order.
   */
  readManyCreators(ids: Identifiers, options?: ReadManyCreatorsOptions): AsyncGenerator<Entry<CreatorEntry>>;
  /**
   * As `readManyCreators`, for posts: URLs, qualified ids (`netA:C1x`), or bare ids of `network`.
   * @throws TypeError for `include` beside `creatorDeepAnalysis`.
   */
  readManyPosts(ids: Identifiers, options?: ReadManyPostsOptions): AsyncGenerator<Entry<Post>>;
}

const defaultNetwork = 'netA';

const actingOf = ({ asOrg, asProfile }: ReadOptions): Acting => defined({ asOrg, asProfile });

const includeOf = (include: readonly string[] | undefined): { include?: string } =>
  include && include.length > 0 ? { include: include.join(',') } : {};

const waitOf = ({ wait }: ReadOptions): Wait | null => (wait === true ? {} : wait || null);

type Defined<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };

/** The properties that are not undefined. */
const defined = <Values extends object>(values: Values): Defined<Values> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<Values>;

function outcomeOf<Document>(answer: Answer<Single<Document>>, now: number): Outcome<Document> {
  if (answer.miss !== null) return { is: 'unavailable', ...answer.miss };
  const { data, fetching } = needed(answer);
  if (answer.status === 200 && data) return { is: 'held', document: data };
  if (answer.status === 202)
    return { is: 'fetching', retryAt: new Date(retryAt(answer.retryAfterSeconds, fetching?.[0]?.retryAfter, now)) };
  throw new LookupError('unexpected-response', `status ${answer.status} is no answer of a single read`, answer);
}

const nullIfTooLate = (error: unknown): null => {
  if (error instanceof TooLate) return null;
  throw error;
};

/** Reads until the outcome is no longer `fetching` or the deadline is reached, and never before the service's `retryAt`. */
async function readOne<Document>(
  read: (notAfter?: number) => Promise<Answer<Single<Document>>>,
  options: ReadOptions,
  time: Time,
): Promise<Outcome<Document>> {
  const wait = waitOf(options);
  const deadline = time.clock() + (wait?.deadlineSeconds ?? defaultDeadlineSeconds) * 1000;
  let outcome = outcomeOf(await read(), time.clock());
  while (outcome.is === 'fetching' && wait !== null) {
    const milliseconds = withJitter(outcome.retryAt.getTime() - time.clock(), time.random);
    if (!(time.clock() + milliseconds <= deadline)) break;
    await time.sleep(milliseconds, options.signal);
    const answer = await read(deadline).catch(nullIfTooLate);
    if (answer === null) break;
    outcome = outcomeOf(answer, time.clock());
  }
  return outcome;
}

/** @throws TypeError for an option with which every read would fail or wait for ever. */
function checkOptions(options: ClientOptions): void {
  if (typeof options.token !== 'string' && typeof options.token !== 'function')
    throw new TypeError('token must be a text, or a function that returns one');
  for (const name of ['budgetPerMinute', 'attempts', 'requestTimeoutSeconds'] as const) {
    const value = options[name];
    if (value !== undefined && !(value > 0)) throw new TypeError(`${name} must be a number above 0, not ${value}`);
  }
}

/**
 * Creates a client. Nothing is sent before the first read; make one client for each token, as it keeps the token's budget.
 *
 * @example
 * ```ts
 * const client = createClient({ baseUrl: 'https://lookup.example', token: 'my-token' });
 *
 * const outcome = await client.readCreator('netA', 'ada', { wait: true, include: ['posts'] });
 * if (outcome.is === 'held') console.log(outcome.document.channels[0].username, outcome.document.posts?.length);
 *
 * for await (const entry of client.readManyPosts(['netA:C1x', 'https://netb.example/@ben/video/731'])) {
 *   if (entry.is === 'unavailable') console.log(entry.id, entry.reason);
 * }
 * ```
 *
 * @throws TypeError when `baseUrl` is not the URL of a service, there is no `token`, or a number among the options is not above 0.
 */
export function createClient(options: ClientOptions): LookupClient {
  checkOptions(options);
  const time: Time = { ...machineTime, ...options.time };
  const pace = createPace(time, options.budgetPerMinute ?? null);
  const sending = {
    time,
    pace,
    attempts: options.attempts ?? 5,
    requestTimeoutSeconds: options.requestTimeoutSeconds ?? 30,
  };
  const requests = createRequests({
    apiBase: apiBase(options.baseUrl),
    token: options.token,
    fetch: options.fetch,
    sending,
  });

  /** What the two reads of many have in common. */
  const planOf = (ids: Identifiers, read: ReadManyOptions) => ({
    ids,
    network: read.network || defaultNetwork,
    wait: waitOf(read),
    signal: read.signal,
    time,
  });
  const listingOf = (read: ReadManyOptions) => ({ ...defined({ network: read.network }), ...actingOf(read) });

  return {
    readCreator: async (network, handle, read = {}) => {
      // What the service would say, if such a handle could reach it.
      if (!fitsInPath(network)) return { is: 'unavailable', reason: 'not-supported-on-network', retryable: false };
      if (!fitsInPath(handle)) return { is: 'unavailable', reason: 'unparseable-identifier', retryable: false };
      const { signal } = read;
      const query = { ...includeOf(read.include), ...actingOf(read) };
      return readOne((notAfter) => requests.creator({ network, handle }, query, { signal, notAfter }), read, time);
    },

    readPost: (url, read = {}) => {
      const { signal } = read;
      const query = { url, ...includeOf(read.include), ...actingOf(read) };
      return readOne((notAfter) => requests.post(query, { signal, notAfter }), read, time);
    },

    readManyCreators: (ids, read = {}) => {
      const listing = { ...listingOf(read), ...defined({ creatorDeepAnalysis: read.creatorDeepAnalysis }) };
      return readMany<CreatorEntry>({
        ...planOf(ids, read),
        names: creatorNames,
        sendBatch: (batch, notAfter) => requests.creators(batch, listing, { signal: read.signal, notAfter }),
      });
    },

    readManyPosts: (ids, read = {}) => {
      const [include, deep] = [includeOf(read.include), defined({ creatorDeepAnalysis: read.creatorDeepAnalysis })];
      if (include.include !== undefined && read.creatorDeepAnalysis)
        throw new TypeError('include and creatorDeepAnalysis exclude one another in a read of many posts');
      const listing = { ...listingOf(read), ...include, ...deep };
      return readMany<Post>({
        ...planOf(ids, read),
        names: postNames,
        sendBatch: (batch, notAfter) => requests.posts(batch, listing, { signal: read.signal, notAfter }),
      });
    },
  };
}
