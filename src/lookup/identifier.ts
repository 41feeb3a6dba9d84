import type { Entity, EntityKind } from '../model.ts';
import { canonicalHandle } from '../networks/handle.ts';
import type { Network } from '../networks/network.ts';

/** The entity that an identifier names, or the reason why it names none. */
export type Parsed = { readonly entity: Entity } | { readonly reason: NoEntity };
type NoEntity = 'unparseable-identifier' | 'not-supported-on-network';

const UNPARSEABLE: Parsed = { reason: 'unparseable-identifier' };
const UNSUPPORTED: Parsed = { reason: 'not-supported-on-network' };
const MAX_CODE_POINTS = 2048;
const DEFAULT_PORTS = { http: '80', https: '443' } as const;

/**
 * Parses one identifier of a list (IDS-01): a URL, a qualified `<network>:<name>`, or a bare name on `defaultNetwork`. The time it
 * takes grows linearly with the text's length. A URL is never fetched, resolved or decoded (PST-07).
 */
export function parseIdentifier(
  text: string,
  kind: EntityKind,
  defaultNetwork: string,
  networks: readonly Network[],
): Parsed {
  if (isTooLong(text)) return UNPARSEABLE;
  const token = trimBlanks(text);
  const url = splitUrl(token);
  if (url !== null) return parseUrl(url, kind, networks);
  const colon = token.indexOf(':');
  if (colon === -1) return parseName(token, kind, defaultNetwork, networks);
  const [network, name] = [token.slice(0, colon), token.slice(colon + 1)];
  return isNetworkName(network) && !name.startsWith('//') ? parseName(name, kind, network, networks) : UNPARSEABLE;
}

/** Parses the two parameters of the path `/creators/{network}/{handle}`; null stands for a broken percent escape (CRE-10). */
export function parseHandle(network: string | null, handle: string | null, networks: readonly Network[]): Parsed {
  const supported = networks.find(({ name }) => name === network);
  if (supported === undefined) return UNSUPPORTED;
  const name = handle === null ? null : canonicalHandle(handle);
  return named('creator', supported.name, name);
}

/** Parses the `url` parameter, which takes the URL of a post and nothing else (IDS-13). */
export function parsePostUrl(text: string, networks: readonly Network[]): Parsed {
  const url = isTooLong(text) ? null : splitUrl(text);
  return url === null ? UNPARSEABLE : parseUrl(url, 'post', networks);
}

/** Removes the ASCII blanks around a text. Other Unicode blanks stay, and make an identifier unparseable (IDS-14). */
export function trimBlanks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

function isTooLong(text: string): boolean {
  if (text.length <= MAX_CODE_POINTS) return false;
  if (text.length > 2 * MAX_CODE_POINTS) return true;
  return [...text].length > MAX_CODE_POINTS;
}

/** Whether a text has the form of a network's name, supported or not. Only such a text qualifies an identifier (IDS-13). */
function isNetworkName(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(text) && !/^https?$/i.test(text);
}

function parseName(text: string, kind: EntityKind, networkName: string, networks: readonly Network[]): Parsed {
  const network = networks.find(({ name }) => name === networkName);
  if (network === undefined) return UNSUPPORTED;
  return named(kind, network.name, kind === 'creator' ? canonicalHandle(text) : network.postOfText(text));
}

function named(kind: EntityKind, network: string, name: string | null): Parsed {
  return name === null ? UNPARSEABLE : { entity: { kind, network, name } };
}

interface SplitUrl {
  readonly scheme: 'http' | 'https';
  readonly authority: string;
  readonly path: string;
}

/**
 * Splits an `http` or `https` URL into its parts; null for any other text. Written by hand because `URL` turns `\` into `/`,
 * Unicode dots into `.` and numbers into addresses, and so would find an allowed host where there is none (SSRF).
 */
function splitUrl(text: string): SplitUrl | null {
  const scheme = /^(https?):\/\//i.exec(text)?.[1]?.toLowerCase() as 'http' | 'https' | undefined;
  if (scheme === undefined) return null;
  const rest = text.slice(scheme.length + '://'.length);
  const end = rest.search(/[/?#]/);
  const authority = end === -1 ? rest : rest.slice(0, end);
  const path = end === -1 ? '' : (rest.slice(end).split(/[?#]/, 1)[0] ?? '');
  return { scheme, authority, path };
}

function parseUrl(url: SplitUrl, kind: EntityKind, networks: readonly Network[]): Parsed {
  const host = hostOf(url);
  const network = networks.find(({ hosts }) => hosts.includes(host));
  if (network === undefined) return UNPARSEABLE;
  const name = kind === 'creator' ? network.profileOfPath(url.path) : network.postOfPath(url.path);
  return named(kind, network.name, name);
}

/**
 * The host in ASCII lower case, without the scheme's default port and without `www.` or `m.` (IDS-13). It is compared exactly:
 * a host with user info, another port or a final dot matches no network.
 */
function hostOf({ scheme, authority }: SplitUrl): string {
  const port = `:${DEFAULT_PORTS[scheme]}`;
  const host = authority.endsWith(port) ? authority.slice(0, -port.length) : authority;
  const lowered = host.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  if (lowered.startsWith('www.')) return lowered.slice('www.'.length);
  return lowered.startsWith('m.') ? lowered.slice('m.'.length) : lowered;
}
