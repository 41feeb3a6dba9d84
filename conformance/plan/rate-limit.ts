/** The rate-limit profile: a principal of its own, at most 65 requests and two windows. */
import { operationPath, json, query, type Planner } from './planner.ts';
import type { PlannedRequest } from '../model.ts';
import type { Fixtures } from './fixtures.ts';

/** Beyond it the profile would send more than 65 requests. */
export const largestBudget = 60;
/** Between the request that opens the window and all others: a window that slides gives back only that one first. */
export const spreadSeconds = 5;

/** Of the first requests some are refused, in each way that spends budget (RAT-04). */
function refusals({ target, unsupported }: Fixtures): (string | undefined)[] {
  const list = (parameters: Readonly<Record<string, string | undefined>>): string =>
    `/api/v1/creators${query({ ids: `${unsupported}:someone`, ...parameters })}`;
  const { withoutRole, id } = target.organizations;
  return [
    undefined,
    undefined,
    undefined,
    '/api/v1/creators?ids=',
    id === undefined ? undefined : list({ asOrg: id }),
    withoutRole === undefined ? undefined : list({ asOrg: withoutRole }),
    '/api/v1/creators?ids=,',
  ];
}

/** The other operations spend the same budget, and no more of it for a list that is full. A token may lack the scope for posts. */
function batches(hundred: string[]): Partial<PlannedRequest>[] {
  const ids = query({ ids: hundred.join(',') });
  const rules = ['RAT-01', 'RAT-05'];
  const full = { identifiers: hundred, purpose: '100 creators by GET, which cost one request', rules };
  const ofPosts = {
    rules,
    purpose: '100 posts, which cost one request of the same budget',
    facts: { scope: 'posts:read' },
  };
  const rows: Partial<PlannedRequest>[] = [];
  rows[7] = { path: `${operationPath.listCreators}${ids}`, ...full };
  rows[9] = { operation: 'getPosts', path: `${operationPath.getPosts}${ids}`, identifiers: hundred, ...ofPosts };
  rows[10] = {
    operation: 'batchPosts',
    path: operationPath.batchPosts,
    ...json({ ids: hundred }),
    identifiers: hundred,
    ...ofPosts,
  };
  return rows;
}

export function planRateLimit(planner: Planner, fixtures: Fixtures): void {
  const { target, unsupported, unique } = fixtures;
  const { budget } = target.capabilities;
  if (budget > largestBudget) return;
  const path = `/api/v1/creators${query({ ids: `${unsupported}:someone` })}`;
  const hundred = Array.from({ length: 100 }, (_, number) => `${unsupported}:${unique}-${number}`);
  const phase = 3;
  planner.add({
    step: 'rate-batch',
    phase,
    role: 'rateLimited',
    operation: 'batchCreators',
    path: operationPath.batchCreators,
    ...json({ ids: hundred }),
    identifiers: hundred,
    purpose: 'a batch of 100 identifiers, which costs one request and opens the window',
    rules: ['RAT-03', 'RAT-05'],
  });
  for (let number = 2; number <= budget; number += 1) {
    const role = number % 4 === 0 && target.tokens.rateLimitedSecond ? 'rateLimitedSecond' : 'rateLimited';
    const refused = refusals(fixtures)[number];
    const asked = batches(hundred)[number];
    planner.add({
      step: `rate-${String(number).padStart(2, '0')}`,
      phase,
      role,
      operation: 'listCreators',
      path: refused ?? path,
      ...(refused === undefined ? { identifiers: [`${unsupported}:someone`] } : {}),
      purpose: `request ${number} of the window${refused === undefined ? '' : ', which is refused'}`,
      rules: ['RAT-01', 'RAT-04', 'RAT-06'],
      ...asked,
    });
  }
  planner.add({
    step: 'rate-over',
    phase,
    role: 'rateLimited',
    operation: 'listCreators',
    path,
    purpose: 'the request over the budget',
    rules: ['RAT-01', 'RAT-02'],
  });
  planner.add({
    step: 'rate-over-second',
    phase,
    role: 'rateLimitedSecond',
    operation: 'listCreators',
    path,
    purpose: 'another token of the same principal, 2 s later',
    rules: ['RAT-02', 'RAT-06'],
  });
  planner.add({
    step: 'rate-other',
    phase,
    role: 'otherPrincipal',
    operation: 'listCreators',
    path,
    identifiers: [`${unsupported}:someone`],
    purpose: 'another principal',
    rules: ['RAT-06'],
  });
  planner.add({
    step: 'rate-after',
    phase,
    role: 'rateLimited',
    operation: 'listCreators',
    path,
    identifiers: [`${unsupported}:someone`],
    purpose: 'after the wait that the 429 named',
    rules: ['RAT-02'],
  });
  planner.add({
    step: 'rate-after-again',
    phase,
    role: 'rateLimited',
    operation: 'listCreators',
    path,
    identifiers: [`${unsupported}:someone`],
    purpose: 'once more: all of the new window is there',
    rules: ['RAT-03'],
  });
}
