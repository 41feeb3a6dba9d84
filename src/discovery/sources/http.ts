import type { Creator, CreatorPost, Entity, Instant, Obtained, ObtainedPost, Post, Source } from '../../model.ts';
import { canonicalHandle } from '../../networks/handle.ts';
import type { Network } from '../../networks/network.ts';
import { reconcileCreator, reconcilePost } from '../reconcile.ts';
import { BeyondRepair, createRepair, repairAnalysis, type Repair, type Schemas } from '../repair.ts';
import { SourceThrottled } from '../source.ts';
import { callJson, type JsonAnswer } from './json-call.ts';

export interface HttpSourceOptions {
  /** Where the collector answers; `spec/source.yaml` is its contract. */
  readonly baseUrl: string;
  /** `components.schemas` of the bundled contract: what comes is repaired to it. */
  readonly schemas: Schemas;
  readonly token?: string;
  readonly timeoutMilliseconds?: number;
  readonly maxBytes?: number;
  readonly expectedSeconds?: number;
}

type Fields = Readonly<Record<string, unknown>>;
const defaults = { timeoutMilliseconds: 20_000, maxBytes: 8 * 1024 * 1024, expectedSeconds: 2 };
const throttledSeconds = 60;

/**
 * A network behind a collector of any make, asked over HTTP. The URL is built from the configured base and canonical names only, never
 * from what a caller sent. Nothing that comes back is trusted: it is repaired to the contract or refused (F10).
 */
export function createHttpSource(network: Network, options: HttpSourceOptions): Source {
  const { baseUrl, schemas, token, timeoutMilliseconds, maxBytes, expectedSeconds } = { ...defaults, ...options };
  const repair = createRepair(schemas);
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };

  return {
    network: network.name,
    expectedSeconds: () => expectedSeconds,
    async obtain(entity, { deep, signal }) {
      const url = urlOf(baseUrl, entity, deep);
      const answer = await callJson(url, { signal, timeoutMilliseconds, maxBytes, headers });
      const body = bodyOf(answer);
      if (answer.status === 404) return refusalOf(body);
      return entity.kind === 'creator'
        ? creatorOf(repair, network, body)
        : { is: 'post', ...postOf(repair, network, body, entity) };
    },
  };
}

function urlOf(baseUrl: string, { kind, network, name }: Entity, deep: boolean): URL {
  const base = baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`;
  const url = new URL(`${base}v1/${network}/${kind}s/${encodeURIComponent(name)}`);
  if (deep) url.searchParams.set('deep', 'true');
  return url;
}

/** The JSON object of a 200 or 404; every other answer is a failure of the service's side. */
function bodyOf({ status, headers, body }: JsonAnswer): Fields {
  if (status === 429) throw new SourceThrottled(retryAfterSeconds(headers));
  if (status !== 200 && status !== 404) throw new Error(`the source answered ${status}`);
  return fieldsOf(body);
}

function retryAfterSeconds(headers: Headers): number {
  const seconds = headers.get('retry-after') ?? '';
  return /^\d{1,6}$/.test(seconds) ? Math.max(1, Number(seconds)) : throttledSeconds;
}

function fieldsOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new BeyondRepair('the source answered no JSON object');
  return value as Fields;
}

function refusalOf({ reason, retryable }: Fields): Obtained {
  if (typeof reason !== 'string' || !/^[a-z][a-z0-9-]{0,63}$/.test(reason))
    throw new BeyondRepair('the source refused without a reason');
  return { is: 'unavailable', reason, retryable: retryable === true || reason === 'internal-error' };
}

function creatorOf(repair: Repair, network: Network, body: Fields): Obtained {
  const audienceUntil = instantOf(body['audienceUntil']);
  const repaired = repair('Creator', withoutPosts(body['creator'])) as Creator;
  const document = reconcileCreator(repaired, audienceUntil !== null);
  if (document.channels.some((channel) => channel.network !== network.name))
    throw new BeyondRepair('a channel of another network');
  const shown = demographicsIn(document) ? audienceUntil : null;
  return {
    is: 'creator',
    document,
    posts: creatorPostsOf(repair, network, body['posts']),
    audienceUntil: shown,
    deepPosts: deepPostsOf(repair, network, body),
  };
}

const withoutPosts = (creator: unknown): Fields => ({ ...fieldsOf(creator), posts: undefined });
const demographicsIn = ({ channels }: Creator): boolean =>
  channels.some(({ netA }) => netA.audienceDemographics !== undefined);

function instantOf(value: unknown): Instant | null {
  const instant = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(instant) ? null : instant;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value.slice(0, 200) : []);

/** What can be repaired of a list; the rest is left out. */
function eachOf<Item>(value: unknown, repairItem: (item: unknown) => Item): Item[] {
  return listOf(value).flatMap((item) => {
    try {
      return [repairItem(item)];
    } catch {
      return [];
    }
  });
}

/** Each once, as its network's own. */
function creatorPostsOf(repair: Repair, network: Network, posts: unknown): CreatorPost[] {
  const seen = new Set<string>();
  return eachOf(posts, (item) => {
    const post = repair('CreatorPost', item) as CreatorPost;
    if (post.network !== null && post.network !== network.name) throw new BeyondRepair('a post of another network');
    const id = post.externalId ?? post.url;
    if (id !== null && seen.size === seen.add(id).size) throw new BeyondRepair('a post that came before');
    return post;
  });
}

function deepPostsOf(repair: Repair, network: Network, body: Fields): ObtainedPost[] {
  return eachOf(body['deepPosts'], (item) => {
    const fields = fieldsOf(item);
    const name = typeof fields['name'] === 'string' ? network.postOfText(fields['name']) : null;
    if (name === null) throw new BeyondRepair('a post without a name');
    return postOf(repair, network, fields, { kind: 'post', network: network.name, name });
  });
}

function postOf(repair: Repair, network: Network, body: Fields, entity: Entity): ObtainedPost {
  const post = repair('Post', { ...fieldsOf(body['post']), analysis: undefined }) as Post;
  if (post.network !== network.name) throw new BeyondRepair('a post of another network');
  if (isOfAnother(post, network, entity)) throw new BeyondRepair('another post');
  const name = canonicalHandle(post.author.username ?? '');
  const author = name === null ? null : ({ kind: 'creator', network: network.name, name } as const);
  return { entity, document: reconcilePost(post), analysis: repairAnalysis(repair, body['analysis']), author };
}

/** Its permalink names a post, and not the one that was asked for. */
function isOfAnother({ url }: Post, network: Network, { name }: Entity): boolean {
  const named = url !== null && URL.canParse(url) ? network.postOfPath(new URL(url).pathname) : null;
  return named !== null && named !== name;
}
