import type { Kind, Named } from './identifiers.ts';

/** What one read is told about an entity. */
export type State =
  | { readonly is: 'held'; readonly since: number }
  | { readonly is: 'fetching'; readonly until: number }
  | { readonly is: 'unavailable'; readonly reason: string; readonly retryable: boolean };

export interface States {
  /** What this read is told. The first read of an entity starts its fetching. */
  read(kind: Kind, entity: Named): State;
}

/** How long the attempts at an entity take, one after the other; the entity is fetching until the last one ends. */
const usual = [1000];
const slow = [5000];
/** The first attempt fails without anybody being told: fetching takes longer than announced at first. */
const flaky = [1000, 2000];
/** A failure of the service's side is tried again by a read after this long (STA-05). */
const rememberedMilliseconds = 120_000;
const mostRemembered = 20_000;

/** The name of an entity decides what becomes of it, as in the sandbox networks of the service. */
function fateOf(kind: Kind, name: string): { takes: readonly number[]; fails: string | null } {
  const begins = (...words: string[]): boolean => words.some((word) => name.toLowerCase().startsWith(word));
  const takes = begins('slow') ? slow : begins('flaky') ? flaky : usual;
  if (begins('broken')) return { takes, fails: 'internal-error' };
  if (kind === 'creator') return { takes, fails: begins('missing') ? 'account-not-discoverable' : null };
  if (begins('missing', 'old', 'outside')) return { takes, fails: 'outside-recent-media-window' };
  return { takes, fails: begins('orphan', 'unresolved') ? 'author-unresolved' : null };
}

/** Remembers when each entity was first asked for, the latest 20,000 of them. */
export function createStates(clock: () => number): States {
  const firstRead = new Map<string, number>();

  const begin = (key: string, now: number): number => {
    firstRead.set(key, now);
    const [oldest] = firstRead.keys();
    if (firstRead.size > mostRemembered && oldest !== undefined) firstRead.delete(oldest);
    return now;
  };

  return {
    read(kind, { network, name }) {
      const now = clock();
      const key = `${kind}:${network}:${name}`;
      const { takes, fails } = fateOf(kind, name);
      const whole = takes.reduce((sum, milliseconds) => sum + milliseconds, 0);
      const isForgotten = (since: number): boolean =>
        fails === 'internal-error' && now > since + whole + rememberedMilliseconds;
      const before = firstRead.get(key);
      const since = before === undefined || isForgotten(before) ? begin(key, now) : before;
      const until = since + (now < since + takes[0]! ? takes[0]! : whole);
      if (now < until) return { is: 'fetching', until };
      if (fails === null) return { is: 'held', since: until };
      return { is: 'unavailable', reason: fails, retryable: fails === 'internal-error' };
    },
  };
}
