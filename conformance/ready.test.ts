import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readyNames, targetFile } from './ready.ts';

const installed = mkdtempSync(join(tmpdir(), 'ready-'));
writeFileSync(join(installed, 'mock.yaml'), 'name: mock');
afterAll(() => rmSync(installed, { recursive: true }));

describe('targets by name', () => {
  it('a checkout has the service and the mock', () => {
    expect(readyNames()).toEqual(['service', 'mock']);
    expect(['service', 'mock'].map((name) => targetFile(name)).every((file) => existsSync(file))).toBe(true);
  });

  it('an installed package names the mock alone, and says where the service is', () => {
    expect(readyNames(installed)).toEqual(['mock']);
    expect(targetFile('mock', installed)).toBe(join(installed, 'mock.yaml'));
    expect(() => targetFile('service', installed)).toThrow(
      /in a checkout of its repository only.*deployment\.yaml.*mock/,
    );
  });

  it("a file of the caller's comes first, and what is neither is left to whoever reads it", () => {
    const own = join(installed, 'mock.yaml');
    expect(targetFile(own)).toBe(own);
    expect(targetFile('elsewhere.yaml')).toBe('elsewhere.yaml');
  });
});
