import { describe, expect, it } from 'vitest';
import { readBundle } from './bundle.ts';
import { breakingChanges } from './compatibility/changes.ts';

describe('VER-02 compatibility', () => {
  it('VER-02 the contract is compatible with itself', () => {
    expect(breakingChanges(readBundle(), readBundle())).toEqual([]);
  });
});
