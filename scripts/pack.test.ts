/** The packed package in an empty project: what is in it, that a sample of it compiles and runs, and every recipe. */
import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMock, type Mock } from '../src/mock/start.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const project = mkdtempSync(join(tmpdir(), 'package-'));
const installed = join(project, 'node_modules', 'creator-post-lookup');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
  bin: Record<string, string>;
};
let mock: Mock;
let files: string[];

interface Ran {
  readonly code: number | null;
  readonly out: string;
}

function run(command: string, args: string[]): Promise<Ran> {
  const path = [join(project, 'node_modules', '.bin'), dirname(process.execPath), process.env['PATH']].join(delimiter);
  const env = { ...process.env, PATH: path, LOOKUP_URL: mock.url, LOOKUP_TOKEN: 'mock-full', NODE_OPTIONS: '' };
  const child = spawn(command, args, { cwd: project, env });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (out += chunk.toString()));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out })));
}

/** Links a package of the checkout into the project, as an install of a dependency would. */
function link(name: string): void {
  const place = join(project, 'node_modules', name);
  mkdirSync(dirname(place), { recursive: true });
  if (!existsSync(place)) symlinkSync(join(root, 'node_modules', name), place);
}

function install(tarball: string): void {
  mkdirSync(installed, { recursive: true });
  expect(spawnSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed]).status).toBe(0);
  for (const name of [...Object.keys(manifest.dependencies), 'msw', '@types/node']) link(name);
  mkdirSync(join(project, 'node_modules', '.bin'), { recursive: true });
  for (const [name, file] of Object.entries(manifest.bin)) {
    writeFileSync(
      join(project, 'node_modules', '.bin', name),
      `#!/bin/sh\nexec '${process.execPath}' '${join(installed, file)}' "$@"\n`,
      { mode: 0o755 },
    );
  }
}

/** The blocks of the recipes that say they are run, by name. */
const recipes = new Map(
  [...readFileSync(join(root, 'docs/recipes.md'), 'utf8').matchAll(/<!-- run: (\S+) -->\n```\w+\n([\s\S]*?)```/g)].map(
    ([, name = '', text = '']) => [name, text],
  ),
);

beforeAll(async () => {
  mock = await startMock({ port: 0, clock: Date.now, random: Math.random });
  const built = spawnSync(process.execPath, [join(root, 'scripts/pack-build.ts')], { encoding: 'utf8' });
  expect(`${built.stdout}${built.stderr}`.split('\n').filter((line) => /^(src|generated)\//.test(line))).toEqual([]);
  const packed = spawnSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', project], {
    cwd: root,
    encoding: 'utf8',
  });
  const [report] = JSON.parse(packed.stdout) as [{ filename: string; files: { path: string }[] }];
  files = report.files.map(({ path }) => path);
  install(join(project, report.filename));
  writeFileSync(join(project, 'package.json'), '{ "name": "sample", "type": "module", "private": true }');
}, 120_000);

afterAll(async () => {
  await mock.close();
  rmSync(project, { recursive: true, force: true });
});

describe('the package', () => {
  it('holds what a client team needs, and no more', () => {
    const wanted = [
      'generated/openapi.json',
      'dist/src/client/client.js',
      'dist/src/client/client.d.ts',
      'dist/generated/api.d.ts',
      'dist/src/mock/main.js',
      'dist/conformance/main.js',
    ];
    expect(files).toEqual(expect.arrayContaining(wanted));
    expect(files.filter((path) => /\.test\.|^src\/|storage|\/auth\//.test(path))).toEqual([]);
  });

  it.each(Object.keys(manifest.bin))('%s says what it does', async (name) => {
    expect(await run(join(project, 'node_modules', '.bin', name), ['--help'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('--'),
    });
  });

  it('type-checks where it is used', async () => {
    for (const name of ['client.ts', 'fetch.ts', 'msw.ts'])
      writeFileSync(join(project, name), `${recipes.get(name)}\nexport {};\n`);
    writeFileSync(
      join(project, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          module: 'nodenext',
          target: 'es2024',
          strict: true,
          noEmit: true,
          types: ['node'],
          skipLibCheck: true,
        },
        files: ['client.ts', 'fetch.ts', 'msw.ts'],
      }),
    );
    const checked = await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', project]);
    expect(checked).toEqual({ code: 0, out: '' });
  }, 60_000);

  it.each([
    [
      'client.ts',
      /netA:C1x held https:\/\/neta\.example\/p\/C1x[\s\S]*netA:old1 unavailable outside-recent-media-window for good|old1[\s\S]*held/,
    ],
    ['fetch.ts', /unavailable netA:missing1 account-not-discoverable/],
    ['msw.ts', /^fetching$/m],
    ['client.py', /'batchCreators'[\s\S]*lin\n2/],
    ['curl', /"username":"ada"/],
    ['lookup', /"id":"netB:ben"/],
  ])('the recipe %s runs as it is written', async (name, told) => {
    const text = recipes.get(name) ?? '';
    writeFileSync(join(project, name), text);
    const [command, args] = name.endsWith('.ts')
      ? [process.execPath, [name]]
      : name.endsWith('.py')
        ? ['python3', [name]]
        : ['sh', [name]];
    const ran = await run(command, args);
    expect(ran.out).toMatch(told);
    expect(ran.code).toBe(0);
  });

  it('every recipe that says it is run is run', () => {
    expect([...recipes.keys()].toSorted()).toEqual(['client.py', 'client.ts', 'curl', 'fetch.ts', 'lookup', 'msw.ts']);
    expect(readdirSync(project)).toContain('msw.ts');
  });
});
