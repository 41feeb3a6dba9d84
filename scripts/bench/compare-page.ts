import { servers, warmUpSeconds, type Comparison, type Row, type ServerName } from './compare.ts';
import { gateBound } from './gate.ts';
import { machine, versions } from './machine.ts';
import { mebibytes, short, table, whole } from './markdown.ts';
import { analysisKeys, workloadOf } from './workloads.ts';

export interface Method {
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
}

const methodOf = ({ rounds, seconds, connections }: Method): string =>
  `${connections} connections on loopback, the load from one more process; each server in a process of its own, one measured at a time, in turn; ` +
  `medians of ${rounds} rounds of ${seconds} s (p50 and p99: medians of the rounds' own) after a warm-up of ${warmUpSeconds} s for each workload. The service authenticates, counts the budget, checks requests and responses, logs (to /dev/null) and keeps ` +
  'its store in a file; the peers answer the same bytes, look nothing up, and do none of the first two but where their name says so.';

const named = (server: ServerName): string => (server === 'service' ? `**${servers.service}**` : servers[server]);
const titleOf = (workload: string): string => workloadOf(workload).title;

const workloadsOf = (rows: readonly Row[]): string[] => [...new Set(rows.map(({ workload }) => workload))];
const serversOf = (rows: readonly Row[]): ServerName[] => [...new Set(rows.map(({ server }) => server))];

const rowOf = (rows: readonly Row[], workload: string, server: ServerName): Row | undefined =>
  rows.find((row) => row.workload === workload && row.server === server);

/** Servers down, workloads across: requests a second, and how many times stock that is. */
function overview({ rows, sizes }: Comparison): string {
  const workloads = workloadsOf(rows);
  const cell = (server: ServerName, workload: string): string => {
    const [row, stock] = [rowOf(rows, workload, server), rowOf(rows, workload, 'stock')];
    if (!row) return '–';
    const times = stock ? ` (×${short(row.requestsPerSecond / stock.requestsPerSecond)})` : '';
    return `${whole(row.requestsPerSecond)}${times}`;
  };
  const lines = serversOf(rows).map((server) => {
    const size = sizes.find((one) => one.server === server);
    return [
      named(server),
      ...workloads.map((workload) => cell(server, workload)),
      size ? `${(size.coldStartMilliseconds / 1000).toFixed(2)} s` : '–',
      size ? mebibytes(size.residentBytes) : '–',
    ];
  });
  return table(['requests a second (× stock)', ...workloads.map(titleOf), 'cold start', 'memory'], lines);
}

function details(rows: readonly Row[], workload: string): string {
  const times = (row: Row, server: ServerName, figure: 'requestsPerSecond' | 'cpuMicroseconds'): string => {
    const other = rowOf(rows, workload, server)?.[figure] ?? Number.NaN;
    return short(figure === 'requestsPerSecond' ? row[figure] / other : other / row[figure]);
  };
  const lines = rows
    .filter((row) => row.workload === workload)
    .map((row) => [
      named(row.server),
      whole(row.requestsPerSecond),
      times(row, 'stock', 'requestsPerSecond'),
      times(row, 'raw', 'requestsPerSecond'),
      short(row.p50),
      short(row.p99),
      short(row.cpuMicroseconds),
      times(row, 'raw', 'cpuMicroseconds'),
    ]);
  const head = ['server', 'requests/s', '× stock', '× raw', 'p50 ms', 'p99 ms', 'CPU µs', '× raw by CPU'];
  return `### ${titleOf(workload)}\n\n${table(head, lines)}`;
}

/** Of the service: so many times the requests a second of another server, or its share of their latency. */
interface Aim {
  readonly what: string;
  readonly workload: string;
  readonly than: ServerName;
  readonly least: number;
}

const throughputAims: readonly Aim[] = [
  { what: 'batch of 100, × stock', workload: 'batch-100', than: 'stock', least: 10 },
  { what: 'batch of 100, × raw', workload: 'batch-100', than: 'raw', least: 0.35 },
  { what: 'held creator, × stock', workload: 'single', than: 'stock', least: 1.5 },
  { what: 'held creator, × Fastify both ways', workload: 'single', than: 'fastify', least: 1 },
  { what: 'held creator, × Fastify with token, budget and log', workload: 'single', than: 'fastify-duties', least: 1 },
  { what: 'held creator with posts, × stock', workload: 'single-posts', than: 'stock', least: 1.5 },
  { what: 'held creator with posts, × Fastify both ways', workload: 'single-posts', than: 'fastify', least: 1 },
];

const verdict = (isReached: boolean): string => (isReached ? 'reached' : '**missed**');

/** The aims whose workloads and servers were run: by requests a second, and by processor time, which busy neighbours change less. */
function aims(rows: readonly Row[]): string {
  const figure = (workload: string, server: ServerName, of: 'requestsPerSecond' | 'p99' | 'cpuMicroseconds'): number =>
    rowOf(rows, workload, server)?.[of] ?? Number.NaN;
  const throughput = throughputAims.map(({ what, workload, than, least }) => {
    const times = figure(workload, 'service', 'requestsPerSecond') / figure(workload, than, 'requestsPerSecond');
    const byProcessor = figure(workload, than, 'cpuMicroseconds') / figure(workload, 'service', 'cpuMicroseconds');
    return [what, short(times), short(byProcessor), `≥ ${least}`, verdict(times >= least)];
  });
  const latency = figure('batch-100', 'service', 'p99') / figure('batch-100', 'stock', 'p99');
  const cpuOf = (server: ServerName): number =>
    figure('batch-100', server, 'cpuMicroseconds') / figure('batch-1', server, 'cpuMicroseconds');
  const processor = cpuOf('service');
  const lines = [
    ...throughput,
    ['p99 of a batch of 100, × stock', short(latency), '', '≤ 0.1', verdict(latency <= 0.1)],
    [
      `100 identifiers, × one (stock: ${short(cpuOf('stock'))})`,
      '',
      short(processor),
      '≤ 10',
      verdict(processor <= 10),
    ],
  ];
  const known = lines.filter((line) => !line.includes('–'));
  const head = ['aim', 'by requests/s or time', 'by processor time', 'bound', ''];
  return known.length === 0 ? '' : `## Aims\n\n${table(head, known)}\n`;
}

/** `docs/bench/README.md`. */
export function comparisonPage(comparison: Comparison, method: Method): string {
  const { rows, bytes } = comparison;
  const kilobytes = (body: keyof typeof bytes): string => short(bytes[body] / 1000);
  return `# The service beside its peers

Made by \`npm run bench\`. ${machine()}; ${versions()}.

${methodOf(method)} The creator is ${kilobytes('creator')} KB, with its posts ${kilobytes('creatorWithPosts')} KB, a batch of 100 posts ${kilobytes('batch')} KB. Cold start: process to first answer, a held creator; memory: resident, after all workloads, each server with the heap that
Node chooses by itself; \`npm start\` chooses a smaller one ([sizes.md](sizes.md)).
Requests a second are bounded by the load's own process too, most of all those of raw node:http: CPU µs, the server's processor time for one
answer, is not.

![Requests a second](bench.svg)

${overview(comparison)}

Mixed: of 20 requests 10 creators, 4 batches of 10, 3 posts with analysis, 1 batch of 100, 1 fetching, 1 over budget. Analysis: all ${analysisKeys.split(',').length} keys.

${aims(rows)}
## By workload

× raw by CPU: of raw node:http's processor time for the same answer, 1 is the limit of this stack.

${workloadsOf(rows)
  .map((workload) => details(rows, workload))
  .join('\n\n')}

## More

[sizes.md](sizes.md) memory, starts, what must not grow · [growth.md](growth.md) with more held · [scale.md](scale.md) with more nodes ·
\`npm run bench -- --help\`

The gate of CI, \`npm run bench -- --gate\`, takes the service and raw node:http alone, a batch of 100, by processor time, which busy neighbours
hardly change, and ends with 1 below ${gateBound} of raw. Tried on a machine busy with six other sessions: 0.22 to 0.43 as it stands; 0.04 and 0.05, so red
each time, with the documents of an answer kept as objects and \`JSON.stringify\` put back into \`src/http/respond.ts\`.
`;
}

/** What the README shows of a comparison. */
export function mainRows({ rows }: Comparison): Row[] {
  return rows.filter(({ workload }) => ['single', 'single-posts', 'batch-10', 'batch-100', 'mixed'].includes(workload));
}

/** The section of the README: the picture, and the table of what it is about. */
export function readmeSection(comparison: Comparison): string {
  return `![Requests a second of the service and its peers](docs/bench/overview.svg)

${overview({ ...comparison, rows: mainRows(comparison) })}

${machine()}. The service
authenticates, counts the budget, validates both ways and logs; the peers do only what their name says, and look nothing up.
All have the heap that Node chooses by itself; \`npm start\` chooses a smaller one, and ends below 120 MB ([sizes](docs/bench/sizes.md)).
All workloads, latencies, processor time and method: [docs/bench](docs/bench/README.md).`;
}
