/** From what a check saw to a verdict, and from the verdicts to the exit code. */
import type { Check, CheckContext, Finding, Outcome, Profile, Report, RuleResult, Totals, Verdict } from './model.ts';
import type { Proof } from './checks/outside.ts';
import { extendedAlone } from './plan/extended.ts';
import type { Rule } from './rules.ts';
import { curlOf } from './send.ts';

/** Runs a check; its own fault is a verdict too, never a crash of the run. */
export function judgeRule(
  rule: Rule,
  check: Check | undefined,
  context: CheckContext,
  outside: Proof | undefined,
): RuleResult {
  if (rule.how === 'W')
    return result(
      rule,
      context,
      'not applicable',
      [],
      `not testable from outside; covered by ${outside ? `${outside.file}: ${outside.test}` : 'the tests of the implementation'}`,
    );
  if (!check) return result(rule, context, 'error', [], 'no check is written for this rule (conformance/checks)');
  try {
    return judged(rule, check.run(context), context);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return result(rule, context, 'error', [], `the check itself failed: ${message}`);
  }
}

function judged(rule: Rule, outcome: Outcome, context: CheckContext): RuleResult {
  const { strict } = context;
  const findings = outcome.findings.map((finding) =>
    rule.whollyRuling ? { ...finding, level: 'ruling' as const } : finding,
  );
  const scored = findings.filter(({ level }) => strict || level === 'specification');
  const missing = outcome.missing.filter(({ level }) => strict || (level === 'specification' && !rule.whollyRuling));
  const why = missing.map(({ what }) => what).join('; ');
  const shown = (verdict: Verdict, reason: string | null): RuleResult =>
    result(rule, context, verdict, findings, reason, outcome);
  if (scored.length > 0) return shown('failed', null);
  if (outcome.notApplicable !== undefined) return shown('not applicable', outcome.notApplicable);
  const little = outcome.looked.length === 0 || (missing.length > 0 && outcome.further !== true);
  if (little && !judgedBy(context.profile, rule)) return shown('not applicable', 'judged by --profile core');
  if (missing.length > 0 && judgedBy(context.profile, rule)) return shown('not exercised', why);
  if (findings.length > 0) return shown('observed', 'differs from a ruling of ours; judged with --strict only');
  if (outcome.looked.length > 0) return shown('passed', null);
  if (!strict && rule.whollyRuling)
    return shown('observed', 'a ruling of ours; requests for it are sent with --strict only');
  return shown('not exercised', 'no exchange of this run shows it');
}

/** A check that is newer than the contract's version is shown, and decides nothing. */
export const unscored = (result: RuleResult): RuleResult =>
  ['passed', 'failed', 'not exercised'].includes(result.verdict)
    ? {
        ...result,
        verdict: 'observed',
        reason: `newer than this version of the contract; it would be: ${result.verdict}`,
      }
    : result;

/** Whether what a rule lacks in a run of this profile is missing, or belongs to another profile. */
const judgedBy = (profile: Profile, { id, section }: Rule): boolean =>
  profile === 'extended' ? extendedAlone.has(id) : profile === 'rate-limit' ? section === 'RAT' : true;

function result(
  rule: Rule,
  context: CheckContext,
  verdict: Verdict,
  findings: readonly Finding[],
  reason: string | null,
  outcome?: Outcome,
): RuleResult {
  const byId = new Map(context.exchanges.map((exchange) => [exchange.id, exchange]));
  const curl = (id: string): string => {
    const exchange = byId.get(id);
    return exchange ? curlOf(exchange, context.target) : '';
  };
  return {
    id: rule.id,
    section: rule.section,
    text: rule.text,
    ruling: rule.ruling,
    how: rule.how,
    level: rule.whollyRuling ? 'ruling' : rule.ruling === null ? 'specification' : 'both',
    verdict,
    findings: findings.slice(0, mostFindings).map((finding) => ({ ...finding, curl: curl(finding.exchangeId) })),
    reason,
    notes: [
      ...(outcome?.notes ?? []),
      ...(findings.length > mostFindings ? [`${findings.length - mostFindings} more of the kind`] : []),
    ],
    exchanges: outcome?.looked ?? [],
  };
}

/** One broken field shows in every document: enough of them to see it. */
const mostFindings = 12;

export function totalsOf(results: readonly RuleResult[]): Totals {
  const inside = results.filter(({ how }) => how !== 'W');
  const count = (verdict: Verdict): number => inside.filter((each) => each.verdict === verdict).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    notExercised: count('not exercised'),
    notApplicable: count('not applicable'),
    observed: count('observed'),
    error: count('error'),
    outside: results.length - inside.length,
  };
}

/** 0 conformant, 1 failed, 2 harness or configuration, 3 something required was not exercised. */
export function exitCodeOf(
  report: Pick<Report, 'results' | 'knownFailures' | 'problem' | 'totals'>,
): Report['exitCode'] {
  const { totals, knownFailures, problem, results } = report;
  if (problem !== null || totals.error > 0 || results.every(({ exchanges }) => exchanges.length === 0)) return 2;
  const known = new Set(knownFailures.filter(({ state }) => state === 'known').map(({ id }) => id));
  if (results.some(({ id, verdict }) => verdict === 'failed' && !known.has(id))) return 1;
  if (knownFailures.some(({ state }) => state !== 'known')) return 1;
  return totals.notExercised > 0 ? 3 : 0;
}
