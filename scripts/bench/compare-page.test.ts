import { expect, it } from 'vitest';
import { comparisonPage } from './compare-page.ts';
import type { Comparison, Row, ServerName } from './compare.ts';
import { picture } from './picture.ts';

const row = (server: ServerName, requestsPerSecond: number, p99: number): Row => ({
  server,
  workload: 'batch-100',
  requestsPerSecond,
  p50: p99 / 2,
  p99,
  cpuMicroseconds: 1e6 / requestsPerSecond,
});

const page = (service: Row): string => {
  const rows = [service, row('raw', 8_000, 2), row('stock', 250, 80)];
  const comparison: Comparison = {
    rows,
    sizes: [],
    bytes: { creator: 1_000, creatorWithPosts: 20_000, batch: 280_000 },
  };
  return comparisonPage(comparison, { rounds: 1, seconds: 1, connections: 16 });
};

it('says which aims are reached and which are missed, by the bound of each', () => {
  const fast = page(row('service', 4_000, 4));
  expect(fast).toContain('| batch of 100, × stock | 16.0 | 16.0 | ≥ 10 | reached |');
  expect(fast).toContain('| batch of 100, × raw | 0.50 | 0.50 | ≥ 0.35 | reached |');
  expect(fast).toContain('| p99 of a batch of 100, × stock | 0.05 |  | ≤ 0.1 | reached |');
  const slow = page(row('service', 2_400, 9));
  expect(slow).toContain('| batch of 100, × stock | 9.60 | 9.60 | ≥ 10 | **missed** |');
  expect(slow).toContain('| p99 of a batch of 100, × stock | 0.11 |  | ≤ 0.1 | **missed** |');
});

it('leaves out aims whose workload was not run', () => {
  expect(page(row('service', 4_000, 4))).not.toContain('| held creator, × stock |');
});

it('draws the longest bar for the fastest server, on light and dark pages', () => {
  const drawn = picture([row('service', 4_000, 4), row('raw', 8_000, 2)]);
  const widths = [...drawn.matchAll(/class="(bar|ours)" [^>]*width="([\d.]+)"/g)].map(([, kind, width]) => [
    kind,
    Number(width),
  ]);
  expect(widths).toEqual([
    ['bar', 560],
    ['ours', 280],
  ]);
  expect(drawn).toContain('prefers-color-scheme:dark');
});
