import type { Key } from '../../src/model.ts';
import type { Call } from './source.ts';

/** How long before its process ended an answer may have come and still not have been stored. */
const storingMilliseconds = 2_000;

/** Calls for an entity that another call had been made for, though no process that held it had ended in between. */
export function doubleCalls(calls: readonly Call[], endedAt: ReadonlyMap<string, number>): Call[] {
  const byKey = new Map<Key, Call[]>();
  for (const call of calls) byKey.set(call.key, [...(byKey.get(call.key) ?? []), call]);
  return [...byKey.values()].flatMap((each) =>
    each.slice(1).filter((call, index) => !isExcused(each[index]!, call, endedAt)),
  );
}

function isExcused(earlier: Call, later: Call, endedAt: ReadonlyMap<string, number>): boolean {
  const end = endedAt.get(earlier.node);
  if (end === undefined || end < earlier.at || end > later.at) return false;
  return earlier.overAt === null || end - earlier.overAt < storingMilliseconds;
}
