/** Where Schemathesis runs: in a container if an engine answers and has the image, else as a local command. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Unusable } from './options.ts';

export const version = '4.32.5';
export const image = `schemathesis/schemathesis:${version}`;

export type Engine = { readonly is: 'docker' } | { readonly is: 'local'; readonly command: string };

export interface Surroundings {
  /** True where a container engine answers and has the image. */
  hasImage(): boolean;
  /** Path of a program found in the search path or a project's virtual environment; null if none. */
  find(program: string): string | null;
}

const folders = (): string[] => ['.venv/bin', 'venv/bin', ...(process.env['PATH'] ?? '').split(delimiter)];

export const surroundings: Surroundings = {
  hasImage: () => spawnSync('docker', ['image', 'inspect', image], { stdio: 'ignore', timeout: 10_000 }).status === 0,
  find: (program) =>
    folders()
      .map((folder) => join(folder, program))
      .find((path) => existsSync(path)) ?? null,
};

export const howToInstall =
  `Schemathesis is not here. Either: docker pull ${image}` +
  `, or: python3 -m venv .venv && .venv/bin/pip install schemathesis==${version}`;

/** `st` is also the name of a terminal, so it comes second and has to say who it is. */
const isSchemathesis = (command: string): boolean =>
  /schemathesis/i.test(spawnSync(command, ['--version'], { encoding: 'utf8', timeout: 30_000 }).stdout ?? '');

/** Throws Unusable that says what to install. */
export function findEngine(
  wanted: 'auto' | 'docker' | 'local',
  around: Surroundings = surroundings,
  proves = isSchemathesis,
): Engine {
  if (wanted !== 'local' && around.hasImage()) return { is: 'docker' };
  if (wanted === 'docker')
    throw new Unusable(`no container engine answers, or it lacks the image: docker pull ${image}`);
  for (const program of ['schemathesis', 'st']) {
    const command = around.find(program);
    if (command && proves(command)) return { is: 'local', command };
  }
  throw new Unusable(howToInstall);
}

export interface Invocation {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface RunFiles {
  /** Folder with schemathesis.toml, hooks.py and openapi.json, read only. */
  readonly input: string;
  readonly output: string;
}

const reports = (folder: string): string[] => [
  '--report-json-path',
  `${folder}/schemathesis.json`,
  '--report-ndjson-path',
  `${folder}/schemathesis.ndjson`,
];

/** Mac and Windows have no host network: there a container reaches this machine under another name. */
const fromContainer = (url: string, platform: string): string =>
  platform === 'linux' ? url : url.replace(/\/\/(localhost|127\.0\.0\.1|\[::1\])(?=[:/]|$)/, '//host.docker.internal');

function inContainer(
  files: RunFiles,
  run: readonly string[],
  url: string,
  token: string,
  cap: number | null,
  platform: string,
): Invocation {
  const user = process.getuid ? ['-u', `${process.getuid()}:${process.getgid?.()}`] : [];
  return {
    command: 'docker',
    args: [
      'run',
      '--rm',
      '--init',
      ...(platform === 'linux' ? ['--network', 'host'] : []),
      ...user,
      '--cap-drop',
      'ALL',
      '--read-only',
      '--tmpfs',
      '/tmp',
      // The image names a hooks file below /app, which is ours to give and lies elsewhere.
      '-e',
      'FUZZ_TOKEN',
      '-e',
      'FUZZ_MAX_REQUESTS',
      '-e',
      'SCHEMATHESIS_HOOKS=/fuzz/hooks.py',
      '-e',
      'SCHEMATHESIS_COVERAGE=false',
      '-e',
      'PYTHONDONTWRITEBYTECODE=1',
      '-v',
      `${files.input}:/fuzz:ro`,
      '-v',
      `${files.output}:/out`,
      '-w',
      '/tmp',
      image,
      '--no-color',
      '--config-file',
      '/fuzz/schemathesis.toml',
      'run',
      '/fuzz/openapi.json',
      '--url',
      fromContainer(url, platform),
      ...run,
      ...reports('/out'),
    ],
    env: { FUZZ_TOKEN: token, FUZZ_MAX_REQUESTS: String(cap ?? '') },
  };
}

const here = (
  command: string,
  files: RunFiles,
  run: readonly string[],
  url: string,
  token: string,
  cap: number | null,
): Invocation => ({
  command,
  args: [
    '--no-color',
    '--config-file',
    join(files.input, 'schemathesis.toml'),
    'run',
    join(files.input, 'openapi.json'),
    '--url',
    url,
    ...run,
    ...reports(files.output),
  ],
  env: {
    FUZZ_TOKEN: token,
    FUZZ_MAX_REQUESTS: String(cap ?? ''),
    SCHEMATHESIS_HOOKS: join(files.input, 'hooks.py'),
    SCHEMATHESIS_COVERAGE: 'false',
    PYTHONDONTWRITEBYTECODE: '1',
  },
});

/** The command to start; the token is in its environment only. */
export const invocation = (
  engine: Engine,
  files: RunFiles,
  run: { args: readonly string[]; url: string; token: string; requests: number | null; platform?: string },
): Invocation =>
  engine.is === 'docker'
    ? inContainer(files, run.args, run.url, run.token, run.requests, run.platform ?? process.platform)
    : here(engine.command, files, run.args, run.url, run.token, run.requests);
