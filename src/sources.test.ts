import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from './config.ts';
import type { Entity } from './model.ts';
import { createSources } from './sources.ts';

const creator = (network: string, name = 'ada'): Entity => ({ kind: 'creator', network, name });
let now = 0;
const collector = createServer((_, response) => {
  now += 7_000;
  response.writeHead(404, { 'content-type': 'application/json' }).end('{"reason":"account-not-discoverable"}');
});

beforeAll(() => new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve)));
afterAll(() => void collector.close());

it('CRB-04 the wait for a collector follows what its answers took; the sandbox knows its own', async () => {
  const url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const [netA, netB] = createSources(readConfig({ SOURCE_netA_URL: url }), {
    schemas: {},
    log: { warn() {} },
    sandbox: { clock: Date.now, ordinaryMilliseconds: 0 },
    timer: () => now,
  });
  const { signal } = new AbortController();
  expect(netA!.expectedSeconds(creator('netA'))).toBe(2);
  await netA!.obtain(creator('netA'), { deep: false, signal });
  await netB!.obtain(creator('netB'), { deep: false, signal });
  expect(netA!.expectedSeconds(creator('netA'))).toBeGreaterThanOrEqual(7);
  expect(netB!.expectedSeconds(creator('netB', 'slow.one'))).toBe(5);
});
