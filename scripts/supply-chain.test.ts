import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { auditFaults, supplyFaults, type Lock } from './supply-chain.ts';

const read = (name: string): unknown => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
const locked = { version: '1.0.0', integrity: 'sha512-x' };

describe('what we take from others', () => {
  it('is exact and locked in this checkout', () => {
    expect(supplyFaults(read('package.json') as object, read('package-lock.json') as Lock)).toEqual([]);
  });
  it.each([
    ['a range', { dependencies: { a: '^1.0.0' } }, {}, 'package.json: a is ^1.0.0'],
    ['a tag', { devDependencies: { a: 'latest' } }, {}, 'package.json: a is latest'],
    ['a package of no known bytes', {}, { 'node_modules/a': { version: '1.0.0' } }, 'has no integrity'],
    [
      'an install script that nobody approved',
      { allowScripts: { b: false } },
      {
        'node_modules/b': { ...locked, hasInstallScript: true },
        'node_modules/c/node_modules/a': { ...locked, hasInstallScript: true },
      },
      'node_modules/c/node_modules/a runs a script',
    ],
  ])('%s is a fault', (_name, manifest, packages, fault) => {
    expect(supplyFaults(manifest, { packages })).toEqual([expect.stringContaining(fault)]);
  });
});

describe('npm audit', () => {
  const answer = (severity: string) =>
    JSON.stringify({ metadata: { vulnerabilities: {} }, vulnerabilities: { a: { severity } } });
  it.each(['high', 'critical'])('%s is a fault', (severity) =>
    expect(auditFaults(answer(severity))).toEqual([`npm audit: a has a known hole of ${severity} severity`]),
  );
  it('moderate is none, and no answer is no verdict', () => {
    expect(auditFaults(answer('moderate'))).toEqual([]);
    expect([auditFaults(''), auditFaults('{"error":{"code":"ENOAUDIT"}}')]).toEqual([null, null]);
  });
});
