/** A headless browser out of an npm package, so that tests need none of the machine's; `BROWSER_PATH` names another one. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliDecompressSync } from 'node:zlib';
import chromium from '@sparticuz/chromium';
import { chromium as playwright, type Browser } from 'playwright-core';

/** Libraries that a bare machine lacks, out of the browser's own package. */
function libraries(): string {
  const folder = join(tmpdir(), 'lookup-al2023');
  if (existsSync(join(folder, 'lib'))) return join(folder, 'lib');
  mkdirSync(folder, { recursive: true });
  const archive = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../bin/al2023.tar.br');
  const packed = [archive, archive.replace('/bin/', '/../bin/')].find((path) => existsSync(path)) ?? archive;
  execFileSync('tar', ['-x', '-C', folder], { input: brotliDecompressSync(readFileSync(packed)) });
  return existsSync(join(folder, 'lib')) ? join(folder, 'lib') : join(folder, 'al2023', 'lib');
}

const lock = join(tmpdir(), 'lookup-browser.lock');
const staleMilliseconds = 60_000;

/** Two test files unpack one browser: one after the other, or one would start what the other has half written. */
async function alone<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch {
      const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
      if (Date.now() - since > staleMilliseconds) rmSync(lock, { recursive: true, force: true });
      await pause(100);
    }
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

const unpacked = () =>
  alone(async () => ({
    executablePath: await chromium.executablePath(),
    args: [...chromium.args, '--headless', '--no-sandbox'],
    env: { ...process.env, LD_LIBRARY_PATH: libraries() },
  }));

/** Its last page ends it: leave pages open until the browser is closed. */
export async function startBrowser(): Promise<Browser> {
  const own = process.env['BROWSER_PATH'];
  return playwright.launch(
    own === undefined ? await unpacked() : { executablePath: own, args: ['--headless', '--no-sandbox'] },
  );
}
