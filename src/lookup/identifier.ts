import type { Entity, EntityKind } from '../model.ts';
import { canonicalHandle } from '../networks/handle.ts';
import type { Network } from '../networks/network.ts';

/** What an identifier names, or why it names nothing. */
export type Parsed = { readonly entity: Entity } | { readonly reason: NoEntity };
export type NoEntity = 'unparseable-identifier' | 'not-supported-on-network';

const UNPARSEABLE: Parsed = { reason: 'unparseable-identifier' };
const UNSUPPORTED: Parsed = { reason: 'not-supported-on-network' };
const MAX_CODE_POINTS = 2048;
const DEFAULT_PORTS = { http: '80', https: '443' } as const;

/**
 * What one identifier of a list names (IDS-01): a URL, a qualified `<network>:<handle>`, or bare under `defaultNetwork`.
 * Reads each character a bounded number of times, whatever it is given. Never fetches, resolves or decodes a URL (PST-07).
 */
export function parseIdentifier(
  text: string,
  kind: EntityKind,
  defaultNetwork: string,
  networks: readonly Network[],
): Parsed {
  if (isTooLong(text)) return UNPARSEABLE;
  const token = trimBlanks(text);
  if (token === '') return UNPARSEABLE;
  const url = splitUrl(token);
  if (url !== null) return parseUrl(url, kind, networks);
  const colon = token.indexOf(':');
  if (colon === -1) return parseName(token, kind, defaultNetwork, networks);
  const [network, name] = [token.slice(0, colon), token.slice(colon + 1)];
  return isNetworkName(network) && !name.startsWith('//') ? parseName(name, kind, network, networks) : UNPARSEABLE;
}

/** The creator that a path `/creators/{network}/{handle}` names; null stands for a broken percent escape (CRE-10). */
export function parseHandle(network: string | null, handle: string | null, networks: readonly Network[]): Parsed {
  const supported = networks.find(({ name }) => name === network);
  if (supported === undefined) return UNSUPPORTED;
  const name = handle === null ? null : canonicalHandle(handle);
  return named('creator', supported.name, name);
}

/** The post that the `url` parameter names: nothing but a post URL will do (IDS-13). */
export function parsePostUrl(text: string, networks: readonly Network[]): Parsed {
  const url = isTooLong(text) ? null : splitUrl(text);
  return url === null ? UNPARSEABLE : parseUrl(url, 'post', networks);
}

/** Without the ASCII blanks around it; other Unicode blanks stay and make it unparseable (IDS-14). */
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

/** Any supported or future network's identifier looks like this; what does not is no qualified identifier (IDS-13). */
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
 * The parts of an `http` or `https` URL, cut by hand: a lenient parser would turn `\` into `/`, other dots into `.` and numbers into
 * addresses, and so find an allowed host where there is none (SSRF).
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

/** Host without default port, `www.` or `m.` (IDS-13); compared exactly, so user info, addresses and a last dot fit no network. */
function hostOf({ scheme, authority }: SplitUrl): string {
  const port = `:${DEFAULT_PORTS[scheme]}`;
  const host = authority.endsWith(port) ? authority.slice(0, -port.length) : authority;
  const lowered = host.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  if (lowered.startsWith('www.')) return lowered.slice('www.'.length);
  return lowered.startsWith('m.') ? lowered.slice('m.'.length) : lowered;
}
