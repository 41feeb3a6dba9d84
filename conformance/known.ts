/**
 * Known failures: one line per rule, with reason, link and expiry. They still run; a line that no longer fails, or is over,
 * fails the run, so that the list can only shrink.
 */
import { readFileSync } from 'node:fs';

import { parse } from 'yaml';

import { isObject } from './answer.ts';
import type { KnownFailure, RuleResult } from './model.ts';
import { readRules } from './rules.ts';
import { ConfigurationError } from './target-file.ts';

type Line = Omit<KnownFailure, 'state'>;

/** Reads a YAML or JSON list of `{ id, reason, link, expires: 2027-01-31 }`; throws `ConfigurationError` naming what is wrong. */
export function readKnownFailures(file: string): Line[] {
  let list: unknown;
  try {
    list = parse(readFileSync(file, 'utf8'), { schema: 'core' });
  } catch (error) {
    throw new ConfigurationError(
      `cannot read the known failures in ${file}: ${error instanceof Error ? error.message.split('\n')[0] : ''}`,
    );
  }
  if (list === null) return [];
  if (!Array.isArray(list)) throw new ConfigurationError(`${file} has to be a list of { id, reason, link, expires }`);
  return list.map((entry, index) => lineOf(entry, `${file}, entry ${index + 1}`));
}

function lineOf(entry: unknown, place: string): Line {
  const text = (key: string): string => {
    const value = isObject(entry) ? entry[key] : undefined;
    if (typeof value !== 'string' || value.trim() === '') throw new ConfigurationError(`${place} has no ${key}`);
    return value;
  };
  const line = { id: text('id'), reason: text('reason'), link: text('link'), expires: text('expires') };
  if (!readRules().some(({ id }) => id === line.id))
    throw new ConfigurationError(`${place}: there is no rule ${line.id}`);
  if (!/^\d{4}-\d\d-\d\d$/.test(line.expires))
    throw new ConfigurationError(`${place}: expires has to be a day such as 2027-01-31`);
  return line;
}

const dayMilliseconds = 86_400_000;

/** Stale only where the rule was judged and passes: a run of another profile or level says nothing of it. */
export function stateOf(line: Line, results: readonly RuleResult[], now: number): KnownFailure['state'] {
  if (now >= Date.parse(line.expires) + dayMilliseconds) return 'expired';
  return results.some(({ id, verdict }) => id === line.id && verdict === 'passed') ? 'stale' : 'known';
}
