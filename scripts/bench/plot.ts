import { short, whole } from './markdown.ts';
import { escaped, svg } from './svg.ts';

export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface Plot {
  readonly title: string;
  readonly across: string;
  readonly up: string;
  /** Logarithmic, or from zero. The axis across is always logarithmic. */
  readonly scale: 'logarithmic' | 'linear';
  readonly series: readonly Series[];
}

const WIDTH = 760;
const HEIGHT = 420;
const AREA = { left: 80, right: 560, top: 62, bottom: 370 };

type Scale = (value: number) => number;

/** Lines over a logarithmic axis; each named at its end. */
export function plot({ title, across, up, scale, series }: Plot): string {
  const points = series.flatMap((one) => one.points);
  const xs = [...new Set(points.map(([x]) => x))].toSorted((a, b) => a - b);
  const ys = points.map(([, y]) => y);
  const ticks = scale === 'linear' ? linearTicks(Math.max(...ys)) : decades(Math.min(...ys), Math.max(...ys));
  const x = scaleOf('logarithmic', [xs[0] ?? 1, xs.at(-1) ?? 10], [AREA.left, AREA.right]);
  const y = scaleOf(scale, [ticks[0] ?? 0, ticks.at(-1) ?? 1], [AREA.bottom, AREA.top]);
  const parts = [
    `<text class="title" x="12" y="24">${escaped(title)}</text>`,
    `<text class="faint" x="12" y="42">${escaped(up)}</text>`,
    `<text class="faint" x="${AREA.right}" y="${AREA.bottom + 40}" text-anchor="end">${escaped(across)}</text>`,
    ...ticks.map((tick) => yTick(tick, y(tick))),
    ...xs.map(
      (tick) =>
        `<text class="faint" x="${x(tick).toFixed(1)}" y="${AREA.bottom + 20}" text-anchor="middle">${whole(tick)}</text>`,
    ),
    ...series.map((one, index) => line(one, index, x, y)),
    ...names(series, y),
  ];
  return svg(title, { width: WIDTH, height: HEIGHT }, parts);
}

function scaleOf(
  kind: Plot['scale'],
  [low, high]: readonly [number, number],
  [from, to]: readonly [number, number],
): Scale {
  const of = kind === 'linear' ? (value: number) => value : (value: number) => Math.log10(Math.max(value, 1e-9));
  const span = of(high) - of(low) || 1;
  return (value) => from + ((of(value) - of(low)) / span) * (to - from);
}

/** 0 and up to five round steps. */
function linearTicks(most: number): number[] {
  const magnitude = 10 ** Math.floor(Math.log10(most / 4 || 1));
  const step = [1, 2, 5, 10].map((times) => times * magnitude).find((candidate) => most / candidate <= 5) ?? most;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step);
}

function decades(least: number, most: number): number[] {
  const [first, last] = [Math.floor(Math.log10(least)), Math.ceil(Math.log10(most))];
  return Array.from({ length: Math.max(2, last - first + 1) }, (_, index) => 10 ** (first + index));
}

function yTick(tick: number, at: number): string {
  const label = tick === 0 ? '0' : short(tick).replace(/\.0+$/, '');
  return `<line class="axis" x1="${AREA.left}" x2="${AREA.right}" y1="${at.toFixed(1)}" y2="${at.toFixed(1)}"/><text class="faint" x="${AREA.left - 8}" y="${(at + 4).toFixed(1)}" text-anchor="end">${label}</text>`;
}

function line({ points }: Series, index: number, x: Scale, y: Scale): string {
  const path = points.map(([px, py], at) => `${at === 0 ? 'M' : 'L'}${x(px).toFixed(1)} ${y(py).toFixed(1)}`).join('');
  const dots = points.map(
    ([px, py]) => `<circle class="s${index}" cx="${x(px).toFixed(1)}" cy="${y(py).toFixed(1)}" r="3"/>`,
  );
  return `<path class="line s${index}" d="${path}" style="fill:none"/>${dots.join('')}`;
}

const NAME_HEIGHT = 18;

/** Beside the ends of the lines, pushed apart where they meet. */
function names(series: readonly Series[], y: Scale): string[] {
  const placed = series
    .map(({ name, points }, index) => ({ name, index, at: y(points.at(-1)?.[1] ?? 0) + 4 }))
    .toSorted((a, b) => a.at - b.at);
  placed.forEach((one, index) => {
    const above = placed[index - 1];
    if (above) one.at = Math.max(one.at, above.at + NAME_HEIGHT);
  });
  return placed.map(
    ({ name, index, at }) =>
      `<text class="s${index}" x="${AREA.right + 12}" y="${at.toFixed(1)}">${escaped(name)}</text>`,
  );
}
