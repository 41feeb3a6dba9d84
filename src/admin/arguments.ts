/** The command line of `npm run admin`: positional words and `--options`, each verb naming those it takes. */

/** One clear line about wrong usage; the command ends with 2. */
export class Usage extends Error {}
/** What was asked for is not there, or can't be; the command ends with 1. */
export class Failed extends Error {}

export interface Arguments {
  /** The positional word of that name. */
  readonly word: (name: string) => string;
  readonly option: (name: string) => string | undefined;
  readonly flag: (name: string) => boolean;
}

export interface Shape {
  /** Names of the positional words; one in brackets may be left out. */
  readonly words: readonly string[];
  /** Options with a value; those that are flags end in `!`. */
  readonly options?: readonly string[];
}

export function readArguments(shape: Shape, given: readonly string[], usage: string): Arguments {
  const options = new Map<string, string>();
  const words: string[] = [];
  for (let index = 0; index < given.length; index += 1) {
    const text = given[index]!;
    if (!text.startsWith('--')) {
      words.push(text);
      continue;
    }
    const [name = '', inline] = split(text);
    const isFlag = shape.options?.includes(`${name}!`) ?? false;
    if (isFlag && inline !== undefined) throw new Usage(`--${name} takes no value. Usage: ${usage}`);
    if (isFlag) options.set(name, 'yes');
    else if (shape.options?.includes(name)) options.set(name, inline ?? valueAfter(given, (index += 1), name, usage));
    else throw new Usage(`There is no option --${name} here. Usage: ${usage}`);
  }
  return checked(shape, words, options, usage);
}

function split(text: string): [string, string | undefined] {
  const equals = text.indexOf('=');
  return equals < 0 ? [text.slice(2), undefined] : [text.slice(2, equals), text.slice(equals + 1)];
}

function valueAfter(given: readonly string[], index: number, name: string, usage: string): string {
  const value = given[index];
  if (value === undefined) throw new Usage(`--${name} needs a value. Usage: ${usage}`);
  return value;
}

function checked(
  shape: Shape,
  words: readonly string[],
  options: ReadonlyMap<string, string>,
  usage: string,
): Arguments {
  const names = shape.words.map((name) => name.replace(/[[\]]/g, ''));
  const needed = shape.words.filter((name) => !name.startsWith('[')).length;
  if (words.length < needed) throw new Usage(`${names[words.length]} is missing. Usage: ${usage}`);
  if (words.length > names.length)
    throw new Usage(`${JSON.stringify(words[names.length])} is too much. Usage: ${usage}`);
  return {
    word: (name) => words[names.indexOf(name)] ?? '',
    option: (name) => options.get(name),
    flag: (name) => options.has(name),
  };
}
