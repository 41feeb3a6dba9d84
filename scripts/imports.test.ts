import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { importFaults, mayImport } from './imports.ts';

const refused: readonly (readonly [file: string, text: string])[] = [
  ['src/http/app.ts', "import { openSqlite } from '../storage/sqlite.ts';"],
  ['src/http/app.ts', "import { createWorker } from '../discovery/worker.ts';"],
  ['src/auth/budget.ts', "import { createLookup } from '../lookup/look-up.ts';"],
  ['src/lookup/look-up.ts', "import { createWorker } from '../discovery/worker.ts';"],
  ['src/lookup/look-up.ts', "import { createBudget } from '../auth/budget.ts';"],
  ['src/discovery/worker.ts', "import { createLookup } from '../lookup/look-up.ts';"],
  ['src/discovery/worker.ts', "import { createApp } from '../http/app.ts';"],
  ['src/storage/documents.ts', "import { createApp } from '../http/app.ts';"],
  ['src/storage/documents.ts', "import type { paths } from '../../generated/api.ts';"],
  ['src/networks/netA.ts', "import { createLookup } from '../lookup/look-up.ts';"],
  ['src/model.ts', "import { readConfig } from './config.ts';"],
  ['src/http/app.ts', "import { readConfig } from '../config.ts';"],
  ['src/client/client.ts', "import type { Clock } from '../model.ts';"],
  ['src/mock/front.ts', "import { createApp } from '../http/app.ts';"],
  ['src/mock/front.ts', "const { createApp } = await import('../http/app.ts');"],
  ['conformance/main.ts', "import { keyOf } from '../src/model.ts';"],
  ['conformance/main.ts', "import { readRules } from '../scripts/rules.ts';"],
  ['conformance/main.ts', "export * from '../src/model.ts';"],
  ['src/lookup/look-up.ts', "import pg from 'pg';"],
  ['src/main.ts', "import { DatabaseSync } from 'node:sqlite';"],
  ['src/lookup/look-up.ts', "import express from 'express';"],
  ['src/http/app.ts', 'const port = process.env.PORT;'],
  ['src/http/app.ts', 'const now = Date.now();'],
  ['src/http/app.ts', 'const now = new Date();'],
  ['src/discovery/worker.ts', 'const jitter = Math.random();'],
  ['src/discovery/worker.ts', 'const now = new Date;'],
  ['src/storage/documents.ts', 'const now = performance.now();'],
  ['src/lookup/read.ts', "import { env } from 'node:process';"],
];

const allowed: readonly (readonly [file: string, text: string])[] = [
  ['src/http/app.ts', "import { createBudget } from '../auth/budget.ts';"],
  ['src/http/app.ts', "import express from 'express';"],
  ['src/storage/postgres.ts', "import pg from 'pg';"],
  ['src/main.ts', "import { createApp } from './http/app.ts';\nconst clock = () => Date.now();"],
  ['src/config.ts', 'const port = process.env.PORT;'],
  ['src/client/client.ts', "import type { paths } from '../../generated/api.ts';"],
  ['src/auth/budget.test.ts', "import { createApp } from '../http/app.ts';"],
  ['scripts/check.ts', "import { keyOf } from '../src/model.ts';"],
  ['src/http/app.ts', '// not Date.now() here'],
  ['src/http/app.ts', 'const date = new Date(instant);'],
];

describe('import directions', () => {
  it.each(refused)('%s may not: %s', (file, text) => expect(importFaults(file, text)).toHaveLength(1));
  it.each(allowed)('%s may: %s', (file, text) => expect(importFaults(file, text)).toEqual([]));
});

describe('the table of ARCHITECTURE.md', () => {
  const page = readFileSync(new URL('../ARCHITECTURE.md', import.meta.url), 'utf8');
  const nameOf = (word: string): string => (word === 'anything' ? '*' : word === 'generated' ? word : `src/${word}`);
  const rows = new Map(
    [...page.matchAll(/^\| `([\w/]+?)\/?` \| .* \| (.*) \|$/gm)].map(([, place = '', may = '']) => [
      place,
      may.split(', ').map(nameOf),
    ]),
  );
  const folders = Object.entries(mayImport).filter(([place]) => !['src/', 'src/model', 'src/config'].includes(place));

  it.each(folders)('%s may import what the gate lets it', (place, allowed) => {
    expect(rows.get(place)?.toSorted()).toEqual(allowed.toSorted());
  });
});
