import type { Instant } from '../model.ts';

/** The result of a command: either rows or a value. */
export interface Said {
  /** A line for people; a result with a value has one. */
  readonly line?: string;
  /** The rows of a table; as JSON a list. All have the same properties. */
  readonly rows?: readonly object[];
  /** What `--json` prints. */
  readonly value?: object;
}

/** A time in ISO 8601; null stays null. */
export const timeOf = (at: Instant | null): string | null => (at === null ? null : new Date(at).toISOString());

/** The text to print: for people, or as JSON for programs. */
export function said({ line, rows, value }: Said, json: boolean): string {
  if (json) return JSON.stringify(rows ?? value, null, 2);
  return [line, rows && table(rows)].filter((part) => part !== undefined).join('\n');
}

function table(rows: readonly object[]): string {
  const [first] = rows;
  if (first === undefined) return 'None.';
  const head = Object.keys(first);
  const cells = [head, ...rows.map((row) => Object.values(row).map((cell) => (cell === null ? '-' : String(cell))))];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lineOf = (row: readonly string[]): string =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return cells.map((row) => lineOf(row).trimEnd()).join('\n');
}
