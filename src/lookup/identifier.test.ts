import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { networks } from '../networks/index.ts';
import { parseHandle, parseIdentifier, parsePostUrl } from './identifier.ts';

const UNPARSEABLE = 'unparseable-identifier';
const UNSUPPORTED = 'not-supported-on-network';

const outcome = (parsed: ReturnType<typeof parseIdentifier>): string =>
  'reason' in parsed ? parsed.reason : `${parsed.entity.network}:${parsed.entity.name}`;
const creator = (text: string, network = 'netA') => outcome(parseIdentifier(text, 'creator', network, networks));
const post = (text: string, network = 'netA') => outcome(parseIdentifier(text, 'post', network, networks));

describe('creators', () => {
  it.each([
    ['IDS-01 bare', 'ada', 'netA:ada'],
    ['IDS-09 without case and @', '@Ada', 'netA:ada'],
    ['IDS-01 qualified', 'netB:ada', 'netB:ada'],
    ['IDS-02 qualified by another network', 'netB:@Ada', 'netB:ada'],
    ['IDS-01 a URL', 'https://neta.example/Ada', 'netA:ada'],
    ['IDS-09 http, www, slash, query, fragment', 'http://www.neta.example/ada/?x=1#y', 'netA:ada'],
    ['IDS-09 m.', 'https://m.netb.example/@ada', 'netB:ada'],
    ['IDS-13 the default port', 'https://neta.example:443/ada', 'netA:ada'],
    ['IDS-13 another port', 'https://neta.example:8443/ada', UNPARSEABLE],
    ["IDS-13 the other scheme's port", 'http://neta.example:443/ada', UNPARSEABLE],
    ['IDS-06 an unsupported network', 'netC:ada', UNSUPPORTED],
    ['IDS-13 a network has case', 'NETA:ada', UNSUPPORTED],
    ['CRE-10 an unsupported network comes first', 'netC:???', UNSUPPORTED],
    ['IDS-08 a post URL', 'https://neta.example/p/C1x', UNPARSEABLE],
    ['IDS-10 IDS-14 every ASCII blank around it', ' \t\n\v\f\rada\r\n', 'netA:ada'],
    ['IDS-14 blanks are ASCII', '\u00a0ada', UNPARSEABLE],
    ['IDS-07 a blank inside', 'a da', UNPARSEABLE],
    ['IDS-07 two @', '@@ada', UNPARSEABLE],
    ['IDS-07 dots alone', '..', UNPARSEABLE],
    ['IDS-07 no name', 'netA:', UNPARSEABLE],
    ['IDS-07 no network', ':ada', UNPARSEABLE],
    ['IDS-13 another scheme', 'ftp://neta.example/ada', UNPARSEABLE],
    ['IDS-07 too long a handle', 'a'.repeat(101), UNPARSEABLE],
  ])('%s: %j', (_rule, text, want) => expect(creator(text)).toBe(want));

  it('IDS-06 bare under an unsupported network; URLs and qualified ones keep their own', () => {
    expect([creator('ada', 'netC'), creator('netB:ada', 'netC'), creator('https://neta.example/ada', 'netC')]).toEqual([
      UNSUPPORTED,
      'netB:ada',
      'netA:ada',
    ]);
  });

  it('CRE-10 of a path: exact, an unsupported network first', () => {
    const path = (network: string | null, handle: string | null) => outcome(parseHandle(network, handle, networks));
    expect([
      path('netA', 'Ada'),
      path('netA', null),
      path('netC', null),
      path(null, 'ada'),
      path('netA', ' ada'),
    ]).toEqual(['netA:ada', UNPARSEABLE, UNSUPPORTED, UNSUPPORTED, UNPARSEABLE]);
  });
});

describe('posts', () => {
  it.each([
    ['IDS-12 a shortcode keeps its case', 'C1x', 'netA:C1x'],
    ['IDS-12 qualified', 'netB:V1', 'netB:V1'],
    ['IDS-12 /p/', 'https://neta.example/p/C1x', 'netA:C1x'],
    ['IDS-12 /reel/', 'https://www.neta.example/reel/C1x/?s=1', 'netA:C1x'],
    ['IDS-12 under whatever handle', 'https://netb.example/@any/video/V1', 'netB:V1'],
    ['IDS-08 a profile URL', 'https://neta.example/ada', UNPARSEABLE],
    ['PST-07 no network of ours', 'https://example.com/p/C1x', UNPARSEABLE],
  ])('%s: %j', (_rule, text, want) => expect(post(text)).toBe(want));

  it('IDS-13 the url parameter takes nothing but a post URL', () => {
    const url = (text: string) => outcome(parsePostUrl(text, networks));
    expect(['https://neta.example/p/C1x', 'C1x', 'netA:C1x', '', 'https://neta.example/ada'].map(url)).toEqual([
      'netA:C1x',
      ...Array<string>(4).fill(UNPARSEABLE),
    ]);
    expect(url(`https://neta.example/p/C1x?${'x'.repeat(2048)}`)).toBe(UNPARSEABLE);
  });
});

describe('SSRF: no host but exactly a network’s', () => {
  it.each([
    'https://neta.example@evil.test/p/C1x',
    'https://neta.example:x@evil.test/p/C1x',
    'https://user@neta.example/p/C1x',
    'https://neta.example.evil.test/p/C1x',
    'https://evilneta.example/p/C1x',
    'https://x.neta.example/p/C1x',
    'https://neta.example./p/C1x',
    'https:///p/C1x',
    '//neta.example/p/C1x',
    'https:\\\\neta.example\\p\\C1x',
    'https://evil.test\\@neta.example/p/C1x',
    'https://evil.test%2f@neta.example/p/C1x',
    'https://evil.test#@neta.example/p/C1x',
    'https://evil.test?@neta.example/p/C1x',
    'https://neta%2eexample/p/C1x',
    'https://neta。example/p/C1x',
    'https://ｎeta.example/p/C1x',
    'https://2130706433/p/C1x',
    'https://0x7f.1/p/C1x',
    'https://[::1]/p/C1x',
    'https://127.0.0.1/p/C1x',
    'https://neta.example:/p/C1x',
    'https://neta.example:0443/p/C1x',
    'https://www.www.neta.example/p/C1x',
    'https://neta.example/p/C1x/../../x',
    'https://neta.example/p/%43%31x',
    'https://neta.example//p/C1x',
    'https://neta.example\t/p/C1x',
    'ht\ntps://neta.example/p/C1x',
    'file:///p/C1x',
  ])('%j', (url) => expect(post(url)).toBe(UNPARSEABLE));
});

describe('whatever comes', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.stringMatching(/^(https?:\/\/)?[a-z.:/@?#\\%-]{0,60}$/),
  );

  it('IDS-09 what has a name keeps it when named by it', () => {
    fc.assert(
      fc.property(texts, fc.constantFrom('creator' as const, 'post' as const), (text, kind) => {
        const parsed = parseIdentifier(text, kind, 'netA', networks);
        if (!('entity' in parsed)) return;
        const { network, name } = parsed.entity;
        expect(parseIdentifier(`${network}:${name}`, kind, 'netA', networks)).toEqual(parsed);
        expect(name).toMatch(/^[\x21-\x7e]+$/);
      }),
    );
  });

  it.each([
    '@',
    '.',
    'a:',
    'https://',
    '/',
    'a',
    '%2f',
    '1',
    ' ',
    'https://neta.example/p/',
    'www.',
    '\\',
    'https://neta.example/a/',
  ])('ReDoS %j eight times as often takes about eight times as long, not sixty-four', (shape) => {
    const quickest = (length: number): number => {
      const text = `${shape.repeat(length).slice(0, length - 1)}!`;
      const took = Array.from({ length: 30 }, () => {
        const started = performance.now();
        for (let time = 0; time < 20; time += 1) [creator(text), post(text)];
        return performance.now() - started;
      });
      return Math.min(...took);
    };
    quickest(2048);
    expect(quickest(2048) / quickest(256)).toBeLessThan(24);
  });

  it('IDS-13 2,048 code points are read, one more is not', () => {
    const start = 'https://neta.example/p/C1x?';
    const url = (length: number) => start + '😀'.repeat(length - start.length);
    expect([post(url(2048)), post(url(2049))]).toEqual(['netA:C1x', UNPARSEABLE]);
  });
});
