import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startReference, type Reference } from '../scripts/conformance-service.ts';
import { checks } from './checks/all.ts';
import { isScored } from './checks/frozen.ts';
import { outside } from './checks/outside.ts';
import { readContract } from './contract.ts';
import type { Report } from './model.ts';
import { costOf, planFor } from './plan/plan.ts';
import { sample } from './report/report.fixture.ts';
import { readRules } from './rules.ts';
import { runSuite } from './suite.ts';
import { describeTarget, readTargetFile } from './target-file.ts';
import type { Target } from './target.ts';
import { unscored } from './verdict.ts';

const file = readTargetFile(new URL('targets/service.yaml', import.meta.url).pathname);
const targetOf = (says: Omit<Reference, 'service'>): Target =>
  describeTarget(file, {}, JSON.parse(JSON.stringify({ ...says, service: undefined })) as Record<string, unknown>);

describe('rules and checks', () => {
  const rules = readRules();

  it('every rule that can be seen over HTTP has a check, and no check is without a rule', () => {
    const visible = rules.filter(({ how }) => how !== 'W').map(({ id }) => id);
    expect([...checks.keys()].toSorted()).toEqual(visible.toSorted());
  });

  it('what was frozen with the contract is scored, a check written later is shown and decides nothing', () => {
    const { version } = readContract();
    expect([...checks.keys()].filter((id) => isScored(version, id)).length).toBeGreaterThanOrEqual(97);
    expect([isScored(version, 'STA-01'), isScored('9.0.0', 'STA-01')]).toEqual([false, true]);
    const [result] = sample.results;
    if (result)
      expect(unscored({ ...result, verdict: 'failed' })).toMatchObject({
        verdict: 'observed',
        reason: expect.stringContaining('failed'),
      });
  });

  it('every rule that cannot be seen says what covers it, and at most 15 % are such', () => {
    const hidden = rules.filter(({ how }) => how === 'W').map(({ id }) => id);
    expect(Object.keys(outside).toSorted()).toEqual(hidden.toSorted());
    expect(hidden.length / rules.length).toBeLessThan(0.15);
  });
});

describe('against the service', () => {
  let reference: Reference;
  let target: Target;
  const run = (strict: boolean): Promise<Report> => runSuite({ target, strict });

  beforeAll(async () => {
    reference = await startReference({ perMinute: 1000 });
    target = targetOf(reference);
  });
  afterAll(() => reference.service.close());

  it.each([true, false])(
    'every scored check passes, in at most 5 s (strict: %s)',
    { timeout: 20_000 },
    async (strict) => {
      const report = await run(strict);
      const bad = report.results
        .filter(({ verdict }) => ['failed', 'not exercised', 'error'].includes(verdict))
        .map(({ id, verdict, reason, findings }) => ({ id, verdict, reason, findings }));
      expect(bad).toEqual([]);
      expect(report.exitCode).toBe(0);
      expect(Date.parse(report.finishedAt) - Date.parse(report.startedAt)).toBeLessThan(5000);
    },
  );

  it(
    'sends no more than the plan says, and looks at each answer with 8 checks in the middle',
    { timeout: 20_000 },
    async () => {
      const report = await run(true);
      expect(report.requests.sent).toBeLessThanOrEqual(report.requests.plannedAtMost);
      const uses = report.exchanges
        .map(({ id }) => report.results.filter(({ exchanges }) => exchanges.includes(id)).length)
        .toSorted((one, other) => one - other);
      expect(uses[Math.floor(uses.length / 2)]).toBeGreaterThanOrEqual(8);
    },
  );

  it('keeps no credential', { timeout: 20_000 }, async () => {
    const text = JSON.stringify(await run(true));
    for (const { token } of Object.values(target.tokens)) expect(text.includes(token)).toBe(false);
  });

  it.each([true, false])('the core plan has at most 60 requests and 45 for one principal (strict: %s)', (strict) => {
    const cost = costOf(target, planFor(target, { strict, profile: 'core' }));
    expect(cost.total).toBeLessThanOrEqual(60);
    for (const [principal, count] of Object.entries(cost.byPrincipal))
      if (principal !== 'none') expect(count).toBeLessThanOrEqual(45);
  });

  it.each([true, false])(
    'the extended plan has at most 45 for one principal, none of them the core one (strict: %s)',
    (strict) => {
      const { byPrincipal } = costOf(target, planFor(target, { strict, profile: 'extended' }));
      expect(byPrincipal['full']).toBeUndefined();
      expect(byPrincipal['otherPrincipal']).toBeLessThanOrEqual(45);
    },
  );

  it('the extended profile passes, and leaves to the core one what it does not ask', { timeout: 20_000 }, async () => {
    const { results, exitCode } = await runSuite({ target, strict: true, profile: 'extended' });
    const verdictOf = (id: string) => results.find((result) => result.id === id)?.verdict;
    expect([exitCode, verdictOf('DOC-13'), verdictOf('STA-04'), verdictOf('ORG-09'), verdictOf('CRE-06')]).toEqual([
      0,
      'passed',
      'passed',
      'passed',
      'not applicable',
    ]);
  });

  it('IDS-13 addresses that name nothing are so also where the target has them under http://', () => {
    const { netA, ...others } = target.networks;
    const urls = Object.fromEntries(
      Object.entries(netA?.urls ?? {}).map(([kind, url]) => [kind, url.replace('https://', 'http://')]),
    );
    const networks = { ...others, netA: { creators: {}, posts: {}, ...netA, urls } };
    const { requests } = planFor({ ...target, networks }, { strict: true, profile: 'core' });
    const named = requests.flatMap(({ facts = {} }) => [facts['unparseable'], facts['formless']]).flat();
    expect(named).toContainEqual(expect.stringMatching(/^ftp:/));
    const profile = urls['profile']?.replace('{handle}', netA?.creators.held ?? '');
    expect(named.filter((id) => id === profile)).toHaveLength(1); // among posts
  });

  it('the rate-limit plan has at most 65 requests', () => {
    expect(costOf(target, planFor(target, { strict: true, profile: 'rate-limit' })).total).toBeLessThanOrEqual(65);
  });
});
