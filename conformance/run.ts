/**
 * Carries out a plan: what starts discoveries first, then what needs nothing, then the re-reads (never before the wait an
 * answer named), then what has to find things settled. Nothing is sent that the plan does not name.
 */
import { isFetching, valueAt, waitOf } from './answer.ts';
import { NoAnswer } from './client.ts';
import { instantOf } from './contract.ts';
import type { Exchange, PlannedRequest } from './model.ts';
import type { Plan } from './plan/plan.ts';
import { spreadSeconds } from './plan/rate-limit.ts';
import type { Recorder } from './send.ts';

export interface RunOptions {
  readonly plan: Plan;
  readonly recorder: Recorder;
  readonly deadlineSeconds: number;
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  onProgress(line: string): void;
}

export interface Ran {
  /** Step → why it was not sent, or not polled to its end. */
  readonly unsent: ReadonlyMap<string, string>;
  readonly rateLimitedOnce: boolean;
  readonly problem: string | null;
}

/** A second 429 outside the rate-limit profile: somebody else spends the budget. */
class Throttled extends Error {}

/** Beyond the instant that an answer names, as its seconds may be rounded down. */
const marginMilliseconds = 30;
/** Nobody promises that a discovery ends with the wait it was given, so the last re-read comes no earlier than this after the first read. */
const patienceMilliseconds = 20_000;

export async function runPlan(options: RunOptions): Promise<Ran> {
  const unsent = new Map<string, string>();
  const walk = new Walk(options, unsent);
  try {
    await walk.all(1);
    await walk.all(2);
    await walk.polls();
    await walk.all(3);
    return { unsent, rateLimitedOnce: walk.rateLimitedOnce, problem: null };
  } catch (error) {
    if (!(error instanceof NoAnswer) && !(error instanceof Throttled)) throw error;
    return { unsent, rateLimitedOnce: walk.rateLimitedOnce, problem: error.message };
  }
}

interface Pending {
  readonly planned: PlannedRequest;
  readonly attempt: number;
  /** Instant of the first read. */
  readonly since: number;
  /** Instant of the next re-read. */
  readonly due: number;
}

class Walk {
  readonly #options: RunOptions;
  readonly #unsent: Map<string, string>;
  readonly #deadline: number;
  readonly #pending: Pending[] = [];
  rateLimitedOnce = false;

  constructor(options: RunOptions, unsent: Map<string, string>) {
    this.#options = options;
    this.#unsent = unsent;
    this.#deadline = options.now() + options.deadlineSeconds * 1000;
  }

  async all(phase: PlannedRequest['phase']): Promise<void> {
    for (const planned of this.#options.plan.requests.filter((request) => request.phase === phase)) {
      if (planned.step.startsWith('rate-') && !(await this.#beforeRate(planned))) continue;
      const exchange = await this.#send(planned, 0);
      if (planned.polls && isFetching(exchange)) this.#await(planned, 0, exchange, exchange.receivedAt);
    }
  }

  /** Re-reads whatever is still being fetched: single reads in the order in which their waits end, then batches, which have one re-read each. */
  async polls(): Promise<void> {
    for (let next = this.#next(); next; next = this.#next()) {
      if (next.due > this.#deadline) {
        this.#unsent.set(
          `${next.planned.step}:poll`,
          `its wait ends after the deadline of ${this.#options.deadlineSeconds} s`,
        );
        continue;
      }
      await this.#until(next.due, `${this.#pending.length + 1} still fetching`);
      const exchange = await this.#send(next.planned, next.attempt + 1);
      const more = next.attempt + 1 < (next.planned.polls ?? 0);
      if (isFetching(exchange) && more) this.#await(next.planned, next.attempt + 1, exchange, next.since);
    }
  }

  #next(): Pending | undefined {
    const isBatch = ({ planned }: Pending): number => Number(planned.identifiers !== undefined);
    this.#pending.sort((one, other) => isBatch(one) - isBatch(other) || one.due - other.due);
    return this.#pending.shift();
  }

  #await(planned: PlannedRequest, attempt: number, exchange: Exchange, since: number): void {
    const wait = namedWait(exchange);
    if (wait === null)
      return void this.#unsent.set(`${planned.step}:poll`, 'the answer names no wait that could be followed');
    const named = exchange.receivedAt + wait + marginMilliseconds;
    const last = attempt > 0 && attempt + 1 === planned.polls;
    this.#pending.push({ planned, attempt, since, due: last ? this.#patiently(named, since) : named });
  }

  #patiently(named: number, since: number): number {
    return Math.max(named, Math.min(since + patienceMilliseconds, this.#deadline));
  }

  async #until(instant: number, why: string): Promise<void> {
    const wait = instant - this.#options.now();
    if (wait <= 0) return;
    if (wait > 1500) this.#options.onProgress(`waiting ${Math.ceil(wait / 1000)} s (Retry-After), ${why}`);
    await this.#options.sleep(wait);
  }

  async #send(planned: PlannedRequest, attempt: number): Promise<Exchange> {
    const { recorder, plan } = this.#options;
    const exchange = await recorder.send(planned, attempt);
    this.#options.onProgress(
      `${recorder.exchanges.length} of at most ${plan.requests.length}+ requests: ${planned.step}`,
    );
    if (exchange.response.status !== 429 || planned.step.startsWith('rate-')) return exchange;
    if (this.rateLimitedOnce)
      throw new Throttled('a second 429: the budget of the principal is spent by something else; stopped');
    this.rateLimitedOnce = true;
    await this.#until(
      Math.min(exchange.receivedAt + (waitOf(exchange) ?? 60) * 1000, this.#deadline),
      'the budget was spent already (429)',
    );
    return this.#send(planned, attempt);
  }

  /** A window that follows the clock should not end while it is being spent. */
  async #awayFromTheMinute(): Promise<void> {
    const { now } = this.#options;
    const left = 60_000 - (now() % 60_000);
    if (left < 3 * spreadSeconds * 1000) await this.#until(now() + left + 100, 'for the next minute');
  }

  /** Waits that the rate-limit profile needs; false where the step has lost its point. */
  async #beforeRate({ step }: PlannedRequest): Promise<boolean> {
    if (step === 'rate-batch') await this.#awayFromTheMinute();
    if (step === 'rate-02') await this.#until(this.#options.now() + spreadSeconds * 1000, 'within the window');
    if (!['rate-over-second', 'rate-after', 'rate-after-again'].includes(step)) return true;
    const over = this.#options.recorder.exchanges.find(
      (exchange) => exchange.response.status === 429 && exchange.step.startsWith('rate-'),
    );
    if (!over) {
      this.#unsent.set(step, 'no 429 came');
      return false;
    }
    const wait = step === 'rate-over-second' ? 2_100 : (namedWait(over) ?? 60_000) + 100;
    await this.#until(over.receivedAt + Math.min(wait, 120_000), 'for the next window');
    return true;
  }
}

/** Milliseconds that an answer asks to wait, by its header or else by the instant in its body. */
function namedWait(exchange: Exchange): number | null {
  const seconds = waitOf(exchange);
  if (seconds !== null && seconds >= 1) return seconds * 1000;
  const instant = valueAt(exchange.response.json, '/fetching/0/retryAfter');
  const wait = typeof instant === 'string' ? instantOf(instant) - exchange.receivedAt : Number.NaN;
  return Number.isFinite(wait) ? Math.max(1000, wait) : null;
}
