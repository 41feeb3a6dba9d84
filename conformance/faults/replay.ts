/**
 * A run that was recorded, judged again with its answers altered. Checks are pure functions of the exchanges, so a fault
 * costs milliseconds here, and a generated one can be tried at every place where a document really occurred.
 */
import { checks } from '../checks/all.ts';
import { outside } from '../checks/outside.ts';
import { createClient, parse } from '../client.ts';
import type { Contract } from '../contract.ts';
import type { AlterableRequest, CheckContext, Exchange, Fault, Profile, RuleResult } from '../model.ts';
import { planFor, type Plan } from '../plan/plan.ts';
import type { Rule } from '../rules.ts';
import { runPlan, type Ran } from '../run.ts';
import { createRecorder } from '../send.ts';
import type { Target } from '../target.ts';
import { judgeRule } from '../verdict.ts';
import { operationOf } from './proxy.ts';

export interface Recording {
  readonly target: Target;
  readonly profile: Profile;
  readonly strict: boolean;
  readonly plan: Plan;
  readonly ran: Ran;
  readonly exchanges: readonly Exchange[];
}

export interface RecordOptions {
  readonly target: Target;
  readonly profile: Profile;
  readonly strict: boolean;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly now?: () => number;
}

/** Sends a whole profile and keeps what was said. */
export async function record({ target, profile, strict, sleep, now = Date.now }: RecordOptions): Promise<Recording> {
  const plan = planFor(target, { strict, profile });
  const client = createClient();
  const recorder = createRecorder({
    target,
    client,
    now,
    unknownToken: 'a-token-that-nobody-issued-0123456789abcdef',
    timeoutMilliseconds: 15_000,
  });
  try {
    const ran = await runPlan({ plan, recorder, now, sleep, deadlineSeconds: 180, onProgress: () => {} });
    return { target, profile, strict, plan, ran, exchanges: [...recorder.exchanges] };
  } finally {
    client.close();
  }
}

/** The rules judged over a recording; `rules` may be only those of interest. */
export function judge(
  recording: Recording,
  exchanges: readonly Exchange[],
  contract: Contract,
  rules: readonly Rule[],
  strict = recording.strict,
): RuleResult[] {
  const context = contextOf(recording, exchanges, contract, strict);
  return rules.map((rule) => judgeRule(rule, checks.get(rule.id), context, outside[rule.id]));
}

function contextOf(
  { target, profile, plan, ran }: Recording,
  exchanges: readonly Exchange[],
  contract: Contract,
  strict: boolean,
): CheckContext {
  const byStep = Map.groupBy(exchanges, ({ step }) => step);
  const of = (step: string): readonly Exchange[] => byStep.get(step) ?? [];
  return {
    target,
    strict,
    profile,
    exchanges,
    of,
    first: (step) => of(step)[0],
    last: (step) => of(step).at(-1),
    planned: (step) => plan.requests.find((request) => request.step === step),
    absence: (step) => plan.skipped.get(step) ?? ran.unsent.get(step) ?? ran.problem ?? undefined,
    breaches: contract.breaches,
  };
}

/** The request as the proxy would see it; the credential, which no recording holds, is put back. */
function requestOf({ request, role }: Exchange, target: Target): AlterableRequest {
  const token = target.tokens[role]?.token ?? 'a-token-that-nobody-issued-0123456789abcdef';
  const headers = request.headers.map(([name, value]) => [name, value.replaceAll('$TOKEN', token)] as const);
  const parsable = !/^\S+ {2}|BROKEN/.test(request.path) && request.method !== '';
  return {
    method: parsable ? request.method : '',
    path: request.path,
    headers,
    body: request.body ?? '',
    operation: operationOf(request.method, request.path),
  };
}

/** Exchanges after a fault has gone over them in order; those that it leaves alone stay the same objects. */
export async function altered(recording: Recording, alter: Fault['alter']): Promise<Exchange[]> {
  const state = new Map<string, unknown>();
  const exchanges: Exchange[] = [];
  for (const exchange of recording.exchanges) exchanges.push(await alteredOne(exchange, recording, alter, state));
  return exchanges;
}

async function alteredOne(
  exchange: Exchange,
  { target, plan }: Recording,
  alter: Fault['alter'],
  state: Map<string, unknown>,
): Promise<Exchange> {
  const before = {
    status: exchange.response.status,
    headers: exchange.response.headers.map(([name, value]): [string, string] => [name, value]),
    body: exchange.response.body,
  };
  if (before.status === 0) return exchange;
  const same = JSON.stringify(before);
  const raw = plan.requests.find(({ step }) => step === exchange.step)?.raw !== undefined;
  const request = raw ? { method: '', path: '', headers: [], body: '', operation: null } : requestOf(exchange, target);
  const after = (await alter(before, request, state)) ?? before;
  if (JSON.stringify(after) === same) return exchange;
  return {
    ...exchange,
    response: {
      ...exchange.response,
      status: after.status,
      headers: after.headers,
      body: after.body,
      json: parse(after.body),
    },
  };
}
