/** The rate-limit profile: a principal of its own, at most 65 requests and two windows. */
import { operationPath, json, query, type Planner } from './planner.ts';
import type { Fixtures } from './fixtures.ts';

export function planRateLimit(planner: Planner, { target, unsupported, unique }: Fixtures): void {
  const { budget } = target.capabilities;
  if (budget > 61) return;
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
    purpose: 'a batch of 100 identifiers, which costs one request',
    rules: ['RAT-05'],
  });
  for (let number = 2; number <= budget; number += 1) {
    const role = number % 4 === 0 && target.tokens.rateLimitedSecond ? 'rateLimitedSecond' : 'rateLimited';
    planner.add({
      step: `rate-${String(number).padStart(2, '0')}`,
      phase,
      role,
      operation: 'listCreators',
      path,
      identifiers: [`${unsupported}:someone`],
      purpose: `request ${number} of the window`,
      rules: ['RAT-01', 'RAT-06'],
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
}
