import type { Instant, Key } from '../model.ts';
import type { Parameter } from './database.ts';

/** The claim that a write belongs to: once it is another's, or forgotten, the write is refused (F4). */
export interface Fence {
  readonly key: Key;
  readonly owner: string;
  readonly startedAt: Instant;
}

/**
 * Three parameters from `$first` on: the claim's key, null for a write without one, its owner and start. `lock`: whoever takes the claim away
 * waits for the write; not where the write is to the table of work itself, whose rows are locked in the order of their keys.
 */
export const isFenced = (first: number, lock: 'for share' | ''): string => `(cast($${first} as text) is null or exists (
       select 1 from work
        where work.key = $${first} and owner = $${first + 1} and started_at = cast($${first + 2} as bigint) ${lock}))`;

export const fenceValues = (claim: Fence | null): Parameter[] =>
  claim === null ? [null, null, null] : [claim.key, claim.owner, claim.startedAt];
