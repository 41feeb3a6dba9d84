import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import type { CreatorEntry, Entry, Post } from './outcome.ts';

export type AnyEntry = Entry<CreatorEntry> | Entry<Post>;

/** Where results go. */
export interface Output {
  /** Prints each entry as it comes, where a progress bar may stand. */
  readonly isLive: boolean;
  write(entry: AnyEntry): void;
  end(): void;
}

/** An entry as a line of NDJSON. */
export const lineOf = (entry: AnyEntry): string => `${JSON.stringify(entry)}\n`;

/** Held, or never to be had: nothing more will come of asking again. */
export const isSettled = (entry: AnyEntry): boolean =>
  entry.is === 'held' || (entry.is === 'unavailable' && !entry.retryable);

function settledLine(line: string): { id?: string | null; is: AnyEntry['is'] } {
  const entry: unknown = JSON.parse(line);
  if (typeof entry !== 'object' || entry === null) throw new SyntaxError('not an entry');
  return entry as ReturnType<typeof settledLine>;
}

/** What an earlier run has settled, by identifier; a last line that an interruption tore is cut off. */
export function settledIn(path: string): Map<string, AnyEntry['is']> {
  if (!existsSync(path)) return new Map();
  const text = readFileSync(path, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole));
  const entries = whole
    .split('\n')
    .filter((line) => line !== '')
    .map(settledLine);
  return new Map(entries.flatMap(({ id, is }) => (typeof id === 'string' ? [[id, is] as const] : [])));
}

export const fileOutput = (path: string): Output => ({
  isLive: false,
  write: (entry) => {
    if (isSettled(entry)) appendFileSync(path, lineOf(entry));
  },
  end: () => undefined,
});

type Print = (text: string) => void;

const ndjsonOutput = (print: Print): Output => ({
  isLive: true,
  write: (entry) => print(lineOf(entry)),
  end: () => undefined,
});

function jsonOutput(print: Print, isSingle: boolean): Output {
  const entries: AnyEntry[] = [];
  return {
    isLive: false,
    write: (entry) => void entries.push(entry),
    end: () => {
      // Nothing was answered: the error that follows says why, and half a document would only break its reader.
      if (entries.length > 0) print(`${JSON.stringify(isSingle ? entries[0] : entries, null, 2)}\n`);
    },
  };
}

function cellsOf(entry: AnyEntry): string[] {
  const id = entry.id ?? '(not known)';
  if (entry.is === 'fetching') return [id, entry.is, `again at ${entry.retryAt.toISOString()}`];
  if (entry.is === 'unavailable') return [id, entry.is, entry.reason + (entry.retryable ? ' (try again later)' : '')];
  if ('channels' in entry.document) {
    const [channel] = entry.document.channels;
    return [
      id,
      entry.is,
      `${channel?.network} ${channel?.username ?? '-'}, ${channel?.followersCount ?? '?'} followers`,
    ];
  }
  const post = entry.document;
  return [
    id,
    entry.is,
    `${post.network} ${post.mediaKind ?? 'post'} of ${post.author.username ?? '-'}, ${post.viewCount ?? '?'} views`,
  ];
}

/** Control characters of what a service sent must not steer a terminal. */
export const printable = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ');

function tableOutput(print: Print): Output {
  const rows: string[][] = [];
  return {
    isLive: false,
    write: (entry) => void rows.push(cellsOf(entry).map(printable)),
    end: () => {
      const widths = [0, 1].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
      for (const [id = '', state = '', rest = ''] of rows)
        print(`${id.padEnd(widths[0] ?? 0)}  ${state.padEnd(widths[1] ?? 0)}  ${rest}\n`);
    },
  };
}

export function printed(format: 'json' | 'ndjson' | 'table', isSingle: boolean, print: Print): Output {
  if (format === 'ndjson') return ndjsonOutput(print);
  return format === 'json' ? jsonOutput(print, isSingle) : tableOutput(print);
}
