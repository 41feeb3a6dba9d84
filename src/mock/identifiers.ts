/** What an identifier names (the IDS rules), in a small version of the mock's own: it must not depend on the service that it stands in for. */

export type Kind = 'creator' | 'post';
export type Named = { readonly network: string; readonly name: string };
export type Parsed = Named | { readonly reason: 'unparseable-identifier' | 'not-supported-on-network' };

interface Network {
  readonly name: string;
  readonly host: string;
  readonly postName: (text: string) => string | null;
  readonly profilePath: RegExp;
  readonly postPath: RegExp;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const unparseable = { reason: 'unparseable-identifier' } as const;
const unsupported = { reason: 'not-supported-on-network' } as const;
const mostCodePoints = 2048;

const isShortcode = (text: string): boolean => /^[A-Za-z0-9_-]{1,128}$/.test(text);
const firstMediaId = 1_000_000_000n;

/** Media id of a shortcode: shortcodes are numbered in order, A to _ before AA, from the first number of ten digits on. */
export const mediaIdOf = (shortcode: string): string =>
  (
    [...shortcode].reduce((count, letter) => count * 64n + BigInt(alphabet.indexOf(letter) + 1), 0n) +
    firstMediaId -
    1n
  ).toString();

const looksLikeMediaId = (text: string): boolean => /^[1-9][0-9]{9,231}$/.test(text);

function shortcodeOf(mediaId: string): string {
  const letters: string[] = [];
  for (let count = BigInt(mediaId) - firstMediaId + 1n; count > 0n; count = (count - 1n) / 64n)
    letters.unshift(alphabet.charAt(Number((count - 1n) % 64n)));
  return letters.join('');
}

function netAPost(text: string): string | null {
  const shortcode = looksLikeMediaId(text) ? shortcodeOf(text) : text;
  if (isShortcode(shortcode) && !looksLikeMediaId(shortcode)) return shortcode;
  return isShortcode(text) ? text : null;
}

const networks: readonly Network[] = [
  {
    name: 'netA',
    host: 'neta.example',
    postName: netAPost,
    profilePath: /^\/(@?[^/]+)\/?$/,
    postPath: /^\/(?:p|reel)\/([^/]+)\/?$/,
  },
  {
    name: 'netB',
    host: 'netb.example',
    postName: (text) => (/^[A-Za-z0-9_-]{1,64}$/.test(text) ? text : null),
    profilePath: /^\/@([^/@]+)\/?$/,
    postPath: /^\/@(?!\.+\/)[A-Za-z0-9._-]{1,100}\/video\/([^/]+)\/?$/,
  },
];

function handleOf(text: string): string | null {
  const handle = text.startsWith('@') ? text.slice(1) : text;
  return /^[A-Za-z0-9._-]{1,100}$/.test(handle) && !/^\.+$/.test(handle) ? handle.toLowerCase() : null;
}

const named = (network: Network, name: string | null): Parsed =>
  name === null ? unparseable : { network: network.name, name };

function parseName(kind: Kind, networkName: string, text: string): Parsed {
  const network = networks.find(({ name }) => name === networkName);
  if (network === undefined) return unsupported;
  return named(network, kind === 'creator' ? handleOf(text) : network.postName(text));
}

function parseUrl(kind: Kind, url: string): Parsed {
  const [, scheme = '', authority = '', path = ''] = /^(https?):\/\/([^/?#]*)([^?#]*)/i.exec(url) ?? [];
  const port = scheme.toLowerCase() === 'https' ? ':443' : ':80';
  const host = authority
    .toLowerCase()
    .replace(new RegExp(`${port}$`), '')
    .replace(/^(?:www|m)\./, '');
  const network = networks.find((candidate) => candidate.host === host);
  if (network === undefined) return unparseable;
  const found = (kind === 'creator' ? network.profilePath : network.postPath).exec(path)?.[1];
  if (found === undefined) return unparseable;
  return named(network, kind === 'creator' ? handleOf(found) : network.postName(found));
}

const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);
const isTooLong = (text: string): boolean => text.length > mostCodePoints && [...text].length > mostCodePoints;

/** Without the ASCII blanks around it (IDS-14). */
export const trimBlanks = (text: string): string => text.replace(/^[\t-\r ]+/, '').replace(/[\t-\r ]+$/, '');

/** One identifier of a list: qualified, a URL, or bare under `defaultNetwork` (IDS-01). */
export function parseIdentifier(kind: Kind, submitted: string, defaultNetwork: string): Parsed {
  if (isTooLong(submitted)) return unparseable;
  const text = trimBlanks(submitted);
  if (isUrl(text)) return parseUrl(kind, text);
  const colon = text.indexOf(':');
  if (colon < 0) return parseName(kind, defaultNetwork, text);
  const [network, name] = [text.slice(0, colon), text.slice(colon + 1)];
  const isQualified =
    /^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(network) && !/^https?$/i.test(network) && !name.startsWith('//');
  return isQualified ? parseName(kind, network, name) : unparseable;
}

/** The `url` parameter takes nothing but a post URL (IDS-13). */
export const parsePostUrl = (text: string): Parsed =>
  isTooLong(text) || !isUrl(text) ? unparseable : parseUrl('post', text);

/** The two path segments as they came; a broken percent escape names nothing (CRE-10). */
export function parseCreatorPath(network: string, handle: string): Parsed & { readonly handle: string } {
  const decoded = [network, handle].map((segment) => {
    try {
      return decodeURIComponent(segment);
    } catch {
      return null;
    }
  });
  return { ...parseName('creator', decoded[0] ?? '', decoded[1] ?? ''), handle: decoded[1] ?? handle };
}

/** Public address of a post, as its network writes it. */
export const postUrl = (network: string, name: string, handle: string): string =>
  network === 'netA' ? `https://neta.example/p/${name}` : `https://netb.example/@${handle}/video/${name}`;
