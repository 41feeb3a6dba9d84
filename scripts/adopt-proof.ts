/**
 * `npm run adopt:proof`: adopts copies of this checkout, once for each of two pairs of names, and runs the whole check and every test
 * there (GEN-12). The second pair turns the networks' order round and has capitals and a digit inside.
 */
import { spawn } from 'node:child_process';
import { checkout, runCommand } from './command.ts';
import { killAtExit } from './ending.ts';
import { copyCheckout } from './adopt-copy.ts';
import type { Names } from './adopt-words.ts';

const usage = `Usage: npm run adopt:proof [-- --keep] [--quick]

Adopts two copies of this checkout, each with another pair of names, and runs npm run check and npm test in them; some minutes.

  --quick   only npm run check
  --keep    leave the copies where they are, and say where
  --help    this text
`;

const pairs: readonly Names[] = [
  { netA: 'instagram', netB: 'tiktok' },
  { netA: 'youTube', netB: 'bluesky2' },
];

interface Step {
  readonly name: string;
  readonly args: readonly string[];
}

const steps = ({ netA, netB }: Names, quick: boolean): Step[] => [
  { name: 'adopt', args: ['scripts/adopt.ts', '--netA', netA, '--netB', netB] },
  { name: 'check', args: ['scripts/check.ts'] },
  ...(quick ? [] : [{ name: 'test', args: ['node_modules/vitest/vitest.mjs', 'run'] }]),
];

/** True when the step ended with 0; what it said is shown only when it did not. */
function run({ args }: Step, cwd: string): Promise<boolean> {
  const child = spawn(process.execPath, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  });
  killAtExit(child, 'SIGTERM');
  const said: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk));
  return new Promise((done) => {
    child.on('close', (code) => {
      if (code !== 0) process.stdout.write(Buffer.concat(said));
      done(code === 0);
    });
  });
}

async function prove(names: Names, { quick, keep }: { quick: boolean; keep: boolean }): Promise<number> {
  const copy = copyCheckout();
  let failures = 0;
  for (const step of steps(names, quick)) {
    const start = performance.now();
    console.log(`…      ${names.netA}, ${names.netB}: ${step.name}`);
    const ok = await run(step, copy.dir);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`${ok ? 'ok    ' : 'FAILED'} ${names.netA}, ${names.netB}: ${step.name} ${seconds} s`);
    if (!ok) failures += 1;
  }
  if (keep) console.log(`kept: ${copy.dir}`);
  else copy.remove();
  return failures;
}

if (import.meta.main)
  await runCommand({
    name: 'adopt:proof',
    usage,
    options: { quick: { type: 'boolean', default: false }, keep: { type: 'boolean', default: false } },
    async run(options) {
      process.chdir(checkout);
      let failures = 0;
      for (const names of pairs) failures += await prove(names, options);
      console.log(failures === 0 ? 'both adopted checkouts pass' : `${failures} steps failed`);
      return failures === 0 ? 0 : 1;
    },
  });
