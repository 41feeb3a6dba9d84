/** The packed package in an empty project: what is in it, that a sample of it compiles and runs, and every recipe. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRecipes } from './recipes.ts';

interface Locked {
  readonly version?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
}

const root = join(import.meta.dirname, '..');
const project = mkdtempSync(join(tmpdir(), 'package-'));
const commands = join(project, 'node_modules', '.bin');
const name = 'creator-post-lookup';
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> };
const own = lock.packages['']!;
let mock: { process: ChildProcess; url: string };
let files: string[];

interface Ran {
  readonly code: number | null;
  readonly out: string;
}

const path = [commands, dirname(process.execPath), process.env['PATH']].join(delimiter);
const environment = () => ({
  ...process.env,
  PATH: path,
  LOOKUP_URL: mock.url,
  LOOKUP_TOKEN: 'mock-full',
  NODE_OPTIONS: '',
});

async function run(command: string, args: string[]): Promise<Ran> {
  const child = spawn(command, args, { cwd: project, env: environment() });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (out += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out };
}

/** What npm has to say when it does not do what it should. */
function npm(args: string[], cwd: string): string {
  const env = { ...process.env, PATH: path };
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm ${args.join(' ')}: ${stderr.trim() || stdout.trim()}`);
  return stdout;
}

/** Packs as `npm publish` would, build and all; answers the tarball's name. */
function pack(): string {
  const said = npm(['pack', '--json', '--pack-destination', project], root);
  const [report] = JSON.parse(said.slice(said.indexOf('[\n'))) as [{ filename: string; files: { path: string }[] }];
  files = report.files.map((file) => file.path);
  return report.filename;
}

/**
 * A real installation by npm. The project's lock file has the tarball and, of our own lock file, what it depends on: so npm takes every
 * package out of the cache that `npm ci` of this checkout has filled, and asks the registry only for what is not there.
 */
function install(tarball: string): void {
  const needed = Object.entries(lock.packages).filter(([place, { dev, devOptional }]) => place && !dev && !devOptional);
  const from = { [name]: `file:${tarball}` };
  const { version, dependencies, optionalDependencies, bin } = own;
  const packages = {
    '': { name: 'sample', dependencies: from },
    [`node_modules/${name}`]: { version, resolved: from[name], dependencies, optionalDependencies, bin },
    ...Object.fromEntries(needed),
  };
  const sample = { name: 'sample', private: true, type: 'module', dependencies: from };
  writeFileSync(join(project, 'package.json'), JSON.stringify(sample));
  writeFileSync(
    join(project, 'package-lock.json'),
    JSON.stringify({ name: 'sample', lockfileVersion: 3, requires: true, packages }),
  );
  npm(['ci', '--prefer-offline', '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund'], project);
}

/** What a client team has of its own beside the package. */
function bring(dependency: string): void {
  const place = join(project, 'node_modules', dependency);
  mkdirSync(dirname(place), { recursive: true });
  if (!existsSync(place)) symlinkSync(join(root, 'node_modules', dependency), place);
}

/** The mock as the package brings it. */
async function startMock(): Promise<typeof mock> {
  const env = { ...process.env, PATH: path };
  const started = spawn(join(commands, 'lookup-mock'), ['--port', '0'], {
    cwd: project,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: started.stdout })) {
    const url = /(http:\S+)\/api\/v1/.exec(line)?.[1];
    if (url !== undefined) return { process: started, url };
  }
  throw new Error('the mock of the package ended before it listened');
}

const recipes = readRecipes('run');

/** What each prints when it does what it says. */
const told: Readonly<Record<string, RegExp>> = {
  curl: /"username":"ada"/,
  'client.ts':
    /^(?=[\s\S]*netA:C1x held https:\/\/neta\.example\/p\/C1x)(?=[\s\S]*netA:old1 unavailable outside-recent-media-window for good)/,
  lookup: /"id":"netB:ben"/,
  'fetch.ts': /unavailable netA:missing1 account-not-discoverable/,
  'msw.ts': /^fetching$/m,
  'client.py': /'batchCreators'[\s\S]*lin\n2/,
};

beforeAll(async () => {
  install(pack());
  ['msw', '@types/node'].forEach(bring);
  mock = await startMock();
}, 240_000);

afterAll(() => {
  mock?.process.kill();
  rmSync(project, { recursive: true, force: true });
}, 240_000);

describe('the package', () => {
  it('holds types, client, commands, contract and suite, and no more', () => {
    const wanted = [
      'dist/generated/openapi.json',
      'dist/generated/api.d.ts',
      'dist/spec/rules.md',
      'dist/src/client/client.js',
      'dist/src/client/client.d.ts',
      ...Object.values(own.bin ?? {}),
    ];
    expect(files).toEqual(expect.arrayContaining(wanted));
    const places = [
      /^(README\.md|LICENSE|package\.json|docs\/recipes\.md)$/,
      /^dist\/(package\.json|generated\/(openapi\.json|api\.(js|d\.ts))|spec\/rules\.md)$/,
      /^dist\/src\/(client|mock|docs)\/[a-z-]+\.(js|d\.ts)$/,
      /^dist\/conformance\/((checks|plan|report)\/)?[a-z-]+\.js$/,
      /^dist\/conformance\/targets\/(deployment|mock)\.yaml$/,
    ];
    expect(files.filter((file) => !places.some((place) => place.test(file)))).toEqual([]);
  });

  it.each(Object.keys(own.bin ?? {}))('%s says what it does', async (command) => {
    expect(await run(command, ['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('Usage:') });
  });

  it('judges by its own suite, the mock that it brings', async () => {
    const judged = await run('lookup-conformance', ['--target', 'mock', '--quiet']);
    expect(judged.out).toMatch(/^mock: \d+ passed, 0 failed/m);
    expect(judged.code).toBe(0);
  }, 120_000);

  it('gives the contract', async () => {
    writeFileSync(
      join(project, 'contract.js'),
      `import contract from '${name}/openapi.json' with { type: 'json' };\nconsole.log(contract.openapi);\n`,
    );
    expect(await run('node', ['contract.js'])).toEqual({ code: 0, out: '3.1.0\n' });
  });

  it('type-checks where it is used', async () => {
    for (const recipe of ['client.ts', 'fetch.ts', 'msw.ts'])
      writeFileSync(join(project, recipe), `${recipes.get(recipe)}\nexport {};\n`);
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

  it('every recipe that says it is run is run', () => {
    expect([...recipes.keys()].toSorted()).toEqual(Object.keys(told).toSorted());
  });

  it.each(Object.entries(told))('the recipe %s runs as it is written', async (recipe, words) => {
    writeFileSync(join(project, recipe), recipes.get(recipe) ?? '');
    const command = recipe.endsWith('.ts') ? 'node' : recipe.endsWith('.py') ? 'python3' : 'sh';
    const ran = await run(command, [recipe]);
    expect(ran.out).toMatch(words);
    expect(ran.code).toBe(0);
  });
});
