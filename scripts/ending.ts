/**
 * What a command starts ends with it, whether the work is done, fails, or is interrupted by Ctrl-C or SIGTERM: at the latest when this
 * process exits, and then at once, as nothing can be waited for any more.
 */
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmbeddedServer } from '../src/testing/embedded-postgres.ts';

const endings = new Set<() => void>();
const signals = { SIGINT: 130, SIGTERM: 143 } as const;

/** Has `end` done when this process exits, the last first, unless it was forgotten before. Answers what forgets it. */
export function atExit(end: () => void): () => void {
  watch();
  endings.add(end);
  return () => void endings.delete(end);
}

let isWatching = false;

function watch(): void {
  if (isWatching) return;
  isWatching = true;
  process.once('exit', () => [...endings].toReversed().forEach(quietly));
  for (const [signal, code] of Object.entries(signals)) process.once(signal, () => process.exit(code));
}

/** One that fails must not keep the others from being done. */
function quietly(end: () => void): void {
  try {
    end();
  } catch {
    // What is gone already needs no end.
  }
}

/** An empty folder of its own; removed at exit where it is still there. */
export function temporaryFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  atExit(() => removeFolder(folder));
  return folder;
}

/** More than once, as a process that is just ending may still write into it: `rmSync` then leaves it there without a word. */
function removeFolder(folder: string): void {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    rmSync(folder, { recursive: true, force: true });
    if (!existsSync(folder)) return;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  }
}

/** Sends the child a signal at exit where it still runs: SIGTERM to what has something to end itself. */
export function killAtExit<Child extends ChildProcess>(child: Child, signal: NodeJS.Signals = 'SIGKILL'): Child {
  child.once(
    'exit',
    atExit(() => child.kill(signal)),
  );
  return child;
}

/** Stops a server of PostgreSQL, and removes its data, at exit where it still runs. */
export function stopAtExit(server: EmbeddedServer): EmbeddedServer {
  const forget = atExit(() => {
    quietly(() => process.kill(processOf(server), 'SIGQUIT'));
    removeFolder(server.folder);
  });
  return {
    ...server,
    async stop() {
      await server.stop();
      forget();
    },
  };
}

/** The main process of the server. SIGQUIT has it end the others, waiting for none. @throws where it does not run. */
function processOf({ folder }: EmbeddedServer): number {
  const [id = ''] = readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n');
  // One that was killed leaves its file, and its number may be another's by now.
  if (!readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(folder)) throw new Error('it does not run');
  return Number(id);
}
