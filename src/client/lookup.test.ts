import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMock, type Mock } from '../mock/start.ts';
import { createProgress } from './progress.ts';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

describe('the lookup command', () => {
  let mock: Mock;
  const folder = mkdtempSync(join(tmpdir(), 'lookup-'));
  beforeAll(async () => void (mock = await startMock({ port: 0, clock: Date.now, random: Math.random })));
  afterAll(async () => {
    await mock.close();
    rmSync(folder, { recursive: true });
  });

  function launch(args: string[], token = 'mock-full') {
    const env = { ...process.env, LOOKUP_URL: mock.url, LOOKUP_TOKEN: token };
    const child = spawn(process.execPath, [main, ...args], { env });
    const said = { out: '', err: '' };
    child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()));
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    return { child, said, ended };
  }

  async function run(args: string[], { input = '', token = 'mock-full' } = {}) {
    const { child, said, ended } = launch(args, token);
    child.stdin.end(input);
    return { code: await ended, ...said };
  }

  const linesOf = <Line>(text: string): Line[] =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);

  it('reads one creator, waits for it, and says with its exit code what happened', async () => {
    expect(await run(['creator', 'netA:ada'])).toMatchObject({ code: 3 });
    const held = await run(['creator', 'netA:ada', '--wait', '--include', 'posts']);
    expect(held.code).toBe(0);
    expect(JSON.parse(held.out).document.posts.length).toBeGreaterThan(0);
    expect(await run(['creator', 'mars:ada'])).toMatchObject({ code: 1 });
  });

  it('reads identifiers from standard input and writes lines', async () => {
    const { code, out, err } = await run(['posts', '--wait', '--include', 'transcript'], {
      input: 'netA:C1\n\nnetB:7\nnetA:old1\n',
    });
    expect(code).toBe(1);
    expect(Object.fromEntries(linesOf<{ id: string; is: string }>(out).map(({ id, is }) => [id, is]))).toEqual({
      'netA:C1': 'held',
      'netB:7': 'held',
      'netA:old1': 'unavailable',
    });
    expect(err).toContain('3/3: 2 held, 0 fetching, 1 unavailable');
  });

  it('goes on where an interrupted run was, over a torn last line', async () => {
    const [ids, out] = [join(folder, 'ids.txt'), join(folder, 'out.ndjson')];
    writeFileSync(ids, Array.from({ length: 120 }, (_, index) => `netA:r${index}`).join('\n'));
    writeFileSync(out, `${JSON.stringify({ id: 'netA:r0', is: 'held', document: {} })}\n{"id":"netA:r1","is":"he`);
    const { code, err } = await run(['creators', '--file', ids, '--wait', '--out', out]);
    expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('1 of 120') });
    const lines = linesOf<{ id: string }>(readFileSync(out, 'utf8'));
    expect(new Set(lines.map(({ id }) => id)).size).toBe(120);
    expect(lines).toHaveLength(120);
    expect(await run(['creators', '--file', ids, '--out', out])).toMatchObject({ code: 0 });
    writeFileSync(out, `${JSON.stringify({ id: 'netA:r0', is: 'unavailable', reason: 'x' })}\n`);
    const again = await run(['creators', '--file', ids, '--wait', '--out', out]);
    expect({ ...again, what: 'an earlier run counts too' }).toMatchObject({ code: 1 });
  });

  it('draws a bar on a terminal from the first moment, and prints nothing into it', () => {
    const printed: string[] = [];
    const clock = { now: 0 };
    const progress = createProgress(
      4,
      true,
      (text) => void printed.push(text),
      () => clock.now,
    );
    const entry = { id: 'a', requestId: null, is: 'unavailable', reason: 'x', retryable: false } as const;
    progress.show();
    clock.now = 2000;
    progress.hide();
    progress.add(entry);
    progress.end();
    expect(printed).toEqual([
      '\r\u001b[K[........................] 0/4: 0 held, 4 fetching, 0 unavailable',
      '\r\u001b[K',
      '\r\u001b[K[######..................] 1/4: 0 held, 3 fetching, 1 unavailable, 0:06 left',
      '\r\u001b[K[######..................] 1/4: 0 held, 3 fetching, 1 unavailable, 0:06 left\n',
    ]);
  });

  it('says that it was interrupted, keeps what it has, and goes on from there', async () => {
    const [ids, out] = [join(folder, 'slow.txt'), join(folder, 'slow.ndjson')];
    writeFileSync(ids, 'mars:x\nnetA:slow-one\n');
    const { child, said, ended } = launch(['creators', '--file', ids, '--wait', '--out', out]);
    while (!existsSync(out) || statSync(out).size === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(said.err).toMatch(/interrupted/);
    const rest = await run(['creators', '--file', ids, '--wait', '--out', out]);
    expect(rest).toMatchObject({ code: 1, err: expect.stringContaining('1 of 2 are in') });
  });

  it.each([
    ['no word', [], /say what to look up/],
    ['a wrong word', ['people'], /can't be looked up/],
    ['two for one', ['creator', 'a', 'b'], /exactly one identifier/],
    ['an unknown option', ['posts', '--speed', '9'], /--speed/],
    ['a wrong number', ['posts', 'a', '--wait=soon'], /--wait must be a number/],
    ['no such file', ['posts', '--file', '/nowhere/ids'], /no such file/],
    ['nothing to do', ['posts'], /no identifiers/],
    ['an identifier that is none', ['creator', ' '], /no identifiers/],
    ['a folder for a file', ['posts', '--file', tmpdir()], /EISDIR/],
    ['a folder for the output', ['posts', 'a', '--out', tmpdir()], /EISDIR/],
    ['an address without a scheme', ['posts', 'a', '--url', 'localhost:4010'], /--url must be an http/],
    [
      'an address with a password',
      ['posts', 'a', '--url', 'https://ada:secret@lookup.example'],
      /--url must be an http/,
    ],
    ['an address with a query', ['posts', 'a', '--url', 'https://lookup.example?a=1'], /--url must be an http/],
    ['seconds that are not tied to --wait', ['posts', 'a', '--wait', '60'], /write --wait=60/],
    ['a value like an option', ['posts', 'a', '--budget', '-1'], /'--budget' argument is ambiguous/],
    ['an output in no folder', ['posts', 'a', '--out', join(folder, 'nowhere', 'out')], /ENOENT/],
  ])('wrong usage is one line and exit 2: %s', async (_name, args, line) => {
    const { code, err } = await run(args);
    expect(code).toBe(2);
    expect(err).toMatch(line);
    expect(err).not.toContain('secret');
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  it('an --out that no earlier run has written is one line and exit 2', async () => {
    const out = join(folder, 'foreign.ndjson');
    writeFileSync(out, 'null\n');
    expect(await run(['creators', 'a', '--out', out])).toMatchObject({
      code: 2,
      err: 'lookup: the file of --out is not NDJSON\n',
    });
  });

  it('stops asking, without a word, once nobody reads its output', async () => {
    const ids = Array.from({ length: 300 }, (_, index) => `mars:p${index}`);
    for (const args of [['creators', ...ids], ['creators', '--format', 'json', ...ids], ['--help']]) {
      const { child, said, ended } = launch(args);
      child.stdout.destroy();
      expect(await ended).toBe(141);
      expect(said.err).not.toMatch(/\n {4}at |lookup:/);
    }
  });

  it('is interrupted also while it waits for standard input', async () => {
    const { child, said, ended } = launch(['creators', '--file', '-']);
    // It listens for the signal once it has read what was written so far.
    await new Promise<void>((resolve) => child.stdin.write('x'.repeat(1 << 20), () => resolve()));
    child.kill('SIGINT');
    expect([await ended, said.err]).toEqual([130, 'lookup: interrupted\n']);
  });

  it('ends with 4 for a refused token, with 5 for what is no answer of the service', async () => {
    const page = createServer((_request, response) => response.writeHead(501).end('<html>'));
    await new Promise<void>((done) => page.listen(0, '127.0.0.1', done));
    const { port } = page.address() as AddressInfo;
    expect(await run(['creators', 'ada', '--url', `http://127.0.0.1:${port}`])).toMatchObject({
      code: 5,
      err: expect.stringContaining('unexpected-response: status 501'),
    });
    page.close();
    expect(await run(['creators', 'ada'], { token: 'mock-expired' })).toMatchObject({
      code: 4,
      err: expect.stringContaining('unauthorized'),
    });
    expect(await run(['creator', 'ada'], { token: 'mock-expired' })).toMatchObject({ code: 4, out: '' });
  });

  it('wants a token, and tells how it is used', async () => {
    expect(await run(['creators', 'ada'], { token: '' })).toMatchObject({
      code: 2,
      err: expect.stringContaining('LOOKUP_TOKEN is not set'),
    });
    expect(await run(['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('Exit codes') });
  });
});
