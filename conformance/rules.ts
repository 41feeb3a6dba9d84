/** spec/rules.md as the suite reads it: one rule a line, `- **GEN-04** [S] text. Ruling: text`. */
import { readFileSync } from 'node:fs';

export interface Rule {
  readonly id: string;
  readonly section: string;
  /** By schema, black box, black box with fixtures, or only with a hand on the implementation. */
  readonly how: 'S' | 'B' | 'F' | 'W';
  readonly text: string;
  /** The part that only a ruling says; null where the specification says all of it. */
  readonly ruling: string | null;
  readonly whollyRuling: boolean;
}

const line = /^- \*\*([A-Z]{3}-\d{2})\*\* \[([SBFW])(, ruling)?\] (.+)$/;

/** The rules in the order of the file. Lines that are no rules are passed over. */
export function parseRules(markdown: string): Rule[] {
  return markdown.split('\n').flatMap((text) => {
    const match = line.exec(text.trim());
    if (!match) return [];
    const [, id = '', how = 'S', wholly, all = ''] = match;
    const [sentence = '', ruling = null] = all.split(' Ruling: ', 2);
    const whollyRuling = wholly !== undefined;
    return [
      {
        id,
        section: id.slice(0, 3),
        how: how as Rule['how'],
        text: sentence,
        ruling: whollyRuling ? all : ruling,
        whollyRuling,
      },
    ];
  });
}

export const readRules = (file: string | URL = new URL('../spec/rules.md', import.meta.url)): Rule[] =>
  parseRules(readFileSync(file, 'utf8'));
