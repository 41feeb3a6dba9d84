/** The whole command with stand-ins for docker and Schemathesis, as no machine of ours has a container engine. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { howToInstall, image } from './engine.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'engine-'));
  mkdirSync(join(folder, 'bin'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A program that notes its arguments, and what of the environment it was given, line by line. */
function standIn(name: string, script: string): void {
  const file = join(folder, 'bin', name);
  const note = `printf '%s\\n' "$@" "FUZZ_TOKEN=$FUZZ_TOKEN" "FUZZ_MAX_REQUESTS=$FUZZ_MAX_REQUESTS" > '${folder}'/${name}-$1.txt`;
  writeFileSync(file, `#!/bin/sh\n${note}\n${script}\n`);
  chmodSync(file, 0o755);
}
const noted = (name: string): string[] => {
  const file = join(folder, `${name}.txt`);
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
};

const withImage = '[ "$1" = image ] && exit 0; exit 2';
const withoutImage = 'echo "Error: No such image" >&2; exit 1';
const withoutEngine = 'echo "Cannot connect to the Docker daemon" >&2; exit 1';
const schemathesis = 'echo "Schemathesis, version 4.32.5"; [ "$1" = --version ] && exit 0; exit 2';

function fuzz(...args: string[]): { status: number | null; said: string } {
  const target = join(folder, 'target.yaml');
  writeFileSync(target, 'baseUrl: http://127.0.0.1:9\ntokens: { full: { value: unused-token } }\n');
  const main = new URL('main.ts', import.meta.url).pathname;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [main, '--target', target, '--out', join(folder, 'out'), ...args],
    {
      encoding: 'utf8',
      cwd: folder,
      env: { PATH: join(folder, 'bin'), FUZZ_TOKEN: 'the-secret-token' },
    },
  );
  return { status, said: `${stdout}${stderr}` };
}

describe('docker with the image', () => {
  it('gets the line that was tried: no token in it, nothing writable but /out and /tmp, this user, no capability', () => {
    standIn('docker', withImage);
    const { status, said } = fuzz('--requests', '30', '--seed', '7', '--profile', 'contract');
    expect(noted('docker-image')).toEqual(expect.arrayContaining(['inspect', image]));
    const line = noted('docker-run');
    const text = line.join(' ');
    expect(text).toMatch(/^run --rm --init --network host -u \d+:\d+ --cap-drop ALL --read-only --tmpfs \/tmp /);
    expect(text).toContain('-e FUZZ_TOKEN -e FUZZ_MAX_REQUESTS -e SCHEMATHESIS_HOOKS=/fuzz/hooks.py');
    expect(text).toMatch(new RegExp(`:/fuzz:ro -v ${folder}/out:/out -w /tmp ${image} --no-color --config-file`));
    expect(text).toContain(
      'run /fuzz/openapi.json --url http://127.0.0.1:9/api/v1 --phases examples,coverage --seed 7',
    );
    expect(line.slice(0, line.indexOf('FUZZ_TOKEN=the-secret-token')).join(' ')).not.toContain('secret');
    expect(line.slice(-2)).toEqual(['FUZZ_TOKEN=the-secret-token', 'FUZZ_MAX_REQUESTS=30']);
    expect([status, said]).toEqual([2, expect.stringContaining('in a container')]);
  });

  it('is passed over where a local command is asked for', () => {
    standIn('docker', withImage);
    standIn('schemathesis', schemathesis);
    expect(fuzz('--engine', 'local').said).toContain('by a local command');
    expect(noted('docker-run')).toEqual([]);
  });
});

describe.each([
  ['docker without the image', withoutImage],
  ['docker whose engine does not answer', withoutEngine],
  ['no docker', null],
])('%s', (_, script) => {
  it('gives way to a local command', () => {
    if (script !== null) standIn('docker', script);
    standIn('schemathesis', schemathesis);
    expect(fuzz('--profile', 'smoke').said).toContain('by a local command');
    expect(noted('schemathesis---no-color').join(' ')).toContain('--phases examples');
  });

  it('and without one says what to install, exit 2', () => {
    if (script !== null) standIn('docker', script);
    expect(fuzz()).toEqual({ status: 2, said: `fuzz: ${howToInstall}\n` });
  });

  it('asked for by name says so, exit 2', () => {
    if (script !== null) standIn('docker', script);
    standIn('schemathesis', schemathesis);
    expect(fuzz('--engine', 'docker')).toEqual({ status: 2, said: expect.stringContaining(`docker pull ${image}`) });
  });
});
