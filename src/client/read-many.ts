import { sorted, type Batch } from './buckets.ts';
import type { Names } from './correlate.ts';
import type { Entry } from './outcome.ts';
import { withJitter, type Answer } from './send.ts';
import { unlessAborted, type Time } from './time.ts';

export interface Wait {
  /** Seconds from the start after which nothing is sent again; what is fetching then is told so. Default 300. */
  readonly deadlineSeconds?: number;
}

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
/** What becomes due within this time is asked for in one request. */
const gatherMilliseconds = 500;
export const usualDeadlineSeconds = 300;

interface Due {
  readonly at: number;
  readonly ids: readonly string[];
}

/** Hundreds of identifiers: without the blanks around them, without empty ones, each once (IDS-10, IDS-11). */
async function* hundreds(ids: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string[]> {
  const seen = new Set<string>();
  let chunk: string[] = [];
  for await (const given of ids) {
    const id = given.trim();
    if (id === '' || seen.has(id)) continue;
    seen.add(id);
    chunk.push(id);
    if (chunk.length < batchSize) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
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

/** Takes the first hundred of what is due by then; the rest stays in the line. */
function takeDue(line: Due[], by: number): string[] {
  line.sort((a, b) => a.at - b.at);
  const taken: string[] = [];
  while (line[0] !== undefined && line[0].at <= by && taken.length < batchSize) {
    const first = line.shift()!;
    const room = batchSize - taken.length;
    taken.push(...first.ids.slice(0, room));
    if (first.ids.length > room) line.unshift({ at: first.at, ids: first.ids.slice(room) });
  }
  return taken;
}

/**
 * When the service may be asked again, by this machine's clock. `Retry-After` counts from the answer, so a clock that is
 * off does not matter; only where a server leaves it out the entries' instant is taken.
 */
export function retryAt(retryAfterSeconds: number | null, instant: string | undefined, now: number): number {
  if (retryAfterSeconds !== null) return now + retryAfterSeconds * 1000;
  const told = Date.parse(instant ?? '');
  return Math.max(now + 1000, Number.isNaN(told) ? 0 : told);
}

/**
 * Reads any number of identifiers, a hundred a request, and yields each outcome as soon as it is known. With `wait`, those
 * that are being fetched are asked for again, all that is due in one request, never before `Retry-After`; without it, or
 * at its deadline, they are yielded as `fetching`. Every identifier is asked for at least once.
 */
export async function* readMany<Document>(plan: ManyPlan<Document>): AsyncGenerator<Entry<Document>> {
  const { time, signal, wait } = plan;
  const deadline = time.clock() + (wait ? (wait.deadlineSeconds ?? usualDeadlineSeconds) * 1000 : 0);
  const line: Due[] = [];

  async function* ask(ids: readonly string[]): AsyncGenerator<Entry<Document>> {
    const answer = await plan.sendBatch(ids);
    const { settled, fetching } = sorted(ids, answer, plan.names, plan.network);
    yield* settled;
    const now = time.clock();
    const at = retryAt(answer.retryAfterSeconds, fetching[0]?.retryAfter, now);
    const again = now + withJitter(at - now, time.random);
    if (fetching.length === 0) return;
    if (wait !== null && again <= deadline) line.push({ at: again, ids: fetching.map(({ id }) => id) });
    else
      yield* fetching.map(({ id }) => ({
        id,
        requestId: answer.requestId,
        is: 'fetching' as const,
        retryAt: new Date(at),
      }));
  }

  for await (const ids of untilAborted(hundreds(plan.ids), signal)) yield* ask(ids);
  while (line.length > 0) {
    const first = Math.min(...line.map(({ at }) => at));
    const last = Math.max(...line.map(({ at }) => at).filter((at) => at <= first + gatherMilliseconds));
    if (last > time.clock()) await time.sleep(last - time.clock(), signal);
    yield* ask(takeDue(line, last));
  }
}
