/** What the faults against IDS ask of a request, and do to an answer. */
import type { AlterableRequest } from '../model.ts';
import { isBatch, submitted, type Any } from './edit.ts';

/** Whether the identifier is an address. */
export const isUrl = (id: string): boolean => /^https?:/i.test(id);

/** The network that a qualified identifier names. */
export const prefix = (id: string): string | undefined => (isUrl(id) ? undefined : /^([^:]+):/.exec(id)?.[1]);

/** The identifiers of a batch that fit, each once; none of another request. */
export const some = (q: AlterableRequest, fits: (id: string) => boolean): string[] =>
  isBatch(q) ? [...new Set(submitted(q))].filter(fits) : [];

/** Unavailable identifiers that fit are told as fetching. */
export const fetched = (body: Any, fits: (id: string, reason: string) => boolean): void => {
  const moved = body.unavailable.filter((entry: Any) => fits(entry.id, entry.reason));
  body.unavailable = body.unavailable.filter((entry: Any) => !moved.includes(entry));
  for (const { id } of moved)
    body.fetching.push({ id, retryAfter: body.fetching[0]?.retryAfter ?? new Date(Date.now() + 3000).toISOString() });
};
