import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalHandle } from './handle.ts';
import { networks } from './index.ts';
import { mediaIdOf, netA, shortcodeOf } from './netA.ts';
import { netB } from './netB.ts';

const handles = fc.stringMatching(/^@?[A-Za-z0-9._-]{1,100}$/);
const shortcodes = fc.stringMatching(/^[A-Za-z0-9_-]{1,128}$/);
const digits = fc.bigInt({ min: 0n, max: 2n ** 769n }).map(String);
const anything = fc.oneof(fc.string({ unit: 'binary' }), handles, shortcodes, digits);

describe('handles', () => {
  it.each([
    ['ada', 'ada'],
    ['@Ada.B_c-1', 'ada.b_c-1'],
    ['@@ada', null],
    ['...', null],
    ['.', null],
    ['', null],
    ['@', null],
    ['a'.repeat(100), 'a'.repeat(100)],
    ['a'.repeat(101), null],
    ['adä', null],
    ['\u212Aelvin', null],
    ['İda', null],
    ['a%61', null],
    ['ada\n', null],
  ])('CRE-10 %j is %j', (given, want) => expect(canonicalHandle(given)).toBe(want));

  it('IDS-09 canonicalization is idempotent and yields ASCII lower case', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const once = canonicalHandle(text);
        if (once === null) return;
        expect(canonicalHandle(once)).toBe(once);
        expect(once).toMatch(/^[a-z0-9._-]{1,100}$/);
      }),
    );
  });
});

describe('netA', () => {
  it.each([
    ['/ada', 'ada'],
    ['/Ada/', 'ada'],
    ['/ada/x', null],
    ['//ada', null],
    ['/ada//', null],
    ['/', null],
    ['', null],
    ['ada', null],
    ['/a%64a', null],
    ['/ada%2fx', null],
  ])('IDS-01 profile path %j is %j', (given, want) => expect(netA.profileOfPath(given)).toBe(want));

  it.each([
    ['/p/C1x', 'C1x'],
    ['/reel/C1x/', 'C1x'],
    ['/p/c1x', 'c1x'],
    ['/P/C1x', null],
    ['/p/C1x/x', null],
    ['/p/', null],
    ['/p//C1x', null],
    ['/p/C1%78', null],
    ['/video/C1x', null],
    [`/p/${'a'.repeat(129)}`, null],
  ])('IDS-12 post path %j is %j', (given, want) => expect(netA.postOfPath(given)).toBe(want));

  it('IDS-12 a media id and its shortcode name one post', () => {
    fc.assert(
      fc.property(shortcodes, (shortcode) => {
        const id = mediaIdOf(shortcode);
        expect(shortcodeOf(id)).toBe(shortcode);
        if (/^[1-9][0-9]{9,}$/.test(shortcode)) return;
        expect(netA.postOfText(id)).toBe(shortcode);
        expect(netA.postOfText(shortcode)).toBe(shortcode);
      }),
    );
  });

  it('IDS-12 every number of 10 digits or more is the media id of one shortcode', () => {
    const ids = fc.bigInt({ min: 10n ** 9n, max: 10n ** 231n }).map(String);
    fc.assert(fc.property(ids, (id) => mediaIdOf(shortcodeOf(id) ?? '') === id));
    expect(shortcodeOf('999999999')).toBeNull();
    expect(shortcodeOf('9'.repeat(232))).toBeNull();
  });
});

describe('netB', () => {
  it.each([
    ['/@ada', 'ada'],
    ['/@Ada/', 'ada'],
    ['/ada', null],
    ['/@@ada', null],
    ['/@', null],
    ['/@ada/video', null],
  ])('IDS-01 profile path %j is %j', (given, want) => expect(netB.profileOfPath(given)).toBe(want));

  it.each([
    ['/@ada/video/v1', 'v1'],
    ['/@BOB/video/v1/', 'v1'],
    ['/@ada/video/V1', 'V1'],
    ['/ada/video/v1', null],
    ['/@.../video/v1', null],
    ['/@ada/video/', null],
    ['/@ada/video/v1/x', null],
    ['/@ada/Video/v1', null],
    [`/@ada/video/${'a'.repeat(65)}`, null],
  ])('IDS-12 post path %j is %j', (given, want) => expect(netB.postOfPath(given)).toBe(want));
});

describe.each(networks)('$name', (network) => {
  it('IDS-09 names are fixed points: of text, and of their own URL', () => {
    fc.assert(
      fc.property(anything, handles, (text, author) => {
        const handle = canonicalHandle(author);
        const name = network.postOfText(text);
        if (handle === null) return;
        expect(network.profileOfPath(new URL(network.profileUrl(handle)).pathname)).toBe(handle);
        if (name === null) return;
        expect(network.postOfText(name)).toBe(name);
        expect(network.postOfPath(new URL(network.postUrl(name, handle)).pathname)).toBe(name);
      }),
    );
  });

  it.each(['1', '@', '/', '.', 'a', '/p/', '/@a/video/'])(
    'ReDoS %j eight times as often takes about eight times as long, not sixty-four',
    (shape) => {
      const quickest = (length: number): number => {
        const text = `${shape.repeat(length).slice(0, length - 1)}!`;
        const took = Array.from({ length: 30 }, () => {
          const started = performance.now();
          for (let time = 0; time < 50; time += 1)
            [network.postOfText, network.postOfPath, network.profileOfPath].forEach((judge) => judge(text));
          return performance.now() - started;
        });
        return Math.min(...took);
      };
      quickest(2048);
      expect(quickest(2048) / quickest(256)).toBeLessThan(24);
    },
  );
});
