/** Figures and tables as the pages write them. */

export const whole = (number: number): string => Math.round(number).toLocaleString('en');

/** Two digits that matter, more before the point. */
export function short(number: number): string {
  if (!Number.isFinite(number)) return '–';
  if (number >= 100) return whole(number);
  return number >= 10 ? number.toFixed(1) : number.toFixed(2);
}

export const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`;

type Cell = string | number;

export function table(head: readonly Cell[], rows: readonly (readonly Cell[])[]): string {
  const line = (cells: readonly Cell[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
