import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyCheckout, type Copy } from './adopt-copy.ts';
import { collisions, problemOf, replaceWords } from './adopt-words.ts';
import { contractGates, run as runGate } from './check.ts';

const names = { netA: 'instagram', netB: 'tiktok' };
const replaced = (text: string, by = names): string => replaceWords(text, by).text;

describe('GEN-12 the words', () => {
  it.each([
    ["network: 'netA'", "network: 'instagram'"],
    ['netAMediaId', 'instagramMediaId'],
    ['organicNetAReelsAvgWatchTime', 'organicInstagramReelsAvgWatchTime'],
    ['NetAChannel | NetBChannel', 'InstagramChannel | TiktokChannel'],
    ['netA:ada,netB:7', 'instagram:ada,tiktok:7'],
    [
      'https://WWW.neta.example/p/1 https://netb.example/@a',
      'https://WWW.instagram.example/p/1 https://tiktok.example/@a',
    ],
    ['NETA:ada', 'INSTAGRAM:ada'],
    ['SOURCE_netA_URL', 'SOURCE_instagram_URL'],
    [String.raw`'a\nnetB:7\nneta.example'`, String.raw`'a\ntiktok:7\ninstagram.example'`],
    ['src/networks/netA.ts', 'src/networks/instagram.ts'],
  ])('%s', (before, after) => expect(replaced(before)).toBe(after));

  it.each(['monetary', 'planetary', 'magnetBar'.toLowerCase(), 'MONETARY', 'netC:someone', 'Internet'])(
    'leaves %s alone',
    (word) => expect(replaced(word)).toBe(word),
  );

  it('keeps the case of a name in keys, and none of it in hosts', () => {
    expect(replaced('netAUserId https://neta.example PostNetABare', { netA: 'snapChat', netB: 'b' })).toBe(
      'snapChatUserId https://snapchat.example PostSnapChatBare',
    );
  });

  it('swaps the two in one pass', () => {
    expect(replaced('netA netB', { netA: 'netB', netB: 'netA' })).toBe('netB netA');
    expect(collisions('a.ts', 'netA netB', { netA: 'netB', netB: 'netA' })).toEqual([]);
  });

  it('keeps the lines that show this very command', () => {
    const line = 'npm run adopt -- --netA instagram --netB tiktok # netA';
    expect(replaced(`${line}\nnetA`)).toBe(`${line}\ninstagram`);
  });

  it('counts', () => expect(replaceWords('netA and\nnetB, NetAPost', names).count).toBe(3));
});

describe('GEN-12 names that cannot be', () => {
  it.each([
    ['Instagram', 'tiktok', '--netA is "Instagram", but has to be a small letter'],
    ['instagram', '', '--netB is "", but'],
    ['instagram', 'tik-tok', '--netB is "tik-tok", but'],
    ['a'.repeat(31), 'b', 'at most 30 characters'],
    ['default', 'tiktok', 'a meaning of its own'],
    ['instagram', 'https', 'a meaning of its own'],
    ['instagram', 'constructor', 'a meaning of its own'],
    ['tikTok', 'tiktok', 'more than their case'],
  ])('%s and %s', (netA, netB, why) => expect(problemOf({ netA, netB })).toContain(why));

  it('a word that a file has already is named', () => {
    expect(collisions('a.yaml', 'NetAPost: 1\nCreatorPost: 2', { netA: 'creator', netB: 'b' })).toEqual([
      'CreatorPost',
    ]);
    expect(collisions('a.ts', 'netA // or instagram', names)).toEqual([]);
    expect(collisions('a.md', 'netA, or instagram', names)).toEqual([]);
  });
});

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const run = (script: string, ...args: string[]): Promise<Ended> => {
  const child = spawn(process.execPath, [script, ...args]);
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => void (out += chunk));
  child.stderr.on('data', (chunk) => void (err += chunk));
  return new Promise((done) => child.on('close', (code) => done({ code, out, err })));
};

const command = join(import.meta.dirname, 'adopt.ts');

describe('the command', () => {
  it('explains itself', async () =>
    expect(await run(command, '--help')).toMatchObject({ code: 0, out: expect.stringContaining('Usage:') }));

  it.each([
    [['--netA', 'a'], '--netB is missing'],
    [['--netA', 'a', '--netB', 'a'], 'differ'],
    [['--netZ', 'a'], '--netZ'],
    [['--netA', 'instagram', '--netB', 'tiktok', '--dir', '/'], 'no checkout of git'],
  ])('refuses %j in one line', async (args, why) => {
    const { code, err } = await run(command, ...args);
    expect({ code, lines: err.trim().split('\n').length }).toEqual({ code: 2, lines: 1 });
    expect(err).toContain(why);
  });
});

/** In a checkout that has been adopted there is nothing left to try this on. */
const adopted = !existsSync(join(import.meta.dirname, '../src/networks/netA.ts'));

/** The second pair turns their order round and has capitals inside. */
describe.skipIf(adopted).each([
  { netA: 'instagram', netB: 'tiktok', key: 'instagramMediaId' },
  { netA: 'youTube', netB: 'bluesky2', key: 'youTubeMediaId' },
])('GEN-12 a checkout of $netA and $netB', ({ netA, netB, key }) => {
  let copy: Copy;
  const args = (): string[] => ['--netA', netA, '--netB', netB, '--dir', copy.dir];
  const git = (...words: string[]): string => execFileSync('git', words, { cwd: copy.dir, encoding: 'utf8' });
  beforeAll(() => void (copy = copyCheckout()));
  afterAll(() => copy.remove());

  it('is refused while it has changes, and a dry run changes nothing', async () => {
    const path = join(copy.dir, 'README.md');
    const before = readFileSync(path, 'utf8');
    writeFileSync(path, `${before}\nmore\n`);
    expect(await run(command, ...args())).toMatchObject({ code: 2, err: expect.stringContaining('not committed') });
    writeFileSync(path, before);
    expect(await run(command, ...args(), '--dry-run')).toMatchObject({
      code: 0,
      out: expect.stringContaining('would be replaced'),
    });
    expect(git('status', '--porcelain', '--untracked-files=no')).toBe('');
  });

  it(
    'has no neutral word left, passes the checks of its contract, and cannot be adopted twice',
    { timeout: 90_000 },
    async () => {
      expect(await run(command, ...args())).toMatchObject({ code: 0, err: '' });
      git('add', '-A', '--', ':!node_modules');
      const left = ['-lE', '[nN]et[AB]|\\bnet[ab]\\.example', '--', ':!scripts/adopt*', ':!*package-lock.json'];
      const files = spawnLines('git', ['grep', ...left], copy.dir).filter(
        (path) => !onlyOwnOptions(join(copy.dir, path)),
      );
      expect(files).toEqual([]);
      expect(existsSync(join(copy.dir, `src/networks/${netA}.ts`))).toBe(true);
      expect(existsSync(join(copy.dir, 'src/networks/netA.ts'))).toBe(false);
      expect(readFileSync(join(copy.dir, 'generated/api.ts'), 'utf8')).toContain(key);
      const outcomes = await Promise.all(contractGatesOf(copy.dir).map(runGate));
      expect(outcomes.filter(({ ok }) => !ok).map(({ gate, output }) => `${gate.name}: ${output}`)).toEqual([]);
      expect(await run(command, ...args(), '--force')).toMatchObject({
        code: 1,
        err: expect.stringContaining('no neutral word is left'),
      });
    },
  );
});

/** The gates of the copy itself, as their scripts were adopted too. */
const contractGatesOf = (dir: string) =>
  contractGates(dir).map((gate) => ({
    ...gate,
    command: gate.command.map((word) => word.replace(join(import.meta.dirname, '..', 'scripts'), join(dir, 'scripts'))),
  }));

const onlyOwnOptions = (path: string): boolean =>
  readFileSync(path, 'utf8')
    .split('\n')
    .every((line) => /--net[AB]\b/.test(line) || !/[nN]et[AB]/.test(line));

function spawnLines(program: string, args: readonly string[], cwd: string): string[] {
  try {
    return execFileSync(program, args, { cwd, encoding: 'utf8' }).split('\n').filter(Boolean);
  } catch {
    return [];
  }
}
