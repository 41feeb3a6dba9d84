import { execFileSync } from 'node:child_process';
import { chownSync, closeSync, mkdtempSync, openSync, rmSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atExit } from '../ending.ts';
import type { Bench } from './bench.ts';
import { NotRun } from './fault.ts';

/** A disk of its own, that can be filled to the last byte. */
export interface Volume {
  readonly folder: string;
  fill(): void;
  free(): void;
}

/** A tmpfs of that size, owned by whoever owns `like`. @throws NotRun where this user may not mount. */
export function smallVolume(bench: Bench, megabytes: number, like?: string): Volume {
  const folder = mkdtempSync(join(tmpdir(), 'faults-volume-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'pipe' });
  } catch {
    rmSync(folder, { recursive: true });
    throw new NotRun('mounting a small disk (tmpfs) takes root, and this user is not');
  }
  const forget = atExit(() => unmount(folder));
  bench.owns(folder, () => (unmount(folder), forget()));
  if (like !== undefined) chownSync(folder, statSync(like).uid, statSync(like).gid);
  const ballast = join(folder, 'ballast');
  return { folder, fill: () => fill(ballast), free: () => unlinkSync(ballast) };
}

function unmount(folder: string): void {
  execFileSync('umount', ['--lazy', folder], { stdio: 'pipe' });
  rmSync(folder, { recursive: true, force: true });
}

function fill(file: string): void {
  const handle = openSync(file, 'a');
  try {
    for (let size = 64 * 1024; size >= 1;) {
      try {
        writeSync(handle, Buffer.alloc(size));
      } catch {
        size = Math.floor(size / 2);
      }
    }
  } finally {
    closeSync(handle);
  }
}
