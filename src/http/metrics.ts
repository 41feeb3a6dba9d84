import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  request(operation: string, status: number, seconds: number): void;
  violation(): void;
  /** A call of a network's source. */
  call(network: string, outcome: string, seconds: number): void;
}

/** What discovery tells of itself when it is asked. */
export interface DiscoveryFigures {
  depth(): Promise<{
    readonly queued: number;
    readonly running: number;
    readonly standing: readonly { readonly network: string | null; readonly n: number }[];
  }>;
  networks(): readonly { readonly network: string; readonly pacePerSecond: number; readonly circuitOpen: boolean }[];
}

/** The metrics for operators. Every label is a closed set: no value that a caller can choose, and nothing about a person. */
export function createMetrics(discovery: DiscoveryFigures): Metrics {
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
    help: 'Discoveries that are queued and that are running.',
    labelNames: ['state'],
    registers,
    async collect() {
      // A failure here must not hide the other figures: they matter most while the store is down.
      const { queued, running } = await discovery.depth().catch(() => unknownDepth);
      depth.set({ state: 'queued' }, queued);
      depth.set({ state: 'running' }, running);
    },
  });
  const waiting = new Gauge({
    name: 'lookup_discoveries_waiting',
    help: 'Queued discoveries, by network.',
    labelNames: ['network'],
    registers,
    async collect() {
      const { standing } = await discovery.depth().catch(() => unknownDepth);
      setByNetwork(waiting, discovery, standing);
    },
  });
  collectNetworks(registers, discovery);
  const calls = new Histogram({
    name: 'lookup_source_call_duration_seconds',
    help: "Calls of the networks' sources by network and outcome: obtained, unavailable, throttled, failed, abandoned.",
    labelNames: ['network', 'outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  /** Series by label values: prom-client hashes the labels at each look-up. */
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
    call: (network, outcome, seconds) => calls.observe({ network, outcome }, seconds),
  };
}

const unknownDepth = { queued: NaN, running: NaN, standing: [] };

/** Sets a value for every network: one that nothing waits for shows 0 and does not vanish. */
function setByNetwork(
  gauge: Gauge<'network'>,
  discovery: DiscoveryFigures,
  standing: readonly { readonly network: string | null; readonly n: number }[],
): void {
  const counts = new Map(discovery.networks().map(({ network }) => [network, 0]));
  for (const { network, n } of standing)
    if (network !== null && counts.has(network)) counts.set(network, (counts.get(network) ?? 0) + n);
  for (const [network, count] of counts) gauge.set({ network }, count);
}

function collectNetworks(registers: Registry[], discovery: DiscoveryFigures): void {
  const labelNames = ['network'];
  const pace = new Gauge({
    name: 'lookup_source_pace_per_second',
    help: 'Calls to a network that this process may make in a second.',
    labelNames,
    registers,
    collect() {
      for (const { network, pacePerSecond } of discovery.networks()) pace.set({ network }, pacePerSecond);
    },
  });
  const circuit = new Gauge({
    name: 'lookup_source_circuit_open',
    help: '1 while calls to a network are stopped because they kept failing.',
    labelNames,
    registers,
    collect() {
      for (const { network, circuitOpen } of discovery.networks()) circuit.set({ network }, circuitOpen ? 1 : 0);
    },
  });
}
