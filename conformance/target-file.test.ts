import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { ConfigurationError, describeTarget, readTargetFile, variableOf } from './target-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'target-'));
function written(text: string): string {
  const file = join(folder, `${Math.abs(text.length)}-${Buffer.from(text).toString('hex').slice(0, 24)}.yaml`);
  writeFileSync(file, text);
  return file;
}
const described = (text: string, environment: Record<string, string> = {}) =>
  describeTarget(readTargetFile(written(text)), environment);

describe('a target file', () => {
  it('is overridden by the environment, and both by nothing', () => {
    const target = described('baseUrl: http://file.invalid/\ntokens: { full: { value: from-file } }', {
      CONFORMANCE_BASE_URL: 'http://env.invalid/x/api/v1/',
      CONFORMANCE_TOKEN_FULL: 'from-env',
    });
    expect([target.baseUrl, target.tokens.full?.token]).toEqual(['http://env.invalid/x', 'from-env']);
  });

  it('may name the variable of a token', () => {
    expect(
      described('baseUrl: http://a.invalid\ntokens: { full: { env: MINE, principal: us } }', { MINE: 'abcdef' }).tokens
        .full,
    ).toEqual({ token: 'abcdef', principal: 'us' });
    expect(variableOf('creatorsOnly')).toBe('CONFORMANCE_TOKEN_CREATORS_ONLY');
  });

  it.each([
    ['tokens: {}', /no baseUrl/],
    ['baseUrl: ftp://a', /not an http/],
    ['baseUrl: http://a.invalid', /no token for the role full/],
    ['baseUrl: http://a.invalid\nnonsense: 1', /nonsense is not known/],
    ['baseUrl: http://a.invalid\ntokens: { ful: {} }', /tokens\.ful is not known/],
    ['baseUrl: http://a.invalid\ntokens: { full: secret }', /has to be a map/],
    ['- a', /describes no target/],
    ['a: [', /cannot read the target file/],
  ])('%j is refused in one line', (text, message) => {
    expect(() => described(text)).toThrow(ConfigurationError);
    expect(() => described(text)).toThrow(message);
  });
});
