/** The figures of the self-proof for a person. */
import { variants } from '../benign/variants.ts';
import { blindSpots } from '../faults/blind.ts';
import type { Alarm, Repeats } from './alarms.ts';
import { explained } from './explained.ts';
import type { Kill } from './proof.ts';

export interface Proof {
  readonly hand: readonly Kill[];
  readonly generated: readonly Kill[];
  readonly repeats: Repeats;
  readonly falseAlarms: readonly Alarm[];
  readonly gaps: readonly string[];
  readonly passed: boolean;
  readonly seconds: number;
}

const line = (family: string, killed: number, of: number): string =>
  `  ${family.padEnd(28)} ${String(killed).padStart(4)} of ${String(of).padStart(4)} killed  ${((100 * killed) / Math.max(1, of)).toFixed(1)} %`;

function sayKills(title: string, kills: readonly Kill[]): string[] {
  const alive = kills.filter(({ killed }) => !killed);
  return [
    `\n${title}`,
    ...[...Map.groupBy(kills, ({ family }) => family)].map(([family, ones]) =>
      line(family, ones.filter(({ killed }) => killed).length, ones.length),
    ),
    line('all', kills.length - alive.length, kills.length),
    ...alive.map(({ name, breaks, reason }) => `  survived: ${breaks} "${name}": ${explained(name) ?? reason}`),
  ];
}

const seen = ({ findings: [finding], reason }: Alarm['result']): string =>
  finding ? `${finding.pointer} expected ${finding.expected}, seen ${finding.seen}` : (reason ?? '');

export const sayAlarms = (found: readonly Alarm[]): string[] => [
  `\nfalse alarms: ${found.length}`,
  ...found.map(({ where, result }) => `  ${where}: ${result.id} ${result.verdict}: ${seen(result)}`),
];

export function sayProof({ hand, generated, repeats, falseAlarms, gaps, passed, seconds }: Proof): string {
  const rules = new Set(hand.map(({ breaks }) => breaks)).size;
  const silent = variants.filter(({ strict }) => strict === 'silent').length;
  return [
    ...sayKills(`faults written by hand (${rules} rules), each counted only if its own rule's check catches it`, hand),
    ...sayKills('faults generated from the schemas, each counted only if a finding names the very place', generated),
    `\n${variants.length} unusual but legal servers (${silent} silent at both levels), ${repeats.runs + 2} runs of the reference itself`,
    ...sayAlarms(falseAlarms),
    `\nknown blind spots, not part of the figures: ${blindSpots.length}`,
    ...blindSpots.map(({ rule, fault, why }) => `  ${rule} "${fault}": ${why}`),
    `\nclosed loop: ${gaps.length === 0 ? 'every testable rule has a check, every check a fault, every fault a rule' : gaps.join('; ')}`,
    `${passed ? 'proved' : 'NOT proved'} in ${seconds} s`,
  ].join('\n');
}
