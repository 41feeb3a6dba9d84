/**
 * The command line of `npm run admin`: positional words and `--options`, of which each verb names those that it takes. Not read with
 * `parseArgs`, for which a shortcode that begins with `-` would be an option; one that begins with `--` stands behind a word `--`.
 */

/** Wrong usage. The message is one line for people; the command exits with 2. */
export class UsageError extends Error {}
/** The command names something that does not exist. The message is one line for people; the command exits with 1. */
export class CommandError extends Error {}

/** What was given to a command. */
export interface Arguments {
  /** The positional word of that name; empty when an optional one was left out. */
  readonly word: (name: string) => string;
  /** The value of an option. */
  readonly option: (name: string) => string | undefined;
  /** Whether a flag is set. */
  readonly flag: (name: string) => boolean;
}

/** What a command takes. */
export interface Shape {
  /** Names of the positional words in their order; a name in brackets (`[org]`) is optional. */
  readonly words: readonly string[];
  /** Names of the options, without `--`; a name that ends in `!` is a flag, any other takes a value. */
  readonly options?: readonly string[];
}

/** @throws UsageError with `usage` in its message when what was given does not fit the shape. */
export function readArguments(shape: Shape, given: readonly string[], usage: string): Arguments {
  const options = new Map<string, string>();
  const words: string[] = [];
  const rest = given.values();
  for (const text of rest) {
    if (!text.startsWith('--')) {
      words.push(text);
      continue;
    }
    if (text === '--') {
      words.push(...rest);
      break;
    }
    const [name = '', inline] = split(text);
    const isFlag = shape.options?.includes(`${name}!`) ?? false;
    if (options.has(name)) throw new UsageError(`--${name} was given twice. Usage: ${usage}`);
    if (isFlag && inline !== undefined) throw new UsageError(`--${name} takes no value. Usage: ${usage}`);
    if (isFlag) options.set(name, 'yes');
    else if (shape.options?.includes(name)) options.set(name, inline ?? nextValue(rest, name, usage));
    else throw new UsageError(`There is no option --${name} here. Usage: ${usage}`);
  }
  return checked(shape, words, options, usage);
}

function split(text: string): [string, string | undefined] {
  const equals = text.indexOf('=');
  return equals < 0 ? [text.slice(2), undefined] : [text.slice(2, equals), text.slice(equals + 1)];
}

function nextValue(rest: Iterator<string>, name: string, usage: string): string {
  const next = rest.next();
  if (next.done) throw new UsageError(`--${name} needs a value. Usage: ${usage}`);
  return next.value;
}

function checked(
  shape: Shape,
  words: readonly string[],
  options: ReadonlyMap<string, string>,
  usage: string,
): Arguments {
  const names = shape.words.map((name) => name.replace(/[[\]]/g, ''));
  const needed = shape.words.filter((name) => !name.startsWith('[')).length;
  if (words.length < needed) throw new UsageError(`${names[words.length]} is missing. Usage: ${usage}`);
  if (words.length > names.length)
    throw new UsageError(`${JSON.stringify(words[names.length])} is too much. Usage: ${usage}`);
  return {
    word: (name) => words[names.indexOf(name)] ?? '',
    option: (name) => options.get(name),
    flag: (name) => options.has(name),
  };
}
