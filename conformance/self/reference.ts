/** A target to work against: described by a file, or the service of this repository in a process of its own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startTarget } from '../start.ts';
import { ConfigurationError, describeTarget, readTargetFile } from '../target-file.ts';
import type { Target } from '../target.ts';

export interface OpenTarget {
  readonly target: Target;
  close(): Promise<void>;
}

export class BadTarget extends Error {
  override readonly name = 'BadTarget';
}

const script = fileURLToPath(new URL('../../scripts/conformance-reference.ts', import.meta.url));

const stopped = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), 3000);
    child.once('exit', () => (clearTimeout(timer), resolve()));
    child.stdin?.end();
  });

/** The program says its target in one line; what it writes besides is for a person. */
export async function startReference(): Promise<OpenTarget> {
  if (!existsSync(script))
    throw new BadTarget('no target given, and there is no service beside this suite: use --target FILE');
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', (code) => reject(new BadTarget(`the reference service ended with ${code}`)));
  });
  return { target: JSON.parse(line) as Target, close: () => stopped(child) };
}

/** What a person can mend: one line is printed, never a stack. */
export const isBadTarget = (error: unknown): boolean =>
  error instanceof BadTarget || error instanceof ConfigurationError;

/** As the suite itself reads it; a file that says how its target is started has it started. */
export async function openTarget(file: string | null): Promise<OpenTarget> {
  if (file === null) return startReference();
  const described = readTargetFile(file);
  const { start } = described;
  if (!start) return { target: describeTarget(described, process.env), close: () => Promise.resolve() };
  const started = await startTarget(start);
  return { target: describeTarget(described, process.env, started.says), close: () => started.stop() };
}
