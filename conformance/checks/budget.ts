/** The two fields of the budget (RAT-07): lists, in which each policy is a member of its own. */
import { headersOf } from '../answer.ts';
import type { Exchange } from '../model.ts';

/** What an answer says of the window that ends soonest; NaN is what it does not say. */
export interface Budget {
  /** The fields as they came. */
  readonly policy: string | undefined;
  readonly limit: string | undefined;
  readonly quota: number;
  /** Seconds, as is `ends`. */
  readonly window: number;
  readonly remaining: number;
  readonly ends: number;
}

interface Member {
  readonly name: string;
  parameter(name: string): number;
}

const text = String.raw`"(?:[^"\\]|\\.)*"`;
const parameters = new RegExp(String.raw`;\s*([a-z*][\w.*-]*)(?:=(${text}|:[^:]*:|[^;,\s]*))?`, 'g');
const members = new RegExp(String.raw`(${text})((?:\s*${parameters.source})*)`, 'g');

const membersOf = (field: string | undefined): Member[] =>
  [...(field ?? '').matchAll(members)].map(([, name = '', rest = '']) => {
    const told = new Map([...rest.matchAll(parameters)].map(([, key, value]) => [key, value]));
    return { name, parameter: (key) => (/^\d+$/.test(told.get(key) ?? '') ? Number(told.get(key)) : Number.NaN) };
  });

const fieldOf = ({ response }: Exchange, name: string): string | undefined => {
  const lines = headersOf(response, name);
  return lines.length === 0 ? undefined : lines.join(', ');
};

export function budgetOf(exchange: Exchange): Budget {
  const [policy, limit] = [fieldOf(exchange, 'ratelimit-policy'), fieldOf(exchange, 'ratelimit')];
  const policies = membersOf(policy).toSorted((one, other) => one.parameter('w') - other.parameter('w'));
  const left = membersOf(limit);
  const shown = policies.find(({ name }) => left.some((member) => member.name === name)) ?? policies[0];
  const state = left.find(({ name }) => name === shown?.name) ?? left[0];
  return {
    policy,
    limit,
    quota: shown?.parameter('q') ?? Number.NaN,
    window: shown?.parameter('w') ?? Number.NaN,
    remaining: state?.parameter('r') ?? Number.NaN,
    ends: state?.parameter('t') ?? Number.NaN,
  };
}
