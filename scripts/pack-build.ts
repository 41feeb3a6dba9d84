/**
 * Builds what the package ships into `dist/`: Node does not run TypeScript out of `node_modules`. `tsconfig.build.json` names the commands and
 * what can be imported; all that they need is compiled with them and nothing else. Beside it go the files that they read at run time, at
 * the same place relative to them as in the checkout.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

/** The suite's ready targets that there is something to start for: the package has the mock and not the service. */
const targets = ['conformance/targets/deployment.yaml', 'conformance/targets/mock.yaml'];
const readAtRunTime = ['package.json', 'generated/openapi.json', 'spec/rules.md', ...targets];

rmSync(dist, { recursive: true, force: true });
const compiler = join(root, 'node_modules/typescript/bin/tsc');
const compiled = spawnSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit' });
for (const path of readAtRunTime) cpSync(join(root, path), join(dist, path));

/** Where the package is installed, the mock is a command. */
const mock = join(dist, 'conformance/targets/mock.yaml');
writeFileSync(mock, readFileSync(mock, 'utf8').replace('[node, src/mock/main.ts,', '[lookup-mock,'));
process.exitCode = compiled.status ?? 1;
