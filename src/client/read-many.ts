import { outcomesOf, type Batch } from './buckets.ts';
import type { Names } from './correlate.ts';
import type { Entry } from './outcome.ts';
import { withJitter, type Answer } from './send.ts';
import { unlessAborted, type Time } from './time.ts';

/** How long a read waits for what the service is still fetching. */
export interface Wait {
  /**
   * Seconds from the start of the read. Nothing is read again after them: what is still being fetched then has the outcome
   * `fetching`. Default 300.
   */
  readonly deadlineSeconds?: number;
}

/** What a read of many needs: identifiers, how to send a batch of them, and how to wait. */
export interface ManyPlan<Document> {
  readonly ids: Iterable<string> | AsyncIterable<string>;
  readonly network: string;
  readonly names: Names<Document>;
  readonly sendBatch: (ids: readonly string[]) => Promise<Answer<Batch<Document>>>;
  readonly wait: Wait | null;
  readonly signal: AbortSignal | undefined;
  readonly time: Time;
}

const batchSize = 100;
/** Identifiers that become due within this time of one another are read again in one request. */
const gatherMilliseconds = 500;
export const defaultDeadlineSeconds = 300;

/** Identifiers that are being fetched, and when they may be read again. */
interface Due {
  readonly at: number;
  readonly ids: readonly string[];
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

/** Takes up to a hundred identifiers that are due by `by` out of the queue, the earliest first; the others stay in it. */
function takeDue(queue: Due[], by: number): string[] {
  queue.sort((a, b) => a.at - b.at);
  const taken: string[] = [];
  while (queue[0] !== undefined && queue[0].at <= by && taken.length < batchSize) {
    const first = queue.shift()!;
    const room = batchSize - taken.length;
    taken.push(...first.ids.slice(0, room));
    if (first.ids.length > room) queue.unshift({ at: first.at, ids: first.ids.slice(room) });
  }
  return taken;
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

  async function* read(ids: readonly string[]): AsyncGenerator<Entry<Document>> {
    const answer = await plan.sendBatch(ids);
    const { settled, fetching } = outcomesOf(ids, answer, plan.names, plan.network);
    yield* settled;
    if (fetching.length === 0) return;
    const now = time.clock();
    const at = retryAt(answer.retryAfterSeconds, fetching[0]?.retryAfter, now);
    const again = now + withJitter(at - now, time.random);
    if (wait !== null && again <= deadline) return void queue.push({ at: again, ids: fetching.map(({ id }) => id) });
    const { requestId } = answer;
    for (const { id } of fetching) yield { id, requestId, is: 'fetching', retryAt: new Date(at) };
  }

  for await (const ids of untilAborted(batchesOf(plan.ids), signal)) yield* read(ids);
  while (queue.length > 0) {
    const first = Math.min(...queue.map(({ at }) => at));
    const last = Math.max(...queue.map(({ at }) => at).filter((at) => at <= first + gatherMilliseconds));
    if (last > time.clock()) await time.sleep(last - time.clock(), signal);
    yield* read(takeDue(queue, last));
  }
}
