/** What the self-proof itself rests on: tables that name what exists, faults that do something, and a proof that can fail. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { variants } from '../benign/variants.ts';
import { checks } from '../checks/all.ts';
import { readContract } from '../contract.ts';
import { generatedFaults, type Document } from '../faults/generated.ts';
import { faults as allFaults } from '../faults/index.ts';
import { judge, record, type Recording } from '../faults/replay.ts';
import type { Fault } from '../model.ts';
import { readRules } from '../rules.ts';
import { alarmsOfRepeats } from './alarms.ts';
import { shortSleep } from './live.ts';
import { alarms, closeLoop, killByReplay, type Grounds } from './proof.ts';
import { startReference, type OpenTarget } from './reference.ts';

const grounds: Grounds = { contract: readContract(), rules: readRules() };
const document = JSON.parse(readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8')) as Document;

describe('the self-proof', () => {
  let reference: OpenTarget;
  let faults: Fault[];
  let recording: Recording;
  beforeAll(async () => {
    reference = await startReference();
    faults = allFaults(reference.target);
    recording = await record({ target: reference.target, profile: 'core', strict: true, sleep: shortSleep });
  }, 30_000);
  afterAll(() => reference.close());

  it('has the numbers that are asked for', () => {
    const generated = generatedFaults(document, recording.exchanges);
    expect(faults.length).toBeGreaterThanOrEqual(80);
    expect(generated.length).toBeGreaterThanOrEqual(600);
    expect(new Set(generated.map(({ family }) => family)).size).toBe(7);
    expect(variants.length).toBeGreaterThanOrEqual(20);
  });

  it('every fault breaks a rule that has a check, and has a name of its own', () => {
    expect(faults.filter(({ breaks }) => !checks.has(breaks))).toEqual([]);
    const names = faults.map(({ family, breaks, name }) => `${family} ${breaks} ${name}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('every variant has a name of its own', () => {
    expect(new Set(variants.map(({ name }) => name)).size).toBe(variants.length);
  });

  it('every generated fault changes the exchange that it names, and no other', () => {
    const byId = new Map(recording.exchanges.map((exchange) => [exchange.id, exchange]));
    const idle = generatedFaults(document, recording.exchanges).filter((fault) => {
      const exchange = byId.get(fault.exchangeId);
      return !exchange || JSON.stringify(fault.alter(exchange)) === JSON.stringify(exchange);
    });
    expect(idle.map(({ name }) => name)).toEqual([]);
  });

  it('no alarm about the recording as it is', () => {
    const results = judge(recording, recording.exchanges, grounds.contract, grounds.rules);
    expect(alarms(results).map(({ id }) => id)).toEqual([]);
  });

  it('a fault that does nothing is no kill, nor is one that only a bystander notices', async () => {
    const recordings = { plain: recording, strict: recording };
    const idle: Fault = { name: 'idle', family: 'X', breaks: 'GEN-02', alter: () => {} };
    const other: Fault = { name: 'other', family: 'X', breaks: 'AUT-04', alter: (r) => void (r.headers = []) };
    expect(await killByReplay(idle, recordings, grounds)).toMatchObject({
      killed: false,
      reason: 'no answer of the run is one that the fault changes',
    });
    expect(await killByReplay(other, recordings, grounds)).toMatchObject({
      killed: false,
      reason: 'its check says "passed"',
    });
  });

  it('a rule without a fault, and a fault without a rule, are gaps', () => {
    const stray: Fault = { name: 'stray', family: 'X', breaks: ['GEN', 99].join('-'), alter: () => {} };
    const without = faults.filter(({ breaks }) => breaks !== 'GEN-11');
    expect(closeLoop(grounds.rules, faults).gaps).toEqual([]);
    expect(closeLoop(grounds.rules, [...without, stray]).gaps.join('\n')).toMatch(
      new RegExp(`GEN-11 has no fault[^]*${stray.breaks}`),
    );
  });

  it('repeated runs go by turns through the levels and profiles, and are counted', { timeout: 30_000 }, async () => {
    const lines: string[] = [];
    const { alarms: found, runs } = await alarmsOfRepeats(reference.target, 3, grounds, (line) => lines.push(line));
    expect([found, runs]).toEqual([[], 3]);
    expect(lines).toEqual([expect.stringMatching(/^3 of 3 runs, \d+ requests, 0 false alarms$/)]);
  });
});
