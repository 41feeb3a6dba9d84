/**
 * Builds what the package ships into `dist/`: Node does not run TypeScript out of `node_modules`. Beside the compiled files go
 * those that they read at run time, at the same place relative to them as in the checkout.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');

/** Files of a folder that are no sources, such as templates and targets. */
const dataOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(ts|md)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length));

rmSync(dist, { recursive: true, force: true });
const compiled = spawnSync(
  process.execPath,
  [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'tsconfig.build.json')],
  { stdio: 'inherit' },
);
for (const path of ['package.json', 'generated/openapi.json', 'spec/rules.md', ...dataOf('conformance')])
  cpSync(join(root, path), join(dist, path));
process.exitCode = compiled.status ?? 1;
