/**
 * spec/rules.md as data. A rule is a line `- **GEN-04** [S] text. Ruling: text`; the section is the heading above it.
 */
import { readFileSync } from 'node:fs';

export interface Rule {
  /** `GEN-04` */
  readonly id: string;
  /** `GEN` */
  readonly section: string;
  /** By schema, black box, black box with fixtures, or with a hand on the implementation. */
  readonly how: 'S' | 'B' | 'F' | 'W';
  readonly text: string;
  /** The part that is a ruling of ours, or null; all of the text where `whollyRuling`. */
  readonly ruling: string | null;
  readonly whollyRuling: boolean;
}

const heading = /^## ([A-Z]{3}): (.+)$/;
const line = /^- \*\*([A-Z]{3}-\d{2})\*\* \[([SBFW])(, ruling)?\] (.+)$/;

const ruleOf = (match: RegExpExecArray): Rule => {
  const [, id = '', how = '', wholly, all = ''] = match;
  const [text = '', ruling] = all.split(' Ruling: ', 2);
  return {
    id,
    section: id.slice(0, 3),
    how: how as Rule['how'],
    text,
    ruling: wholly ? all : (ruling ?? null),
    whollyRuling: wholly !== undefined,
  };
};

/** All rules in the order of the file; throws on a line that looks like a rule and is none, and on a number used twice. */
export function parseRules(markdown: string): Rule[] {
  const rules: Rule[] = [];
  let section = '';
  for (const text of markdown.split('\n')) {
    section = heading.exec(text)?.[1] ?? section;
    if (!text.startsWith('- ')) continue;
    const match = line.exec(text);
    if (!match) throw new Error(`not a rule: ${text}`);
    const rule = ruleOf(match);
    if (rule.section !== section) throw new Error(`${rule.id} stands under ${section}`);
    if (rules.some(({ id }) => id === rule.id)) throw new Error(`${rule.id} is used twice`);
    rules.push(rule);
  }
  return rules;
}

export const readRules = (file: string | URL = new URL('../spec/rules.md', import.meta.url)): Rule[] =>
  parseRules(readFileSync(file, 'utf8'));
