/**
 * Targets that come with the suite, by name. A checkout can start its service and its mock; an installed package has only the mock, so
 * what `--help` names is what is there.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { ConfigurationError } from './target-file.ts';

const shipped = fileURLToPath(new URL('targets', import.meta.url));
const fileIn = (folder: string, name: string): string => join(folder, `${name}.yaml`);

/** Names that `--target` takes for a file. */
export const readyNames = (folder = shipped): string[] =>
  ['service', 'mock'].filter((name) => existsSync(fileIn(folder, name)));

/** The file that `--target` means: a path of the caller's, or a ready target. */
export function targetFile(name: string, folder = shipped): string {
  if (existsSync(name)) return name;
  if (readyNames(folder).includes(name)) return fileIn(folder, name);
  if (name === 'service')
    throw new ConfigurationError(
      `the target service can be started in a checkout of its repository only; here, describe a running one in a file as ${fileIn(folder, 'deployment')} does, or take ${readyNames(folder).join(', ')}`,
    );
  return name;
}
