/**
 * Makes what is generated from `spec/`: `generated/openapi.json`, the bundled contract, `generated/api.ts`, its types, and
 * `generated/source.ts`, the types of `spec/source.yaml` (how collectors answer).
 *
 *     npm run generate              writes them
 *     npm run generate -- --check   writes nothing; names each file that differs, and exits 1
 *
 * All three are committed and never edited by hand.
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { checkout, rootOption, runCommand } from './command.ts';
import { killAtExit, temporaryFolder } from './ending.ts';

const usage = `Usage: npm run generate [-- --check] [--root <folder>]

Writes generated/openapi.json and generated/api.ts from spec/openapi.yaml, and generated/source.ts from spec/source.yaml.

  --check          write nothing; exit 1 and name what differs from what is committed
  --root <folder>  the checkout to work on (default: this one)
  --help           this text
`;

const run = promisify(execFile);

/** The text of each generated file of a checkout, by its path there. Rejects when a document does not bundle. */
export async function generate(root: string): Promise<Map<string, string>> {
  const bundled = ordered(await bundle(join(root, 'spec/openapi.yaml')));
  return new Map([
    ['generated/openapi.json', `${JSON.stringify(bundled, null, 2)}\n`],
    ['generated/api.ts', await types(bundled)],
    ['generated/source.ts', await types(ordered(await bundle(join(root, 'spec/source.yaml'))))],
  ]);
}

/** One self-contained document, made by the redocly command, as redocly's library has no public interface. */
async function bundle(entry: string): Promise<OpenAPI3> {
  const folder = temporaryFolder('bundle-');
  const output = join(folder, 'openapi.json');
  const redocly = join(checkout, 'node_modules/@redocly/cli/bin/cli.js');
  try {
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const command = [redocly, 'bundle', entry, '--output', output, '--ext', 'json'];
    const bundling = run(process.execPath, command, { env, cwd: checkout });
    killAtExit(bundling.child);
    await bundling;
    return JSON.parse(await readFile(output, 'utf8')) as OpenAPI3;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Sorts components by name, so that a reference that moves does not move whole pages of the bundle. */
function ordered(document: OpenAPI3): OpenAPI3 {
  const components = Object.entries(document.components ?? {}).map(([section, members]) => [section, byName(members)]);
  return { ...document, components: byName(Object.fromEntries(components)) };
}

function byName<Members extends object>(members: Members): Members {
  return Object.fromEntries(Object.entries(members).toSorted(([a], [b]) => (a < b ? -1 : 1))) as Members;
}

async function types(document: OpenAPI3): Promise<string> {
  // A key with a default is not required: a request may leave it out. Lengths are kept, so that `channels: []` does not compile.
  const nodes = await openapiTS(headersInPlace(document), {
    defaultNonNullable: false,
    arrayLength: true,
    silent: true,
  });
  return `/** Made from spec/ by \`npm run generate\`; never edit it. */\n\n${astToString(nodes)}`;
}

/** A copy with every header written out in its response: openapi-typescript takes a referenced header for required. */
function headersInPlace(document: OpenAPI3): OpenAPI3 {
  const copy = structuredClone(document);
  const known = copy.components?.headers ?? {};
  for (const response of Object.values(copy.components?.responses ?? {})) {
    if (!('headers' in response) || !response.headers) continue;
    for (const [name, header] of Object.entries(response.headers)) {
      const component = '$ref' in header ? known[header.$ref.replace('#/components/headers/', '')] : undefined;
      if (component) response.headers[name] = component;
    }
  }
  return copy;
}

async function differing(root: string, files: Map<string, string>): Promise<string[]> {
  const names: string[] = [];
  for (const [name, wanted] of files) {
    const found = await readFile(join(root, name), 'utf8').catch(() => null);
    if (found !== wanted) names.push(name);
  }
  return names;
}

async function write(root: string, files: Map<string, string>): Promise<void> {
  await mkdir(join(root, 'generated'), { recursive: true });
  for (const [name, text] of files) await writeFile(join(root, name), text);
}

/** Exit code: 0 done, 1 something differs or the document does not bundle. */
async function writeOrCheck(root: string, onlyCheck: boolean): Promise<number> {
  const files = await generate(root).catch((error: Error & { stderr?: string }) => {
    console.error(`generate: spec/ does not bundle:\n${(error.stderr ?? error.message).trim()}`);
  });
  if (!files) return 1;
  if (!onlyCheck) {
    await write(root, files);
    return 0;
  }
  const names = await differing(root, files);
  for (const name of names)
    console.error(`generate: ${name} differs from spec/: run \`npm run generate\` and commit it`);
  return names.length === 0 ? 0 : 1;
}

if (import.meta.main)
  await runCommand({
    name: 'generate',
    usage,
    options: { ...rootOption, check: { type: 'boolean', default: false } },
    run: ({ root, check }) => writeOrCheck(resolve(root), check),
  });
