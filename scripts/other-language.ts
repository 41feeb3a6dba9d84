/**
 * `npm run other-language`: the recipe of a client in another language, as the page has it: generated out of what the mock serves, then run
 * against it. Needs `pip` and `python3` of a virtual environment, as it installs the generator.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMock } from '../src/mock/start.ts';
import { readRecipes } from './recipes.ts';

const told = 'held lin\nheld ben\nunavailable netA:missing1 account-not-discoverable\n';
const steps = [
  ['sh', 'generate'],
  ['python3', 'generated.py'],
] as const;

const mock = await startMock({ port: 0, clock: Date.now, random: Math.random });
const folder = mkdtempSync(join(tmpdir(), 'other-language-'));
const env = { ...process.env, LOOKUP_URL: mock.url, LOOKUP_TOKEN: 'mock-full' };
let printed = '';
let failed: string | null = null;

for (const [command, name] of steps) {
  writeFileSync(join(folder, name), readRecipes('run in CI').get(name) ?? 'exit 1');
  const child = spawn(command, [name], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  process.stdout.write(printed);
  if (code !== 0) failed ??= `the recipe ${name} ended with ${code}`;
}
if (printed !== told) failed ??= `the recipe printed something else than\n${told}`;
rmSync(folder, { recursive: true });
await mock.close();
console.log(failed === null ? 'the generated client read what the mock holds' : `error: ${failed}`);
process.exitCode = failed === null ? 0 : 1;
