/**
 * Tokens: `lk_`, then 256 random bits and a checksum in base64url (AUT-11). The checksum protects nothing; it lets the service refuse,
 * without asking the store, a text that it cannot have issued. Only the SHA-256 of a token is ever stored.
 */
import { hash } from 'node:crypto';

/** Returns the given number of random bytes. */
export type RandomBytes = (count: number) => Uint8Array;

const mark = 'lk_';
const secretBytes = 32;
const checksumLength = 6;
const form = /^lk_[A-Za-z0-9_-]{49}$/;
const shownLength = 11;

const checksum = (secret: string): string =>
  hash('sha256', `lookup token ${secret}`, 'base64url').slice(0, checksumLength);

export interface IssuedToken {
  /** The token itself: shown once, never stored. */
  readonly token: string;
  /** Its SHA-256 in hexadecimal, by which the store knows it. */
  readonly hash: string;
  /** Its first characters, by which people recognize it later. */
  readonly prefix: string;
}

/** Makes a new token. */
export function issueToken(random: RandomBytes): IssuedToken {
  const secret = Buffer.from(random(secretBytes)).toString('base64url');
  const token = `${mark}${secret}${checksum(secret)}`;
  return { token, hash: tokenHash(token), prefix: tokenPrefix(token) };
}

/** The first characters of a token, which may be shown. */
export const tokenPrefix = (token: string): string => token.slice(0, shownLength);

/** The SHA-256 of a token, in hexadecimal. */
export const tokenHash = (token: string): string => hash('sha256', token, 'hex');

/** Whether a text has the form and the checksum of a token, so that the service may have issued it. */
export function isTokenForm(token: string): boolean {
  if (!form.test(token)) return false;
  const secret = token.slice(mark.length, -checksumLength);
  return checksum(secret) === token.slice(-checksumLength);
}
