import { canonicalHandle, segmentsOf } from './handle.ts';
import type { Network } from './network.ts';

const SHORTCODE = /^[A-Za-z0-9_-]{1,128}$/;
/** A number of 10 digits or more is a media id. The id of the longest shortcode has 232. */
const MEDIA_ID = /^[1-9][0-9]{9,231}$/;
const FIRST_MEDIA_ID = 10n ** 9n;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const LETTERS = BigInt(ALPHABET.length);

/**
 * The media id of a shortcode: its place among all shortcodes, the shorter ones first, counted from 10⁹. So every number of 10 digits
 * or more is the id of exactly one shortcode, and a post can be asked for by the id that its document shows.
 */
export function mediaIdOf(shortcode: string): string {
  let place = 0n;
  for (const letter of shortcode) place = place * LETTERS + BigInt(ALPHABET.indexOf(letter) + 1);
  return (FIRST_MEDIA_ID + place - 1n).toString();
}

/** The shortcode of a media id, the inverse of `mediaIdOf`; null for a text that is no media id, or that of too long a shortcode. */
export function shortcodeOf(mediaId: string): string | null {
  if (!MEDIA_ID.test(mediaId)) return null;
  let shortcode = '';
  for (let place = BigInt(mediaId) - FIRST_MEDIA_ID + 1n; place > 0n; place = (place - 1n) / LETTERS)
    shortcode = ALPHABET[Number((place - 1n) % LETTERS)] + shortcode;
  return SHORTCODE.test(shortcode) ? shortcode : null;
}

/**
 * The canonical name of a post: its shortcode, whose case counts (IDS-12). A media id stands for its shortcode, unless that looks like a
 * media id itself: canonicalizing it again would then yield another post (IDS-09).
 */
function canonicalPost(text: string): string | null {
  const shortcode = shortcodeOf(text);
  if (shortcode !== null && !MEDIA_ID.test(shortcode)) return shortcode;
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
