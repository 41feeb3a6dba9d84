/** Faults against RAT. Those about windows need a memory of the proxy. */
import { admit, header, headerOf, isBatch, refuse, submitted, table, tokenOf, type Table } from './edit.ts';

const count = (state: Map<string, unknown>, name: string, by = 1): number => {
  const number = Number(state.get(name) ?? 0) + by;
  state.set(name, number);
  return number;
};

export const rat: Table = ({ tokens, capabilities }) => {
  const second = tokens.rateLimitedSecond?.token;
  const limited = tokens.rateLimited?.token;
  return table('RAT', [
    ['there is no budget', 'RAT-01', (r, q) => void (r.status === 429 && admit(r, q))],
    [
      'the budget is half',
      'RAT-01',
      (r, q, state) => {
        if (tokenOf(q) !== limited || count(state, 'asked') <= capabilities.budget / 2 || r.status === 429) return;
        refuse(r, 429);
        header(r, 'Retry-After', '20');
      },
    ],
    ['429 has no Retry-After', 'RAT-02', (r) => void (r.status === 429 && header(r, 'Retry-After', null))],
    ['429 always says a whole day', 'RAT-02', (r) => void (r.status === 429 && header(r, 'Retry-After', '86400'))],
    ['over the budget is 403', 'RAT-02', (r) => void (r.status === 429 && refuse(r, 403))],
    ['over the budget is 503', 'RAT-02', (r) => void (r.status === 429 && ((r.status = 503), 0))],
    [
      'a batch counts each identifier',
      'RAT-05',
      (r, q, state) => {
        const before = Number(state.get('spent') ?? 0);
        const spent = count(state, 'spent', isBatch(q) ? Math.max(0, submitted(q).length - 1) : 0);
        if (tokenOf(q) === undefined || r.status >= 400) return;
        const rest = Math.max(0, Number(/r=(\d+)/.exec(headerOf(r.headers, 'ratelimit') ?? '')?.[1] ?? 0) - spent);
        header(r, 'RateLimit', (headerOf(r.headers, 'ratelimit') ?? '"default";r=0;t=9').replace(/r=\d+/, `r=${rest}`));
        if (before > 60) {
          refuse(r, 429);
          header(r, 'Retry-After', '20');
        }
      },
    ],
    [
      'each token has a budget of its own',
      'RAT-06',
      (r, q) => void (r.status === 429 && tokenOf(q) === second && admit(r, q)),
    ],
    ['there is no RateLimit', 'RAT-07', (r) => header(r, 'RateLimit', null), 'ruling'],
    ['there is no RateLimit-Policy', 'RAT-07', (r) => header(r, 'RateLimit-Policy', null), 'ruling'],
    ['errors carry no budget', 'RAT-07', (r) => void (r.status >= 400 && header(r, 'RateLimit', null)), 'ruling'],
    [
      'the old header fields are used',
      'RAT-07',
      (r) => {
        header(r, 'RateLimit', null);
        header(r, 'RateLimit-Policy', null);
        header(r, 'X-RateLimit-Limit', '60');
      },
      'ruling',
    ],
    [
      'a 401 carries a budget',
      'RAT-07',
      (r) => {
        if (r.status === 401) {
          header(r, 'RateLimit', '"default";r=59;t=42');
          header(r, 'RateLimit-Policy', '"default";q=60;w=60');
        }
      },
      'ruling',
    ],
    [
      'what is left never gets less',
      'RAT-07',
      (r) => void (headerOf(r.headers, 'ratelimit') && header(r, 'RateLimit', '"default";r=59;t=42')),
      'ruling',
    ],
  ]);
};
