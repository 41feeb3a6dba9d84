/** What the commands of this folder have in common: `--help`, one line and exit 2 for wrong usage, and the exit code. */
import { resolve } from 'node:path';
import { parseArgs, type ParseArgsConfig } from 'node:util';

/** The command was called with something that it can't take: one line on standard error, exit 2. */
export class WrongUsage extends Error {}

type Options = NonNullable<ParseArgsConfig['options']>;
type Values<Own extends Options> = ReturnType<typeof parseArgs<{ options: Own }>>['values'];

export interface Command<Own extends Options> {
  /** As it is called, `npm run <name>`, or the name of its file. */
  readonly name: string;
  /** What `--help` prints. */
  readonly usage: string;
  /** As `parseArgs` takes them; `--help` is added. */
  readonly options: Own;
  /** Does the work and answers the exit code: 0 done, 1 what is checked does not hold. @throws WrongUsage */
  run(values: Values<Own>): number | Promise<number>;
}

/** Runs the command with the arguments of this process, and sets its exit code. */
export async function runCommand<const Own extends Options>(command: Command<Own>): Promise<void> {
  process.exitCode = await exitCodeOf(command, process.argv.slice(2));
}

/** The exit code of the command with these arguments. @throws what the work throws, but for WrongUsage. */
export async function exitCodeOf<const Own extends Options>(
  { name, usage, options, run }: Command<Own>,
  args: readonly string[],
): Promise<number> {
  try {
    const { values } = parseArgs({ args: [...args], options: { ...options, help: { type: 'boolean' } } });
    if ('help' in values && values.help) return (console.log(usage.trimEnd()), 0);
    return await run(values);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!(error instanceof WrongUsage) && code?.startsWith('ERR_PARSE_ARGS') !== true) throw error;
    console.error(`${name}: ${message.split('\n')[0]}; --help tells more`);
    return 2;
  }
}

/** The value of a numeric option. @throws WrongUsage unless it is a whole number within these bounds, both included. */
export function wholeNumber(option: string, text: string, { least, most }: { least: number; most: number }): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new WrongUsage(`--${option} is ${JSON.stringify(text)}, but has to be a whole number from ${least} to ${most}`);
}

/** The folder of this checkout. */
export const checkout = resolve(import.meta.dirname, '..');

/** For commands that look at a checkout: another than this one. */
export const rootOption = { root: { type: 'string', default: checkout } } as const;
