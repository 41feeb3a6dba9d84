import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { killAtExit } from '../ending.ts';

/** A process of the service. */
export interface ServiceProcess {
  readonly pid: number;
  readonly port: number;
  /** What it printed at its start: on an empty store of a development environment the token. */
  readonly said: string;
  /** The last lines that it logged as errors. */
  readonly errors: readonly string[];
  signal(name: 'SIGTERM' | 'SIGKILL' | 'SIGSTOP' | 'SIGCONT' | 'SIGUSR2'): void;
  /** The exit code; null when a signal ended it. */
  readonly ended: Promise<number | null>;
  /** Ends it, if need be by SIGKILL. Safe to call twice. */
  stop(): Promise<void>;
}

export interface StartOptions {
  /** Settings of the service, beside those of this process. */
  readonly settings: Readonly<Record<string, string>>;
  /** Root of the checkout that is run; this one unless told. */
  readonly checkout?: string;
  /** Arguments of Node itself. */
  readonly nodeArguments?: readonly string[];
}

const here = join(import.meta.dirname, '../..');
const keptErrors = 200;
const patienceMilliseconds = 10_000;

/** Starts `src/main.ts` and waits until it listens. @throws with what it printed when it ends before. */
export async function startServiceProcess(options: StartOptions): Promise<ServiceProcess> {
  const { settings, checkout = here, nodeArguments = [] } = options;
  const child = spawn(process.execPath, [...nodeArguments, join(checkout, 'src/main.ts')], {
    cwd: checkout,
    env: { ...process.env, LOG_LEVEL: 'error', PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  killAtExit(child);
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const errors: string[] = [];
  const keep = (line: string): void => {
    errors.push(line);
    if (errors.length > keptErrors) errors.shift();
  };
  createInterface(child.stderr).on('line', keep);
  const said = await listening(child, keep);
  const port = Number(/Listening on http:\/\/[^:]+:(\d+)/.exec(said)?.[1]);
  if (!port) throw new Error(`the service did not start: ${said}${errors.join('\n')}`);
  return {
    pid: child.pid ?? 0,
    port,
    said,
    errors,
    signal: (name) => void child.kill(name),
    ended,
    stop: () => stopped(child, ended),
  };
}

/** What is printed until the last line of the greeting, or the end. */
function listening(child: ChildProcess, keep: (line: string) => void): Promise<string> {
  return new Promise((resolve) => {
    let said = '';
    let greeted = false;
    createInterface(child.stdout!)
      .on('line', (line) => {
        if (line.startsWith('{')) return keep(line);
        if (greeted) return;
        said += `${line}\n`;
        greeted = line.startsWith('To issue ');
        if (greeted) resolve(said);
      })
      .on('close', () => resolve(said));
  });
}

async function stopped(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGCONT');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMilliseconds);
  await ended;
  clearTimeout(timer);
}

/** Bytes that a process holds in memory. */
export const residentBytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;

export const openDescriptors = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

/** Processor time that a process has used, its kernel's share too; by the hundredth. */
export function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
