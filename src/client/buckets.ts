import { correlate, type Correlated, type Names } from './correlate.ts';
import { LookupError } from './errors.ts';
import type { Entry, Reason } from './outcome.ts';
import type { Answer } from './send.ts';

/** A batch answer: three buckets, and each identifier asked for in one of them. */
export interface Batch<Document> {
  readonly data: readonly Document[];
  readonly fetching: readonly { readonly id: string; readonly retryAfter: string }[];
  readonly unavailable: readonly { readonly id: string; readonly reason: Reason; readonly retryable?: boolean }[];
}

/** The outcomes in one batch answer. */
export interface Outcomes<Document> {
  /** Held or unavailable. */
  readonly settled: readonly Entry<Document>[];
  /** Still being fetched, as the service says it. */
  readonly fetching: Batch<Document>['fetching'];
}

const isListOfObjects = (list: unknown): boolean =>
  Array.isArray(list) && list.every((each) => typeof each === 'object' && each !== null);

const quoted = (ids: readonly unknown[]): string =>
  ids
    .slice(0, 3)
    .map((id) => JSON.stringify(String(id).slice(0, 80)))
    .join(', ');

const unexpected = (answer: Answer<unknown>, what: string, cause?: unknown): LookupError =>
  new LookupError('unexpected-response', what, { ...answer, cause });

/**
 * The outcome of each identifier asked for.
 *
 * @throws LookupError `unexpected-response` unless each identifier is in exactly one bucket and nothing else is in any
 *   (CRB-02): with an answer that loses one, or tells of others, the read cannot be finished.
 */
export function outcomesOf<Document>(
  asked: readonly string[],
  answer: Answer<Batch<Document>>,
  names: Names<Document>,
  network: string,
): Outcomes<Document> {
  const { data, fetching, unavailable } = bucketsOf(answer);
  const left = new Set(asked);
  const strange = [...fetching, ...unavailable].map(({ id }) => id).filter((id) => !left.delete(id));
  if (strange.length > 0) throw unexpected(answer, `answered twice, or not asked for: ${quoted(strange)}`);
  const { requestId } = answer;
  const held = heldOf([...left], data, answer, names, network).map((found) => ({
    ...found,
    requestId,
    is: 'held' as const,
  }));
  const missing = unavailable.map(({ id, reason, retryable }) => ({
    id,
    requestId,
    is: 'unavailable' as const,
    reason,
    retryable: retryable === true,
  }));
  return { fetching, settled: [...held, ...missing] };
}

function bucketsOf<Document>(answer: Answer<Batch<Document>>): Batch<Document> {
  const batch = answer.data as Partial<Batch<Document>> | null | undefined;
  if ([batch?.data, batch?.fetching, batch?.unavailable].every(isListOfObjects)) return batch as Batch<Document>;
  throw unexpected(answer, `status ${answer.status} without the three buckets of a batch`);
}

/** The documents with their identifiers. As many documents may be without one as there are identifiers without a document. */
function heldOf<Document>(
  ids: readonly string[],
  data: readonly Document[],
  answer: Answer<unknown>,
  names: Names<Document>,
  network: string,
): Correlated<Document>[] {
  let found: Correlated<Document>[];
  try {
    found = correlate(ids, data, names, network);
  } catch (cause) {
    throw unexpected(answer, 'a document of the answer is not of this contract', cause);
  }
  const withId = new Set(found.map(({ id }) => id));
  const lost = ids.filter((id) => !withId.has(id));
  const nameless = found.filter(({ id }) => id === null).length;
  if (lost.length > nameless) throw unexpected(answer, `not answered: ${quoted(lost)}`);
  if (lost.length < nameless) throw unexpected(answer, `${data.length} documents for ${ids.length} identifiers`);
  return found;
}
