/** An SVG badge of its own: no font, image or address from outside. */
import type { Report } from '../model.ts';
import { escape } from './escape.ts';

const colours: Readonly<Record<Report['exitCode'], string>> = {
  0: '#1a7f37',
  1: '#b42318',
  2: '#57606a',
  3: '#9a6700',
};

const message = ({ exitCode, totals }: Report): string =>
  ({
    0: `${totals.passed} rules passed`,
    1: `${totals.failed} of ${totals.failed + totals.passed} failed`,
    2: 'not judged',
    3: `${totals.notExercised} not exercised`,
  })[exitCode];

/** Rough width of 11 px sans-serif text, in px. */
const width = (text: string): number => Math.ceil(text.length * 6.6) + 12;

export function badge(report: Report): string {
  const label = 'conformance';
  const says = message(report);
  const [left, right] = [width(label), width(says)];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${label}: ${escape(says)}">
  <title>${label}: ${escape(says)}</title>
  <rect width="${left}" height="20" fill="#24292f"/><rect x="${left}" width="${right}" height="20" fill="${colours[report.exitCode]}"/>
  <g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
    <text x="${left / 2}" y="14">${label}</text><text x="${left + right / 2}" y="14">${escape(says)}</text>
  </g>
</svg>
`;
}
