import type { Instant } from '../model.ts';

/** What a command says: rows for a table (and `--json`), with a line before it for people. */
export interface Said {
  readonly line?: string;
  readonly rows?: readonly object[];
  readonly value?: object;
}

/** A time as people and programs read it. */
export const timeOf = (at: Instant | null): string | null => (at === null ? null : new Date(at).toISOString());

/** As text for people, or as JSON for programs. */
export function said({ line, rows, value }: Said, json: boolean): string {
  if (json) return JSON.stringify(rows ?? value, null, 2);
  return [line, rows && table(rows)].filter((part) => part !== undefined).join('\n');
}

function table(rows: readonly object[]): string {
  if (rows.length === 0) return 'None.';
  const head = Object.keys(rows[0]!);
  const cells = [head, ...rows.map((row) => Object.values(row).map((cell) => (cell === null ? '-' : String(cell))))];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
