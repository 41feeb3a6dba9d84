import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Question, Usage } from './usage.ts';

/** A server in a process of its own. */
export interface Running {
  readonly port: number;
  /** The first that it has printed. */
  said(): string;
  usage(question?: Question): Promise<Usage>;
  stop(): Promise<void>;
}

export interface Launch {
  /** Relative to this folder. */
  readonly script: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const usageModule = new URL('usage.ts', import.meta.url).href;
/** `{"port":1234}` of what belongs to the bench, the greeting of the service. */
const LISTENING = /"port":(\d+)|Listening on http:\/\/[^:]+:(\d+)/;

/** What is printed later is the log, which is read and forgotten. */
const GREETING_LENGTH = 10_000;

const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

/** Starts a Node process and waits until it says its port. */
export async function start({ script, args = [], env = {} }: Launch): Promise<Running> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, ['--expose-gc', '--import', usageModule, path, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let said = '';
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${script} ${args[0] ?? ''} ended with ${code} before it listened`)));
    child.stdout?.on('data', (chunk: Buffer) => {
      if (said.length > GREETING_LENGTH) return;
      said += chunk.toString();
      const [, own, service] = LISTENING.exec(said) ?? [];
      if (own ?? service) resolve(Number(own ?? service));
    });
  });
  return { port, said: () => said, ...controls(child) };
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
