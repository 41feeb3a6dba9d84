import { execFile } from 'node:child_process';
import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const checkout = resolve(import.meta.dirname, '..');

interface Ended {
  readonly code: number;
  readonly said: string;
}

const generate = (...args: string[]): Promise<Ended> =>
  new Promise((done) => {
    execFile(process.execPath, [join(checkout, 'scripts/generate.ts'), ...args], (error, stdout, stderr) =>
      done({ code: Number(error?.code ?? 0), said: stdout + stderr }),
    );
  });

describe('generate', () => {
  let root = '';

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'generate-'));
    for (const part of ['spec', 'generated']) await cp(join(checkout, part), join(root, part), { recursive: true });
  });
  afterEach(() => rm(root, { recursive: true }));

  it('--check agrees with what is committed, and writes nothing', async () => {
    expect(await generate('--check', '--root', root)).toEqual({ code: 0, said: '' });
  });

  it.each(['generated/api.ts', 'generated/openapi.json', 'generated/source.ts'])(
    '--check names %s when it was edited by hand, and leaves it',
    async (name) => {
      await appendFile(join(root, name), '\n');
      const edited = await readFile(join(root, name), 'utf8');
      const { code, said } = await generate('--check', '--root', root);
      expect(code).toBe(1);
      expect(said.trim().split('\n')).toEqual([expect.stringContaining(name)]);
      expect(await readFile(join(root, name), 'utf8')).toBe(edited);
    },
  );

  it('--check names bundle and types when the document has changed, and generating mends it', async () => {
    const file = join(root, 'spec/schemas/Media.yaml');
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll('thumbnailUrl', 'previewUrl'));
    const before = await generate('--check', '--root', root);
    expect(before.code).toBe(1);
    expect(before.said).toMatch(/openapi\.json[^]*api\.ts/);
    expect((await generate('--root', root)).code).toBe(0);
    expect((await generate('--check', '--root', root)).code).toBe(0);
  }, 60_000);

  it('says so when a file is missing or does not bundle', async () => {
    await rm(join(root, 'spec/schemas/Media.yaml'));
    const { code, said } = await generate('--check', '--root', root);
    expect(code).toBe(1);
    expect(said).toContain('Media.yaml');
  });

  it('knows --help, and answers wrong usage with one line and 2', async () => {
    expect(await generate('--help')).toMatchObject({ code: 0, said: expect.stringContaining('--check') });
    const { code, said } = await generate('--frob');
    expect(code).toBe(2);
    expect(said.trim().split('\n')).toHaveLength(1);
  });
});
