import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

export interface Running {
  readonly port: number;
  readonly token: string;
  /** CPU seconds that the process has used so far, user and system. */
  cpuSeconds(): number;
  residentBytes(): number;
  readonly startedInMilliseconds: number;
  stop(): void;
}

/** Starts a Node process that prints `{port, token?}` as JSON on a line of its own, and waits for that line. */
export function start(
  script: URL,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Running> {
  const began = performance.now();
  const child = spawn(process.execPath, [script.pathname, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.on('exit', (code) =>
      reject(new Error(`${script.pathname} ${args[0] ?? ''} ended with ${code} before it listened`)),
    );
    createInterface(child.stdout).on('line', (line) => {
      if (!line.startsWith('{"port"')) return;
      const { port, token = 'none' } = JSON.parse(line) as { port: number; token?: string };
      resolve({ port, token, startedInMilliseconds: performance.now() - began, ...ofProcess(child) });
    });
  });
}

const TICKS_PER_SECOND = 100;

function ofProcess(child: ChildProcess): Pick<Running, 'cpuSeconds' | 'residentBytes' | 'stop'> {
  const read = (file: string) => readFileSync(`/proc/${child.pid}/${file}`, 'utf8');
  return {
    cpuSeconds() {
      const fields = read('stat').split(') ')[1]?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
    },
    residentBytes: () => Number(/VmRSS:\s+(\d+)/.exec(read('status'))?.[1] ?? 0) * 1024,
    stop: () => void child.kill('SIGKILL'),
  };
}
