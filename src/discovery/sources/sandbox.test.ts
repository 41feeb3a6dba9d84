import { existsSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CreatorPost, Entity, EntityKind, Instant, Obtained, Post } from '../../model.ts';
import { networks } from '../../networks/index.ts';
import { mediaIdOf, netA } from '../../networks/netA.ts';
import { netB } from '../../networks/netB.ts';
import { EntityFailed } from '../source.ts';
import { createSandbox } from './sandbox.ts';
import { recentPostName, recentPostOf } from './sandbox-names.ts';

const noon = Date.UTC(2026, 4, 12, 12);
const { signal } = new AbortController();
const handles = fc.stringMatching(/^[a-z0-9._-]{1,100}$/).filter((handle) => !/^\.+$/.test(handle));
const names = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
  fc.stringMatching(/^(carousel|story|reel|image|video|bare)[A-Za-z0-9_-]{0,9}$/),
);

const bundle = new URL('../../../generated/openapi.json', import.meta.url);
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
if (existsSync(bundle)) ajv.addSchema(JSON.parse(readFileSync(bundle, 'utf8')), 'https://contract.invalid/');

function expectSchema(name: string, value: unknown): void {
  const validate = ajv.getSchema(`https://contract.invalid/#/components/schemas/${name}`);
  if (validate === undefined) throw new Error(`the contract has no schema ${name}`);
  void validate(JSON.parse(JSON.stringify(value)));
  expect(validate.errors ?? []).toEqual([]);
}

const sandboxOf = (network = netA, now: Instant = noon) =>
  createSandbox(network, { clock: () => now, ordinaryMilliseconds: 0, slowMilliseconds: 0 });
const entity = (network: string, kind: EntityKind, name: string): Entity => ({ kind, network, name });
const obtain = (network: typeof netA, kind: EntityKind, name: string, deep = false): Promise<Obtained> =>
  sandboxOf(network).obtain(entity(network.name, kind, name), { deep, signal });

async function creator(network: typeof netA, name: string, deep = false) {
  const obtained = await obtain(network, 'creator', name, deep);
  if (obtained.is !== 'creator') throw new Error(`${name}: ${JSON.stringify(obtained)}`);
  return { ...obtained, channel: obtained.document.channels[0] };
}
async function post(network: typeof netA, name: string) {
  const obtained = await obtain(network, 'post', name);
  if (obtained.is !== 'post') throw new Error(`${name}: ${JSON.stringify(obtained)}`);
  return obtained;
}
const coreOf = (document: Post): CreatorPost => {
  const { netA: _a, netB: _b, updatedAt: _u, ...core } = document;
  return core as CreatorPost;
};
const sum = (values: readonly { percentage: number }[]): number =>
  values.reduce((total, { percentage }) => total + percentage, 0);

describe.each(networks)('sandbox $name', (network) => {
  it('DOC-01 DOC-02 DOC-04 every creator is a document of the contract', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          handles,
          handles.map((name) => `bare${name}`.slice(0, 100)),
        ),
        async (handle) => {
          const { document, posts } = await creator(network, handle);
          expectSchema('Creator', { ...document, posts });
        },
      ),
      { numRuns: 150 },
    );
  });

  it('DOC-01 DOC-08 DOC-11 every post and its analysis are documents of the contract', async () => {
    await fc.assert(
      fc.asyncProperty(names, async (name) => {
        const obtained = await obtain(network, 'post', name);
        if (obtained.is !== 'post') return;
        expectSchema('Post', obtained.document);
        expectSchema('Analysis', obtained.analysis);
        expect(Object.keys(obtained.analysis)).toHaveLength(19);
      }),
      { numRuns: 200 },
    );
  });

  it("DOC-09 a creator's recent posts name its externalId, and each reads the same as a post", async () => {
    await fc.assert(
      fc.asyncProperty(handles, async (handle) => {
        const { channel, posts } = await creator(network, handle);
        for (const [index, shown] of posts.entries()) {
          expect(shown.author).toMatchObject({ accountId: channel.externalId, username: handle });
          const name = network.postOfPath(new URL(shown.url ?? '').pathname);
          expect(name).toBe(recentPostName(handle, index));
          expect(coreOf((await post(network, name ?? '')).document)).toEqual(shown);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('CRE-08 recent posts come newest first, none of the future', async () => {
    const { posts } = await creator(network, 'ada');
    const times = posts.map(({ postedAt }) => Date.parse(postedAt ?? ''));
    expect(posts).toHaveLength(12);
    expect(times).toEqual([...times].sort((left, right) => right - left));
    expect(times[0]).toBeLessThan(noon);
  });

  it("DOC-09 any other post's author exists and agrees with it", async () => {
    await fc.assert(
      fc.asyncProperty(names, async (name) => {
        const obtained = await obtain(network, 'post', name);
        if (obtained.is !== 'post' || obtained.author === null) return;
        const { channel } = await creator(network, obtained.author.name);
        const { externalId: accountId, username, followersCount, verified, country } = channel;
        expect(obtained.document.author).toEqual({ accountId, username, followersCount, verified, country });
      }),
      { numRuns: 60 },
    );
  });

  it('DOC-06 DOC-07 equalities and sums hold in every post', async () => {
    await fc.assert(
      fc.asyncProperty(names, async (name) => {
        const obtained = await obtain(network, 'post', name);
        if (obtained.is === 'post') expectEqualities(obtained.document);
      }),
      { numRuns: 300 },
    );
  });

  it('DOC-09 is the same whenever it is asked: over midnight, and months later', async () => {
    const told = async (now: Instant, kind: EntityKind, name: string): Promise<string> => {
      const obtained = await sandboxOf(network, now).obtain(entity(network.name, kind, name), { deep: true, signal });
      const observed = (key: string, value: unknown) => (key === 'updatedAt' || key === 'audienceUntil' ? null : value);
      return JSON.stringify(obtained, observed);
    };
    const midnight = Date.UTC(2026, 4, 13);
    const later = [midnight, midnight + 26 * 3_600_000, midnight + 200 * 86_400_000];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom<EntityKind>('creator', 'post'), names, async (kind, text) => {
        const name = kind === 'creator' ? text.toLowerCase() : text;
        const first = await told(midnight - 1, kind, name);
        for (const now of later) expect(await told(now, kind, name)).toBe(first);
      }),
      { numRuns: 40 },
    );
  });

  it('an image has nothing that is heard, or seen to move', async () => {
    for (let number = 0; number < 20; number += 1) {
      const { document, analysis } = await post(network, `image${number}`);
      expect([analysis.narration, analysis.transcript, analysis.productionAnalysis?.audioStyle]).toEqual([
        null,
        null,
        null,
      ]);
      expect([document.netB.averageViewTimeSeconds, document.netA.organicNetAReelsAvgWatchTime]).toEqual([null, null]);
    }
    const videos = await Promise.all(['video1', 'video2', 'video3'].map((name) => post(network, name)));
    expect(videos.some(({ analysis }) => analysis.narration !== null)).toBe(true);
  });

  it('CRB-09 deep also hands over the recent posts as documents', async () => {
    const { posts, deepPosts } = await creator(network, 'ada', true);
    expect(deepPosts.map(({ document }) => coreOf(document))).toEqual(posts);
    expect((await creator(network, 'ada')).deepPosts).toEqual([]);
  });

  it.each([
    ['creator', 'missing.one', 'account-not-discoverable'],
    ['creator', 'MISSING', 'account-not-discoverable'],
    ['post', 'missing1', 'outside-recent-media-window'],
    ['post', 'Old-1', 'outside-recent-media-window'],
    ['post', 'outside1', 'outside-recent-media-window'],
    ['post', 'orphan1', 'author-unresolved'],
    ['post', 'unresolved1', 'author-unresolved'],
    ['post', recentPostName('missing', 0), 'author-unresolved'],
    ['post', recentPostName('silent', 0), 'outside-recent-media-window'],
    ['post', recentPostName('bare', 3), 'outside-recent-media-window'],
  ] as const)('PST-08 %s %s is unavailable: %s', async (kind, name, reason) => {
    expect(await obtain(network, kind, name)).toEqual({ is: 'unavailable', reason, retryable: false });
  });

  it.each(['creator', 'post'] as const)("STA-05 broken… is a %s that fails on the service's side", async (kind) => {
    expect(await obtain(network, kind, 'Broken-1')).toEqual({
      is: 'unavailable',
      reason: 'internal-error',
      retryable: true,
    });
  });

  it('flaky… fails once for each entity, then succeeds', async () => {
    const source = sandboxOf(network);
    const read = (kind: EntityKind) => source.obtain(entity(network.name, kind, 'flaky1'), { deep: false, signal });
    await expect(read('creator')).rejects.toThrow(EntityFailed);
    await expect(read('post')).rejects.toThrow(EntityFailed);
    expect((await read('creator')).is).toBe('creator');
    expect((await read('post')).is).toBe('post');
  });

  it('slow… takes 5 s, says so beforehand, and ends with its signal', async () => {
    const waited: number[] = [];
    const sleep = async (milliseconds: number) => void waited.push(milliseconds);
    const source = createSandbox(network, { clock: () => noon, sleep });
    await source.obtain(entity(network.name, 'creator', 'slowpoke'), { deep: false, signal });
    await source.obtain(entity(network.name, 'creator', 'ada'), { deep: false, signal });
    expect(waited).toEqual([5000, 400]);
    expect(source.expectedSeconds(entity(network.name, 'post', 'slow1'))).toBe(5);
    expect(source.expectedSeconds(entity(network.name, 'post', 'C1x'))).toBe(1);
    const real = createSandbox(network, { clock: () => noon });
    await expect(
      real.obtain(entity(network.name, 'post', 'slow1'), { deep: false, signal: AbortSignal.abort() }),
    ).rejects.toThrow();
  });

  it('silent… has no posts, bare… nothing observed and (DOC-09) no posts', async () => {
    const silent = await creator(network, 'silent.one', true);
    expect([silent.posts, silent.deepPosts]).toEqual([[], []]);
    const bare = await creator(network, 'bare.one');
    expect(bare.posts).toEqual([]);
    const { network: name, verified, netA: a, netB: b, ...rest } = bare.channel;
    expect([name, verified]).toEqual([network.name, false]);
    const flags = ['hasProfilePic', 'isPublished', 'isPaidPartnershipMessagesEnabled'];
    for (const [key, value] of Object.entries({ ...a, ...b, ...rest }))
      expect([key, value]).toEqual([key, flags.includes(key) ? false : null]);
  });

  it('DOC-03 DOC-05 the other group is unobserved, and what a bare post has is null or empty', async () => {
    const { document, analysis } = await post(network, 'bare1');
    for (const value of Object.values({ ...document.netA, ...document.netB }))
      expect(value === null || JSON.stringify(value) === '[]').toBe(true);
    expect(analysis.commentSentimentBreakdown).toBeNull();
    expect(analysis.emotionalAnalysis).toEqual({ primaryEmotion: null, tone: null });
    const other = network.name === 'netA' ? 'netB' : 'netA';
    const full = (await post(network, 'C1x')).document;
    expect(full[other]).toEqual(document[other]);
    expect((await creator(network, 'ada')).channel[other]).toEqual((await creator(network, 'bare')).channel[other]);
  });

  it.each(['carousel', 'image', 'video'] as const)(
    'DOC-10 %s… is a post of that kind, a media entry a node',
    async (kind) => {
      const { document } = await post(network, `${kind}7`);
      expect(document.mediaKind).toBe(kind);
      expect(document.media.length > 1).toBe(kind === 'carousel');
    },
  );
});

function expectEqualities(document: Post): void {
  const { netA: a, netB: b } = document;
  if (document.network === 'netB') {
    expect([b.totalViewCount, b.totalLikeCount, b.totalCommentCount]).toEqual([
      document.viewCount,
      document.likeCount,
      document.commentCount,
    ]);
    expect([b.organicShareCount, b.netBVideoId]).toEqual([document.shareCount, document.externalId]);
    const parts = [b.totalLikeCount, b.totalCommentCount, b.totalShareCount, b.favoriteCount];
    if (parts.every((part) => part !== null))
      expect(b.engagementCount).toBe(parts.reduce((total, part) => total + part, 0));
    return;
  }
  expect([a.permalink, a.caption]).toEqual([document.url, document.text]);
  expect([a.totalLikeCount, a.totalCommentCount, a.totalViewCount]).toEqual([
    document.likeCount,
    document.commentCount,
    document.viewCount,
  ]);
  expect(a.hashtags).toEqual([...(document.text ?? '').matchAll(/#([a-z]+)/g)].map(([, tag]) => tag));
  const parts = [a.organicLikeCount, a.organicCommentCount, a.organicSaveCount, a.organicShareCount];
  if (parts.every((part) => part !== null))
    expect(a.organicTotalInteractions).toBe(parts.reduce((total, part) => total + part, 0));
}

describe('netA', () => {
  it.each(['story', 'reel'] as const)('%s… is a post of that product', async (name) => {
    const { document } = await post(netA, `${name}1`);
    expect(document.netA.mediaProductType).toBe(name === 'story' ? 'STORY' : 'REELS');
  });

  it('IDS-12 a post is told by shortcode and media id', async () => {
    const { document } = await post(netA, 'PAada');
    expect(document).toMatchObject({
      externalId: mediaIdOf('PAada'),
      netA: { shortcode: 'PAada', netAMediaId: mediaIdOf('PAada') },
    });
    expect(netA.postOfText(document.externalId ?? '')).toBe('PAada');
  });

  it('DOC-14 audienceDemographics come with the end of their grant, and only then', async () => {
    const seen = new Set<boolean>();
    for (let number = 0; number < 60; number += 1) {
      const { channel, audienceUntil } = await creator(netA, `creator${number}`);
      const present = 'audienceDemographics' in channel.netA;
      seen.add(present);
      expect(present).toBe(audienceUntil !== null);
      if (audienceUntil !== null) expect(audienceUntil).toBeGreaterThan(noon);
    }
    expect(seen.size).toBe(2);
  });

  it('DOC-15 demographics are normalized: genders, countries, states', async () => {
    for (let number = 0; number < 40; number += 1) {
      const { channel } = await creator(netA, `creator${number}`);
      for (const group of [channel.netA.audienceDemographics, channel.netA.creatorEngagedAccountsBreakdowns])
        expectNormalized(group);
    }
  });
});

function expectNormalized(group: unknown): void {
  if (group === undefined) return;
  const breakdowns = group as Record<string, { label: string; percentage: number }[]>;
  const { gender, country, topCountries, city, topCities } = breakdowns;
  expect(gender!.map(({ label }) => label)).toEqual(['female', 'male', 'unknown']);
  expect((country ?? topCountries)!.map(({ label }) => label)).toEqual(['US', 'GB', 'DE', 'FR', 'BR', 'JP', 'ES']);
  for (const { label } of (city ?? topCities)!) expect(label).toMatch(/, [A-Z]{2}$/);
  for (const cells of Object.values(breakdowns)) expect(sum(cells)).toBeCloseTo(100);
}

describe('names of recent posts', () => {
  it('lead back to author and position, and are legal on both networks', () => {
    fc.assert(
      fc.property(handles, fc.nat(11), (handle, index) => {
        const name = recentPostName(handle, index);
        const read = recentPostOf(name);
        if (read === null) return;
        expect(read).toEqual({ handle, index });
        expect([netA.postOfText(name), netB.postOfText(name)]).toEqual([name, name]);
      }),
    );
  });
});
