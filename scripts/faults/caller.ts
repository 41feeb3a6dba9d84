import { Agent, request } from 'node:http';
import { percentile } from '../bench/statistics.ts';
import type { Batch, Guard } from './guard.ts';

/** One answer, or why there was none. */
export interface Answered {
  /** 0: no answer came. */
  readonly status: number;
  /** Of the connection, where no answer came. */
  readonly error: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly milliseconds: number;
}

export interface CallerOptions {
  readonly port: number;
  readonly token: string;
  readonly guard: Guard;
  /** Connections that are kept; more requests at once wait for one. */
  readonly connections?: number;
  /** After this long without an answer the caller gives up. */
  readonly patienceMilliseconds?: number;
}

/** Asks the service as its users do: on kept connections, never repeating what failed, and holding every answer to the contract. */
export class Caller {
  readonly #options: CallerOptions;
  readonly #agent: Agent;

  constructor(options: CallerOptions) {
    this.#options = options;
    this.#agent = new Agent({ keepAlive: true, maxSockets: options.connections ?? 1 });
  }

  creator(handle: string, network = 'netA'): Promise<Answered> {
    return this.get(`/creators/${network}/${handle}`);
  }

  creators(ids: readonly string[]): Promise<Answered> {
    return this.get(`/creators?ids=${ids.join(',')}`, ids);
  }

  posts(ids: readonly string[]): Promise<Answered> {
    return this.get(`/posts?ids=${ids.join(',')}`, ids);
  }

  get(path: string, asked: readonly string[] | null = null): Promise<Answered> {
    const { port, token, guard, patienceMilliseconds = 30_000 } = this.#options;
    const whole = `/api/v1${path}`;
    const start = performance.now();
    const took = (): number => performance.now() - start;
    return new Promise((resolve) => {
      const fail = (error: string): void =>
        resolve({ status: 0, error, headers: {}, body: null, milliseconds: took() });
      const headers = { Authorization: `Bearer ${token}` };
      const sent = request({ agent: this.#agent, host: '127.0.0.1', port, path: whole, headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', () => fail('cut off'));
        answer.on('end', () => {
          const milliseconds = took();
          const status = answer.statusCode ?? 0;
          const seen = { method: 'GET', path: whole, status, headers: answer.headers as Record<string, string>, asked };
          const body = guard.check({ ...seen, text: Buffer.concat(chunks).toString() });
          resolve({ status, error: null, headers: seen.headers, body, milliseconds });
        });
      });
      sent.setTimeout(patienceMilliseconds, () => sent.destroy(new Error('no answer in time')));
      sent.on('error', ({ code, message }: NodeJS.ErrnoException) =>
        fail(`${code ?? message} on a ${sent.reusedSocket ? 'kept' : 'new'} connection`),
      );
      sent.end();
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

export const batchOf = ({ body }: Answered): Batch => body as Batch;

/** Counts answers by status, or by what went wrong with the connection. */
export class Tally {
  readonly outcomes = new Map<string, number>();
  readonly latencies: number[] = [];

  add({ status, error, milliseconds }: Answered): void {
    const outcome = error ?? String(status);
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    this.latencies.push(milliseconds);
  }

  count(...outcomes: readonly (number | string)[]): number {
    return outcomes.reduce<number>((sum, outcome) => sum + (this.outcomes.get(String(outcome)) ?? 0), 0);
  }

  get total(): number {
    return this.latencies.length;
  }

  /** All but these. */
  others(...outcomes: readonly (number | string)[]): number {
    return this.total - this.count(...outcomes);
  }

  /** Milliseconds that this part of the answers took at most. */
  percentile(share: number): number {
    return percentile(this.latencies, share);
  }

  toString(): string {
    return [...this.outcomes].map(([outcome, count]) => `${outcome}: ${count}`).join(', ');
  }
}
