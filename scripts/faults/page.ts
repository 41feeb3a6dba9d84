import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import type { EngineName, Fault, Figure } from './fault.ts';

/** A fault brought about on one engine, and what came of it; kept as JSON beside the page. */
export interface Verdict {
  readonly id: string;
  readonly engine: EngineName;
  /** Run with `--quick`; verdicts of before this was kept do not say. */
  readonly quick?: boolean;
  readonly seed: number;
  readonly seconds: number;
  readonly figures: readonly Figure[];
  /** Why there are no figures. */
  readonly notRun: string | null;
  /** Of the checkout, and whether the code that was run had changes since. */
  readonly commit: string;
  readonly machine: string;
}

export const isGreen = ({ figures, notRun }: Verdict): boolean =>
  notRun === null && figures.length > 0 && figures.every(({ inside }) => inside);

export const wordOf = (verdict: Verdict): string => {
  if (verdict.notRun !== null) return 'not run';
  return isGreen(verdict) ? 'held' : 'NOT HELD';
};

/** The earlier verdicts, those of the same fault and store replaced by the later ones. */
export function merged(earlier: readonly Verdict[], later: readonly Verdict[]): Verdict[] {
  const same = (left: Verdict) => (right: Verdict) => left.id === right.id && left.engine === right.engine;
  return [...earlier.filter((each) => !later.some(same(each))), ...later];
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const row = (...cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

/** A line for each fault and engine, then each fault with its figures. */
export function pageOf(faults: readonly Fault[], verdicts: readonly Verdict[]): string {
  const ordered = faults.flatMap((fault) =>
    verdicts.filter(({ id }) => id === fault.id).map((verdict) => ({ fault, verdict })),
  );
  const green = ordered.filter(({ verdict }) => isGreen(verdict)).length;
  const machines = [...new Set(ordered.map(({ verdict }) => verdict.machine))];
  return [
    '# Faults survived',
    '',
    `Made by \`npm run faults\` on ${machines.join('; ')}. ${green} of ${ordered.length} held.`,
    '',
    'Real processes of the service, stopped, killed and cut off; a collector that counts every call and answers as it is told to;',
    'callers that hold every answer to the contract. Leases last 2 s here, so that the times below are those of the faults.',
    '',
    row('fault', 'store', 'verdict', 'seed', 'seconds', 'commit'),
    row('---', '---', '---', '---', '---', '---'),
    ...ordered.map(({ fault, verdict }) => summary(fault, verdict)),
    '',
    ...ordered.flatMap(({ fault, verdict }) => section(fault, verdict)),
  ].join('\n');
}

const nameOf = ({ id, title }: Fault): string => `${id} ${title}`;

function summary(fault: Fault, verdict: Verdict): string {
  const { engine, quick, seed, seconds, commit } = verdict;
  const word = `${wordOf(verdict)}${quick ? ' (quick)' : ''}`;
  return row(nameOf(fault), engine, word, String(seed), seconds.toFixed(0), commit);
}

function section(fault: Fault, { engine, figures, notRun, seed, quick }: Verdict): string[] {
  const again = `npm run faults -- --only ${fault.id} --engine ${engine} --seed ${seed}${quick ? ' --quick' : ''}`;
  return [
    `## ${nameOf(fault)} (${engine})`,
    '',
    `Must hold: ${fault.mustHold}. Again: \`${again}\``,
    '',
    ...(notRun === null ? [] : [`Not run: ${notRun}`, '']),
    ...(figures.length === 0 ? [] : [row('figure', 'measured', 'bound', 'inside'), row('---', '---', '---', '---')]),
    ...figures.map(({ name, value, bound, inside }) => row(name, value, bound, inside ? 'yes' : '**no**')),
    ...(figures.length === 0 ? [] : ['']),
  ];
}

/** The commit that is run, and the machine. */
export function whereRun(): Pick<Verdict, 'commit' | 'machine'> {
  const options = { cwd: import.meta.dirname, encoding: 'utf8' } as const;
  const git = (...args: string[]): string => execFileSync('git', args, { ...options, stdio: 'pipe' }).trim();
  let commit = 'unknown';
  try {
    const changed = git(
      'status',
      '--porcelain',
      '--untracked-files=no',
      '--',
      ':/src',
      ':/scripts',
      ':/package-lock.json',
    );
    commit = git('rev-parse', '--short', 'HEAD') + (changed === '' ? '' : ' and changes');
  } catch {
    // An unpacked archive has no history.
  }
  const [cpu] = cpus();
  return { commit, machine: `${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'}), Node ${process.version}` };
}
