/** The faults written by hand: over a recording, and through a real proxy. */
import { faults as allFaults } from '../faults/index.ts';
import { record, type Recording } from '../faults/replay.ts';
import type { Fault } from '../model.ts';
import type { Target } from '../target.ts';
import { inParallel, runLive, shortSleep } from './live.ts';
import { isOfRuling, killByReplay, type Grounds, type Kill } from './proof.ts';

interface Recordings {
  readonly plain: Recording;
  readonly strict: Recording;
}

/** The rate-limit profile waits for real windows. */
const realSleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

const of = (target: Target, profile: Fault['profile']): Fault[] =>
  allFaults(target).filter((fault) => fault.profile === profile);

/** One recording serves both levels, as these profiles ask strangers nothing that `--strict` changes. */
async function recordOf(target: Target, profile: 'extended' | 'rate-limit'): Promise<Recordings> {
  const sleep = profile === 'extended' ? shortSleep : realSleep;
  const recording = await record({ target, profile, strict: true, sleep });
  return { plain: recording, strict: recording };
}

/** Each fault over the recording of its profile; `quick` leaves out those that need a real window of the budget (65 s). */
export async function killByRecording(
  target: Target,
  core: Recordings,
  grounds: Grounds,
  quick: boolean,
): Promise<Kill[]> {
  const kill = async (profile: Fault['profile'], recordings: Recordings): Promise<Kill[]> => {
    const kills: Kill[] = [];
    for (const fault of of(target, profile)) kills.push(await killByReplay(fault, recordings, grounds));
    return kills;
  };
  return [
    ...(await kill(undefined, core)),
    ...(await kill('extended', await recordOf(target, 'extended'))),
    ...(quick ? [] : await kill('rate-limit', await recordOf(target, 'rate-limit'))),
  ];
}

/** Through a real proxy and the whole suite: a fault that changes what the suite sends next shows only here. */
export function killLive(target: Target, { rules }: Grounds): Promise<Kill[]> {
  // Of the budget a run sees what all runs spend together, so its headers are judged by the recording alone.
  const faults = [...of(target, undefined), ...of(target, 'extended')].filter(({ family }) => family !== 'RAT');
  return inParallel(faults, 4, async (fault) => {
    const { alter, profile = 'core', breaks, name, family } = fault;
    const report = await runLive({ target, strict: isOfRuling(fault, rules), profile, alter });
    const result = report.results.find(({ id }) => id === breaks);
    const killed = result?.verdict === 'failed';
    const reason = killed ? null : `its check says "${result?.verdict}": ${report.problem ?? result?.reason ?? ''}`;
    return { name, family: `${family} live`, breaks, killed, reason };
  });
}
