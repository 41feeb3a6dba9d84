/** Faults against RAT. Those about windows need a memory of the proxy. */
import type { AlterableRequest, AlterableResponse } from '../model.ts';
import { admit, header, headerOf, isBatch, refuse, submitted, table, tokenOf, type Row, type Table } from './edit.ts';

const count = (state: Map<string, unknown>, name: string, by = 1): number => {
  const number = Number(state.get(name) ?? 0) + by;
  state.set(name, number);
  return number;
};

const secondsOf = (r: AlterableResponse): number => Date.parse(headerOf(r.headers, 'date') ?? '') / 1000;

/** A log of what was admitted in the last minute, in place of a window. */
function slides(r: AlterableResponse, state: Map<string, unknown>, budget: number, window: number): void {
  const now = secondsOf(r);
  const admitted = ((state.get('admitted') as number[] | undefined) ?? []).filter((at) => at > now - window);
  if (r.status !== 429 && admitted.length < budget) admitted.push(now);
  else if (r.status !== 429) {
    refuse(r, 429);
    header(r, 'Retry-After', String(Math.max(1, (admitted[0] ?? now) + window - now)));
  }
  state.set('admitted', admitted);
}

export const rat: Table = ({ tokens, capabilities }) => {
  const second = tokens.rateLimitedSecond?.token;
  const limited = tokens.rateLimited?.token;
  const ofLimited = (q: AlterableRequest): boolean => [limited, second].includes(tokenOf(q) ?? 'nobody');
  const windowed: readonly Row[] = [
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
      'the window slides',
      'RAT-03',
      (r, q, state) => void (ofLimited(q) && slides(r, state, capabilities.budget, capabilities.windowSeconds)),
    ],
    [
      'the window opens with its last request',
      'RAT-03',
      (r) => void (r.status === 429 && header(r, 'Retry-After', String(capabilities.windowSeconds))),
      'ruling',
    ],
    [
      'refused requests cost nothing',
      'RAT-04',
      (r, q, state) => {
        if (!ofLimited(q)) return;
        if (r.status === 429 && count(state, 'free', 0) > 0) {
          count(state, 'free', -1);
          admit(r, q);
        } else if (r.status >= 400) count(state, 'free');
      },
    ],
    [
      'the policy names another budget',
      'RAT-01',
      (r) => header(r, 'RateLimit-Policy', '"default";q=100;w=60'),
      'ruling',
    ],
    [
      'a 429 says that something is left',
      'RAT-02',
      (r) => void (r.status === 429 && header(r, 'RateLimit', '"default";r=5')),
      'ruling',
    ],
    [
      'each token has a budget of its own',
      'RAT-06',
      (r, q) => void (r.status === 429 && tokenOf(q) === second && admit(r, q)),
    ],
  ];
  const headers: readonly Row[] = [
    [
      'each request costs two',
      'RAT-07',
      (r, q, state) => {
        const limit = headerOf(r.headers, 'ratelimit');
        if (limit === undefined) return;
        const more = count(state, tokenOf(q) ?? '');
        header(
          r,
          'RateLimit',
          limit.replace(/r=(\d+)/, (_all, left: string) => `r=${Number(left) - more}`),
        );
      },
      'ruling',
    ],
    [
      'nothing was spent yet',
      'RAT-07',
      (r) => {
        const quota = /q=(\d+)/.exec(headerOf(r.headers, 'ratelimit-policy') ?? '')?.[1];
        if (quota !== undefined) header(r, 'RateLimit', `"default";r=${quota};t=42`);
      },
      'ruling',
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
  ];
  return [
    ...table('RAT', windowed).map((fault) => ({ ...fault, profile: 'rate-limit' as const })),
    ...table('RAT', headers),
  ];
};
