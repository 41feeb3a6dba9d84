import { Refusal } from '../model.ts';

/** The refusal while the store does not answer: nothing was decided, ask again (AUT-08). `cause` is for the log only. */
export function storeUnavailable(cause: unknown): Refusal {
  const refusal = new Refusal(
    'dependency-unavailable',
    'Something that the answer depends on is unavailable just now; try again.',
    {
      'Retry-After': '5',
    },
  );
  return Object.assign(refusal, { cause });
}

/** Asks the store. Its failure says nothing about the credential or entity asked for. @throws Refusal `dependency-unavailable` */
export async function orUnavailable<Value>(ask: () => Promise<Value>): Promise<Value> {
  try {
    return await ask();
  } catch (cause) {
    throw storeUnavailable(cause);
  }
}

/** The same for what the store answers synchronously. */
export function orUnavailableAtOnce<Value>(ask: () => Value): Value {
  try {
    return ask();
  } catch (cause) {
    throw storeUnavailable(cause);
  }
}

/** SQLSTATEs of a PostgreSQL that can be read but not written: a read-only transaction (as on a standby), a full disk. */
const readOnly: readonly unknown[] = ['25006', '53100'];

/** Whether the store answers but takes no writes: reads of what is held can go on (F12). */
export const takesNoWrite = (cause: unknown): boolean => readOnly.includes((cause as { code?: unknown } | null)?.code);
