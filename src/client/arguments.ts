import { parseArgs } from 'node:util';
import { defaultDeadlineSeconds } from './read-many.ts';

export const help = `Looks up creators and posts.

Usage: lookup creator IDENTIFIER     one creator: netA:ada, a profile URL, or a bare handle
       lookup post IDENTIFIER        one post: its URL, netA:C1x, or a bare id
       lookup creators [IDENTIFIER…] any number of them, from arguments, --file or standard input
       lookup posts [IDENTIFIER…]

  --file FILE       read identifiers from a file, one per line; "-" is standard input
  --wait[=SECONDS]  wait for what is being fetched (default ${defaultDeadlineSeconds} seconds)
  --include A,B     posts (creator only), or keys of a post's analysis: transcript,languages
  --network NAME    network of bare identifiers (default netA)
  --as-org SLUG     act for another organization
  --as-profile SLUG attribute the work to a profile
  --budget NUMBER   most requests a minute (default: what the service allows)
  --format FORMAT   json, ndjson or table (default: table on a terminal, else ndjson; json for one)
  --out FILE        append what is settled to FILE as NDJSON; what is there already is not asked for again
  --url URL         address of the service (default LOOKUP_URL, else http://127.0.0.1:4010)
  --help            show this help

The token is read from the environment: LOOKUP_TOKEN.

Exit codes: 0 all held; 1 some are unavailable; 2 wrong usage; 3 some are still being fetched;
            4 the service refused the token, its scope or the organization; 5 the service failed
            or cannot be reached; 130 interrupted (with --out the same command goes on from there);
            141 the reader of the output has gone away.
`;

/** Wrong usage. The message is one line; the command ends with 2. */
export class UsageError extends Error {}

export type What = 'creator' | 'creators' | 'post' | 'posts';
export type Format = 'json' | 'ndjson' | 'table';

export interface Arguments {
  readonly what: What;
  readonly ids: readonly string[];
  readonly file: string | null;
  readonly waitSeconds: number | null;
  readonly include: readonly string[];
  readonly network: string | undefined;
  readonly asOrg: string | undefined;
  readonly asProfile: string | undefined;
  readonly budget: number | null;
  readonly format: Format | null;
  readonly out: string | null;
  readonly url: string | undefined;
}

function positive(text: string, name: string): number {
  const number = Number(text);
  if (text.trim() !== '' && Number.isFinite(number) && number > 0) return number;
  throw new UsageError(`--${name} must be a number above 0, not "${text}"`);
}

function formatOf(text: string | undefined): Format | null {
  if (text === undefined || text === 'json' || text === 'ndjson' || text === 'table') return text ?? null;
  throw new UsageError(`--format must be json, ndjson or table, not "${text}"`);
}

function whatOf(text: string | undefined): What {
  if (text === 'creator' || text === 'creators' || text === 'post' || text === 'posts') return text;
  throw new UsageError(
    text === undefined
      ? 'say what to look up: creator, creators, post or posts'
      : `"${text}" can't be looked up: creator, creators, post or posts can`,
  );
}

/**
 * Gives a `--wait` that stands alone its default, as `parseArgs` has no options with an optional value. A number behind it is as likely
 * meant for it as for an identifier: nothing is guessed.
 */
const withWait = (argv: readonly string[]): string[] =>
  argv.map((word, index) => {
    if (word !== '--wait') return word;
    const next = argv[index + 1] ?? '';
    if (/^\d+$/.test(next)) throw new UsageError(`write --wait=${next}, or the identifier ${next} before --wait`);
    return `--wait=${defaultDeadlineSeconds}`;
  });

function check(args: Arguments): Arguments {
  const isSingle = args.what === 'creator' || args.what === 'post';
  if (isSingle && (args.ids.length !== 1 || args.file !== null))
    throw new UsageError(`${args.what} takes exactly one identifier`);
  if (args.ids.length > 0 && args.file !== null)
    throw new UsageError('identifiers come from arguments or from --file, not from both');
  if (args.what === 'creators' && args.include.length > 0)
    throw new UsageError('--include is for creator, post and posts');
  if (args.out !== null && args.format !== null && args.format !== 'ndjson')
    throw new UsageError('--out writes NDJSON and takes no other --format');
  return args;
}

/**
 * The parsed command line; null when it asks for help.
 *
 * @throws UsageError, or an error of `parseArgs`, whose code begins with `ERR_PARSE_ARGS`.
 */
export function readArguments(argv: readonly string[]): Arguments | null {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args: withWait(argv),
    allowPositionals: true,
    options: {
      file: text,
      wait: text,
      include: text,
      network: text,
      'as-org': text,
      'as-profile': text,
      budget: text,
      format: text,
      out: text,
      url: text,
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  return check({
    what: whatOf(positionals[0]),
    ids: positionals.slice(1),
    file: values.file ?? null,
    waitSeconds: values.wait === undefined ? null : positive(values.wait, 'wait'),
    include: (values.include ?? '')
      .split(',')
      .map((key) => key.trim())
      .filter((key) => key !== ''),
    network: values.network,
    asOrg: values['as-org'],
    asProfile: values['as-profile'],
    budget: values.budget === undefined ? null : positive(values.budget, 'budget'),
    format: formatOf(values.format),
    out: values.out ?? null,
    url: values.url,
  });
}
