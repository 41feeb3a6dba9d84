#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import { help, readArguments, UsageError, type Arguments } from './arguments.ts';
import { createClient, LookupError, type AnalysisKey, type LookupClient, type Outcome } from './client.ts';
import { fileOutput, printable, printed, settledIn, type AnyEntry, type Output } from './output.ts';
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

/** Standard input is not waited for in one call, which would keep Ctrl-C waiting too. */
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

const given = <Value>(name: string, value: Value | undefined): object => (value === undefined ? {} : { [name]: value });

async function* single(id: string, read: Promise<Outcome<never>>): AsyncGenerator<AnyEntry> {
  yield { id, requestId: null, ...(await read) };
}

/** Reads one through its own operation where that can name it, everything else as a batch. */
function reading(
  client: LookupClient,
  args: Arguments,
  ids: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<AnyEntry> {
  const wait = args.waitSeconds === null ? false : { deadlineSeconds: args.waitSeconds };
  const options = { wait, signal, ...given('asOrg', args.asOrg), ...given('asProfile', args.asProfile) };
  const many = { ...options, ...given('network', args.network) };
  const include = args.include as readonly AnalysisKey[];
  const [id = ''] = ids;
  if (args.what === 'post' && /^https?:/i.test(id))
    return single(id, client.readPost(id, { ...options, include }) as Promise<never>);
  if (args.what === 'creator' && !/^https?:/i.test(id)) {
    const colon = id.indexOf(':');
    const [network, handle] = colon < 0 ? [args.network ?? 'netA', id] : [id.slice(0, colon), id.slice(colon + 1)];
    return single(
      id,
      client.readCreator(network, handle, {
        ...options,
        include: args.include as readonly 'posts'[],
      }) as Promise<never>,
    );
  }
  if (args.what === 'creator' && include.length > 0)
    throw new UsageError('--include needs the creator as netA:ada, not as a URL');
  return args.what.startsWith('creator')
    ? client.readManyCreators(ids, many)
    : client.readManyPosts(ids, { ...many, include });
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

async function look(args: Arguments, signal: AbortSignal): Promise<number> {
  const token = process.env['LOOKUP_TOKEN'];
  if (!token) throw new UsageError('LOOKUP_TOKEN is not set: the token is read from the environment');
  const baseUrl = args.url ?? process.env['LOOKUP_URL'] ?? 'http://127.0.0.1:4010';
  if (!/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? ''))
    throw new UsageError(`"${baseUrl}" is not the address of a service, such as https://lookup.example`);
  const asked = await identifiersOf(args, signal);
  const settled = args.out === null ? new Map<string, State>() : settledIn(args.out);
  const ids = asked.filter((id) => !settled.has(id));
  const before = countOf(asked.flatMap((id) => settled.get(id) ?? []));
  if (ids.length < asked.length)
    console.error(`${asked.length - ids.length} of ${asked.length} are in ${args.out} already`);
  if (ids.length === 0) return exitOf(before);

  const client = createClient({ baseUrl, token, ...(args.budget === null ? {} : { budgetPerMinute: args.budget }) });
  const counts = await printAll(
    reading(client, args, ids, signal),
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

/** One alone is answered by its own line; a bar would say it twice. */
const progressOf = (ids: readonly string[], isQuiet: boolean): Progress =>
  createProgress(ids.length, process.stderr.isTTY, (text) => void (isQuiet || process.stderr.write(text)), Date.now);

/** Prints what comes as it comes; what has come is printed also when it ends with an error. */
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

/** Whoever read the output has gone (`| head`): there is nobody to tell anything. */
const isUnread = ({ code }: NodeJS.ErrnoException): boolean => code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED';

function exitOfError(error: unknown, signal: AbortSignal): number {
  if (isUnread(error as Error) || isUnread((signal.reason ?? {}) as Error)) return exit.unread;
  if (signal.reason === interrupted) {
    console.error('lookup: interrupted');
    return exit.interrupted;
  }
  const { code, message, syscall } = (signal.reason ?? error) as NodeJS.ErrnoException;
  if (error instanceof UsageError || String(code).startsWith('ERR_PARSE_ARGS')) {
    console.error(`lookup: ${message} (--help tells more)`);
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
