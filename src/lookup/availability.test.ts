import { describe, expect, it } from 'vitest';
import type { DiscoveryState, HeldDocument } from '../model.ts';
import { assess } from './availability.ts';

const NOW = 1_000_000;
const document = (freshUntil: number) => ({ freshUntil }) as HeldDocument;
const [fresh, stale] = [document(NOW + 1), document(NOW)];
const running: DiscoveryState = { is: 'running', retryAt: NOW + 5000 };
const failed = (rememberedUntil: number): DiscoveryState => ({
  is: 'failed',
  reason: 'x',
  retryable: false,
  rememberedUntil,
});
const [remembered, forgotten] = [failed(NOW + 1), failed(NOW)];

describe('the table of states', () => {
  it.each([
    ['fresh, nothing', fresh, null, 'held', false],
    ['fresh, running', fresh, running, 'held', false],
    ['fresh, failed', fresh, remembered, 'held', false],
    ['STA-02 stale, nothing', stale, null, 'held', true],
    ['STA-02 stale, failed and forgotten', stale, forgotten, 'held', true],
    ['STA-03 stale, running', stale, running, 'held', false],
    ['STA-03 stale, failed and remembered', stale, remembered, 'held', false],
    ['CRE-02 none, nothing', null, null, 'fetching', true],
    ['STA-01 none, running', null, running, 'fetching', false],
    ['CRE-04 none, failed and remembered', null, remembered, 'unavailable', false],
    ['STA-05 none, failed and forgotten', null, forgotten, 'fetching', true],
  ])('%s', (_row, held, discovery, is, discover) => {
    const assessment = assess({ key: 'creator:netA:ada', document: held, discovery, deepUntil: null }, NOW);
    expect([assessment.availability.is, assessment.discover]).toEqual([is, discover]);
  });
});
