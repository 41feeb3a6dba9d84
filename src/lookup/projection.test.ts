import { describe, expect, it } from 'vitest';
import type { AnalysisKey, HeldAnalysis, HeldDocument, Instant } from '../model.ts';
import { documentFor, postsFor, pushCreatorWithPosts, pushPostWithAnalysis } from './projection.ts';

const NOW: Instant = Date.UTC(2026, 0, 1);
const document = Buffer.from('{"network":"netA"}');

function analysisWith(...keys: readonly string[]): HeldAnalysis {
  const members = keys.map((key) => [key, Buffer.from(`"${key}":"of ${key}"`)] as const);
  return { whole: Buffer.from(`{${members.map(([, member]) => member).join()}}`), members: new Map(members) };
}

function shownWith(include: readonly AnalysisKey[], analysis: HeldAnalysis): unknown {
  const pieces: Buffer[] = [];
  pushPostWithAnalysis(pieces, document, include, analysis);
  return JSON.parse(Buffer.concat(pieces).toString());
}

describe('a post with analysis', () => {
  it('PST-04 has exactly the keys asked for, in one piece where those are all that is held', () => {
    const analysis = analysisWith('narration', 'transcript');
    expect(shownWith(['transcript'], analysis)).toEqual({ network: 'netA', analysis: { transcript: 'of transcript' } });
    const pieces: Buffer[] = [];
    pushPostWithAnalysis(pieces, document, ['transcript', 'narration'], analysis);
    expect(pieces).toContain(analysis.whole);
  });

  it('PST-04 stored before a key existed, it is never passed off as whole: as many keys asked for, the new one among them', () => {
    const older = analysisWith('narration', 'transcript');
    expect(() => shownWith(['narration', 'overlayText'], older)).toThrow('the analysis held has no overlayText');
  });
});

describe('a document', () => {
  const piece = (name: string): Buffer => Buffer.from(`{"is":"${name}"}`);
  const held: HeldDocument = {
    full: piece('full'),
    restricted: piece('restricted'),
    fullWithoutAudience: piece('without audience'),
    posts: { full: Buffer.from('["full"]'), restricted: Buffer.from('["restricted"]') },
    analysis: null,
    audienceUntil: NOW,
    freshUntil: NOW,
  };
  const shown = (marketplace: boolean, now: Instant): string => documentFor(held, { marketplace, now }).toString();

  it('DOC-14 loses its audience at the very instant its grant ends', () => {
    expect(shown(true, NOW - 1)).toBe('{"is":"full"}');
    expect(shown(true, NOW)).toBe('{"is":"without audience"}');
  });

  it('DOC-13 and its posts are restricted for an organization without marketplace credentials', () => {
    expect(shown(false, NOW - 1)).toBe('{"is":"restricted"}');
    const pieces: Buffer[] = [];
    pushCreatorWithPosts(pieces, held.restricted, postsFor(held, { marketplace: false, now: NOW }));
    expect(Buffer.concat(pieces).toString()).toBe('{"is":"restricted","posts":["restricted"]}');
  });
});
