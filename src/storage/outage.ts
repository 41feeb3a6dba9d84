import { Refusal } from '../model.ts';

/** What a caller is told while the store does not answer: nothing was decided, come again (AUT-08). `cause` is for the log alone. */
export function storeUnavailable(cause: unknown): Refusal {
  const refusal = new Refusal(
    'dependency-unavailable',
    'What is needed to answer is unavailable just now; try again.',
    {
      'Retry-After': '5',
    },
  );
  return Object.assign(refusal, { cause });
}

/** Asks the store; its failure says nothing about what was asked, neither of a credential nor of an entity. */
export async function orUnavailable<Value>(ask: () => Promise<Value>): Promise<Value> {
  try {
    return await ask();
  } catch (cause) {
    throw storeUnavailable(cause);
  }
}

/** The same of what the store answers at once. */
export function orUnavailableAtOnce<Value>(ask: () => Value): Value {
  try {
    return ask();
  } catch (cause) {
    throw storeUnavailable(cause);
  }
}

/** SQLSTATEs of a PostgreSQL that reads and does not write: a transaction that may only read (a standby too), a full disk. */
const readOnly: readonly unknown[] = ['25006', '53100'];

/** The store answers and keeps nothing: what only has to be read can go on (F12). */
export const takesNoWrite = (cause: unknown): boolean => readOnly.includes((cause as { code?: unknown } | null)?.code);
