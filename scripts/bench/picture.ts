import { servers, type Row } from './compare.ts';
import { whole } from './markdown.ts';
import { escaped, svg } from './svg.ts';
import { workloadOf } from './workloads.ts';

const WIDTH = 1000;
const LABEL = 350;
const BAR = 15;
const LINE = 20;
const HEADING = 40;

/** Requests a second of every server: a group of bars for each workload, each group on a scale of its own. */
export function picture(rows: readonly Row[]): string {
  const workloads = [...new Set(rows.map(({ workload }) => workload))];
  const parts: string[] = [];
  let y = 0;
  for (const workload of workloads) {
    const group = rows.filter((row) => row.workload === workload);
    const most = Math.max(...group.map(({ requestsPerSecond }) => requestsPerSecond));
    y += HEADING;
    parts.push(
      `<text class="title" x="12" y="${y - 12}">${escaped(workloadOf(workload).title)}, requests a second</text>`,
    );
    for (const row of group.toSorted((a, b) => b.requestsPerSecond - a.requestsPerSecond)) {
      parts.push(bar(row, y, most));
      y += LINE;
    }
  }
  return svg('Requests a second of the service and its peers, by workload', { width: WIDTH, height: y + 12 }, parts);
}

function bar({ server, requestsPerSecond }: Row, y: number, most: number): string {
  const length = Math.max(1, (requestsPerSecond / most) * (WIDTH - LABEL - 90));
  const baseline = y + BAR - 3;
  return [
    `<text ${server === 'service' ? 'class="title" ' : ''}x="${LABEL - 8}" y="${baseline}" text-anchor="end">${escaped(servers[server])}</text>`,
    `<rect class="${server === 'service' ? 'ours' : 'bar'}" x="${LABEL}" y="${y}" width="${length.toFixed(1)}" height="${BAR}" rx="3"/>`,
    `<text class="faint" x="${(LABEL + length + 8).toFixed(1)}" y="${baseline}">${whole(requestsPerSecond)}</text>`,
  ].join('');
}
