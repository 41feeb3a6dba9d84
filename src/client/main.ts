#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import { apiBase } from './address.ts';
import { help, readArguments, UsageError, type Arguments } from './arguments.ts';
import { createClient, LookupError, type AnalysisKey, type LookupClient, type Outcome } from './client.ts';
import { fileOutput, printable, printed, settledIn, type AnyDocument, type AnyEntry, type Output } from './output.ts';
import { createProgress, type Counts, type Progress } from './progress.ts';

const exit = {
  held: 0,
  unavailable: 1,
  usage: 2,
  fetching: 3,
  refused: 4,
  failed: 5,
  interrupted: 130,
  unread: 141,
} as const;

/** Reads standard input as a stream: a synchronous read would block Ctrl-C until the end of input. */
function linesOf(file: string | null, signal: AbortSignal): Promise<string> | string {
  if (file !== null && file !== '-') return readFileSync(file, 'utf8');
  if (file === null && process.stdin.isTTY) return '';
  return text(addAbortSignal(signal, process.stdin));
}

async function identifiersOf({ ids, file }: Arguments, signal: AbortSignal): Promise<string[]> {
  const given = file === null && ids.length > 0 ? ids : (await linesOf(file, signal)).split('\n');
  const asked = new Set(given.map((id) => id.trim()).filter((id) => id !== ''));
  if (asked.size > 0) return [...asked];
  throw new UsageError('no identifiers: give them as arguments, with --file or on standard input');
}

async function* single(id: string, read: Promise<Outcome<AnyDocument>>): AsyncGenerator<AnyEntry> {
  yield { id, requestId: null, ...(await read) };
}

const isUrl = (id: string): boolean => /^https?:/i.test(id);

/**
 * Reads what the arguments name. One identifier is read by the operation for one, unless that cannot name it: a creator by its
 * URL and a post by its id are batches of one.
 */
function entriesOf(
  client: LookupClient,
  args: Arguments,
  ids: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<AnyEntry> {
  const { what, network, asOrg, asProfile } = args;
  const wait = args.waitSeconds === null ? false : { deadlineSeconds: args.waitSeconds };
  const options = { wait, signal, asOrg, asProfile };
  // Not checked here: the service knows which values there are, and says so.
  const include = args.include as readonly AnalysisKey[];
  const [id = ''] = ids;
  if (what === 'post' && isUrl(id)) return single(id, client.readPost(id, { ...options, include }));
  if (what === 'creator' && !isUrl(id)) {
    const colon = id.indexOf(':');
    const [named, handle] = colon < 0 ? [network ?? 'netA', id] : [id.slice(0, colon), id.slice(colon + 1)];
    return single(id, client.readCreator(named, handle, { ...options, include: args.include as readonly 'posts'[] }));
  }
  if (what === 'creator' && include.length > 0)
    throw new UsageError('--include needs the creator as netA:ada, not as a URL');
  return what === 'creator' || what === 'creators'
    ? client.readManyCreators(ids, { ...options, network })
    : client.readManyPosts(ids, { ...options, network, include });
}

function outputOf(args: Arguments): Output {
  if (args.out !== null) return fileOutput(args.out);
  const isSingle = args.what === 'creator' || args.what === 'post';
  const format = args.format ?? (isSingle ? 'json' : process.stdout.isTTY ? 'table' : 'ndjson');
  return printed(format, isSingle, (text) => void process.stdout.write(text));
}

function exitOf({ fetching, unavailable }: Counts): number {
  if (fetching > 0) return exit.fetching;
  return unavailable > 0 ? exit.unavailable : exit.held;
}

/** Not quoted where it is none: it may have a password in it. */
function addressOf({ url }: Arguments): string {
  const baseUrl = url ?? process.env['LOOKUP_URL'] ?? 'http://127.0.0.1:4010';
  try {
    return apiBase(baseUrl);
  } catch {
    const told = url === undefined ? 'LOOKUP_URL' : '--url';
    throw new UsageError(
      `${told} must be an http or https URL without user, query and fragment: https://lookup.example`,
    );
  }
}

async function look(args: Arguments, signal: AbortSignal): Promise<number> {
  const token = process.env['LOOKUP_TOKEN'];
  if (!token) throw new UsageError('LOOKUP_TOKEN is not set: the token is read from the environment');
  const baseUrl = addressOf(args);
  const asked = await identifiersOf(args, signal);
  const settled = args.out === null ? new Map<string, State>() : settledIn(args.out);
  const ids = asked.filter((id) => !settled.has(id));
  const before = countOf(asked.flatMap((id) => settled.get(id) ?? []));
  if (ids.length < asked.length)
    console.error(`${asked.length - ids.length} of ${asked.length} are in ${args.out} already`);
  if (ids.length === 0) return exitOf(before);

  const client = createClient({ baseUrl, token, budgetPerMinute: args.budget ?? undefined });
  const counts = await printAll(
    entriesOf(client, args, ids, signal),
    outputOf(args),
    progressOf(ids, asked.length === 1),
  );
  return exitOf({ ...counts, unavailable: counts.unavailable + before.unavailable });
}

type State = AnyEntry['is'];

function countOf(outcomes: readonly State[]): Counts {
  const counts: Counts = { held: 0, fetching: 0, unavailable: 0 };
  for (const is of outcomes) counts[is] += 1;
  return counts;
}

/** No progress for one identifier: its own line says as much. */
const progressOf = (ids: readonly string[], isQuiet: boolean): Progress =>
  createProgress(ids.length, process.stderr.isTTY, (text) => void (isQuiet || process.stderr.write(text)), Date.now);

/** Writes the entries as they come. Those that came before an error are written too. */
async function printAll(entries: AsyncIterable<AnyEntry>, output: Output, progress: Progress): Promise<Counts> {
  progress.show();
  const ticking = process.stderr.isTTY ? setInterval(progress.show, 250) : undefined;
  try {
    for await (const entry of entries) {
      if (output.isLive && process.stdout.isTTY) progress.hide();
      output.write(entry);
      progress.add(entry);
    }
  } finally {
    clearInterval(ticking);
    progress.end();
    output.end();
  }
  return progress.counts;
}

/** Whether the reader of standard output has gone, as with `| head`: then nothing is to be reported to anybody. */
const isUnread = ({ code }: NodeJS.ErrnoException): boolean => code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED';

function exitOfError(error: unknown, signal: AbortSignal): number {
  if (isUnread(error as Error) || isUnread((signal.reason ?? {}) as Error)) return exit.unread;
  if (signal.reason === interrupted) {
    console.error('lookup: interrupted');
    return exit.interrupted;
  }
  const { code, message, syscall } = (signal.reason ?? error) as NodeJS.ErrnoException;
  if (error instanceof UsageError || String(code).startsWith('ERR_PARSE_ARGS')) {
    console.error(`lookup: ${message.split('\n', 1)[0]} (--help tells more)`);
    return exit.usage;
  }
  if (error instanceof LookupError) {
    const request = error.requestId === null ? '' : ` (request ${error.requestId})`;
    console.error(`lookup: ${printable(`${error.code}: ${error.message}${request}`)}`);
    if (error.code === 'invalid-input') return exit.usage;
    return ['unauthorized', 'forbidden', 'not-found'].includes(error.code) ? exit.refused : exit.failed;
  }
  if (syscall === undefined && !(error instanceof SyntaxError)) throw error;
  console.error(`lookup: ${error instanceof SyntaxError ? 'the file of --out is not NDJSON' : message}`);
  return exit.usage;
}

async function run(signal: AbortSignal): Promise<number> {
  const args = readArguments(process.argv.slice(2));
  if (args === null) process.stdout.write(help);
  const code = args === null ? exit.held : await look(args, signal);
  await new Promise<void>((resolve, reject) => {
    process.stdout.write('', (error) => (error ? reject(error) : resolve()));
  });
  return code;
}

const interrupted = new Error('interrupted');
const ending = new AbortController();
process.once('SIGINT', () => ending.abort(interrupted));
process.stdout.on('error', (error) => ending.abort(error));
process.stderr.on('error', () => {});
process.exitCode = await run(ending.signal).catch((error: unknown) => exitOfError(error, ending.signal));
