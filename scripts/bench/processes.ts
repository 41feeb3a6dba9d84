import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { killAtExit } from '../ending.ts';
import type { Question, Usage } from './usage.ts';

/** A server in a process of its own. */
export interface Running {
  readonly port: number;
  readonly pid: number;
  /** What it told when it listened: `{port, …}`, or the greeting of the service. */
  readonly told: unknown;
  usage(question?: Question): Promise<Usage>;
  stop(): Promise<void>;
}

export interface Launch {
  /** Relative to this folder. */
  readonly script: string;
  /** Of Node. */
  readonly flags?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** How it tells that it listens: by a message to its parent, its output going nowhere; or, as `npm start` does, by what it prints. */
  readonly tells?: 'message' | 'greeting';
  /** Nothing is loaded into the process beside it, which takes memory of its own: `usage` cannot be asked. */
  readonly alone?: boolean;
}

const usageModule = new URL('usage.ts', import.meta.url).href;

/** Starts a Node process and waits until it listens. */
export async function start(launch: Launch): Promise<Running> {
  const { script, flags = [], args = [], env = {}, tells = 'message', alone = false } = launch;
  const path = fileURLToPath(new URL(script, import.meta.url));
  const measured = alone ? [] : ['--expose-gc', '--import', usageModule];
  const child = spawn(process.execPath, [...flags, ...measured, path, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', tells === 'message' ? 'ignore' : 'pipe', 'inherit', ...(alone ? [] : (['ipc'] as const))],
  });
  killAtExit(child);
  const ended = once(child, 'exit').then(([code]): never => {
    throw new Error(`${script} ${args[0] ?? ''} ended with ${code} before it listened`);
  });
  const listening = await Promise.race([tells === 'message' ? message(child) : greeting(child), ended]);
  ended.catch(() => {});
  return { ...listening, pid: child.pid!, ...controls(child) };
}

type Listening = Pick<Running, 'port' | 'told'>;

async function message(child: ChildProcess): Promise<Listening> {
  const [told] = (await once(child, 'message')) as [{ port: number }];
  return { port: told.port, told };
}

const LISTENING = /Listening on http:\/\/[^:]+:(\d+)[^]*To issue .*\n/;

/** What is printed later is the log, which is read and forgotten. */
async function greeting({ stdout }: ChildProcess): Promise<Listening> {
  let said = '';
  return new Promise((resolve) => {
    stdout?.on('data', function read(chunk: Buffer) {
      said += chunk.toString();
      const port = LISTENING.exec(said)?.[1];
      if (port === undefined) return;
      stdout.off('data', read).resume();
      resolve({ port: Number(port), told: said });
    });
  });
}

function controls(child: ChildProcess): Pick<Running, 'usage' | 'stop'> {
  return {
    async usage(question = 'now') {
      const answer = once(child, 'message') as Promise<[Usage]>;
      child.send(question);
      return (await answer)[0];
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
