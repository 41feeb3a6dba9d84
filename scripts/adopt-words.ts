/**
 * The words that `npm run adopt` puts in the place of the neutral ones (GEN-12), and what may stand in their way. No file is read or
 * written here.
 */

/** New identifiers by neutral word. */
export interface Names {
  readonly netA: string;
  readonly netB: string;
}

export const neutralWords = ['netA', 'netB'] as const;

const LONGEST = 30;
/** No identifier of a program may be one of these; the second row reads as something else in an old YAML or before a colon. */
const reserved = new Set(
  `break case catch class const continue debugger default delete do else enum export extends false finally for function if import in
  instanceof new null return super switch this throw true try typeof var void while with yield let static await async of undefined
  on off yes no y n http https`.split(/\s+/),
);

/** Why these names can't be taken, in one line; null when they can. */
export function problemOf(names: Names): string | null {
  for (const word of neutralWords) {
    const name = names[word];
    const shown = `--${word} is ${JSON.stringify(name)}`;
    if (!/^[a-z][A-Za-z0-9]*$/.test(name))
      return `${shown}, but has to be a small letter and then letters and digits only`;
    if (name.length > LONGEST) return `${shown}, but has to be at most ${LONGEST} characters long`;
    if (reserved.has(name) || name in {}) return `${shown}, but that word has a meaning of its own in the code`;
  }
  const same = names.netA.toLowerCase() === names.netB.toLowerCase();
  return same ? '--netA and --netB have to differ by more than their case' : null;
}

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** How a neutral word is written, and the name in the same writing: netA, NetA, neta (hosts), NETA. */
function forms(names: Names): Map<string, string> {
  return new Map(
    neutralWords.flatMap((word) => [
      [word, names[word]] as const,
      [capitalized(word), capitalized(names[word])] as const,
      [word.toLowerCase(), names[word].toLowerCase()] as const,
      [word.toUpperCase(), names[word].toUpperCase()] as const,
    ]),
  );
}

/** netA and NetA stand also inside names; neta and NETA stand alone, as they are part of ordinary words (monetary). */
const occurrence = /[nN]et[AB]|(?:(?<![A-Za-z])|(?<=\\[nrt]))net[ab](?![A-Za-z])|(?<![A-Za-z])NET[AB](?![A-Za-z])/g;
/** Lines that show how this command is called keep its options. */
const ownOptions = /--net[AB]\b/;

export interface Replaced {
  readonly text: string;
  readonly count: number;
}

/** All neutral words of a text in one pass, so that names that hold a neutral word themselves are not replaced again. */
export function replaceWords(text: string, names: Names): Replaced {
  const written = forms(names);
  let count = 0;
  const inLine = (line: string): string =>
    ownOptions.test(line) ? line : line.replace(occurrence, (found) => ((count += 1), written.get(found) ?? found));
  return { text: text.split('\n').map(inLine).join('\n'), count };
}

const comments = /\/\*[^]*?\*\/|(?:^|\s)(?:\/\/|#(?![a-zA-Z])).*$/gm;
const tokensOf = (text: string): Set<string> => new Set(text.replace(comments, ' ').match(/[A-Za-z_$][\w$]*/g));

/**
 * Names that would come to mean two things in one file, as `netA` becomes a word which that file has already. Prose (`*.md`) may
 * say what it likes.
 */
export function collisions(path: string, text: string, names: Names): string[] {
  if (path.endsWith('.md')) return [];
  const tokens = tokensOf(text);
  const renamed = [...tokens].map((token) => [token, replaceWords(token, names).text] as const);
  return renamed.filter(([token, now]) => now !== token && !isNeutral(now) && tokens.has(now)).map(([, now]) => now);
}

/** A word that is replaced itself leaves its place free: the two can be swapped. */
const isNeutral = (token: string): boolean => new RegExp(occurrence.source).test(token);
