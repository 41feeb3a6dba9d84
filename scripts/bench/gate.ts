import { compare, durationOf, type Figures } from './compare.ts';
import { short } from './markdown.ts';

/** Least share of raw node:http: below the lowest that a busy machine showed (0.22), above what is left with JSON.stringify put back (0.05). */
export const gateBound = 0.1;

export interface GateOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  readonly say: (line: string) => void;
}

/**
 * Compares the service with raw node:http on a batch of 100; answers the exit code. Judged by processor time, which a busy neighbour on the
 * machine hardly changes; the share of requests a second is told beside it.
 */
export async function gate(options: GateOptions): Promise<number> {
  const compared = { ...options, servers: ['service', 'raw'] as const, workloads: ['batch-100'], starts: false };
  options.say(`service and raw node:http, batch of 100: about ${Math.ceil(durationOf(compared))} s`);
  const { rows } = await compare(compared);
  const of = (server: string, figure: keyof Figures): number =>
    rows.find((row) => row.server === server)?.[figure] ?? Number.NaN;
  const cpu = of('raw', 'cpuMicroseconds') / of('service', 'cpuMicroseconds');
  const requests = of('service', 'requestsPerSecond') / of('raw', 'requestsPerSecond');
  const isFast = cpu >= gateBound;
  console.log(
    `batch of 100 against raw node:http: ${short(cpu)} by processor time (bound ${gateBound}), ${short(requests)} by requests a second: ${isFast ? 'ok' : 'TOO SLOW'}`,
  );
  return isFast ? 0 : 1;
}
