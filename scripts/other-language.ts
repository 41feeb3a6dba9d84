/**
 * `npm run other-language`: the recipe of a client in another language, as the page has it: generated out of what the mock serves, then run
 * against it. Needs `pip` and `python3` of a virtual environment, as it installs the generator.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './command.ts';
import { killAtExit, temporaryFolder } from './ending.ts';
import { startMock } from '../src/mock/start.ts';
import { readRecipes } from './recipes.ts';

const usage = `Usage: npm run other-language

Generates the Python client of docs/recipes.md out of what the mock serves, and runs it against the mock. pip and python3 have to be those of a
virtual environment: python3 -m venv .venv && PATH="$PWD/.venv/bin:$PATH" npm run other-language

  --help   this text

Exit: 0 it read what the mock holds; 1 not; 2 wrong usage
`;

const told = 'held lin\nheld ben\nunavailable netA:missing1 account-not-discoverable\n';
const steps = [
  ['sh', 'generate'],
  ['python3', 'generated.py'],
] as const;

/** Answers what failed, or null. */
async function runRecipes(): Promise<string | null> {
  const mock = await startMock({ port: 0, clock: Date.now, random: Math.random });
  const folder = temporaryFolder('other-language-');
  const env = { ...process.env, LOOKUP_URL: mock.url, LOOKUP_TOKEN: 'mock-full' };
  let printed = '';
  let failed: string | null = null;

  for (const [command, name] of steps) {
    console.log(`${command} ${name}`);
    writeFileSync(join(folder, name), readRecipes('run in CI').get(name) ?? 'exit 1');
    const child = spawn(command, [name], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
    killAtExit(child);
    printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    process.stdout.write(printed);
    if (code !== 0) failed ??= `the recipe ${name} ended with ${code}`;
  }
  if (printed !== told) failed ??= `the recipe printed something else than\n${told}`;
  rmSync(folder, { recursive: true });
  await mock.close();
  return failed;
}

await runCommand({
  name: 'other-language',
  usage,
  options: {},
  async run() {
    const failed = await runRecipes();
    console.log(failed === null ? 'the generated client read what the mock holds' : `error: ${failed}`);
    return failed === null ? 0 : 1;
  },
});
