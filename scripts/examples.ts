/**
 * Checks the examples: each is valid for every answer (or request) that its first line says it is for, the document uses
 * exactly the files that are there, every documented status of every operation has one, and all tell of one world.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { parse } from 'yaml';
import { bundleOf, operationsOf, resolve } from './bundle.ts';
import type { Body, Bundle, Media, Operation, Response } from './bundle.ts';
import { rootOption, runCommand } from './command.ts';
import { worldFaults } from './world.ts';

export interface ExampleFile {
  readonly name: string;
  /** `getCreator 200`, `batchPosts request`. */
  readonly uses: readonly string[];
  readonly summary: string;
  readonly value: unknown;
}

function exampleOf(name: string, text: string): ExampleFile {
  const uses = /^# for: (.+)\n/.exec(text)?.[1]?.split(', ') ?? [];
  const { summary, value } = parse(text) as { summary: string; value: unknown };
  return { name, uses, summary, value };
}

export const readExamples = (folder: string): ExampleFile[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .toSorted()
    .map((file) => exampleOf(file.slice(0, -'.yaml'.length), readFileSync(join(folder, file), 'utf8')));

const mediaOf = (bundle: Bundle, part: Response | Body): Media | undefined =>
  resolve(bundle, part).content?.['application/json'];

/** Everything that can have an example: `getCreator 200` → its media type. */
function answersOf(bundle: Bundle): Map<string, Media> {
  const answers = new Map<string, Media>();
  const add = (operation: Operation, use: string, part: Response | Body): void => {
    const media = mediaOf(bundle, part);
    if (media) answers.set(`${operation.operationId} ${use}`, media);
  };
  for (const { operation } of operationsOf(bundle)) {
    if (operation.requestBody) add(operation, 'request', operation.requestBody);
    for (const [status, response] of Object.entries(operation.responses)) add(operation, status, response);
  }
  return answers;
}

const base = 'https://contract.invalid/openapi.json';

/** Compiles the schema of one media type; references lead into the whole bundle. */
function validatorsOf(bundle: Bundle): (media: Media) => (value: unknown) => string | null {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema({ ...bundle, $id: base });
  return (media) => {
    const validate = ajv.compile(JSON.parse(JSON.stringify(media.schema).replaceAll('"#/', `"${base}#/`)) as object);
    return (value) => (validate(value) ? null : ajv.errorsText(validate.errors, { dataVar: 'value' }));
  };
}

function invalidExamples(
  examples: readonly ExampleFile[],
  bundle: Bundle,
  answers: ReadonlyMap<string, Media>,
): string[] {
  const compile = validatorsOf(bundle);
  const faultOf = (example: ExampleFile, use: string): string[] => {
    const media = answers.get(use);
    if (!media) return [`${example.name}: the document has no ${use}`];
    const fault = compile(media)(example.value);
    return fault === null ? [] : [`${example.name} for ${use}: ${fault}`];
  };
  return examples.flatMap((example) =>
    example.uses.length === 0
      ? [`${example.name}: the first line does not say what it is for`]
      : example.uses.flatMap((use) => faultOf(example, use)),
  );
}

/** The document shows exactly the examples that are meant for each answer, neither fewer nor others. */
function unusedExamples(examples: readonly ExampleFile[], answers: ReadonlyMap<string, Media>): string[] {
  const faults: string[] = [];
  const known = new Set(examples.map(({ name }) => name));
  for (const [use, media] of answers) {
    const shown = new Set(Object.keys(media.examples ?? {}));
    const meant = examples.filter(({ uses }) => uses.includes(use));
    if (meant.length === 0) faults.push(`${use} has no example`);
    for (const name of shown)
      if (!known.has(name)) faults.push(`${use} shows ${name}, which spec/examples does not have`);
    for (const { name } of meant) if (!shown.has(name)) faults.push(`${use} does not show ${name}`);
  }
  return faults;
}

/** Each reason that the document names is shown as a 404 and in a batch, as far as both can say it (PST-07: a URL has no network). */
function unshownReasons(examples: readonly ExampleFile[], bundle: Bundle): string[] {
  const texts = (status: string): string =>
    JSON.stringify(examples.filter(({ uses }) => uses.some((use) => use.endsWith(status))));
  const [misses, batches] = [texts(' 404'), texts(' 200')];
  const { reason } = bundle.components.schemas['ErrorDetails']?.properties ?? {};
  const reasons = typeof reason === 'object' ? (reason['examples'] as string[]) : [];
  return reasons.flatMap((one) => [
    ...(misses.includes(`"reason":"${one}"`) ? [] : [`no example of a 404 has the reason ${one}`]),
    ...(batches.includes(`"reason":"${one}"`) ? [] : [`no example of a batch has the reason ${one}`]),
  ]);
}

/** One line a fault. */
export function exampleFaults(examples: readonly ExampleFile[], bundle: Bundle): string[] {
  const answers = answersOf(bundle);
  return [
    ...invalidExamples(examples, bundle, answers),
    ...unusedExamples(examples, answers),
    ...unshownReasons(examples, bundle),
    ...worldFaults(examples),
  ];
}

const usage = `Usage: node scripts/examples.ts [--root <folder>]

Checks the examples of the contract; exit 1 names each fault.

  --root <folder>   the checkout whose contract is checked (default: this one)
  --help            this text
`;

if (import.meta.main)
  await runCommand({
    name: 'examples',
    usage,
    options: rootOption,
    run({ root }) {
      const examples = readExamples(join(root, 'spec/examples'));
      const faults = exampleFaults(examples, bundleOf(root));
      for (const fault of faults) console.error(fault);
      console.log(`${examples.length} examples, ${faults.length} faults`);
      return faults.length > 0 ? 1 : 0;
    },
  });
