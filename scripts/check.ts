/**
 * `npm run check`: every check of the checkout that needs no running service. Two run at a time, the fast ones first; each prints one
 * line, and those that fail print their reasons at the end. `--root <folder>` checks only the contract (spec and generated) of another folder.
 */
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { checkout, runCommand } from './command.ts';

export interface Gate {
  readonly name: string;
  /** Arguments of the Node that runs this. */
  readonly command: readonly string[];
}

export interface Outcome {
  readonly gate: Gate;
  readonly ok: boolean;
  readonly seconds: number;
  readonly output: string;
}

const script = (name: string, ...args: string[]): string[] => [join(checkout, 'scripts', `${name}.ts`), ...args];
const tool = (path: string, ...args: string[]): string[] => [join(checkout, 'node_modules', path), ...args];

/** Checks of the contract alone, in the checkout `root`. */
export const contractGates = (root: string): Gate[] => [
  { name: 'rules and decisions', command: script('rules-closed', '--root', root) },
  { name: 'fields', command: script('fields', '--root', root) },
  { name: 'examples', command: script('examples', '--root', root) },
  { name: 'compatibility', command: script('compatibility', '--root', root) },
  { name: 'generated', command: script('generate', '--check', '--root', root) },
  {
    name: 'document (redocly)',
    command: tool(
      '@redocly/cli/bin/cli.js',
      'lint',
      join(root, 'spec/openapi.yaml'),
      '--config',
      join(checkout, 'redocly.yaml'),
      '--format',
      'stylish',
    ),
  },
];

export const codeGates: readonly Gate[] = [
  { name: 'import directions', command: script('imports') },
  { name: 'format (oxfmt)', command: tool('oxfmt/bin/oxfmt', '--check') },
  { name: 'lint (oxlint)', command: tool('oxlint/bin/oxlint', '--deny-warnings') },
  { name: 'supply chain', command: script('supply-chain') },
  { name: 'dead code (knip)', command: tool('knip/bin/knip.js', '--no-progress') },
  { name: 'types (tsc)', command: tool('typescript/bin/tsc', '-p', 'tsconfig.json') },
];
import { killAtExit } from './ending.ts';

/** Runs one gate. A gate fails by its exit code, or by not coming to an end in two minutes. */
export function run(gate: Gate): Promise<Outcome> {
  const start = process.hrtime.bigint();
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const child = killAtExit(spawn(process.execPath, gate.command, { cwd: checkout, env, timeout: 120_000 }), 'SIGTERM');
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (code) => {
      const seconds = Number(process.hrtime.bigint() - start) / 1e9;
      done({ gate, ok: code === 0, seconds, output: Buffer.concat(output).toString().trim() });
    });
  });
}

/** Runs all, two at a time, and tells each when it has ended. */
export async function runAll(gates: readonly Gate[], tell: (outcome: Outcome) => void): Promise<Outcome[]> {
  const waiting = [...gates];
  const outcomes: Outcome[] = [];
  const lane = async (): Promise<void> => {
    for (let gate = waiting.shift(); gate; gate = waiting.shift()) {
      const outcome = await run(gate);
      outcomes.push(outcome);
      tell(outcome);
    }
  };
  await Promise.all([lane(), lane()]);
  return outcomes;
}

/** A line for the outcome, and below it what a gate that passed could not look at. */
function told({ gate, ok, seconds, output }: Outcome): string {
  const notes = ok ? output.split('\n').filter((line) => line.startsWith('note: ')) : [];
  const outcome = `${ok ? 'ok    ' : 'FAILED'} ${gate.name.padEnd(22)} ${seconds.toFixed(1)} s`;
  return [outcome, ...notes.map((note) => `       ${note}`)].join('\n');
}

const usage = `Usage: npm run check [-- --root <folder>]

Checks contract and code; exit 1 and the reasons if anything fails.

  --root <folder>   check only the contract (spec and generated) of another folder
  --help            this text`;

async function check(gates: readonly Gate[]): Promise<number> {
  const outcomes = await runAll(gates, (outcome) => console.log(told(outcome)));
  const failed = outcomes.filter(({ ok }) => !ok);
  for (const { gate, output } of failed) console.log(`\n${gate.name}\n${output}`);
  console.log(`\n${outcomes.length - failed.length} passed, ${failed.length} failed`);
  return failed.length === 0 ? 0 : 1;
}

if (import.meta.main)
  await runCommand({
    name: 'check',
    usage,
    options: { root: { type: 'string' } },
    run: ({ root }) => check(root ? contractGates(resolve(root)) : [...contractGates(checkout), ...codeGates]),
  });
