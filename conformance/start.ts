/** Starts the process that a target file names, and stops it again. It tells where it is in one JSON line of its output. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

import { isObject, type Json } from './answer.ts';
import { parse } from './client.ts';
import { ConfigurationError } from './target-file.ts';

export interface Started {
  readonly says: Json;
  stop(): Promise<void>;
}

const patienceMilliseconds = 30_000;
const graceMilliseconds = 3_000;

/** `node` in the command is the Node that runs the suite. Throws `ConfigurationError` when no line comes in time. */
export async function startTarget(command: readonly string[]): Promise<Started> {
  const [first = '', ...rest] = command;
  const child = spawn(first === 'node' ? process.execPath : first, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
  const last: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => last.push(line));
  // Whoever ends this program ends what it started.
  const end = (): void => void child.kill();
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  try {
    return { says: await firstLine(child, command, last), stop: () => stop(child) };
  } catch (error) {
    await stop(child);
    throw error;
  }
}

function firstLine(
  child: ChildProcess & { stdout: NodeJS.ReadableStream },
  command: readonly string[],
  errors: readonly string[],
): Promise<Json> {
  const words = command.join(' ');
  return new Promise((resolve, reject) => {
    const give = (what: string): void =>
      reject(new ConfigurationError(`${words}: ${what}${errors.length > 0 ? `: ${errors[0]}` : ''}`));
    const timer = setTimeout(() => give(`said nothing for ${patienceMilliseconds / 1000} s`), patienceMilliseconds);
    child.once('error', (error) => give(`could not be started (${error.message})`));
    child.once('exit', (code) => setTimeout(() => give(`ended with ${code} before it listened`), 50));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const says = readLine(line);
      if (!says) return;
      clearTimeout(timer);
      resolve(says);
    });
  });
}

/** A JSON line with `baseUrl`, or any line that names a loopback URL (as the mock's does). */
function readLine(line: string): Json | null {
  const said = parse(line);
  if (isObject(said) && typeof said['baseUrl'] === 'string') return said;
  const url = /https?:\/\/[^\s,;]+/.exec(line)?.[0];
  return url === undefined ? null : { baseUrl: url };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMilliseconds);
  await ended;
  clearTimeout(timer);
}
