import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fileOutput, printed, settledIn, type AnyEntry } from './output.ts';

const entries: AnyEntry[] = [
  { id: 'netA:ada', requestId: 'r', is: 'unavailable', reason: 'internal-error', retryable: true },
  { id: 'netA:ben', requestId: 'r', is: 'unavailable', reason: 'account-not-discoverable', retryable: false },
  { id: 'netA:cleo', requestId: 'r', is: 'fetching', retryAt: new Date(0) },
];

it('a file keeps only what a later run need not read again', () => {
  const folder = mkdtempSync(join(tmpdir(), 'output-'));
  const path = join(folder, 'entries.ndjson');
  const output = fileOutput(path);
  for (const entry of entries) output.write(entry);
  output.end();
  expect([...settledIn(path)]).toEqual([['netA:ben', 'unavailable']]);
  expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(2);
  rmSync(folder, { recursive: true });
});

it('a table shows nothing that could steer the terminal', () => {
  let text = '';
  const output = printed('table', false, (line) => (text += line));
  const reason = 'gone\u001b[2J\u009b31m\r';
  output.write({ id: 'netA:\u001b]0;x\u0007', requestId: 'r', is: 'unavailable', reason, retryable: false });
  output.end();
  expect(text).toMatch(/^[\x20-\x7e]+\n$/);
});
