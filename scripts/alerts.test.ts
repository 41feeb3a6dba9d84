/** The alerts that docs/operating.md recommends name what `/metrics` has, with labels and values that exist. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { CallOutcome } from '../src/discovery/measured.ts';
import { createMetrics } from '../src/http/metrics.ts';
import { networks } from '../src/networks/index.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string };
}

const file = new URL('../docs/alerts.yaml', import.meta.url);
const { groups } = parse(readFileSync(file, 'utf8')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);

const outcomes = ['obtained', 'unavailable', 'throttled', 'failed', 'abandoned'] satisfies CallOutcome[];

/** What a node tells that has served and called everything once. */
async function told(): Promise<string> {
  const metrics = createMetrics({
    depth: async () => ({ queued: 1, running: 1, standing: [] }),
    networks: () => networks.map(({ name }) => ({ network: name, pacePerSecond: 1, circuitOpen: false })),
  });
  for (const status of [200, 500, 503]) metrics.request('getCreator', status, 0.1);
  metrics.violation();
  for (const outcome of outcomes) metrics.call('netA', outcome, 1);
  return metrics.registry.metrics();
}

/** Prometheus' own, which no node tells. */
const ofPrometheus = new Set(['up']);

/** `name{label="value"}` of an expression; labels that Prometheus adds are left out. */
function selectorsOf(expr: string): { name: string; labels: [string, string][] }[] {
  const names = expr.matchAll(/\b([a-z][a-z0-9_]+)(?:\{([^}]*)\})?(?=\s*(?:\[|[)=!<>/+*-]|\{|$))/g);
  return [...names]
    .filter(([, name = '']) => name.includes('_') || ofPrometheus.has(name))
    .filter(([, name = '']) => !['histogram_quantile'].includes(name))
    .map(([, name = '', labels = '']) => ({
      name,
      labels: [...labels.matchAll(/(\w+)=~?"([^"]*)"/g)].map(([, label = '', value = '']) => [label, value]),
    }));
}

describe('docs/alerts.yaml', () => {
  it.each(rules.map((rule) => [rule.alert, rule] as const))(
    '%s names what is there',
    async (_, { expr, annotations }) => {
      const text = await told();
      const selectors = selectorsOf(expr);
      expect(selectors.length).toBeGreaterThan(0);
      for (const { name, labels } of selectors) {
        if (ofPrometheus.has(name)) continue;
        const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
        expect(lines, name).not.toEqual([]);
        for (const [label, values] of labels.filter(([label]) => label !== 'job'))
          for (const value of values.split('|'))
            expect(
              lines.some((line) => line.includes(`${label}="${value}"`)),
              `${name} ${label}="${value}"`,
            ).toBe(true);
      }
      expect(annotations.summary).not.toBe('');
    },
  );

  it('every figure of our own is in an alert, or in the text on operating', async () => {
    const names = [...(await told()).matchAll(/^# TYPE (lookup_\w+)/gm)].map(([, name]) => name ?? '');
    const texts = readFileSync(file, 'utf8') + readFileSync(new URL('../docs/operating.md', import.meta.url), 'utf8');
    expect(names.filter((name) => !texts.includes(name))).toEqual([]);
  });

  it('a name that is not there is seen', () => {
    expect(selectorsOf('sum(rate(lookup_gone_total{status="500"}[5m])) > 0')).toEqual([
      { name: 'lookup_gone_total', labels: [['status', '500']] },
    ]);
  });
});
