/** A stored report; one that is none is refused with a line that says why. */
import { readFileSync } from 'node:fs';
import type { Report } from '../model.ts';

export class NoReport extends Error {}

export function parseReport(text: string, name: string): Report {
  let value: Partial<Report> | null;
  try {
    value = JSON.parse(text) as Partial<Report> | null;
  } catch {
    throw new NoReport(`${name} is not JSON`);
  }
  if (value?.reportVersion !== 1) throw new NoReport(`${name} is no conformance report of version 1`);
  if (!Array.isArray(value.results) || !Array.isArray(value.exchanges))
    throw new NoReport(`${name} lacks results or exchanges`);
  return value as Report;
}

export function readReport(file: string): Report {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new NoReport(`${file} cannot be read`);
  }
  return parseReport(text, file);
}
