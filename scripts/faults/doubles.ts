import type { Key } from '../../src/model.ts';
import type { Call } from './source.ts';

/** When each process that is no more was killed, or told to end. */
type Ends = ReadonlyMap<string, number>;

/** How long before its process ended an answer may have come and still not have been stored. */
const storingMilliseconds = 2_000;

/** Calls for an entity that another call had been made for, though no process that held it had ended in between. */
export function doubleCalls(calls: readonly Call[], ends: Ends): Call[] {
  const byKey = new Map<Key, Call[]>();
  for (const call of calls) byKey.set(call.key, [...(byKey.get(call.key) ?? []), call]);
  return [...byKey.values()].flatMap((each) =>
    each.slice(1).filter((call, index) => !isExcused(each[index]!, call, ends)),
  );
}

function isExcused(earlier: Call, later: Call, ends: Ends): boolean {
  const end = ends.get(earlier.node);
  // What comes of a process that has ended was on its way: each life of a process has a name of its own.
  if (end === undefined || later.at < end) return false;
  return earlier.overAt === null || earlier.overAt > end - storingMilliseconds;
}

/** For the progress line: who called when, and when that process ended. */
export function toldDoubles(calls: readonly Call[], ends: Ends): string[] {
  return doubleCalls(calls, ends)
    .slice(0, 5)
    .map(({ key }) => {
      const each = calls.filter((call) => call.key === key);
      const told = each.map(({ node, at, overAt }) => {
        const end = ends.get(node);
        return `${node} at ${at.toFixed(0)} over ${overAt?.toFixed(0)} ended ${end?.toFixed(0)}`;
      });
      return `${key}: ${told.join(', ')}`;
    });
}
