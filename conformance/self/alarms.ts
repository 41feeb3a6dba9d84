/** False alarms: what the suite says of a right server, of unusual but legal ones, and of the same one again and again. */
import type { WireVariant } from '../benign/variant.ts';
import { variants } from '../benign/variants.ts';
import { judge, record } from '../faults/replay.ts';
import type { Profile, RuleResult } from '../model.ts';
import type { Target } from '../target.ts';
import { inParallel, runLive, shortSleep } from './live.ts';
import { alarms, type Grounds } from './proof.ts';

export interface Alarm {
  readonly where: string;
  readonly result: RuleResult;
}

export const alarmsOf = (where: string, results: readonly RuleResult[]): Alarm[] =>
  alarms(results).map((result) => ({ where, result }));

async function alarmsOfVariant(target: Target, { name, strict: speaks, alter, write }: WireVariant): Promise<Alarm[]> {
  const found: Alarm[] = [];
  for (const strict of speaks === 'may speak' ? [false] : [false, true]) {
    const { results, problem } = await runLive({ target, strict, alter, ...(write ? { write } : {}) });
    const level = strict ? ', strict' : '';
    found.push(...alarmsOf(`variant "${name}"${level}${problem ? ` (${problem})` : ''}`, results));
  }
  return found;
}

export const alarmsOfVariants = async (target: Target): Promise<Alarm[]> =>
  (await inParallel(variants, 4, (variant) => alarmsOfVariant(target, variant))).flat();

/** By turns: with rulings, without, and the extended profile. Identifiers are new in each run. */
const kinds: readonly { readonly profile: Profile; readonly strict: boolean }[] = [
  { profile: 'core', strict: true },
  { profile: 'core', strict: false },
  { profile: 'extended', strict: true },
];

/** Against a server that has every fixture, not to have been exercised is an alarm too. */
const notGreen = (results: readonly RuleResult[]): RuleResult[] => [
  ...alarms(results),
  ...results.filter(({ verdict }) => verdict === 'not exercised'),
];

export interface Repeats {
  readonly alarms: readonly Alarm[];
  readonly runs: number;
  readonly requests: number;
}

/** `times` whole runs against the server itself, two at a time. */
export async function alarmsOfRepeats(
  target: Target,
  times: number,
  { contract, rules }: Grounds,
  onProgress: (line: string) => void,
): Promise<Repeats> {
  const found: Alarm[] = [];
  let [runs, requests] = [0, 0];
  await inParallel([...Array(times).keys()], 2, async (index) => {
    const kind = kinds[index % kinds.length] ?? { profile: 'core', strict: true };
    const recording = await record({ target, ...kind, sleep: shortSleep });
    const results = notGreen(judge(recording, recording.exchanges, contract, rules));
    const where = `run ${index + 1} of the reference (${kind.profile}${kind.strict ? ', strict' : ''})`;
    found.push(...results.map((result) => ({ where, result })));
    runs += 1;
    requests += recording.exchanges.length;
    if (runs % 10 === 0 || runs === times)
      onProgress(`${runs} of ${times} runs, ${requests} requests, ${found.length} false alarms`);
  });
  return { alarms: found, runs, requests };
}
