import { CommandError, readArguments, UsageError } from './arguments.ts';
import type { Command, Store } from './command.ts';
import { commands } from './commands.ts';
import { said } from './said.ts';

/** Where a command writes: whole texts, without their last line break. */
export interface Output {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
}

const usageOf = (noun: string, verb: string, { words, options = [] }: Command): string =>
  [noun, verb, ...words.map((word) => (word.startsWith('[') ? word : `<${word}>`)), ...options.map(optionOf)].join(' ');

const optionOf = (name: string): string => (name.endsWith('!') ? `[--${name.slice(0, -1)}]` : `[--${name} …]`);

/** The help text: of one noun, or of all. */
export function help(noun?: string): string {
  const nouns = Object.entries(commands).filter(([name]) => noun === undefined || name === noun);
  const lines = nouns.flatMap(([name, verbs]) =>
    Object.entries(verbs).map(([verb, command]) => `  ${usageOf(name, verb, command)}\n      ${command.about}`),
  );
  return [
    'Usage: npm run admin -- <noun> <verb> … [--json]',
    '',
    'Manages who may use the service and what it holds, also while it runs. The store is the one that the service',
    'uses: DATABASE_URL, or the folder DATA_DIR (default ./data). An organization is named by slug or id,',
    'an account by its id alone, which `account list` shows.',
    '',
    ...lines,
    '',
    'What begins with -- and is no option stands behind a --: entity show post netA -- --abc',
    'Durations: 30d, 12h, 15m. Scopes: creators:read,posts:read (default: both). Exit: 0 done, 1 not possible, 2 wrong usage.',
  ].join('\n');
}

function commandOf(noun: string, verb: string): Command {
  const verbs = Object.hasOwn(commands, noun) ? commands[noun] : undefined;
  if (!verbs)
    throw new UsageError(`There is no ${JSON.stringify(noun)}: ${Object.keys(commands).join(', ')}; --help tells more`);
  const command = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (!command) throw new UsageError(`${noun} takes one of ${Object.keys(verbs).join(', ')}; --help tells more`);
  return command;
}

/** Runs one command line and returns its exit status: 0 done, 1 not possible, 2 wrong usage. The store is opened only for correct usage. */
export async function run(
  argv: readonly string[],
  open: () => Promise<{ store: Store; close(): Promise<void> }>,
  to: Output,
): Promise<number> {
  const json = argv.includes('--json');
  const words = argv.filter((word) => word !== '--json');
  try {
    const [noun = '', verb = ''] = words;
    if (words.length === 0 || words.includes('--help') || noun === 'help' || noun === '-h' || verb === '-h') {
      const about = words.find((word) => Object.hasOwn(commands, word));
      (words.length === 0 ? to.error : to.out)(help(about));
      return words.length === 0 ? 2 : 0;
    }
    const command = commandOf(noun, verb);
    const given = readArguments(command, words.slice(2), usageOf(noun, verb, command));
    const { store, close } = await open();
    try {
      to.out(said(await command.run(store, given), json));
    } finally {
      await close();
    }
    return 0;
  } catch (error) {
    to.error(lineOf(error));
    return error instanceof UsageError ? 2 : 1;
  }
}

/** The one line for an error. A refused connection is an `AggregateError` without a message, so its code has to do. */
function lineOf(error: unknown): string {
  if (error instanceof UsageError || error instanceof CommandError) return error.message;
  const { message, code } = error as { message?: string; code?: string };
  return `The store cannot be used: ${message || code || String(error)}`;
}
