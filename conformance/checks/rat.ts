/** RAT: the request budget. The core profile reads headers only; the rate-limit profile spends a window. */
import { headerOf, waitOf } from '../answer.ts';
import type { Look } from '../look.ts';
import type { Check, CheckContext, Exchange } from '../model.ts';
import { principalOf } from '../plan/plan.ts';
import { largestBudget } from '../plan/rate-limit.ts';
import { budgetOf } from './budget.ts';
import { answered, check } from './check.ts';

const rated = ({ exchanges }: CheckContext): Exchange[] => exchanges.filter(({ step }) => step.startsWith('rate-'));

/** Whether the profile asked for spends a window; where not, the rule is left to the one that does. */
function spends(look: Look, { profile, target }: CheckContext): boolean {
  if (profile === 'core') look.lacks('judged by --profile rate-limit');
  else if (target.capabilities.budget > largestBudget)
    look.lacks('the declared budget is larger than what the profile may spend');
  else if (!target.tokens.rateLimited) look.miss('the target declares no token for the role rateLimited');
  else return true;
  return false;
}

const within = (context: CheckContext): Exchange[] =>
  rated(context).filter(({ step }) => step === 'rate-batch' || /^rate-\d+$/.test(step));

export const rat: readonly Check[] = [
  check('RAT-01', (look, context) => {
    if (!spends(look, context)) return;
    const { budget } = context.target.capabilities;
    for (const exchange of within(context)) {
      const { status } = exchange.response;
      const { identifiers, facts } = context.planned(exchange.step) ?? {};
      const right = identifiers !== undefined && !(status === 403 && facts?.['scope'] !== undefined);
      look.that(
        right ? status === 200 : status !== 429,
        exchange,
        'status',
        `${right ? '200' : 'no 429'} for a request within ${budget} a window`,
        status,
      );
      const { quota } = budgetOf(exchange);
      if (!Number.isNaN(quota))
        look.that(quota === budget, exchange, 'header:RateLimit-Policy', `q=${budget}`, quota, 'ruling');
    }
    const over = look.step('rate-over');
    if (over && !straddles(context)) look.status(over, 429);
  }),
  check('RAT-02', (look, context) => {
    if (!spends(look, context)) return;
    const over = look.step('rate-over');
    if (!over) return;
    if (over.response.status !== 429 && straddles(context))
      return look.miss('the window ended while it was being spent');
    if (!look.refusal(over, 429, 'rate-limited')) return;
    const wait = waitOf(over) ?? Number.NaN;
    const { windowSeconds } = context.target.capabilities;
    look.that(
      wait >= 1 && wait <= windowSeconds,
      over,
      'header:Retry-After',
      `1 to ${windowSeconds}`,
      headerOf(over.response, 'retry-after'),
    );
    const left = budgetOf(over).remaining;
    if (!Number.isNaN(left)) look.that(left === 0, over, 'header:RateLimit', 'r=0', left, 'ruling');
    const later = look.step('rate-over-second');
    if (later?.response.status === 429) agree(look, over, later);
    const after = look.step('rate-after');
    if (after)
      look.that(after.response.status === 200, after, 'status', '200 once the wait is over', after.response.status);
  }),
  check('RAT-03', (look, context) => {
    if (!spends(look, context)) return;
    const over = look.step('rate-over');
    const again = look.step('rate-after-again');
    if (!over || !again) return;
    if (over.response.status !== 429) return look.miss('no 429 came, so nobody saw a window end');
    look.status(again, 200);
    opensWithTheFirst(look, context, over);
  }),
  check('RAT-04', (look, context) => {
    if (!spends(look, context)) return;
    const refused = within(context).filter(({ response }) => [400, 403, 404].includes(response.status));
    if (refused.length === 0) return look.miss('nothing was refused within the window');
    const over = look.step('rate-over');
    if (over?.response.status !== 429 && straddles(context))
      return look.miss('the window ended while it was being spent');
    const names = refused.map(({ id, response }) => `${id} (${response.status})`).join(', ');
    if (over)
      look.that(
        over.response.status === 429,
        over,
        'status',
        `429, as the refused ${names} count too`,
        over.response.status,
      );
  }),
  check('RAT-05', (look, context) => {
    if (!spends(look, context)) return;
    const batch = look.step('rate-batch');
    if (!batch || !look.status(batch, 200)) return;
    for (const exchange of within(context))
      look.that(exchange.response.status !== 429, exchange, 'status', 'a batch of 100 to cost one request', 429);
  }),
  check('RAT-06', (look, context) => {
    if (!spends(look, context)) return;
    const second = look.step('rate-over-second');
    if (second && context.last('rate-over')?.response.status === 429) look.status(second, 429);
    const other = look.step('rate-other');
    if (other)
      look.that(other.response.status !== 429, other, 'status', "another principal's budget not to be spent", 429);
  }),
  check('RAT-07', (look, context) => {
    judgeSpending(look, context);
    judgeBatches(look, context);
    judgeWindows(look, context);
    const last = new Map<string, { exchange: Exchange; remaining: number }>();
    for (const exchange of answered(context)) {
      const principal = principalOf(context.target, context.planned(exchange.step) ?? exchange);
      const { limit, remaining } = budgetOf(exchange);
      if (exchange.operation === null) continue;
      if (exchange.response.status === 401) {
        look.that(
          limit === undefined,
          exchange,
          'header:RateLimit',
          'no such header: a 401 spends nothing',
          limit,
          'ruling',
        );
      } else if (principal !== 'none' && exchange.response.status < 500) {
        judgeBudget(look, exchange, last.get(principal));
        last.set(principal, { exchange, remaining });
      }
    }
  }),
];

/** Ruling of RAT-03: what the 429 names is the end of the window that the first request opened. */
function opensWithTheFirst(look: Look, context: CheckContext, over: Exchange): void {
  const [first] = within(context);
  const wait = waitOf(over);
  if (!first || wait === null) return;
  const apart = over.receivedAt + wait * 1000 - first.receivedAt - context.target.capabilities.windowSeconds * 1000;
  look.that(
    Math.abs(apart) <= 2500,
    over,
    'header:Retry-After',
    `the end of the window that ${first.id} opened`,
    `${(apart / 1000).toFixed(1)} s ${apart > 0 ? 'later' : 'earlier'}`,
    'ruling',
  );
}

/** Two refusals some seconds apart: both name the end of the same window. */
function agree(look: Look, over: Exchange, later: Exchange): void {
  const ends = [over, later].map((exchange) => exchange.receivedAt + (waitOf(exchange) ?? Number.NaN) * 1000);
  const apart = Math.abs((ends[0] ?? Number.NaN) - (ends[1] ?? Number.NaN));
  look.that(
    apart <= 1600,
    later,
    'header:Retry-After',
    `what is left of the window that ${over.id} named`,
    `${waitOf(later)} s, after ${waitOf(over)} s were named ${Math.round((later.receivedAt - over.receivedAt) / 1000)} s before`,
  );
}

/** Whether a full minute of the clock began while the budget was spent: a window that follows the clock may have ended then. */
function straddles(context: CheckContext): boolean {
  const spent = within(context);
  const [first, last] = [spent[0], context.last('rate-over')];
  const { windowSeconds } = context.target.capabilities;
  if (!first || !last) return false;
  return (
    Math.floor(first.sentAt / (windowSeconds * 1000)) !== Math.floor(last.receivedAt / (windowSeconds * 1000)) &&
    last.receivedAt - first.sentAt > 1000
  );
}

/** Ten requests and more of one principal can't all find the same number left. */
function judgeSpending(look: Look, context: CheckContext): void {
  const spenders = Map.groupBy(
    answered(context).filter(({ operation, response }) => operation !== null && response.status !== 401),
    (exchange) => principalOf(context.target, context.planned(exchange.step) ?? exchange),
  );
  for (const exchanges of spenders.values()) {
    const left = new Set(exchanges.map(leftAt));
    const last = exchanges.at(-1);
    if (!last || exchanges.length < 10) continue;
    if (left.size <= 2 && !left.has(0))
      look.fail(last, 'header:RateLimit', 'an r that falls with each request', [...left].join(', '), 'ruling');
    const costs = costsOf(exchanges);
    // Somebody else may spend the same budget, but not always a multiple of one number.
    const price = costs.reduce(commonDivisor, 0);
    if (costs.length >= 10 && price > 1)
      look.fail(last, 'header:RateLimit', 'a request to cost one', String(price), 'ruling');
  }
}

/** Requests that spent a budget, by principal, each with what it found left. */
const spentBy = (context: CheckContext): Exchange[][] => [
  ...Map.groupBy(
    answered(context).filter((exchange) => !Number.isNaN(leftAt(exchange))),
    (exchange) => principalOf(context.target, context.planned(exchange.step) ?? exchange),
  ).values(),
];

const leftAt = (exchange: Exchange): number => budgetOf(exchange).remaining;

const someIdentifiers = 10;

/** RAT-05 as the fields show it: somebody else may spend too, but not at each batch of a kind as much as it has identifiers. */
function judgeBatches(look: Look, context: CheckContext): void {
  for (const exchanges of spentBy(context)) {
    const batches = exchanges.flatMap((exchange, index) => {
      const [before, size] = [exchanges[index - 1], context.planned(exchange.step)?.identifiers?.length ?? 0];
      const cost = before ? leftAt(before) - leftAt(exchange) : 0;
      return before && size >= someIdentifiers && cost > 0 ? [{ exchange, cost, size }] : [];
    });
    for (const kind of Map.groupBy(batches, ({ exchange }) => /posts/i.test(exchange.operation ?? '')).values()) {
      const last = kind.at(-1);
      if (last && kind.length >= 3 && kind.every(({ cost, size }) => cost >= size))
        look.fail(
          last.exchange,
          'header:RateLimit',
          `a batch of ${last.size} to cost one request`,
          `${last.cost} less than before it`,
          'ruling',
        );
    }
  }
}

/** A window that is fixed ends at one instant, whichever answer tells of it; as long as less and less is left, it is one. */
function judgeWindows(look: Look, context: CheckContext): void {
  for (const exchanges of spentBy(context)) {
    let opened: Exchange | undefined;
    let before: Exchange | undefined;
    for (const exchange of exchanges) {
      if (!opened || !before || leftAt(exchange) >= leftAt(before)) opened = exchange;
      before = exchange;
      const ends = [opened, exchange].map((each) => budgetOf(each).ends);
      const later = ((ends[1] ?? Number.NaN) - (ends[0] ?? Number.NaN)) * 1000 + exchange.sentAt - opened.receivedAt;
      look.that(
        !(later > roundingMilliseconds),
        exchange,
        'header:RateLimit',
        `the end of the window that ${opened.id} told`,
        `${(later / 1000).toFixed(1)} s later`,
        'ruling',
      );
    }
  }
}

/** Each of two instants is told in whole seconds. */
const roundingMilliseconds = 2000;

const commonDivisor = (one: number, other: number): number => (other === 0 ? one : commonDivisor(other, one % other));

/** By how much each request let the budget fall; where it rose, a window ended in between. */
const costsOf = (exchanges: readonly Exchange[]): number[] =>
  exchanges
    .map(leftAt)
    .flatMap((left, index, all) => (index > 0 ? [(all[index - 1] ?? Number.NaN) - left] : []))
    .filter((cost) => cost > 0);

function judgeBudget(
  look: Look,
  exchange: Exchange,
  before: { exchange: Exchange; remaining: number } | undefined,
): void {
  const { policy, limit, quota, window, remaining, ends } = budgetOf(exchange);
  look.that(
    /^"[^"]+"\s*;/.test(policy ?? '') && quota >= 1 && window >= 1,
    exchange,
    'header:RateLimit-Policy',
    '"name";q=…;w=…',
    policy,
    'ruling',
  );
  if (
    !look.that(
      /^"[^"]+"\s*;/.test(limit ?? '') && remaining >= 0 && !(remaining >= quota),
      exchange,
      'header:RateLimit',
      '"name";r=… below the quota, as this request counts',
      limit,
      'ruling',
    )
  )
    return;
  const wait = waitOf(exchange);
  if (!Number.isNaN(ends)) {
    look.that(ends <= window, exchange, 'header:RateLimit', `t within the window of ${window} s`, limit, 'ruling');
    look.that(
      wait === null || wait >= ends,
      exchange,
      'header:RateLimit',
      `no t, as Retry-After (${wait} s) ends earlier`,
      limit,
      'ruling',
    );
  } else if (wait === null) look.fail(exchange, 'header:RateLimit', 'a t', limit ?? 'nothing', 'ruling');
  if (!before || Number.isNaN(before.remaining)) return;
  // More left than before: the window ended between the two, which says nothing about what a request costs.
  const sameWindow =
    exchange.sentAt - before.exchange.sentAt < 1000 && remaining < quota - 1 && remaining <= before.remaining;
  const spent = before.remaining - remaining;
  look.that(
    !sameWindow || spent >= 1 || remaining === 0,
    exchange,
    'header:RateLimit',
    `less than the ${before.remaining} of ${before.exchange.id}`,
    limit,
    'ruling',
  );
}
