import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import type { EngineName, Fault, Figure } from './fault.ts';

/** A fault brought about on one engine, and what came of it. */
export interface Verdict {
  readonly fault: Fault;
  readonly engine: EngineName;
  readonly seed: number;
  readonly seconds: number;
  readonly figures: readonly Figure[];
  /** Why there are no figures, or why they are not all. */
  readonly notRun: string | null;
}

export const isGreen = ({ figures, notRun }: Verdict): boolean =>
  notRun === null && figures.length > 0 && figures.every(({ inside }) => inside);

export const wordOf = (verdict: Verdict): string => {
  if (verdict.notRun !== null) return 'not run';
  return isGreen(verdict) ? 'held' : 'NOT HELD';
};

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const row = (...cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

/** The page: what was run where, a line for each fault and engine, then each fault with its figures. */
export function pageOf(verdicts: readonly Verdict[], command: string): string {
  const green = verdicts.filter(isGreen).length;
  return [
    '# Faults survived',
    '',
    `Made by \`${command}\` on ${machine()}. ${green} of ${verdicts.length} held.`,
    '',
    'Real processes of the service, stopped, killed and cut off; a collector that counts every call and answers as it is told',
    'to; callers that hold every answer to the contract. Leases last 2 s here, so that the times below are those of the faults.',
    '',
    row('fault', 'store', 'seed', 'seconds', 'verdict'),
    row('---', '---', '---', '---', '---'),
    ...verdicts.map((each) => row(nameOf(each), each.engine, String(each.seed), each.seconds.toFixed(0), wordOf(each))),
    '',
    ...verdicts.flatMap(section),
  ].join('\n');
}

const nameOf = ({ fault }: Verdict): string => `${fault.id} ${fault.title}`;

function section(verdict: Verdict): string[] {
  const { fault, engine, figures, notRun, seed } = verdict;
  const again = `npm run faults -- --only ${fault.id} --engine ${engine} --seed ${seed}`;
  return [
    `## ${nameOf(verdict)} (${engine})`,
    '',
    `Must hold: ${fault.mustHold}. Again: \`${again}\``,
    '',
    ...(notRun === null ? [] : [`Not run: ${notRun}`, '']),
    ...(figures.length === 0 ? [] : [row('figure', 'measured', 'bound', 'inside'), row('---', '---', '---', '---')]),
    ...figures.map(({ name, value, bound, inside }) => row(name, value, bound, inside ? 'yes' : '**no**')),
    ...(figures.length === 0 ? [] : ['']),
  ];
}

function machine(): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  }).trim();
  const [cpu] = cpus();
  const day = new Date().toISOString().slice(0, 10);
  return `${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'}), Linux, Node ${process.version}, ${day}, commit ${commit}`;
}
