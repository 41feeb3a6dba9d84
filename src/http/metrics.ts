import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  request(operation: string, status: number, seconds: number): void;
  violation(): void;
}

/** What an operator can watch. Labels are closed sets: nothing that a caller can choose, and nothing about a person. */
export function createMetrics(queue: () => Promise<{ queued: number; running: number }>): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const durations = new Histogram({
    name: 'lookup_request_duration_seconds',
    help: 'Requests by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers,
  });
  const violations = new Counter({
    name: 'lookup_contract_violations_total',
    help: 'Answers that the guard held back.',
    registers,
  });
  const depth = new Gauge({
    name: 'lookup_discoveries',
    help: 'Discoveries that wait and that run.',
    labelNames: ['state'],
    registers,
    async collect() {
      // The other figures matter most while the store is down.
      const { queued, running } = await queue().catch(() => ({ queued: NaN, running: NaN }));
      depth.set({ state: 'queued' }, queued);
      depth.set({ state: 'running' }, running);
    },
  });
  /** Found once: labels are hashed at each look. */
  const known = new Map<string, { observe(seconds: number): void }>();
  return {
    registry,
    request(operation, status, seconds) {
      const name = `${operation} ${status}`;
      const series = known.get(name) ?? durations.labels(operation, String(status));
      known.set(name, series);
      series.observe(seconds);
    },
    violation: () => violations.inc(),
  };
}
