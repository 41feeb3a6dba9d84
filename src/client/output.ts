import { appendFileSync, readFileSync, truncateSync } from 'node:fs';
import type { Creator, CreatorEntry, Entry, Post } from './outcome.ts';

/** What the command reads. */
export type AnyDocument = Creator | CreatorEntry | Post;
export type AnyEntry = Entry<AnyDocument>;

/** Where the entries go, and in which format. */
export interface Output {
  /** Whether `write` prints at once, so that a progress bar has to be out of its way. */
  readonly isLive: boolean;
  write(entry: AnyEntry): void;
  /** To be called after the last entry, also when the read failed. */
  end(): void;
}

/** An entry as a line of NDJSON. */
export const lineOf = (entry: AnyEntry): string => `${JSON.stringify(entry)}\n`;

/** Whether reading it again would bring nothing more: it is held, or unavailable for good. */
export const isSettled = (entry: AnyEntry): boolean =>
  entry.is === 'held' || (entry.is === 'unavailable' && !entry.retryable);

function settledLine(line: string): { id?: string | null; is: AnyEntry['is'] } {
  const entry: unknown = JSON.parse(line);
  if (typeof entry !== 'object' || entry === null) throw new SyntaxError('not an entry');
  return entry as ReturnType<typeof settledLine>;
}

/**
 * The outcomes that an earlier run has written to the file, by identifier. Makes the file where there is none, so that one that cannot
 * be written is told before anything is read, and cuts off a last line that an interruption left incomplete.
 *
 * @throws SyntaxError when the file is not NDJSON of entries, or an error of the file system.
 */
export function settledIn(path: string): Map<string, AnyEntry['is']> {
  appendFileSync(path, '');
  const text = readFileSync(path, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole));
  const entries = whole
    .split('\n')
    .filter((line) => line !== '')
    .map(settledLine);
  return new Map(entries.flatMap(({ id, is }) => (typeof id === 'string' ? [[id, is] as const] : [])));
}

/** Appends what is settled to a file, as NDJSON, for a later run to continue from. */
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
      // With no entry an error follows on standard error; an empty list here would look like an answer.
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

/** Text from the service without control characters, which could steer the terminal. */
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

/** Prints entries in a format; `isSingle`: as JSON, the one entry in place of a list. */
export function printed(format: 'json' | 'ndjson' | 'table', isSingle: boolean, print: Print): Output {
  if (format === 'ndjson') return ndjsonOutput(print);
  return format === 'json' ? jsonOutput(print, isSingle) : tableOutput(print);
}
