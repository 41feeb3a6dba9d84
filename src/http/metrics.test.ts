import { expect, it } from 'vitest';
import { createMetrics, type DiscoveryFigures } from './metrics.ts';

const networks = [
  { network: 'netA', pacePerSecond: 100, circuitOpen: false },
  { network: 'netB', pacePerSecond: 50, circuitOpen: true },
];
const standing = [
  { network: 'netA', n: 2 },
  { network: 'netA', n: 1 },
  { network: null, n: 9 },
];
const figuresOf = (depth: DiscoveryFigures['depth']) => createMetrics({ depth, networks: () => networks });

it('tells queue, pace, circuit and calls by network', async () => {
  const metrics = figuresOf(async () => ({ queued: 12, running: 4, standing }));
  metrics.call('netA', 'throttled', 0.2);
  const text = await metrics.registry.metrics();
  for (const line of [
    'lookup_discoveries{state="queued"} 12',
    'lookup_discoveries{state="running"} 4',
    'lookup_discoveries_waiting{network="netA"} 3',
    'lookup_discoveries_waiting{network="netB"} 0',
    'lookup_source_pace_per_second{network="netB"} 50',
    'lookup_source_circuit_open{network="netA"} 0',
    'lookup_source_circuit_open{network="netB"} 1',
    'lookup_source_call_duration_seconds_count{network="netA",outcome="throttled"} 1',
  ])
    expect(text.split('\n')).toContain(line);
});

it('AUT-08 without the store the rest is told all the same', async () => {
  const text = await figuresOf(() => Promise.reject(new Error('away'))).registry.metrics();
  expect(text).toContain('lookup_discoveries{state="queued"} Nan');
  expect(text).toContain('lookup_source_circuit_open{network="netB"} 1');
});
