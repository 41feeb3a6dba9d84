import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { badge, diff, diffText, html, junit, markdown, NoReport, parseReport, writeReports } from './index.ts';
import { sample } from './report.fixture.ts';

describe('reports from one JSON', () => {
  it('JUnit has a case per rule, its figures, and escapes what a target sent', () => {
    const xml = junit(sample);
    expect(xml).toContain('tests="5" failures="1" errors="0" skipped="3"');
    expect(xml).toContain('expected: an object');
    expect(xml).toMatch(/<failure message="expected an object, seen [^"]+ at [^"]+">/);
    expect(xml).not.toMatch(/<b>|<\/script>/);
  });

  it('JUnit of a run that stopped early is not green', () => {
    expect(junit({ ...sample, results: [], problem: 'nobody listens' })).toContain('<error message="nobody listens">');
  });

  it('Markdown has the figures, the failed rule with its curl line, and what was not exercised', () => {
    const text = markdown(sample);
    expect(text).toContain('not conformant');
    expect(text).toContain('### DOC-01');
    expect(text).toContain('curl -sS');
    expect(text).toContain('Not exercised (1)');
  });

  it('what differs in nothing but the exchange is told once, with all of them', () => {
    const [rule] = sample.results.filter(({ id }) => id === 'DOC-01');
    const [finding] = rule?.findings ?? [];
    if (!rule || !finding) throw new Error('the sample has a finding');
    const ruling = { ...finding, level: 'ruling' as const, expected: 'another thing' };
    const results = [{ ...rule, findings: [ruling, finding, { ...finding, exchangeId: 'x02' }] }];
    const [page, text] = [html({ ...sample, results }), markdown({ ...sample, results })];
    expect(page.match(/<div class="finding">/g)).toHaveLength(2);
    expect(page).toMatch(/<a href="#x01">x01<\/a> x02/);
    expect(page.indexOf('an object')).toBeLessThan(page.indexOf('another thing'));
    expect(text).toContain('x01 and 1 more');
  });

  it('hints stand on the page and in Markdown', () => {
    const report = { ...sample, hints: ['is the base URL right?'] };
    for (const text of [html(report), markdown(report)]) expect(text).toContain('is the base URL right?');
  });

  it('the badge names what failed', () => expect(badge(sample)).toContain('1 of 2 failed'));

  it('the page has no address outside itself and no markup of the target', () => {
    const page = html(sample);
    expect(page).not.toMatch(/<(?:link|img|iframe)\b/);
    expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    expect(page.match(/<\/script>/g)).toHaveLength(1);
  });

  it('all of them are written again from a stored one', () => {
    const folder = mkdtempSync(join(tmpdir(), 'report-'));
    writeReports(parseReport(JSON.stringify(sample), 'x'), folder);
    expect(readdirSync(folder).toSorted()).toEqual([
      'badge.svg',
      'report.html',
      'report.json',
      'report.md',
      'report.xml',
    ]);
    rmSync(folder, { recursive: true });
  });

  it('what is no report is refused with a reason', () => {
    expect(() => parseReport('{', 'a.json')).toThrow(new NoReport('a.json is not JSON'));
    expect(() => parseReport('{"reportVersion":2}', 'a.json')).toThrow(NoReport);
    expect(() => parseReport('null', 'a.json')).toThrow(NoReport);
  });
});

describe('diff', () => {
  const better = {
    ...sample,
    results: sample.results.map((result) =>
      result.id === 'DOC-01' ? { ...result, verdict: 'passed' as const } : result,
    ),
  };

  it('says what became better or worse, and how many stayed', () => {
    expect(diff(sample, better)).toMatchObject({
      changes: [{ id: 'DOC-01', before: 'failed', after: 'passed', kind: 'better' }],
      same: 4,
    });
    expect(diff(better, sample).changes[0]?.kind).toBe('worse');
    expect(diffText(sample, sample)).toContain('0 rules differ, 5 are the same');
    expect(diffText(better, sample)).toContain('expected an object, seen "</script>" at /data/channels/0 (x01)');
  });
});
