/**
 * Tokens: `lk_`, 256 random bits and a checksum, in base64url (AUT-11). The checksum lets junk be refused without a read;
 * it protects nothing. Only the SHA-256 of a token is ever stored.
 */
import { hash } from 'node:crypto';

/** That many random bytes. */
export type RandomBytes = (count: number) => Uint8Array;

const mark = 'lk_';
const secretBytes = 32;
const checksumLength = 6;
const form = /^lk_[A-Za-z0-9_-]{49}$/;
const shownLength = 11;

const checksum = (secret: string): string =>
  hash('sha256', `lookup token ${secret}`, 'base64url').slice(0, checksumLength);

export interface IssuedToken {
  /** Shown once, never stored. */
  readonly token: string;
  readonly hash: string;
  /** What people know it by afterwards. */
  readonly prefix: string;
}

export function issueToken(random: RandomBytes): IssuedToken {
  const secret = Buffer.from(random(secretBytes)).toString('base64url');
  const token = `${mark}${secret}${checksum(secret)}`;
  return { token, hash: tokenHash(token), prefix: tokenPrefix(token) };
}

/** What may be shown of a token. */
export const tokenPrefix = (token: string): string => token.slice(0, shownLength);

export const tokenHash = (token: string): string => hash('sha256', token, 'hex');

/** Whether the service can have issued it: form and checksum. */
export function isTokenForm(token: string): boolean {
  if (!form.test(token)) return false;
  const secret = token.slice(mark.length, -checksumLength);
  return checksum(secret) === token.slice(-checksumLength);
}
