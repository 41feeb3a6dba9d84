/** One run of Schemathesis: files in, process, files out, folded. */
import { spawn } from 'node:child_process';
import {
  copyFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Target } from '../target.ts';
import { fixturesOf, operationIds, withFixtures, type Bundle } from './document.ts';
import { invocation, type Engine } from './engine.ts';
import { fold, type Folded, type Summary } from './fold.ts';
import { Unusable, type FuzzProfile } from './options.ts';

export interface Run {
  readonly target: Target;
  readonly token: string;
  readonly profile: FuzzProfile;
  readonly seed: number;
  /** Unique part of the handles. */
  readonly unique: string;
  readonly requests: number | null;
  readonly rateLimit: string | null;
  readonly withoutMethods: boolean;
  readonly engine: Engine;
  readonly out: string;
}

export interface Ran {
  readonly code: number | null;
  /** Whether somebody stopped it, by Ctrl-C or a signal. */
  readonly stopped: boolean;
  readonly summary: Summary | null;
  readonly folded: Folded;
}

export const phasesOf = (profile: FuzzProfile): readonly string[] =>
  ({ smoke: ['examples'], contract: ['examples', 'coverage'], deep: ['examples', 'coverage', 'fuzzing', 'stateful'] })[
    profile
  ];

const beside = (name: string): URL => new URL(name, import.meta.url);

/** Where a target answers 404 to a wrong method, trying wrong methods proves nothing. */
const without405 =
  '\n[phases.coverage]\nunexpected-methods = []\n\n[checks]\nunsupported_method = { enabled = false }\n';

function prepare(run: Run, input: string): Bundle {
  const bundle = JSON.parse(readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8')) as Bundle;
  writeFileSync(join(input, 'openapi.json'), JSON.stringify(withFixtures(bundle, fixturesOf(run.target, run.unique))));
  writeFileSync(
    join(input, 'schemathesis.toml'),
    readFileSync(beside('schemathesis.toml'), 'utf8') + (run.withoutMethods ? without405 : ''),
  );
  copyFileSync(beside('hooks.py'), join(input, 'hooks.py'));
  return bundle;
}

const argsOf = (run: Run): string[] => [
  '--phases',
  phasesOf(run.profile).join(','),
  '--seed',
  String(run.seed),
  '-n',
  '50',
  ...(run.rateLimit ? ['--rate-limit', run.rateLimit] : []),
];

/** SIGINT lets it write whole reports; SIGTERM leaves an empty one. */
function start(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Pick<Ran, 'code' | 'stopped'>> {
  return new Promise((done, failed) => {
    const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } });
    let stopped = false;
    const stop = (): void => {
      stopped = true;
      child.kill('SIGINT');
    };
    process.on('SIGINT', stop).on('SIGTERM', stop);
    child.on('error', (error) => failed(new Unusable(`${command} could not be started: ${error.message}`)));
    child.on('close', (code) => {
      process.off('SIGINT', stop).off('SIGTERM', stop);
      done({ code, stopped });
    });
  });
}

async function linesOf(file: string): Promise<string[]> {
  const lines: string[] = [];
  if (!existsSync(file)) return lines;
  for await (const line of createInterface({ input: createReadStream(file) })) lines.push(line);
  return lines;
}

const summaryOf = (file: string): Summary | null => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Summary;
  } catch {
    return null;
  }
};

export async function runFuzz(run: Run): Promise<Ran> {
  const input = mkdtempSync(join(tmpdir(), 'fuzz-'));
  const output = resolve(run.out);
  mkdirSync(output, { recursive: true });
  for (const name of ['schemathesis.json', 'schemathesis.ndjson']) rmSync(join(output, name), { force: true });
  try {
    const bundle = prepare(run, input);
    const { command, args, env } = invocation(
      run.engine,
      { input, output },
      {
        args: argsOf(run),
        url: `${run.target.baseUrl}/api/v1`,
        token: run.token,
        requests: run.requests,
      },
    );
    const ended = await start(command, args, env);
    const folded = fold(await linesOf(join(output, 'schemathesis.ndjson')), operationIds(bundle));
    return { ...ended, summary: summaryOf(join(output, 'schemathesis.json')), folded };
  } finally {
    rmSync(input, { recursive: true, force: true });
  }
}
