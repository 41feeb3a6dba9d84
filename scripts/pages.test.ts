/** What the pages for readers name is there: files, links, scripts, settings. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SETTINGS } from '../src/config.ts';

const root = join(import.meta.dirname, '..');
const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/operating.md', 'docs/recipes.md', 'docs/ci.md'];
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };

const all = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, name = '']) => name)),
];

/** In backticks or a command, from the root of the checkout; `checks/<section>.ts` stands for several. */
const filesOf = (text: string): string[] =>
  all(text, /(?<![\w/.-])((?:src|spec|scripts|conformance|generated|docs|\.ci)\/[\w./<>-]*[\w>/])/g).filter(
    (path) => !path.includes('<'),
  );
const linksOf = (text: string): string[] => all(text, /\]\(([^)#:\s]+)\)/g);
const scriptsOf = (text: string): string[] => all(text, /\bnpm run (?:-s |--silent )?([\w:-]+)/g);
/** `NAME=value` and names in a row of a table, as far as they are the service's: those of two words. */
const settingsOf = (text: string): string[] => all(text, /`([A-Z]+(?:_[A-Z]+)+)\b[^`]*`/g);

describe.each(pages)('%s', (page) => {
  const text = readFileSync(join(root, page), 'utf8');

  it('names files that are there', () => {
    expect(filesOf(text).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
  it('links to files that are there', () => {
    expect(linksOf(text).filter((path) => !existsSync(join(root, dirname(page), path)))).toEqual([]);
  });
  it('names scripts that are there', () => {
    expect(scriptsOf(text).filter((name) => !(name in scripts))).toEqual([]);
  });
  it('names settings that are there', () => {
    const others = /^(SOURCE|CONFORMANCE|FUZZ|LOOKUP|NODE|POSTGRES)_/;
    expect(settingsOf(text).filter((name) => !(name in SETTINGS) && !others.test(name))).toEqual([]);
  });
});
