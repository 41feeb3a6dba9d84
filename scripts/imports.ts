/**
 * Which folder may import which, who may use which package, and who may ask the environment, the clock or chance
 * (ARCHITECTURE.md, invariants). Tests and their tools (`*.test.ts`, `testing.ts`, `src/testing`) may import anything.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { rootOption, runCommand } from './command.ts';

/** Folder (or file at the top of src) → what it may import besides itself. `*` is everything. */
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  'src/http': ['src/auth', 'src/lookup', 'src/networks', 'src/model', 'src/docs', 'generated'],
  'src/auth': ['src/storage', 'src/networks', 'src/model', 'generated'],
  'src/lookup': ['src/storage', 'src/networks', 'src/model', 'generated'],
  'src/discovery': ['src/storage', 'src/networks', 'src/model', 'generated'],
  'src/storage': ['src/model'],
  'src/networks': ['src/model'],
  'src/docs': ['generated'],
  'src/model': ['generated'],
  'src/config': ['src/model'],
  'src/client': ['generated'],
  'src/mock': ['src/docs', 'generated'],
  'src/admin': ['*'],
  'src/': ['*'],
  conformance: ['generated'],
  scripts: ['*'],
};

/** Packages that only one folder may know. */
export const packageHomes: Readonly<Record<string, readonly string[]>> = {
  pg: ['src/storage'],
  'node:sqlite': ['src/storage'],
  express: ['src/http', 'src/mock', 'src/docs'],
  'express-openapi-validator': ['src/http'],
};

/** What is asked from outside, and the files that may ask it. */
export const outside: readonly { readonly word: RegExp; readonly called: string; readonly files: RegExp }[] = [
  {
    word: /\bprocess\.env\b|from 'node:process'/,
    called: 'process.env',
    files: /^src\/(config\.ts|(mock|client|admin)\/main\.ts)$/,
  },
  {
    word: /\bDate\.now\b|\bnew Date\(\)|\bnew Date\b(?!\()|\bperformance\.now\b/,
    called: 'the clock',
    files: /^src\/((main|service)\.ts|(mock|client|admin)\/(main|time|start)\.ts)$/,
  },
  {
    word: /\bMath\.random\b/,
    called: 'chance',
    files: /^src\/((main|service)\.ts|(mock|client|admin)\/(main|time|start)\.ts)$/,
  },
];

const ownFiles = /^src\/(model|config)\.ts$/;

/** The row of the table that a file belongs to: `src/http`, `src/model`, `src/` for the files that wire, `conformance`. */
export function placeOf(file: string): string {
  const [top = '', second = ''] = file.split('/');
  if (top !== 'src') return top;
  if (ownFiles.test(file)) return file.slice(0, -'.ts'.length);
  return file.split('/').length === 2 ? 'src/' : `src/${second}`;
}

const isTest = (file: string): boolean => /\.test(-d)?\.ts$|^src\/testing\/|\/testing\.ts$/.test(file);

const importsOf = (text: string): string[] =>
  [
    ...text.matchAll(
      /(?:^|\n)\s*(?:import|export)\b[^'";]*?from '([^']+)'|\bimport\('([^']+)'\)|(?:^|\n)import '([^']+)'/g,
    ),
  ].map((match) => match[1] ?? match[2] ?? match[3] ?? '');

function importFault(file: string, wanted: string): string | null {
  const place = placeOf(file);
  if (!wanted.startsWith('.')) {
    const name = Object.keys(packageHomes).find((one) => wanted === one || wanted.startsWith(`${one}/`));
    return name && place.startsWith('src/') && !packageHomes[name]?.includes(place)
      ? `${file}: only ${packageHomes[name]} may import ${name}`
      : null;
  }
  const target = placeOf(posix.join(posix.dirname(file), wanted));
  const allowed = mayImport[place] ?? [];
  return target === place || allowed.includes('*') || allowed.includes(target)
    ? null
    : `${file}: ${place} may not import ${target} (${wanted})`;
}

const withoutComments = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, '');

/** The faults of one file, a line each. `file` is its path from the root of the checkout. */
export function importFaults(file: string, text: string): string[] {
  if (isTest(file)) return [];
  const code = withoutComments(text);
  const asked = file.startsWith('src/')
    ? outside.filter(({ word, files }) => word.test(code) && !files.test(file))
    : [];
  return [
    ...importsOf(code).flatMap((wanted) => importFault(file, wanted) ?? []),
    ...asked.map(({ called }) => `${file}: may not ask ${called}; take it as an argument`),
  ];
}

/** All TypeScript files of the folders that the table knows, from the root of the checkout. */
export const sourcesOf = (root: string): string[] =>
  ['src', 'conformance', 'scripts'].flatMap((folder) =>
    (readdirSync(join(root, folder), { recursive: true }) as string[])
      .filter((file) => file.endsWith('.ts'))
      .map((file) => posix.join(folder, file)),
  );

const usage = `Usage: node scripts/imports.ts [--root <folder>]

Checks which folder imports which; exit 1 names each import that ARCHITECTURE.md does not allow.

  --root <folder>   the checkout that is checked (default: this one)
  --help            this text
`;

if (import.meta.main)
  await runCommand({
    name: 'imports',
    usage,
    options: rootOption,
    run({ root }) {
      const faults = sourcesOf(root).flatMap((file) => importFaults(file, readFileSync(join(root, file), 'utf8')));
      for (const fault of faults) console.error(fault);
      return faults.length > 0 ? 1 : 0;
    },
  });
