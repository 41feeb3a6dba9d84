/** A copy of this checkout in a temporary folder, committed there, with the installed packages: what adoption is tried on. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { temporaryFolder } from './ending.ts';

const checkout = resolve(import.meta.dirname, '..');

export interface Copy {
  readonly dir: string;
  remove(): void;
}

/** Copies what git tracks and what it would track; nothing that is ignored. */
export function copyCheckout(): Copy {
  const dir = temporaryFolder('adopt-');
  const git = (cwd: string, ...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=copy', '-c', 'user.email=copy@example.com', ...args], {
      cwd,
      encoding: 'utf8',
    });
  const listed = git(checkout, 'ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0');
  for (const path of listed.filter((path) => path !== '' && existsSync(join(checkout, path)))) {
    cpSync(join(checkout, path), join(dir, path), { recursive: true });
  }
  git(dir, 'init', '-q');
  git(dir, 'add', '-A');
  git(dir, 'commit', '-q', '-m', 'copy');
  symlinkSync(join(checkout, 'node_modules'), join(dir, 'node_modules'));
  return { dir, remove: () => rmSync(dir, { recursive: true }) };
}
