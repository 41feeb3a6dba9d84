import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';

/** A command with a folder and a child that never ends by itself; says the folder. */
const command = `
  import { spawn } from 'node:child_process';
  import { killAtExit, temporaryFolder } from ${JSON.stringify(new URL('ending.ts', import.meta.url).href)};
  import { writeFileSync } from 'node:fs';
  const folder = temporaryFolder('ending-');
  writeFileSync(folder + '/file', 'x');
  killAtExit(spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: ['ignore', 'inherit', 'ignore'] }));
  console.log(folder);
  if (process.argv[1] === 'throw') throw new Error('it failed');
  setInterval(() => {}, 1000);
`;

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['throw', 1],
] as const)('nothing outlives a command that ends by %s', async (how, code) => {
  const args = ['--input-type=module', '-e', command, how];
  const started = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  let said = '';
  started.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    if (how !== 'throw' && said.endsWith('\n')) started.kill(how);
  });
  // The child holds the same output open, so it closes only once both have ended.
  const [ended] = (await once(started, 'close')) as [number];
  expect(ended).toBe(code);
  expect(said).toContain('ending-');
  expect(existsSync(said.trim())).toBe(false);
});
