import type { Row } from './main.ts';

const WIDTH = 880;
const LABEL = 320;
const BAR = 18;
const GAP = 6;
const HEADING = 34;
const SERVICE = 'this service';

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Requests a second of every server, a group of bars per workload, each group on its own scale. */
export function picture(rows: readonly Row[]): string {
  const workloads = [...new Set(rows.map(({ workload }) => workload))];
  let y = 10;
  const parts: string[] = [];
  for (const workload of workloads) {
    const group = rows.filter((row) => row.workload === workload);
    const most = Math.max(...group.map(({ requestsPerSecond }) => requestsPerSecond));
    parts.push(`<text x="10" y="${y + 18}" font-weight="600">${escape(workload)}, requests/s</text>`);
    y += HEADING;
    for (const row of group) {
      parts.push(bar(row, y, most));
      y += BAR + GAP;
    }
    y += GAP * 2;
  }
  const style = 'text{font:13px system-ui,sans-serif;fill:#24292f}';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" role="img" aria-label="Requests a second of the service and its peers"><style>${style}</style><rect width="100%" height="100%" fill="#fff"/>${parts.join('')}</svg>\n`;
}

function bar(row: Row, y: number, most: number): string {
  const length = (row.requestsPerSecond / most) * (WIDTH - LABEL - 110);
  const colour = row.server === SERVICE ? '#0969da' : '#afb8c1';
  const label = `<text x="${LABEL - 10}" y="${y + 14}" text-anchor="end">${escape(row.server)}</text>`;
  const figure = `<text x="${LABEL + length + 8}" y="${y + 14}">${Math.round(row.requestsPerSecond).toLocaleString('en')}</text>`;
  return `${label}<rect x="${LABEL}" y="${y}" width="${length.toFixed(1)}" height="${BAR}" rx="3" fill="${colour}"/>${figure}`;
}
