/** What the self-proof finds, family by family. Pure but for the clock of nobody: recordings and rules in, figures out. */
import { checks } from '../checks/all.ts';
import type { Contract } from '../contract.ts';
import { generatedFaults, type Document, type GeneratedFault } from '../faults/generated.ts';
import { altered, judge, type Recording } from '../faults/replay.ts';
import type { Exchange, Fault, RuleResult } from '../model.ts';
import type { Rule } from '../rules.ts';

export interface Kill {
  readonly name: string;
  readonly family: string;
  readonly breaks: string;
  readonly killed: boolean;
  /** Why it survived; null where it was killed. */
  readonly reason: string | null;
}

export interface Grounds {
  readonly contract: Contract;
  readonly rules: readonly Rule[];
}

const same = (one: readonly Exchange[], other: readonly Exchange[]): boolean =>
  one.length === other.length && one.every((exchange, index) => exchange === other[index]);

/** Why the check of the fault's own rule did not fail, in the words of its verdict. */
const reasonOf = (result: RuleResult | undefined, touched: boolean): string =>
  !touched
    ? 'no answer of the run is one that the fault changes'
    : result === undefined
      ? 'there is no such rule'
      : `its check says "${result.verdict}"${result.reason ? `: ${result.reason}` : ''}`;

/** Whether only --strict may catch it. */
export const isOfRuling = (fault: Fault, rules: readonly Rule[]): boolean =>
  fault.level === 'ruling' || rules.find(({ id }) => id === fault.breaks)?.whollyRuling === true;

/** A fault that is said to break a rule itself has to be caught by default; one that breaks a ruling, with --strict. */
export async function killByReplay(
  fault: Fault,
  recordings: { readonly plain: Recording; readonly strict: Recording },
  { contract, rules }: Grounds,
): Promise<Kill> {
  const rule = rules.filter(({ id }) => id === fault.breaks);
  const strict = isOfRuling(fault, rules);
  const recording = strict ? recordings.strict : recordings.plain;
  const exchanges = await altered(recording, fault.alter);
  const [result] = judge(recording, exchanges, contract, rule, strict);
  const killed = result?.verdict === 'failed';
  return {
    name: fault.name,
    family: fault.family,
    breaks: fault.breaks,
    killed,
    reason: killed ? null : reasonOf(result, !same(exchanges, recording.exchanges)),
  };
}

const within = (pointer: string, place: string): boolean =>
  pointer.toLowerCase() === place.toLowerCase() || place.startsWith(`${pointer}/`) || pointer.startsWith(`${place}/`);

/** Rules whose checks hold bodies and headers to the contract, those that look at one document first. */
const schemaRules = (rules: readonly Rule[]): Rule[] =>
  rules.filter(({ how, id }) => how === 'S' || /^(CR|PS|GEN|AUT-09|RAT-07|DOC|ERR)/.test(id));

/** Killed only by a finding that names the very place. */
function killGenerated(fault: GeneratedFault, recording: Recording, { contract, rules }: Grounds): Kill {
  const exchanges = recording.exchanges.map((exchange) =>
    exchange.id === fault.exchangeId ? fault.alter(exchange) : exchange,
  );
  const nothing = JSON.stringify(exchanges) === JSON.stringify(recording.exchanges);
  for (const rule of schemaRules(rules)) {
    const [result] = judge(recording, exchanges, contract, [rule]);
    const found =
      result?.verdict === 'failed' &&
      result.findings.some(
        ({ exchangeId, pointer }) => exchangeId === fault.exchangeId && within(pointer, fault.pointer),
      );
    if (found) return { name: fault.name, family: fault.family, breaks: rule.id, killed: true, reason: null };
  }
  return {
    name: fault.name,
    family: fault.family,
    breaks: 'any schema rule',
    killed: false,
    reason: nothing ? 'the fault changes nothing' : `no finding names ${fault.pointer} of ${fault.exchangeId}`,
  };
}

/** Every `step`-th generated fault; 1 for all. */
export function killAllGenerated(
  document: Document,
  recordings: { readonly plain: Recording; readonly strict: Recording },
  grounds: Grounds,
  step = 1,
): Kill[] {
  const specification = generatedFaults(document, recordings.plain.exchanges).filter(
    ({ level }) => level === 'specification',
  );
  const rulings = generatedFaults(document, recordings.strict.exchanges).filter(({ level }) => level === 'ruling');
  const every = <T>(faults: readonly T[]): T[] => faults.filter((_, index) => index % step === 0);
  return [
    ...every(specification).map((fault) => killGenerated(fault, recordings.plain, grounds)),
    ...every(rulings).map((fault) => killGenerated(fault, recordings.strict, grounds)),
  ];
}

/** Verdicts that are an alarm about a right server. */
export const alarms = (results: readonly RuleResult[]): RuleResult[] =>
  results.filter(({ verdict }) => verdict === 'failed' || verdict === 'error');

export interface Loop {
  /** Testable rules without a check, checks without a fault, faults without a rule. */
  readonly gaps: readonly string[];
}

/** GEN-08 asks nothing of an answer but that we are not surprised; variants prove it, and one fault. */
export function closeLoop(rules: readonly Rule[], faults: readonly Fault[]): Loop {
  const testable = rules.filter(({ how }) => how !== 'W').map(({ id }) => id);
  const broken = new Set(faults.map(({ breaks }) => breaks));
  return {
    gaps: [
      ...testable.filter((id) => !checks.has(id)).map((id) => `${id} has no check`),
      ...[...checks.keys()].filter((id) => !broken.has(id)).map((id) => `the check ${id} has no fault that it catches`),
      ...[...broken]
        .filter((id) => !testable.includes(id))
        .map((id) => `faults break ${id}, which is no rule that can be tested over HTTP`),
      ...[...checks.keys()]
        .filter((id) => !testable.includes(id))
        .map((id) => `there is a check ${id} and no such rule`),
    ],
  };
}
