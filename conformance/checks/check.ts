/** What the checks of all sections share: how one is written, and the readings that several need. */
import { dataOf, documentOf, fetchingOf, isObject, unavailableOf, type Json } from '../answer.ts';
import { Look } from '../look.ts';
import type { Check, CheckContext, Exchange } from '../model.ts';
import { further } from './further.ts';

export const check = (id: string, run: (look: Look, context: CheckContext) => void): Check => ({
  id,
  run(context) {
    const look = new Look(context);
    run(look, context);
    const more = further(look, context, id);
    return { ...look.outcome(), further: more };
  },
});

/** Requests that the contract names and that were answered. */
export const answered = ({ exchanges }: CheckContext): Exchange[] =>
  exchanges.filter(({ response }) => response.status > 0);

/** Answers under a path of the interface: neither another version nor a request that no parser takes. */
export const underInterface = (context: CheckContext): Exchange[] =>
  answered(context).filter(({ step }) => step !== 'path-version' && step !== 'path-broken-line');

export const batchSteps = [
  'creators-batch',
  'creators-get',
  'creators-other',
  'creators-hundred',
  'creators-long',
  'posts-batch',
  'posts-get',
  'posts-other',
  'posts-spellings',
] as const;
export const creatorBatchSteps = batchSteps.filter((step) => step.startsWith('creators'));
export const postBatchSteps = batchSteps.filter((step) => step.startsWith('posts'));

/** Answers 200 to batches whose identifiers are known. */
export const batches = (context: CheckContext, steps: readonly string[] = [...batchSteps, 'rate-batch']): Exchange[] =>
  steps.flatMap((step) => context.of(step)).filter(({ response }) => response.status === 200);

export const submitted = (context: CheckContext, exchange: Exchange): readonly string[] =>
  context.planned(exchange.step)?.identifiers ?? [];

export const facts = (context: CheckContext, step: string, name: string): string[] => {
  const value = context.planned(step)?.facts?.[name];
  return Array.isArray(value) ? (value as string[]) : typeof value === 'string' ? [value] : [];
};

export interface Found {
  readonly exchange: Exchange;
  readonly pointer: string;
  readonly document: Json;
  /** Whether it stands in a batch. */
  readonly batch: boolean;
}

const creatorOperations = new Set(['getCreator', 'listCreators', 'batchCreators']);

/** Every document of a kind, wherever it was answered. */
export function documents(context: CheckContext, kind: 'creator' | 'post'): Found[] {
  return answered(context).flatMap((exchange): Found[] => {
    if (exchange.response.status !== 200 || exchange.operation === null) return [];
    if (creatorOperations.has(exchange.operation) !== (kind === 'creator')) return [];
    const single = documentOf(exchange);
    if (single) return [{ exchange, pointer: '/data', document: single, batch: false }];
    return dataOf(exchange).map((document, index) => ({ exchange, pointer: `/data/${index}`, document, batch: true }));
  });
}

export const objects = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

export interface ChannelFound extends Found {
  readonly channel: Json;
}

export const channels = (context: CheckContext): ChannelFound[] =>
  documents(context, 'creator').flatMap((found) =>
    objects(found.document['channels']).map((channel, index) => ({
      ...found,
      channel,
      pointer: `${found.pointer}/channels/${index}`,
    })),
  );

/** The `posts` of creators, with the creator. */
export const creatorPosts = (context: CheckContext): { found: Found; posts: Json[] }[] =>
  documents(context, 'creator').flatMap((found) =>
    Array.isArray(found.document['posts']) ? [{ found, posts: objects(found.document['posts']) }] : [],
  );

/** Where an identifier is in a batch: which list, and its entry. */
export function placeOf(
  exchange: Exchange,
  id: string,
): { in: 'fetching' | 'unavailable'; entry: Json } | { in: 'elsewhere' } {
  const fetching = fetchingOf(exchange).find((entry) => entry['id'] === id);
  if (fetching) return { in: 'fetching', entry: fetching };
  const unavailable = unavailableOf(exchange).find((entry) => entry['id'] === id);
  return unavailable ? { in: 'unavailable', entry: unavailable } : { in: 'elsewhere' };
}

/** An identifier has to be unavailable, with a reason. */
export function unavailableWith(
  look: Look,
  exchange: Exchange,
  id: string,
  reason: string,
  level: 'specification' | 'ruling' = 'specification',
): void {
  const place = placeOf(exchange, id);
  const seen =
    place.in === 'elsewhere'
      ? 'not among fetching or unavailable'
      : place.in === 'fetching'
        ? 'in fetching'
        : `unavailable with ${String(place.entry['reason'])}`;
  const holds = place.in === 'unavailable' && place.entry['reason'] === reason;
  look.that(holds, exchange, '/unavailable', `${short(id)} unavailable with ${reason}`, seen, level);
}

export const short = (id: string): string =>
  id.length > 60 ? `${id.slice(0, 57)}… (${id.length} characters)` : JSON.stringify(id);

/** Whether a creator document can be the one of a handle: an unobserved name leaves it open; other channels don't matter. */
export const isCreator = (document: Json, network: string, handle: string): boolean =>
  objects(document['channels']).some(
    ({ network: on, username }) =>
      on === network && (typeof username !== 'string' || username.toLowerCase() === handle.toLowerCase()),
  );
