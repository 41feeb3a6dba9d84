import type { EntityKind } from '../../model.ts';

/** What a name says of its entity in the sandbox worlds. */
export type Trait =
  | 'missing'
  | 'slow'
  | 'broken'
  | 'flaky'
  | 'bare'
  | 'silent'
  | 'outside'
  | 'orphan'
  | 'carousel'
  | 'story'
  | 'reel'
  | 'image'
  | 'video';

const everywhere: Readonly<Record<string, Trait>> = { slow: 'slow', broken: 'broken', flaky: 'flaky', bare: 'bare' };
const traits: Readonly<Record<EntityKind, Readonly<Record<string, Trait>>>> = {
  creator: { ...everywhere, missing: 'missing', silent: 'silent' },
  post: {
    ...everywhere,
    missing: 'outside',
    old: 'outside',
    outside: 'outside',
    orphan: 'orphan',
    unresolved: 'orphan',
    carousel: 'carousel',
    story: 'story',
    reel: 'reel',
    image: 'image',
    video: 'video',
  },
};

/** The trait that a name begins with, compared in lower case; null for a name that says nothing. */
export function traitOf(kind: EntityKind, name: string): Trait | null {
  const lower = name.toLowerCase();
  const word = Object.keys(traits[kind]).find((prefix) => lower.startsWith(prefix));
  return word === undefined ? null : (traits[kind][word] ?? null);
}

/** How many recent posts a creator has. */
export const recentCount = 12;
const indexLetters = 'ABCDEFGHIJKL';
const recentName = /^P([A-L])([a-z0-9_D-]+)$/;
/** The longest handle whose posts still have a legal name on either network: 64 characters, two of them ours. */
const longestHandle = 62;

/**
 * Name of a creator's recent post, `PAada` for the newest of `ada`: author and position can be read from it, so the sandbox
 * stores nothing. Handles are lower case, which leaves `D` free to stand for the dot, that no post name may have.
 */
export const recentPostName = (handle: string, index: number): string =>
  `P${indexLetters[index]}${handle.replaceAll('.', 'D')}`;

/** Author and position (0 the newest) of a recent post's name, or null when the name is of another form. */
export function recentPostOf(name: string): { handle: string; index: number } | null {
  const [, letter, encoded] = recentName.exec(name) ?? [];
  if (letter === undefined || encoded === undefined) return null;
  const handle = encoded.replaceAll('D', '.');
  return publishes(handle) ? { handle, index: indexLetters.indexOf(letter) } : null;
}

/** Whether a creator has recent posts: a bare one has no account id that posts could name (DOC-09), a silent one no posts. */
export function publishes(handle: string): boolean {
  const trait = traitOf('creator', handle);
  return (
    handle.length <= longestHandle &&
    !/^\.+$/.test(handle) &&
    trait !== 'bare' &&
    trait !== 'silent' &&
    trait !== 'missing'
  );
}
