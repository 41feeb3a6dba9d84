import { correlate, type Names } from './correlate.ts';
import { LookupError } from './errors.ts';
import type { Entry, Reason } from './outcome.ts';
import type { Answer } from './send.ts';

/** The three buckets of a batch answer. */
export interface Batch<Document> {
  readonly data: readonly Document[];
  readonly fetching: readonly { readonly id: string; readonly retryAfter: string }[];
  readonly unavailable: readonly { readonly id: string; readonly reason: Reason; readonly retryable?: boolean }[];
}

export interface Sorted<Document> {
  readonly settled: readonly Entry<Document>[];
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
 * What was told of each identifier. Throws a `LookupError` unless each of them is in one bucket, and nothing else is (CRB-02): a batch that
 * loses one, or tells of others, can't be gone on with.
 */
export function sorted<Document>(
  asked: readonly string[],
  answer: Answer<Batch<Document>>,
  names: Names<Document>,
  network: string,
): Sorted<Document> {
  const { data, fetching, unavailable } = bucketsOf(answer);
  const left = new Set(asked);
  const strange = [...fetching, ...unavailable].map(({ id }) => id).filter((id) => !left.delete(id));
  if (strange.length > 0) throw unexpected(answer, `answered twice, or not asked for: ${quoted(strange)}`);
  const { requestId } = answer;
  return {
    fetching,
    settled: [
      ...named([...left], data, answer, () => correlate([...left], data, names, network)).map((found) => ({
        ...found,
        requestId,
        is: 'held' as const,
      })),
      ...unavailable.map(({ id, reason, retryable }) => ({
        id,
        requestId,
        is: 'unavailable' as const,
        reason,
        retryable: retryable === true,
      })),
    ],
  };
}

function bucketsOf<Document>(answer: Answer<Batch<Document>>): Batch<Document> {
  const batch = answer.data as Partial<Batch<Document>> | null | undefined;
  if ([batch?.data, batch?.fetching, batch?.unavailable].every(isListOfObjects)) return batch as Batch<Document>;
  throw unexpected(answer, `status ${answer.status} without the three buckets of a batch`);
}

type Found<Document> = { readonly id: string | null; readonly document: Document };

/** Documents with their identifiers: as many without one as there are identifiers without a document. */
function named<Document>(
  ids: readonly string[],
  data: readonly Document[],
  answer: Answer<unknown>,
  find: () => Found<Document>[],
): Found<Document>[] {
  let found: Found<Document>[];
  try {
    found = find();
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
