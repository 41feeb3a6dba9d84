import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { checkout, exitCodeOf, wholeNumber, WrongUsage, type Command } from './command.ts';

const options = { rounds: { type: 'string', default: '2' }, quick: { type: 'boolean' } } as const;
const command: Command<typeof options> = {
  name: 'try',
  usage: 'Usage: npm run try\n',
  options,
  run: ({ rounds }) => wholeNumber('rounds', rounds, { least: 0, most: 9 }),
};

afterEach(() => void vi.restoreAllMocks());

/** The exit code, and what was printed. */
async function said(...args: string[]): Promise<{ code: number; out: string; error: string }> {
  const [out, error] = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')];
  for (const spy of [out, error]) spy.mockReset().mockReturnValue();
  const code = await exitCodeOf(command, args);
  return { code, out: out.mock.calls.join('\n'), error: error.mock.calls.join('\n') };
}

describe('a command', () => {
  it('answers what its work does', async () => {
    expect(await said()).toEqual({ code: 2, out: '', error: '' });
    expect(await said('--rounds', '7')).toEqual({ code: 7, out: '', error: '' });
  });
  it('tells its usage', async () => {
    expect(await said('--help')).toEqual({ code: 0, out: 'Usage: npm run try', error: '' });
  });
  it.each([
    ['--nonsense', "try: Unknown option '--nonsense'"],
    ['stray', "try: Unexpected argument 'stray'"],
    ['--rounds=10', 'try: --rounds is "10", but has to be a whole number from 0 to 9'],
    ['--rounds=-1', 'try: --rounds is "-1"'],
    ['--rounds=1.5', 'try: --rounds is "1.5"'],
    ['--rounds=', 'try: --rounds is ""'],
    ['--quick=yes', "try: Option '--quick' does not take an argument"],
  ])('refuses %s in one line', async (arg, line) => {
    const { code, out, error } = await said(arg);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(error).toContain(line);
    expect(error).toMatch(/^[^\n]+; --help tells more$/);
  });
  it('does not hide a fault of the work', async () => {
    const broken = { ...command, run: () => Promise.reject(new TypeError('broken')) };
    await expect(exitCodeOf(broken, [])).rejects.toThrow('broken');
  });
  it('takes wrong usage for what it is wherever it is found', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    expect(await exitCodeOf({ ...command, run: () => Promise.reject(new WrongUsage('no')) }, [])).toBe(2);
  });
});

describe('npm run … -- --help', () => {
  const { scripts } = JSON.parse(readFileSync(`${checkout}/package.json`, 'utf8')) as {
    scripts: Record<string, string>;
  };
  const own = Object.entries(scripts).filter(([, line]) => line.startsWith('node scripts/'));

  it.each(own)('%s says how it is called', async (name, line) => {
    const [, file = ''] = line.split(' ');
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [file, '--help'], { cwd: checkout });
    expect(stdout).toMatch(new RegExp(`^Usage: npm run ${name}\\b`));
    expect(stdout).toMatch(/^ {2}--help +this text$/m);
    expect(stderr).toBe('');
  });
});
