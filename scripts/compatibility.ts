/**
 * The compatibility gate: compares the contract with the last released one and refuses what would break a client (VER-02).
 *
 *     npm run check:compatibility                compares generated/openapi.json with spec/released/openapi-1.0.0.json
 *     npm run check:compatibility -- --release   makes the present contract the released one
 *
 * What is judged how is in the tests of scripts/compatibility/, a case a line.
 */
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readBundle, rootOf } from './bundle.ts';
import { breakingChanges } from './compatibility/changes.ts';

const bundleIn = (root: string): string => join(root, 'generated/openapi.json');
const releasedIn = (root: string): string => join(root, 'spec/released/openapi-1.0.0.json');

const usage = `Usage: npm run check:compatibility [-- --release]

Compares generated/openapi.json with the last released contract, spec/released/openapi-1.0.0.json, and names each change
that would break a client; exit 1 if there is one.

  --root <folder>   the checkout to work on (default: this one)
  --release         make the present contract the released one (refused while it breaks the last; a major version has a file of its own)
  --help            this text`;

function options(): { release?: boolean; help?: boolean; root?: string } | null {
  try {
    return parseArgs({ options: { release: { type: 'boolean' }, help: { type: 'boolean' }, root: { type: 'string' } } })
      .values;
  } catch (error) {
    console.error(`compatibility: ${(error as Error).message}`);
    return null;
  }
}

function main(): number {
  const chosen = options();
  if (!chosen) return 2;
  if (chosen.help) return (console.log(usage), 0);
  const root = rootOf(process.argv);
  const [bundleFile, releasedFile] = [bundleIn(root), releasedIn(root)];
  const changes = existsSync(releasedFile) ? breakingChanges(readBundle(releasedFile), readBundle(bundleFile)) : [];
  for (const change of changes) console.error(`breaking: ${change}`);
  if (changes.length > 0) return 1;
  if (chosen.release) copyFileSync(bundleFile, releasedFile);
  if (!existsSync(releasedFile)) return (console.error('compatibility: nothing released yet; use --release'), 1);
  console.log(chosen.release ? 'released' : 'compatible with the released contract');
  return 0;
}

if (import.meta.main) process.exitCode = main();
