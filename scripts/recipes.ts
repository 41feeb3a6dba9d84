import { readFileSync } from 'node:fs';

const page = new URL('../docs/recipes.md', import.meta.url);

/** The blocks of `docs/recipes.md` by name, of those that the page says are run by the tests, or in CI. */
export function readRecipes(where: 'run' | 'run in CI'): ReadonlyMap<string, string> {
  const block = new RegExp(`<!-- ${where}: (\\S+) -->\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``, 'g');
  return new Map([...readFileSync(page, 'utf8').matchAll(block)].map(([, name = '', text = '']) => [name, text]));
}
