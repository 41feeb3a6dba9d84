import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contractGates, run } from './check.ts';

const checkout = resolve(import.meta.dirname, '..');
let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'check-'));
  for (const folder of ['spec', 'generated']) cpSync(join(checkout, folder), join(root, folder), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

const edit = (file: string, change: (text: string) => string): void => {
  const path = join(root, file);
  const before = readFileSync(path, 'utf8');
  const after = change(before);
  expect(after).not.toBe(before);
  writeFileSync(path, after);
};

/** What the gates of these names say of the changed contract, and that they fail. */
async function complaint(...names: string[]): Promise<string> {
  const outcomes = await Promise.all(
    contractGates(root)
      .filter(({ name }) => names.includes(name))
      .map(run),
  );
  expect(outcomes.filter(({ ok }) => ok).map(({ gate }) => gate.name)).toEqual([]);
  expect(outcomes).toHaveLength(names.length);
  return outcomes.map(({ output }) => output).join('\n');
}

const regenerate = async (): Promise<void> => {
  const command = [join(checkout, 'scripts/generate.ts'), '--root', root];
  const { ok, output } = await run({ name: 'generate', command });
  expect(output).toBe('');
  expect(ok).toBe(true);
};

describe('what is broken is named', () => {
  it('an unchanged contract passes', async () => {
    const outcomes = await Promise.all(contractGates(root).map(run));
    expect(outcomes.filter(({ ok }) => !ok).map(({ output }) => output)).toEqual([]);
  });

  it('DOC-01 a field that is removed', async () => {
    edit('spec/schemas/Media.yaml', (text) => text.replaceAll('thumbnailUrl', 'previewUrl'));
    expect(await complaint('generated')).toContain('generated/openapi.json');
    await regenerate();
    expect(await complaint('fields', 'examples', 'compatibility')).toMatch(
      /Media\.thumbnailUrl: not in the schema[^]*thumbnailUrl: removed/,
    );
  });

  it('ERR-02 a const that is removed', async () => {
    edit('spec/schemas/NotFoundError.yaml', (text) => text.replace(/ +const: not-found\n/, ''));
    await regenerate();
    expect(await complaint('fields', 'compatibility')).toMatch(/NotFoundError\.error[^]*404.error.code: values \+any/);
  });

  it('an example that is removed', async () => {
    rmSync(join(root, 'spec/examples/NotFoundAccount.yaml'));
    expect(await complaint('examples', 'generated')).toContain('NotFoundAccount');
  });

  it('DOC-07 an example whose sum is wrong', async () => {
    edit('spec/examples/PostNetAReel.yaml', (text) =>
      text.replace(/organicTotalInteractions: \d+/, 'organicTotalInteractions: 7'),
    );
    expect(await complaint('examples')).toContain('PostNetAReel: DOC-07 organicTotalInteractions is 7');
  });

  it('DOC-04 an example that its schema refuses', async () => {
    edit('spec/examples/CreatorNetABare.yaml', (text) => text.replace('isPublished: false', 'isPublished: null'));
    expect(await complaint('examples')).toMatch(/CreatorNetABare for getCreator 200: .*isPublished/);
  });

  it('a decision that is removed', async () => {
    edit('spec/decisions.md', (text) => text.replace(/## What only the marketplace knows[^]*?\n\n/, ''));
    expect(await complaint('rules and decisions')).toContain('no decision about the ruling DOC-13');
  });

  it('a rule that is removed while the document names it', async () => {
    edit('spec/rules.md', (text) => text.replace(/- \*\*GEN-11\*\*.*\n/, ''));
    expect(await complaint('rules and decisions')).toContain('there is no rule GEN-11');
  });

  it('generated files edited by hand', async () => {
    edit('generated/api.ts', (text) => text.replace('retryAfter: string', 'retryAfter: number'));
    expect(await complaint('generated')).toContain('generated/api.ts differs');
  });

  it('VER-02 a breaking change that is generated and has its examples', async () => {
    edit('spec/schemas/BatchRequest.yaml', (text) => text.replace('maxItems: 100', 'maxItems: 50'));
    await regenerate();
    expect(await complaint('compatibility')).toContain('maxItems from 100 to 50');
  });
});
