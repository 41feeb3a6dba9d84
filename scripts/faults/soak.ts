import { leftOver, pause, type Bench } from './bench.ts';
import { Tally } from './caller.ts';
import { everyday } from './everyday.ts';
import { atMost, exactly, type Fault, type Figure } from './fault.ts';
import { openDescriptors, residentBytes, type ServiceProcess } from './node.ts';
import { callersOf } from './told.ts';

/** A small cache, so that memory has no reason to grow once it is full; a pace that the load does not reach, or the queue grows as it should. */
const settings = {
  CACHE_BYTES: String(8 * 1024 * 1024),
  CALLS_PER_MINUTE: '1000000',
  DISCOVERY_CONCURRENCY: '64',
  DISCOVERY_PER_NETWORK: '64',
};
/** A bounded heap, or Node lets it grow to a share of the machine's memory before it looks for what is garbage. */
const nodeArguments = [
  '--max-old-space-size=96',
  '--max-semi-space-size=16',
  '--expose-gc',
  `--import=${new URL('collect.ts', import.meta.url).href}`,
];
const warmSeconds = { quick: 5, full: 90 };
/** What was collected is taken again first: 6 MB, once. */
const settleSeconds = { quick: 5, full: 30 };
const soakSeconds = { quick: 10, full: 120 };
/** A queue and its connections come and go by the dozen; what leaks with 14,000 requests a minute is not hidden by so few. */
const comeAndGo = { quick: 60, full: 10 };

interface Sample {
  readonly seconds: number;
  readonly megabytes: number;
  readonly descriptors: number;
  readonly queued: number;
}

/** What the service tells of its heap and of the buffers outside it, collected: what piles up here is what leaks. The least of three looks. */
async function keptMegabytes(node: ServiceProcess): Promise<number> {
  const looks: number[] = [];
  while (looks.length < 3) {
    node.signal('SIGUSR2');
    await pause(500);
    const told = await (await fetch(`http://127.0.0.1:${node.port}/metrics`)).text();
    const bytes = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(told)?.[1]);
    looks.push((bytes('nodejs_heap_size_used_bytes') + bytes('nodejs_external_memory_bytes')) / 2 ** 20);
  }
  return Math.min(...looks);
}

async function run(bench: Bench): Promise<Figure[]> {
  const [store, source] = [await bench.store(), await bench.source()];
  const node = await bench.node(store, source, 'one', settings, { nodeArguments });
  const how = bench.quick ? 'quick' : 'full';
  const tally = new Tally();
  const callers = callersOf(bench, 4, node.port, await store.issue(1_000_000));
  /** Load for as long as `during` takes; then, nothing being under way, what is kept. */
  async function keptAfter(during: () => Promise<void>): Promise<number> {
    let going = true;
    const load = everyday(callers, tally, () => going);
    await during();
    going = false;
    await load;
    await leftOver(store);
    return keptMegabytes(node);
  }
  await keptAfter(() => pause(warmSeconds[how] * 1000));
  const keptBefore = await keptAfter(() => pause(settleSeconds[how] * 1000));
  bench.say(`warm after ${tally.total} requests`);
  const samples: Sample[] = [];
  const keptAtLast = await keptAfter(async () => {
    await pause(settleSeconds[how] * 1000);
    const start = performance.now();
    for (let seconds = 0; seconds < soakSeconds[how]; seconds = (performance.now() - start) / 1000) {
      const { queued } = await store.discoveries.depth();
      const megabytes = residentBytes(node.pid) / 2 ** 20;
      samples.push({ seconds, megabytes, descriptors: openDescriptors(node.pid), queued });
      await pause(1_000);
    }
  });
  const slope = (of: (sample: Sample) => number): number => slopeOf(samples, of) * 60;
  const [first] = samples;
  return [
    atMost(
      `memory that is kept, collected, from ${keptBefore.toFixed(1)} MB: growth over ${soakSeconds[how]} s`,
      keptAtLast - keptBefore,
      // It comes and goes by 6 MB with what the cache happens to hold; 20,000 discoveries that each leave 500 bytes are seen.
      bench.quick ? 20 : 10,
      'MB',
    ),
    atMost(
      `resident memory, from ${first?.megabytes.toFixed(0)} MB: slope`,
      (100 * slope(({ megabytes }) => megabytes)) / (first?.megabytes ?? 0),
      // The collector lets as much pile up as it likes; a minute of load is allowed the same by `npm run bench -- --sizes`.
      bench.quick ? 100 : 5,
      '% a minute',
    ),
    atMost(
      `descriptors, from ${first?.descriptors}: slope`,
      Math.abs(slope(({ descriptors }) => descriptors)),
      comeAndGo[how],
      'a minute',
    ),
    atMost(
      'queue: slope',
      slope(({ queued }) => queued),
      comeAndGo[how],
      'a minute',
    ),
    exactly('discoveries left', await leftOver(store), 0),
    exactly(`answers other than 200 and 202, of ${tally.total} (${tally})`, tally.others(200, 202), 0),
  ];
}

/** Least squares: how much it grows a second. */
function slopeOf(samples: readonly Sample[], of: (sample: Sample) => number): number {
  const mean = (each: (sample: Sample) => number): number =>
    samples.reduce((sum, sample) => sum + each(sample), 0) / samples.length;
  const [middle, level] = [mean(({ seconds }) => seconds), mean(of)];
  const together = samples.reduce((sum, sample) => sum + (sample.seconds - middle) * (of(sample) - level), 0);
  return together / samples.reduce((sum, { seconds }) => sum + (seconds - middle) ** 2, 0);
}

export const soak: Fault = {
  id: 'F20',
  title: 'soak: load without end',
  mustHold: 'memory, descriptors and queue stay flat',
  engines: ['sqlite', 'postgres'],
  run,
};
