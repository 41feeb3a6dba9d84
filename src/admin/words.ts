/** Parses words and options into values. Each function throws a `UsageError` for a text that is not such a value. */
import type { Scope } from '../model.ts';
import { UsageError } from './arguments.ts';

/** All scopes. */
export const scopes: readonly Scope[] = ['creators:read', 'posts:read'];
const slugForm = /^[a-z0-9][a-z0-9-]{0,62}$/;
const secondsOf = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;
const longestSeconds = 10 * 365 * 86_400;

export function slugOf(text: string): string {
  if (slugForm.test(text)) return text;
  throw new UsageError(
    `${JSON.stringify(text)} is no slug: 1 to 63 lower-case letters, digits and hyphens, not a hyphen first`,
  );
}

const nameForm = /^(?=.*\S)[^\p{Cc}\u2028\u2029]{1,100}$/u;

/** What people call an account, a token or a role: one line of a table. */
export function nameOf(text: string): string {
  if (nameForm.test(text)) return text;
  const quoted = JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
  throw new UsageError(`${quoted} is no name: 1 to 100 characters, none of them a control character, not blanks alone`);
}

/** Requests a minute. */
export function budgetOf(text: string): number {
  const value = /^[0-9]{1,7}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= 1_000_000) return value;
  throw new UsageError(`${JSON.stringify(text)} is no budget: whole requests a minute, 1 to 1000000`);
}

/** Seconds, of a text such as `30d`. */
export function durationOf(text: string): number {
  const [, count, unit] = /^([0-9]{1,9})([smhd])$/.exec(text) ?? [];
  const seconds = count && unit ? Number(count) * secondsOf[unit as keyof typeof secondsOf] : 0;
  if (seconds >= 1 && seconds <= longestSeconds) return seconds;
  throw new UsageError(`${JSON.stringify(text)} is no duration: a number and s, m, h or d, such as 90d, at most 3650d`);
}

export function scopesOf(text: string): Scope[] {
  const given = text.split(',').map((scope) => scope.trim());
  const named = [...new Set(given)].filter((scope) => scope !== '');
  const wrong = named.find((scope) => !scopes.includes(scope as Scope));
  if (wrong === undefined && named.length > 0) return named as Scope[];
  throw new UsageError(`${JSON.stringify(wrong ?? text)} is no scope: ${scopes.join(', ')}, comma separated`);
}

export function onOff(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on';
  throw new UsageError(`${JSON.stringify(text)} is neither on nor off`);
}
