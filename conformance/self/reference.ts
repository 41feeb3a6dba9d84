/** A target to work against: described by a file, or the service of this repository in a process of its own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
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
  if (!existsSync(script)) throw new BadTarget('no target given, and there is no service beside this suite: use --target FILE');
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', (code) => reject(new BadTarget(`the reference service ended with ${code}`)));
  });
  return { target: JSON.parse(line) as Target, close: () => stopped(child) };
}

/** Values like `${NAME}` come from the environment, so that no file holds a credential. */
const filled = (text: string): string => text.replace(/\$\{([A-Z][A-Z0-9_]*)\}/g, (_, name: string) => JSON.stringify(process.env[name] ?? '').slice(1, -1));

export async function openTarget(file: string | null): Promise<OpenTarget> {
  if (file === null) return startReference();
  try {
    return { target: JSON.parse(filled(readFileSync(file, 'utf8'))) as Target, close: () => Promise.resolve() };
  } catch (error) {
    throw new BadTarget(`${file}: ${(error as Error).message}`);
  }
}
