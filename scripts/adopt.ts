/**
 * `npm run adopt`: real identifiers in the place of the neutral network words, throughout a checkout (GEN-12): values, keys, prefixes,
 * hosts, inside names and in the names of files. Afterwards the generated files are made anew and the sources formatted.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { checkout, runCommand, WrongUsage } from './command.ts';
import { collisions, problemOf, replaceWords, type Names } from './adopt-words.ts';

const usage = `Usage: npm run adopt -- --netA <name> --netB <name> [--dir <folder>] [--dry-run] [--force]

Replaces the neutral words netA and netB by the networks' real identifiers in every file that git tracks, for example
--netA instagram --netB tiktok. A name is a small letter, then letters and digits: its case is kept in keys and prefixes,
and it is written in small letters in hosts. Run it before anything is stored: a store written earlier keeps the old words.

  --netA <name>    identifier for netA
  --netB <name>    identifier for netB
  --dir <folder>   the checkout (default: this one)
  --dry-run        change nothing; list what would change
  --force          also when the work tree has changes that are not committed, or a name is a word in use already
  --help           this text
`;

/** What the command is made of keeps the words that it looks for; hashes of packages may contain them by chance. */
const kept = /^scripts\/adopt[^/]*\.ts$|(^|\/)package-lock\.json$/;

interface Change {
  readonly path: string;
  readonly newPath: string;
  readonly text: string;
  readonly count: number;
}

function git(dir: string, ...args: string[]): string {
  try {
    return execFileSync('git', args, {
      cwd: dir,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 64 << 20,
    });
  } catch {
    throw new WrongUsage(`${dir} is no checkout of git`);
  }
}

/** The text files that git tracks and that are there, as far as this command may change them. */
function trackedFiles(dir: string): { path: string; text: string }[] {
  const paths = git(dir, 'ls-files', '-z')
    .split('\0')
    .filter((path) => path !== '' && !kept.test(path));
  const present = paths.filter((path) => existsSync(join(dir, path)) && lstatSync(join(dir, path)).isFile());
  const files = present.map((path) => ({ path, bytes: readFileSync(join(dir, path)) }));
  return files
    .filter(({ bytes }) => !bytes.includes(0))
    .map(({ path, bytes }) => ({ path, text: bytes.toString('utf8') }));
}

/** A word that would mean two things from now on; said with --force, as only the check can tell whether it matters. */
function refuseTaken(files: readonly { path: string; text: string }[], names: Names): void {
  const taken = files.flatMap(({ path, text }) => collisions(path, text, names).map((word) => `${word} (${path})`));
  if (taken.length === 0) return;
  const some = [...new Set(taken)].slice(0, 5).join(', ');
  throw new WrongUsage(
    `these words are in use already: ${some}${taken.length > 5 ? ' and more' : ''}; choose others, or say --force`,
  );
}

/** What would change. Throws WrongUsage where a new name is taken already, by a word or by a file. */
function planned(dir: string, names: Names, force: boolean): Change[] {
  const files = trackedFiles(dir);
  if (!force) refuseTaken(files, names);
  const changes = files.map(({ path, text }) => ({
    path,
    newPath: replaceWords(path, names).text,
    ...replaceWords(text, names),
  }));
  const moved = changes.filter(({ path, newPath }) => path !== newPath);
  const leaving = new Set(moved.map(({ path }) => path));
  const taken = moved.find(({ newPath }) => existsSync(join(dir, newPath)) && !leaving.has(newPath));
  if (taken) throw new WrongUsage(`${taken.path} would become ${taken.newPath}, which is there already`);
  return changes.filter(({ path, newPath, count }) => count > 0 || path !== newPath);
}

/** Moved aside first, so that two files can change places. */
function write(dir: string, changes: readonly Change[]): void {
  const moved = changes.filter(({ path, newPath }) => path !== newPath);
  for (const { path, text } of changes) writeFileSync(join(dir, path), text);
  for (const { path } of moved) renameSync(join(dir, path), join(dir, `${path}.adopted`));
  for (const { path, newPath } of moved) {
    mkdirSync(dirname(join(dir, newPath)), { recursive: true });
    renameSync(join(dir, `${path}.adopted`), join(dir, newPath));
  }
}

/** Generated files are ordered by name, and lines have other lengths now. */
function finish(dir: string): void {
  const run = (...args: string[]): unknown =>
    execFileSync(process.execPath, args, { cwd: dir, stdio: ['ignore', 'ignore', 'inherit'] });
  run(join(dir, 'scripts/generate.ts'), '--root', dir);
  run(join(dir, 'node_modules/oxfmt/bin/oxfmt'));
}

function report(changes: readonly Change[], dryRun: boolean): void {
  const moved = changes.filter(({ path, newPath }) => path !== newPath);
  const words = changes.reduce((sum, { count }) => sum + count, 0);
  if (dryRun) {
    for (const { path, newPath, count } of changes)
      console.log(`${path === newPath ? path : `${path} → ${newPath}`}: ${count}`);
  }
  console.log(
    `${words} words in ${changes.length} files${dryRun ? ' would be' : ''} replaced, ${moved.length} of them renamed.`,
  );
}

export interface Options {
  readonly dryRun?: boolean;
  readonly force?: boolean;
}

/** Exit code: 0 done, 1 nothing to replace. Throws WrongUsage before anything is changed. */
export function adopt(dir: string, names: Names, { dryRun = false, force = false }: Options): number {
  const problem = problemOf(names);
  if (problem !== null) throw new WrongUsage(problem);
  const dirty = git(dir, 'status', '--porcelain', '--untracked-files=no').trim() !== '';
  if (dirty && !dryRun && !force)
    throw new WrongUsage('the work tree has changes that are not committed; commit them, or say --force');
  const changes = planned(dir, names, force);
  if (changes.length === 0) return (console.error('adopt: no neutral word is left here; was this done before?'), 1);
  if (!dryRun) write(dir, changes);
  report(changes, dryRun);
  if (dryRun) return 0;
  if (!existsSync(join(dir, 'node_modules'))) {
    console.log('No packages are installed there: run npm ci, npm run generate and npm run format.');
    return 0;
  }
  finish(dir);
  console.log('Generated files made anew, sources formatted. Now: npm run check && npm test');
  return 0;
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;

if (import.meta.main)
  await runCommand({
    name: 'adopt',
    usage,
    options: { netA: text, netB: text, dir: { ...text, default: checkout }, 'dry-run': flag, force: flag },
    run({ netA, netB, dir, force, 'dry-run': dryRun }) {
      if (netA === undefined || netB === undefined)
        throw new WrongUsage(`--${netA === undefined ? 'netA' : 'netB'} is missing`);
      return adopt(resolve(dir), { netA, netB }, { force, dryRun });
    },
  });
