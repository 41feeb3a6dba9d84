/** All reports from the one JSON, now or later. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../model.ts';
import { badge } from './badge.ts';
import { html } from './html.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';

export { badge, html, junit, markdown };
export { diff, diffText } from './diff.ts';
export { NoReport, parseReport, readReport } from './read.ts';

/** File name → text, the JSON itself included. */
export const rendered = (report: Report): Readonly<Record<string, string>> => ({
  'report.json': `${JSON.stringify(report, null, 2)}\n`,
  'report.xml': junit(report),
  'report.html': html(report),
  'report.md': markdown(report),
  'badge.svg': badge(report),
});

/** Writes them into `folder`, which is made if need be; their paths. */
export function writeReports(report: Report, folder: string): string[] {
  mkdirSync(folder, { recursive: true });
  return Object.entries(rendered(report)).map(([name, text]) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  });
}
