interface Box {
  readonly state: string;
  readonly at: readonly [x: number, y: number];
  /** What a read of one is answered with, and where a batch has it. */
  readonly alone: string;
  readonly batch: string;
}

const [width, height] = [230, 104];

const boxes: readonly Box[] = [
  { state: 'fetching', at: [330, 133], alone: '202 · Retry-After', batch: 'fetching' },
  { state: 'held', at: [750, 36], alone: '200 · the document', batch: 'data' },
  { state: 'unavailable', at: [750, 236], alone: '404 · details.reason', batch: 'unavailable' },
];

const boxOf = ({ state, at: [x, y], alone, batch }: Box): string => `<g class="box ${state}">
<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="14"/>
<text class="state" x="${x + width / 2}" y="${y + 34}">${state}</text>
<text x="${x + width / 2}" y="${y + 60}">alone: ${alone}</text>
<text x="${x + width / 2}" y="${y + 82}">in a batch: ${batch}</text></g>`;

/** Words beside an arrow; several lines from top to bottom. */
const words = (x: number, y: number, ...lines: string[]): string =>
  lines.map((line, index) => `<text x="${x}" y="${y + 18 * index}">${line}</text>`).join('');

/** The states of an entity, for people: what a read is told, and what moves it on. Its colours are the page's. */
export const statesPicture = `<svg viewBox="0 -34 1010 412" role="img" aria-labelledby="states-title">
<title id="states-title">A read of what is not held starts its discovery and is told: fetching. Later it is held, or unavailable with a reason</title>
<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto"><path class="tip" d="M0 0 10 5 0 10z"/></marker></defs>
<g class="arrows" marker-end="url(#tip)">
<path d="M170 185H326"/><path d="M560 165C630 120 660 96 746 90"/><path d="M560 205C630 250 660 278 746 286"/>
<path d="M405 133C395 66 495 66 485 129"/><path d="M800 36C790 -14 910 -14 900 32"/><path d="M750 322C620 372 450 350 430 241"/></g>
<g class="box unknown"><rect x="20" y="145" width="150" height="80" rx="40"/><text class="state" x="95" y="191">not held</text></g>
${boxes.map(boxOf).join('\n')}
<g class="words">${words(248, 172, 'any read')}${words(248, 206, 'starts the', 'discovery')}
${words(445, 58, 'read too early: no sooner')}${words(600, 106, 'obtained')}${words(600, 276, 'not to be had')}
${words(700, 6, 'stale: refreshed', 'behind the answer')}${words(520, 374, 'retryable: asked again some minutes later')}</g></svg>`;
