import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const checkout = resolve(import.meta.dirname, '..');
const run = promisify(execFile);

/** Edits of a copy of the document, each breaking one rule: file, what stands there, what shall. */
const breaks: readonly (readonly [rule: string, file: string, found: string, put: string])[] = [
  [
    'no-dialect',
    'openapi.yaml',
    'openapi: 3.1.0',
    'openapi: 3.1.0\njsonSchemaDialect: https://spec.openapis.org/oas/3.1/dialect/base',
  ],
  ['plain-references', 'schemas/PostResponse.yaml', '$ref: ./Post.yaml', '$ref: ./Post.yaml\n    minProperties: 1'],
  ['allow-reserved', 'parameters/PostUrl.yaml', 'allowReserved: true\n', ''],
  ['open-paths', 'parameters/Network.yaml', '  type: string', '  type: string\n  enum: [netA, netB]'],
  [
    'open-words',
    'schemas/UnavailableEntry.yaml',
    '  reason:\n    type: string',
    '  reason:\n    type: string\n    enum: [internal-error]',
  ],
  ['opaque-groups', 'schemas/NetBPost.yaml', '  audienceDistributions:', '  audienceDistributions:\n    type: object'],
  ['open-objects', 'schemas/Media.yaml', 'type: object', 'type: object\nadditionalProperties: false'],
  ['described', 'schemas/EmotionalAnalysis.yaml', '    description: The emotion that prevails.\n', ''],
  [
    'shown',
    'responses/InternalError.yaml',
    '    examples:\n      InternalError:\n        $ref: ../examples/InternalError.yaml\n',
    '',
  ],
  ['operations', 'schemas/RateLimitedError.yaml', 'const: rate-limited', 'const: too-many'],
  ['files', 'responses/RateLimited.yaml', '        $ref: ../examples/RateLimited.yaml', '        value: {}'],
];

interface Problem {
  readonly ruleId: string;
  readonly message: string;
}

async function lint(spec: string): Promise<Problem[]> {
  const redocly = join(checkout, 'node_modules/@redocly/cli/bin/cli.js');
  const args = [
    redocly,
    'lint',
    join(spec, 'openapi.yaml'),
    '--config',
    join(checkout, 'redocly.yaml'),
    '--format',
    'json',
  ];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { stdout } = await run(process.execPath, args, { env, cwd: checkout, maxBuffer: 1 << 26 }).catch(
    (error: { stdout: string }) => error,
  );
  return (JSON.parse(stdout) as { problems: Problem[] }).problems;
}

describe('lint of the document', () => {
  let folder = '';
  let problems: Problem[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lint-'));
    await cp(join(checkout, 'spec'), folder, { recursive: true });
    for (const [, file, found, put] of breaks) {
      const text = await readFile(join(folder, file), 'utf8');
      expect(text, file).toContain(found);
      await writeFile(join(folder, file), text.replace(found, put));
    }
    problems = await lint(folder);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each(breaks)('%s finds a fault in %s', (rule) => {
    expect(problems.map(({ ruleId }) => ruleId)).toContain(`contract/${rule}`);
  });

  it('finds nothing in the document as it is', async () => {
    expect(await lint(join(checkout, 'spec'))).toEqual([]);
  });
});
