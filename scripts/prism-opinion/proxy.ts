/** `prism proxy` as it comes, in a process of its own, before a server of this contract. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { killAtExit, temporaryFolder } from '../ending.ts';

export interface PrismProxy {
  readonly url: string;
  /** Whether the process has ended. */
  isOver(): boolean;
  /** Whether it ends within a moment, as it does just after it broke a connection. */
  endsNow(): Promise<boolean>;
  close(): Promise<void>;
}

const momentMilliseconds = 300;
/** As long a head as the service takes, for long queries. */
export const headerBytes = 96 * 1024;
const bundle = new URL('../../generated/openapi.json', import.meta.url);
const prism = createRequire(import.meta.url).resolve('@stoplight/prism-cli');

/** The contract with the path of its server before each path: Prism leaves that out, and would know no address of ours. */
export function contractUnderItsBase(text: string): string {
  const contract = JSON.parse(text) as { servers: { url: string }[]; paths: Record<string, unknown> };
  const base = new URL(contract.servers[0]?.url ?? '/', 'http://localhost').pathname.replace(/\/$/, '');
  const paths = Object.fromEntries(Object.entries(contract.paths).map(([path, item]) => [base + path, item]));
  return JSON.stringify({ ...contract, servers: [{ url: '/' }], paths });
}

/** Starts it on a free port; without `--errors`, so that an answer passes and what is wrong with it stands in its `sl-violations`. */
export async function startPrismProxy(upstream: string): Promise<PrismProxy> {
  const folder = temporaryFolder('prism-');
  const document = join(folder, 'openapi.json');
  writeFileSync(document, contractUnderItsBase(readFileSync(bundle, 'utf8')));
  const node = [`--max-http-header-size=${headerBytes}`, prism];
  const child = spawn(process.execPath, [...node, 'proxy', document, upstream, '--port', '0', '--cors', 'false'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  killAtExit(child);
  let over = false;
  const exit = once(child, 'exit').then(() => (over = true));
  const endsNow = (): Promise<boolean> => Promise.race([exit, pause(momentMilliseconds, false, { ref: false })]);
  const close = async (): Promise<void> => {
    rmSync(folder, { recursive: true, force: true });
    child.kill();
    await exit;
  };
  const url = await addressSaid(child.stdout);
  if (url !== null) return { url, isOver: () => over, endsNow, close };
  await close();
  throw new Error('prism proxy ended before it listened');
}

async function addressSaid(output: NodeJS.ReadableStream): Promise<string | null> {
  for await (const line of createInterface({ input: output })) {
    const url = /listening on (http:\S+)/.exec(line)?.[1];
    if (url === undefined) continue;
    output.resume();
    return url;
  }
  return null;
}
