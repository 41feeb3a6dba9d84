/**
 * Builds what the package ships into `dist/`: Node does not run TypeScript out of `node_modules`. `tsconfig.build.json` names the commands and
 * what can be imported; all that they need is compiled with them and nothing else. Beside it go the files that they read at run time, at
 * the same place relative to them as in the checkout.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout, runCommand } from './command.ts';

const usage = `Usage: npm run build

Compiles what the package ships into dist/, in the place of what is there.

  --help   this text
`;

const dist = join(checkout, 'dist');

/** The suite's ready targets that there is something to start for: the package has the mock and not the service. */
const targets = ['conformance/targets/deployment.yaml', 'conformance/targets/mock.yaml'];
const readAtRunTime = ['package.json', 'generated/openapi.json', 'spec/rules.md', ...targets];

/** Exit code: that of the compiler. */
function build(): number {
  rmSync(dist, { recursive: true, force: true });
  const command = [join(checkout, 'node_modules/typescript/bin/tsc'), '-p', join(checkout, 'tsconfig.build.json')];
  const { status } = spawnSync(process.execPath, command, { stdio: 'inherit' });
  for (const path of readAtRunTime) cpSync(join(checkout, path), join(dist, path));
  // Where the package is installed, the mock is a command.
  const mock = join(dist, 'conformance/targets/mock.yaml');
  writeFileSync(mock, readFileSync(mock, 'utf8').replace('[node, src/mock/main.ts,', '[lookup-mock,'));
  return status ?? 1;
}

await runCommand({ name: 'build', usage, options: {}, run: build });
