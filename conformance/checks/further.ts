/** What the requests of the extended profile's table have to be answered with; the same for every rule. */
import { headerOf, reasonOf } from '../answer.ts';
import type { Look } from '../look.ts';
import type { CheckContext, Exchange, Level, PlannedRequest } from '../model.ts';

const codes: Readonly<Record<number, string>> = {
  400: 'invalid-input',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  405: 'method-not-allowed',
};

/** True where the run had such a request for the rule. */
export function further(look: Look, context: CheckContext, rule: string): boolean {
  const asked = context.exchanges.flatMap((exchange) => {
    const planned = exchange.step.startsWith('more-') ? context.planned(exchange.step) : undefined;
    return planned?.rules.includes(rule) ? [{ exchange, planned }] : [];
  });
  for (const { exchange, planned } of asked) judge(look, exchange, planned);
  return asked.length > 0 || (rule === 'PST-06' && context.last('deep-accepted') !== undefined);
}

function judge(look: Look, exchange: Exchange, { facts = {} }: PlannedRequest): void {
  const status = Number(facts['status']);
  const level = facts['level'] as Level;
  if (!look.refusal(exchange, status, codes[status] ?? '', level)) return;
  const { reason, allow } = facts;
  if (reason !== undefined)
    look.that(
      reasonOf(exchange) === reason,
      exchange,
      '/error/details/reason',
      `"${String(reason)}"`,
      reasonOf(exchange),
      level,
    );
  else look.noDetails(exchange, level);
  if (typeof allow !== 'string') return;
  const methods = (headerOf(exchange.response, 'allow') ?? '').split(/\s*,\s*/);
  const other = allow === 'GET' ? 'POST' : 'GET';
  look.that(
    methods.includes(allow) && !methods.includes(other),
    exchange,
    'header:Allow',
    `${allow}, not ${other}`,
    methods.join(', '),
    level,
  );
}
