/** One run of the suite: plan, requests, verdicts, report. Holds nothing between runs, so it can be called again and again. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

import { checks } from './checks/all.ts';
import { isScored } from './checks/frozen.ts';
import { outside } from './checks/outside.ts';
import { createClient } from './client.ts';
import { readContract, type Contract } from './contract.ts';
import { stateOf } from './known.ts';
import type { CheckContext, Exchange, Profile, Report, SuiteOptions } from './model.ts';
import { costOf, planFor, principalOf, type Plan } from './plan/plan.ts';
import { readRules, type Rule } from './rules.ts';
import { runPlan, type Ran } from './run.ts';
import { createRecorder } from './send.ts';
import { exitCodeOf, judgeRule, totalsOf, unscored } from './verdict.ts';

const { version: suiteVersion } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

let read: { contract: Contract; rules: readonly Rule[] } | undefined;

/** The contract and the rules, read once: compiling the schemas takes longer than judging a whole run. */
const contractAndRules = (): { contract: Contract; rules: readonly Rule[] } =>
  (read ??= { contract: readContract(), rules: readRules() });

const defaultDeadlineSeconds = 120;
const defaultTimeoutMilliseconds = 15_000;

/** Sends the profile's requests and judges the answers; never throws for what the target does. */
export async function runSuite(options: SuiteOptions): Promise<Report> {
  const { target, strict, profile = 'core', now = Date.now, onProgress = () => {} } = options;
  const plan = planFor(target, { strict, profile });
  const client = createClient();
  const startedAt = now();
  const recorder = createRecorder({
    target,
    client,
    now,
    unknownToken: randomBytes(24).toString('hex'),
    timeoutMilliseconds: options.timeoutMilliseconds ?? defaultTimeoutMilliseconds,
  });
  try {
    const ran = await runPlan({
      plan,
      recorder,
      now,
      onProgress,
      deadlineSeconds: options.deadlineSeconds ?? defaultDeadlineSeconds,
      sleep: options.sleep ?? ((milliseconds) => pause(milliseconds)),
    });
    const context = contextOf({ ...options, profile }, plan, ran, recorder.exchanges);
    return reportOf(options, context, plan, ran, { startedAt, finishedAt: now() });
  } finally {
    client.close();
  }
}

function contextOf(
  options: SuiteOptions & { profile: Profile },
  plan: Plan,
  ran: Ran,
  exchanges: readonly Exchange[],
): CheckContext {
  const byStep = Map.groupBy(exchanges, ({ step }) => step);
  const of = (step: string): readonly Exchange[] => byStep.get(step) ?? [];
  return {
    target: options.target,
    strict: options.strict,
    profile: options.profile,
    exchanges,
    of,
    first: (step) => of(step)[0],
    last: (step) => of(step).at(-1),
    planned: (step) => plan.requests.find((request) => request.step === step),
    absence: (step) => plan.skipped.get(step) ?? ran.unsent.get(step) ?? ran.problem ?? undefined,
    breaches: contractAndRules().contract.breaches,
  };
}

function reportOf(
  options: SuiteOptions,
  context: CheckContext,
  plan: Plan,
  ran: Ran,
  time: { startedAt: number; finishedAt: number },
): Report {
  const { contract, rules } = contractAndRules();
  const judged = rules.filter(({ id }) => !options.only || options.only.includes(id));
  const results = judged.map((rule) => {
    const result = judgeRule(rule, checks.get(rule.id), context, outside[rule.id]);
    return rule.how === 'W' || isScored(contract.version, rule.id) ? result : unscored(result);
  });
  const knownFailures = (options.knownFailures ?? []).map((known) => ({
    ...known,
    state: stateOf(known, results, time.finishedAt),
  }));
  const whole = {
    reportVersion: 1 as const,
    suiteVersion,
    contractVersion: contract.version,
    target: { name: context.target.name, baseUrl: context.target.baseUrl },
    profile: context.profile,
    strict: context.strict,
    startedAt: new Date(time.startedAt).toISOString(),
    finishedAt: new Date(time.finishedAt).toISOString(),
    requests: {
      plannedAtMost: costOf(context.target, plan).total,
      sent: context.exchanges.length,
      byPrincipal: spentBy(context, plan),
      rateLimitedOnce: ran.rateLimitedOnce,
    },
    results,
    exchanges: context.exchanges,
    totals: totalsOf(results),
    knownFailures,
    problem: ran.problem,
    hints: hintsOf(context),
  };
  return { ...whole, exitCode: exitCodeOf(whole) };
}

function spentBy(context: CheckContext, plan: Plan): Record<string, number> {
  const spent: Record<string, number> = {};
  for (const exchange of context.exchanges) {
    const planned = plan.requests.find(({ step }) => step === exchange.step);
    const principal = principalOf(context.target, planned ?? exchange);
    spent[principal] = (spent[principal] ?? 0) + 1;
  }
  return spent;
}

function hintsOf({ exchanges }: CheckContext): string[] {
  const answered = exchanges.filter(({ response }) => response.status > 0);
  const share = (holds: (exchange: Exchange) => boolean): number =>
    answered.filter(holds).length / Math.max(1, answered.length);
  const full = answered.filter(({ role, operation }) => role === 'full' && operation !== null);
  const hints: string[] = [];
  if (share(({ response }) => response.json === undefined) > 0.8)
    hints.push('hardly any answer is JSON: is the base URL right (without /api/v1)?');
  if (full.length > 0 && full.every(({ response }) => response.status === 401))
    hints.push('every answer to the full token is 401: is it the right one?');
  if (full.length > 0 && full.every(({ response }) => response.status === 404))
    hints.push('every answer to the full token is 404: is the base URL right (without /api/v1)?');
  return hints;
}
