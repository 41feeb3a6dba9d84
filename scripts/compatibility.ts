/**
 * The compatibility gate: compares the contract with the last released one and refuses what would break a client (VER-02).
 *
 *     npm run check:compatibility                compares generated/openapi.json with spec/released/openapi-1.0.0.json
 *     npm run check:compatibility -- --release   makes the present contract the released one
 *
 * What is judged how is in the tests of scripts/compatibility/, a case a line.
 */
import { copyFileSync, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readBundle } from './bundle.ts';
import { rootOption, runCommand } from './command.ts';
import { breakingChanges } from './compatibility/changes.ts';

const bundleIn = (root: string): string => join(root, 'generated/openapi.json');
const releasedIn = (root: string): string => join(root, 'spec/released/openapi-1.0.0.json');

const usage = `Usage: npm run check:compatibility [-- --release] [--root <folder>]

Compares generated/openapi.json with the last released contract, spec/released/openapi-1.0.0.json, and names each change
that would break a client; exit 1 if there is one.

  --root <folder>   the checkout to work on (default: this one)
  --release         make the present contract the released one (refused while it breaks the last; a major version has a file of its own)
  --help            this text`;

function compare(root: string, release: boolean): number {
  const [bundleFile, releasedFile] = [bundleIn(root), releasedIn(root)];
  if (!existsSync(releasedFile) && !release)
    return (console.error('compatibility: nothing is released yet; --release does it'), 1);
  const changes = existsSync(releasedFile) ? breakingChanges(readBundle(releasedFile), readBundle(bundleFile)) : [];
  for (const change of changes) console.error(`breaking: ${change}`);
  if (changes.length > 0) return 1;
  if (release) copyFileSync(bundleFile, releasedFile);
  console.log(release ? 'released' : 'compatible with the released contract');
  return 0;
}

if (import.meta.main)
  await runCommand({
    name: 'check:compatibility',
    usage,
    options: { ...rootOption, release: { type: 'boolean', default: false } },
    run: ({ root, release }) => compare(resolve(root), release),
  });
