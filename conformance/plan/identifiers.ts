/** The identifiers that a run asks for: in every form, under a second name, and those that fill a batch. */
import { present } from './planner.ts';
import type { Fixtures, NetworkFixtures } from './fixtures.ts';

export const unknownHost = 'https://unknown.invalid/nobody/nothing';

export const on = (network: string, name: string | undefined): string | undefined =>
  name === undefined ? undefined : `${network}:${name}`;

/** What the settled batch of creators asks for, in every form of an identifier. */
export function creatorIdentifiers({ a, b, unsupported }: Fixtures): string[] {
  return present([
    a.held,
    on(b.name, b.held),
    a.notHeld(1),
    on(b.name, b.notHeld(1)),
    a.profileUrl(a.notHeld(2)),
    b.profileUrl(b.notHeld(2)),
    on(a.name, a.missing),
    a.profileUrl(a.missing),
    on(b.name, b.missing),
    a.broken,
    on(a.name, a.bare),
    on(b.name, b.silent),
    `${unsupported}:someone`,
    unknownHost,
  ]);
}

export function postIdentifiers({ a, b, unsupported }: Fixtures): string[] {
  return present([
    a.postUrl(a.post.held),
    b.postUrl(b.post.held),
    a.postUrl(a.notHeldPost(1)),
    a.notHeldPost(3),
    on(b.name, b.notHeldPost(1)),
    a.post.missing,
    a.post.old,
    a.postUrl(a.post.old),
    on(b.name, b.post.old),
    a.post.orphan,
    a.post.broken,
    on(b.name, b.post.bare),
    a.postUrl(a.post.carousel),
    `${unsupported}:something`,
    unknownHost,
  ]);
}

/** Pairs of names of one entity: by which it was asked for before, and by which it is now. */
export function otherNames(pairs: readonly (readonly [string | undefined, string | undefined])[]): {
  before: string[];
  names: string[];
} {
  const known = pairs.filter((pair): pair is [string, string] => !pair.includes(undefined));
  return { before: known.map(([before]) => before), names: known.map(([, name]) => name) };
}

/** Bare identifiers that fill a batch up to 100. */
export const padding = (count: number, unique: string): string[] =>
  Array.from({ length: Math.max(0, count) }, (_, number) => `pad-${unique}-${number}`);

export const foreignPadding = (count: number, { unsupported, unique }: Fixtures): string[] =>
  padding(count, unique).map((name) => `${unsupported}:${name}`);

/** An address whose scheme, and what stands before its host, is another. */
export const beginning = (url: string | undefined, start: string): string | undefined =>
  url?.replace(/^https?:\/\//, start);

/** All of an address that does not matter is there. */
export const decorated = (url: string | undefined): string | undefined =>
  url && `${beginning(url, 'http://www.')}/?a=1#b`;

export const spellings = (network: NetworkFixtures): (string | undefined)[] => {
  const { held } = network;
  const url = network.profileUrl(held);
  return held === undefined
    ? []
    : [
        `${network.name}:@${held}`,
        `${network.name}:${held.toUpperCase()}`,
        ` ${network.name}:${held}\t`,
        decorated(url),
        beginning(url, 'https://m.'),
      ];
};

export const unreadable = (network: string): string[] => [
  `${network}:bad handle!`,
  `${network}:${'x'.repeat(101)}`,
  `${network}:...`,
  `${network}:\u212Aelvin`,
  `${network}:@@someone`,
];

const longestIdentifier = 2048;

/** As long as may be, in characters and in code points, and one too many. */
export const lengths = (network: string): { fit: string[]; tooLong: string } => {
  const left = longestIdentifier - network.length - 1;
  return {
    fit: [`${network}:${'x'.repeat(left)}`, `${network}:${'\u{1F600}'.repeat(left)}`],
    tooLong: `${network}:${'x'.repeat(left + 1)}`,
  };
};

export const swapCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));
