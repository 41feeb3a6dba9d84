import { outcomesOf, type Batch } from './buckets.ts';
import type { Names } from './correlate.ts';
import type { Entry } from './outcome.ts';
import { TooLate } from './pace.ts';
import { withJitter, type Answer } from './send.ts';
import { unlessAborted, type Time } from './time.ts';

/** How long a read waits for what the service is still fetching. */
export interface Wait {
  /**
   * Seconds from the start of the read. Nothing is read again after them: what is still being fetched then has the outcome
   * `fetching`. Default 300.
   */
  readonly deadlineSeconds?: number | undefined;
}

/** What a read of many needs: identifiers, how to send a batch of them, and how to wait. */
export interface ManyPlan<Document> {
  readonly ids: Iterable<string> | AsyncIterable<string>;
  readonly network: string;
  readonly names: Names<Document>;
  /** Rejects with `TooLate` when the budget has no room before `notAfter`. */
  readonly sendBatch: (ids: readonly string[], notAfter?: number) => Promise<Answer<Batch<Document>>>;
  readonly wait: Wait | null;
  readonly signal: AbortSignal | undefined;
  readonly time: Time;
}

const batchSize = 100;
/** Identifiers that become due within this time of one another are read again in one request. */
const gatherMilliseconds = 500;
export const defaultDeadlineSeconds = 300;

/** An identifier that is being fetched: when it is read again, and what is told of it if that is not possible in time. */
interface Due {
  readonly at: number;
  readonly entry: Extract<Entry<never>, { is: 'fetching' }>;
}

/** Lists of up to a hundred identifiers, without the blanks around them, without empty ones, and each once (IDS-10, IDS-11). */
async function* batchesOf(ids: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string[], void> {
  if (typeof ids === 'string') throw new TypeError('one identifier is to be given as a list of one');
  const seen = new Set<string>();
  let batch: string[] = [];
  for await (const given of ids) {
    const id = given.trim();
    if (id === '' || seen.has(id)) continue;
    seen.add(id);
    batch.push(id);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** The same items, ended by the signal even while the next one is still awaited. */
async function* untilAborted<Item>(
  items: AsyncGenerator<Item, void>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Item> {
  try {
    for (;;) {
      const next = await unlessAborted(items.next(), signal);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await unlessAborted(items.return(), signal);
  }
}

/** Takes up to a hundred identifiers that are due together out of the queue, the earliest first; the others stay in it. */
function takeDue(queue: Due[]): Due[] {
  queue.sort((a, b) => a.at - b.at);
  const first = queue[0]?.at ?? 0;
  const others = queue.findIndex(({ at }) => at > first + gatherMilliseconds);
  return queue.splice(0, Math.min(batchSize, others < 0 ? queue.length : others));
}

/** Waits until the last of them is due. */
async function untilDue(due: readonly Due[], time: Time, signal: AbortSignal | undefined): Promise<void> {
  const milliseconds = (due.at(-1)?.at ?? 0) - time.clock();
  if (milliseconds > 0) await time.sleep(milliseconds, signal);
}

/**
 * When to read again, in milliseconds of this machine's clock. `Retry-After` is counted from now, so it does not matter if
 * the clocks differ; the entries' instant is used only for a server that leaves the header out.
 */
export function retryAt(retryAfterSeconds: number | null, instant: string | undefined, now: number): number {
  if (retryAfterSeconds !== null) return now + retryAfterSeconds * 1000;
  const told = Date.parse(instant ?? '');
  return Math.max(now + 1000, Number.isNaN(told) ? 0 : told);
}

/**
 * Reads any number of identifiers, a hundred in one request, and yields each outcome as soon as it is known. With `wait`,
 * those that are being fetched are read again, never before `Retry-After`, and as many in one request as are due; without
 * it, and after its deadline, they are yielded as `fetching`. Every identifier is read at least once.
 */
export async function* readMany<Document>(plan: ManyPlan<Document>): AsyncGenerator<Entry<Document>> {
  const { time, signal, wait } = plan;
  const deadline = time.clock() + (wait ? (wait.deadlineSeconds ?? defaultDeadlineSeconds) * 1000 : 0);
  const queue: Due[] = [];

  async function* read(ids: readonly string[], notAfter?: number): AsyncGenerator<Entry<Document>> {
    const answer = await plan.sendBatch(ids, notAfter);
    const { settled, fetching } = outcomesOf(ids, answer, plan.names, plan.network);
    yield* settled;
    if (fetching.length === 0) return;
    const now = time.clock();
    const at = retryAt(answer.retryAfterSeconds, fetching[0]?.retryAfter, now);
    const again = now + withJitter(at - now, time.random);
    const { requestId } = answer;
    const left = fetching.map(({ id }) => ({ id, requestId, is: 'fetching' as const, retryAt: new Date(at) }));
    if (wait === null || !(again <= deadline)) return yield* left;
    queue.push(...left.map((entry) => ({ at: again, entry })));
  }

  async function* readAgain(due: readonly Due[]): AsyncGenerator<Entry<Document>> {
    const entries = due.map(({ entry }) => entry);
    try {
      yield* read(
        entries.map(({ id }) => id),
        deadline,
      );
    } catch (error) {
      if (!(error instanceof TooLate)) throw error;
      yield* entries;
    }
  }

  for await (const ids of untilAborted(batchesOf(plan.ids), signal)) yield* read(ids);
  while (queue.length > 0) {
    const due = takeDue(queue);
    await untilDue(due, time, signal);
    yield* readAgain(due);
  }
}
