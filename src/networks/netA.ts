import { canonicalHandle, segmentsOf } from './handle.ts';
import type { Network } from './network.ts';

const SHORTCODE = /^[A-Za-z0-9_-]{1,128}$/;
/** From 10 digits on an all-digit text may be a media id; 232 digits hold the id of the longest shortcode. */
const DIGITS = /^[1-9][0-9]{9,231}$/;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const BITS_PER_CHARACTER = 6;

/** Numeric media id of a shortcode: binary, a leading 1 and then 6 bits for each character, so that no two share one. */
export function mediaIdOf(shortcode: string): string {
  const bits = [...shortcode].map((character) =>
    ALPHABET.indexOf(character).toString(2).padStart(BITS_PER_CHARACTER, '0'),
  );
  return BigInt(`0b1${bits.join('')}`).toString();
}

/** Shortcode of a numeric media id, or null when no shortcode has that id; the inverse of `mediaIdOf`. */
export function shortcodeOf(mediaId: string): string | null {
  if (!/^[1-9][0-9]{0,231}$/.test(mediaId)) return null;
  const bits = BigInt(mediaId).toString(2).slice(1);
  if (bits.length === 0 || bits.length % BITS_PER_CHARACTER !== 0) return null;
  const shortcode = (bits.match(/.{6}/g) ?? []).map((six) => ALPHABET[Number.parseInt(six, 2)]).join('');
  return SHORTCODE.test(shortcode) ? shortcode : null;
}

/**
 * Canonical name of a post: its shortcode, case kept (IDS-12). A media id names its shortcode, unless that is all digits
 * too: the name of a post has to stay the same when it is read again (IDS-09).
 */
function canonicalPost(text: string): string | null {
  const shortcode = DIGITS.test(text) ? shortcodeOf(text) : null;
  if (shortcode !== null && !DIGITS.test(shortcode)) return shortcode;
  return SHORTCODE.test(text) ? text : null;
}

function profileOfPath(path: string): string | null {
  const segments = segmentsOf(path);
  return segments?.length === 1 ? canonicalHandle(segments[0] ?? '') : null;
}

function postOfPath(path: string): string | null {
  const [kind, name, ...rest] = segmentsOf(path) ?? [];
  if ((kind !== 'p' && kind !== 'reel') || name === undefined || rest.length > 0) return null;
  return canonicalPost(name);
}

/** netA: profiles at `/<handle>`, posts at `/p/<shortcode>` and `/reel/<shortcode>`. */
export const netA: Network = {
  name: 'netA',
  hosts: ['neta.example'],
  profileOfPath,
  postOfPath,
  postOfText: canonicalPost,
  postUrl: (name) => `https://neta.example/p/${name}`,
  profileUrl: (handle) => `https://neta.example/${handle}`,
};
