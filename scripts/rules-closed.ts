/**
 * Rules, decisions, code and tests refer to one another without gaps: every rule number that is written anywhere exists; every ruling has
 * a decision; every decision has its four parts (chosen, why, instead of, would change it); and every rule that the conformance suite
 * can't observe names the test that proves it.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { outside } from '../conformance/checks/outside.ts';
import { rootOption, runCommand } from './command.ts';
import { readRules } from './rules.ts';
import type { Rule } from './rules.ts';

const parts = ['Chosen:', 'Why:', 'Instead of:', 'Would change it:'];

/** Rule numbers in a text; only those of sections that exist, so that SHA-25 is none. */
function numbersIn(text: string, sections: ReadonlySet<string>): string[] {
  return [...text.matchAll(/\b([A-Z]{3})-\d{2}\b/g)]
    .filter(([, section = '']) => sections.has(section))
    .map(([number]) => number);
}

/** Title → body of each entry of decisions.md. */
const entriesOf = (decisions: string): [string, string][] =>
  decisions
    .split(/^## /m)
    .slice(1)
    .map((entry) => [entry.slice(0, entry.indexOf('\n')), entry.slice(entry.indexOf('\n'))]);

function decisionFaults(decisions: string, rules: readonly Rule[], sections: ReadonlySet<string>): string[] {
  const entries = entriesOf(decisions);
  const covered = new Set(entries.flatMap(([title]) => numbersIn(title, sections)));
  const incomplete = entries.flatMap(([title, body]) =>
    parts
      .filter((part) => !body.includes(`**${part}**`))
      .map((part) => `decisions.md: "${title}" does not say "${part}"`),
  );
  const untitled = entries
    .filter(([title]) => numbersIn(title, sections).length === 0)
    .map(([title]) => `decisions.md: "${title}" names no rule`);
  const missing = rules
    .filter(({ id, ruling }) => ruling !== null && !covered.has(id))
    .map(({ id }) => `decisions.md: no decision about the ruling ${id}`);
  return [...incomplete, ...untitled, ...missing];
}

export interface Text {
  readonly file: string;
  readonly text: string;
}

/** One line a fault. */
export function closureFaults(rules: readonly Rule[], decisions: string, texts: readonly Text[]): string[] {
  const ids = new Set(rules.map(({ id }) => id));
  const sections = new Set(rules.map(({ section }) => section));
  const unknown = texts.flatMap(({ file, text }) =>
    [...new Set(numbersIn(text, sections))].filter((id) => !ids.has(id)).map((id) => `${file}: there is no rule ${id}`),
  );
  return [...decisionFaults(decisions, rules, sections), ...unknown];
}

/** Of a rule that the suite can't see, the test that proves it is where the suite says, and names the rule. */
export function proofFaults(
  rules: readonly Rule[],
  proofs: Readonly<Record<string, { readonly file: string; readonly test: string }>>,
  read: (file: string) => string | null,
): string[] {
  const unseen = rules.filter(({ how }) => how === 'W').map(({ id }) => id);
  const stray = Object.keys(proofs).filter((id) => !unseen.includes(id));
  return [
    ...stray.map((id) => `conformance/checks/outside.ts: ${id} can be seen over HTTP, or does not exist`),
    ...unseen.flatMap((id) => {
      const proof = proofs[id];
      if (!proof) return [`conformance/checks/outside.ts: nothing is named that proves ${id}`];
      if (!proof.test.includes(id)) return [`conformance/checks/outside.ts: "${proof.test}" does not name ${id}`];
      const text = read(proof.file);
      if (text === null) return [`${proof.file}: is said to prove ${id}, and does not exist`];
      return text.includes(proof.test) ? [] : [`${proof.file}: has no test "${proof.test}", which is to prove ${id}`];
    }),
  ];
}

const isText = (file: string): boolean => /\.(ts|ya?ml|md)$/.test(file);

export const textsOf = (root: string, folders: readonly string[]): Text[] =>
  folders.flatMap((folder) =>
    (readdirSync(join(root, folder), { recursive: true }) as string[])
      .filter(isText)
      .map((name) => ({ file: posix.join(folder, name), text: readFileSync(join(root, folder, name), 'utf8') })),
  );

const usage = `Usage: node scripts/rules-closed.ts [--root <folder>]

Checks that rules, decisions, sources and tests name one another rightly; exit 1 names each fault.

  --root <folder>   the checkout that is checked (default: this one); folders that it lacks are left out
  --help            this text
`;

/** One line a fault of that checkout. */
function faultsIn(root: string): string[] {
  const folders = ['spec', 'src', 'conformance', 'scripts'].filter((folder) => existsSync(join(root, folder)));
  const decisions = readFileSync(join(root, 'spec/decisions.md'), 'utf8');
  const rules = readRules(join(root, 'spec/rules.md'));
  const read = (file: string): string | null =>
    existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : null;
  return [
    ...closureFaults(rules, decisions, textsOf(root, folders)),
    ...(folders.includes('conformance') ? proofFaults(rules, outside, read) : []),
  ];
}

if (import.meta.main)
  await runCommand({
    name: 'rules-closed',
    usage,
    options: rootOption,
    run({ root }) {
      const faults = faultsIn(root);
      for (const fault of faults) console.error(fault);
      return faults.length > 0 ? 1 : 0;
    },
  });
