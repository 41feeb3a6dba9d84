/** The scenario of a profile, and what it costs: everything is known before the first byte is sent. */
import { randomBytes } from 'node:crypto';

import type { PlannedRequest, Profile } from '../model.ts';
import type { Target } from '../target.ts';
import { planExtended } from './extended.ts';
import { fixturesOf } from './fixtures.ts';
import { createPlanner, type Plan } from './planner.ts';
import { planRateLimit } from './rate-limit.ts';
import { planDiscoveries, planSettled } from './reads.ts';
import { planRefusals } from './refusals.ts';

export type { Plan } from './planner.ts';

export function planFor(target: Target, options: { strict: boolean; profile: Profile; unique?: string }): Plan {
  const planner = createPlanner(target, options.strict);
  const fixtures = fixturesOf(target, options.unique ?? randomBytes(5).toString('hex'));
  const { profile } = options;
  if (profile === 'extended' || profile === 'all') planExtended(planner, fixtures);
  if (profile === 'core' || profile === 'all') {
    planDiscoveries(planner, fixtures);
    planRefusals(planner, fixtures);
    planSettled(planner, fixtures);
  }
  if (profile === 'rate-limit' || profile === 'all') planRateLimit(planner, fixtures);
  return planner.plan();
}

/** Name of the budget that a request draws on; `none` where it can't draw on any. */
export function principalOf(
  target: Target,
  { role, authorization, raw }: Pick<PlannedRequest, 'role' | 'authorization' | 'raw'>,
): string {
  if (role === 'none' || role === 'unknown' || role === 'expired' || role === 'revoked' || raw !== undefined)
    return 'none';
  if (authorization && !(authorization.length === 1 && /^bearer +\$TOKEN$/i.test(authorization[0] ?? '')))
    return 'none';
  return target.tokens[role]?.principal ?? role;
}

export interface Cost {
  readonly total: number;
  readonly polls: number;
  readonly byPrincipal: Readonly<Record<string, number>>;
  readonly expectedSeconds: number;
}

/** At most so many requests; a poll counts as if it were needed. */
export function costOf(target: Target, { requests }: Plan): Cost {
  const byPrincipal: Record<string, number> = {};
  let polls = 0;
  for (const request of requests) {
    const principal = principalOf(target, request);
    byPrincipal[principal] = (byPrincipal[principal] ?? 0) + 1 + (request.polls ?? 0);
    polls += request.polls ?? 0;
  }
  const windows = requests.some(({ step }) => step === 'rate-after') ? target.capabilities.windowSeconds + 15 : 0;
  return {
    total: requests.length + polls,
    polls,
    byPrincipal,
    expectedSeconds: Math.ceil(requests.length * 0.05 + (polls > 0 ? 2 : 0) + windows),
  };
}

/** The plan as a person reads it. */
export function describePlan(target: Target, plan: Plan): string {
  const cost = costOf(target, plan);
  const lines = plan.requests.map((request) => {
    const again = request.polls ? ` (and up to ${request.polls} re-reads, each after its Retry-After)` : '';
    return `  ${request.phase}  ${request.step.padEnd(22)} ${request.role.padEnd(17)} ${request.purpose}${again}`;
  });
  const principals = Object.entries(cost.byPrincipal).map(([name, count]) => `  ${name}: at most ${count}`);
  const skipped = [...plan.skipped].map(([step, why]) => `  ${step}: ${why}`);
  return [
    `Plan for ${target.name} (${target.baseUrl}): at most ${cost.total} requests, ${cost.polls} of them re-reads, about ${cost.expectedSeconds} s`,
    'Requests by principal:',
    ...principals,
    'Steps in order:',
    ...lines,
    ...(skipped.length > 0 ? ['Left out:', ...skipped] : []),
  ].join('\n');
}
