import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { components } from '../../generated/api.ts';
import { createSandbox } from '../discovery/sources/sandbox.ts';
import type { Source } from '../model.ts';
import { networks } from '../networks/index.ts';
import { createClock, engines, type HandClock, type TestStore } from '../testing/engines.ts';
import { startHarness, type Harness } from './testing.ts';

type Schemas = components['schemas'];
type Channel = Schemas['Channel'];
type CreatorPost = Schemas['CreatorPost'];
type Post = Schemas['Post'];

/** What an organization without marketplace credentials may not see: null, or false where that is what unobserved is. */
const MARKETPLACE_ONLY = {
  gender: null,
  ageBucket: null,
  onboardedStatus: null,
  portfolioUrl: null,
  email: null,
  isPaidPartnershipMessagesEnabled: false,
  hasBrandPartnershipExperience: null,
  pastBrandPartnershipPartners: null,
  badges: null,
  creatorMarketplaceReach: null,
  creatorEngagedAccounts: null,
  reelsInteractionRate: null,
  reelsHookRate: null,
};
const postUrlOf = {
  netA: (name: string) => `https://neta.example/p/${name}`,
  netB: (name: string) => `https://netb.example/@x/video/${name}`,
};
const NETWORKS = ['netA', 'netB'] as const;

const handles = fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,40}$/);
const plainHandles = handles.filter((name) => !/^(missing|broken|flaky|bare|silent|slow)/.test(name));
const plainNames = fc
  .stringMatching(/^[A-Z][A-Za-z0-9_-]{0,20}$/)
  .filter((name) => !/^(missing|old|outside|orphan|unresolved|broken|flaky|bare|slow|P[A-L])/i.test(name));

describe('documents of the sandbox networks, over HTTP', () => {
  let service: Harness;
  beforeAll(async () => {
    service = await startHarness({ settings: { CALLS_PER_MINUTE: '10000000' } });
  });
  afterAll(() => service.close());

  const creator = async (network: string, handle: string) =>
    (await service.held(`/creators/${network}/${encodeURIComponent(handle)}?include=posts`)).body
      .data as Schemas['Creator'];
  const post = async (url: string) => (await service.held(`/posts?url=${encodeURIComponent(url)}`)).body.data as Post;

  it('DOC-02, DOC-03, DOC-09, CRE-08 any creator agrees with its posts, and each post with its author', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...NETWORKS), plainHandles, async (network, handle) => {
        const { channels, posts = [] } = await creator(network, handle);
        expect(channels).toHaveLength(1);
        const [channel] = channels as [Channel];
        expect([channel.network, channel.username]).toEqual([network, handle]);
        for (const one of posts) expect(one.author.accountId).toBe(channel.externalId);
        expect(datesOf(posts)).toEqual(datesOf(posts).toSorted().toReversed());
        const [newest] = posts;
        if (newest === undefined) return;
        const { netA: _a, netB: _b, updatedAt: _u, ...core } = await post(newest.url ?? '');
        expect(core).toEqual(newest);
      }),
      { numRuns: 25 },
    );
  });
  it('DOC-09 a post that is discovered months after its creator still says the same as there', async () => {
    const { posts = [] } = await creator('netA', 'still.here');
    const shown = posts[1]!;
    service.clock.pass(90 * 86_400_000);
    const { netA: _a, netB: _b, updatedAt: _u, ...core } = await post(shown.url ?? '');
    expect(core).toEqual(shown);
  });
  it('DOC-06, DOC-07, DOC-08, DOC-10 any post holds its equalities and sums', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...NETWORKS), plainNames, async (network, name) => {
        const document = await post(postUrlOf[network](name));
        expect(document.network).toBe(network);
        expectCoherent(document);
      }),
      { numRuns: 40 },
    );
  });
  it('DOC-09 the author of any post is a creator who says the same of itself', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...NETWORKS), plainNames, async (network, name) => {
        const { author } = await post(postUrlOf[network](name));
        const [channel] = (await creator(network, author.username ?? '')).channels as [Channel];
        const { externalId: accountId, username, followersCount, verified, country } = channel;
        expect(author).toEqual({ accountId, username, followersCount, verified, country });
      }),
      { numRuns: 20 },
    );
  });
  it('DOC-01, PST-04 analysis has content and nulls', async () => {
    const KEYS = ['narration', 'transcript', 'overlayText', 'languages', 'aestheticTags', 'brandSafety'];
    const values = new Map<string, Set<boolean>>();
    const ids = Array.from({ length: 40 }, (_, index) => `Post${index}`).join(',');
    const { body } = await service.held(`/posts?ids=${ids}&include=${KEYS.join(',')}`);
    for (const { analysis } of body.data)
      for (const key of KEYS) values.set(key, (values.get(key) ?? new Set()).add(analysis[key] === null));
    expect([...values].filter(([, seen]) => seen.size === 2).length).toBeGreaterThan(3);
    const bare = await service.held(`/posts?ids=bare1&include=${KEYS.join(',')}`);
    expect(Object.values(bare.body.data[0].analysis)).toEqual(KEYS.map(() => null));
  });

  it('DOC-05, DOC-11 brandSafety has its 12 keys or is null; unobserved groups are objects of nulls', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `Safe${index}`).join(',');
    const { body } = await service.held(`/posts?ids=${ids}&include=brandSafety`);
    const judged = body.data.map(({ analysis }: { analysis: Schemas['Analysis'] }) => analysis.brandSafety ?? []);
    for (const risks of judged.filter((one: object) => !Array.isArray(one))) {
      expect(Object.keys(risks)).toHaveLength(12);
      for (const risk of Object.values(risks)) expect(['High Risk', 'Medium Risk', 'Low Risk']).toContain(risk);
    }
    const keys = ['commercialAnalysis', 'emotionalAnalysis', 'productionAnalysis', 'commentSentimentBreakdown'];
    const { analysis } = (await service.held(`/posts?ids=bare2&include=${keys.join(',')}`)).body.data[0];
    expect(analysis.commentSentimentBreakdown).toBeNull();
    for (const key of keys.slice(0, 3)) expect(new Set(Object.values(analysis[key]))).toEqual(new Set([null]));
    const { netB } = (await creator('netB', 'bare.one')).channels[0];
    expect(netB.creatorRate).toBeNull();
  });

  it.each(NETWORKS)('%s: bare… has nothing observed, silent… no posts (DOC-03, DOC-04, DOC-09)', async (network) => {
    const { channels, posts } = await creator(network, 'bare.one');
    expect(posts).toEqual([]);
    const { network: _n, netA, netB, ...core } = channels[0];
    const observed = Object.entries({ ...netA, ...netB, ...core }).filter(([, value]) => value !== null);
    expect(observed.every(([, value]) => value === false)).toBe(true);
    expect((await creator(network, 'silent.one')).posts).toEqual([]);
  });
  it('DOC-03 the netB group of a post that is not of netB, or bare, is null throughout', async () => {
    for (const url of ['https://neta.example/p/C1x', 'https://netb.example/@ada/video/bare1'])
      expect(new Set(Object.values((await post(url)).netB))).toEqual(new Set([null]));
  });
  it.each(NETWORKS)('%s: missing…, broken…, flaky…, slow… creators', async (network) => {
    const read = (handle: string) => service.held(`/creators/${network}/${handle}`);
    expect((await read('missing.x')).body.error.details).toEqual({ reason: 'account-not-discoverable' });
    expect((await read('broken.x')).body.error.details).toEqual({ reason: 'internal-error', retryable: true });
    expect((await read('flaky.x')).status).toBe(202);
    service.clock.pass(5000);
    await service.settle();
    expect((await read('flaky.x')).status).toBe(200);
    expect(Number((await service.get(`/creators/${network}/slow.x`)).headers['retry-after'])).toBeGreaterThanOrEqual(1);
  });
  it.each(NETWORKS)('%s: the posts of the same names', async (network) => {
    const read = (name: string) => service.held(`/posts?url=${encodeURIComponent(postUrlOf[network](name))}`);
    const reasonOf = async (name: string) => (await read(name)).body.error.details.reason;
    const names = ['missing1', 'old1', 'outside1', 'orphan1', 'unresolved1', 'broken1'];
    expect(await Promise.all(names.map(reasonOf))).toEqual([
      ...Array(3).fill('outside-recent-media-window'),
      ...Array(2).fill('author-unresolved'),
      'internal-error',
    ]);
    for (const [name, kind] of [
      ['carousel1', 'carousel'],
      ['image1', 'image'],
      ['video1', 'video'],
    ] as const) {
      const { data } = (await read(name)).body as { data: Post };
      expect([data.mediaKind, data.media.length > 1]).toEqual([kind, kind === 'carousel']);
    }
    const bare = (await read('bare1')).body.data as Post;
    expect([bare.text, bare.likeCount, bare.media]).toEqual([null, null, []]);
    expect((await read('flaky1')).status).toBe(202);
  });
  it('netA: story… and reel… are those products', async () => {
    const products = await Promise.all(
      ['story1', 'reel1'].map(async (name) => (await post(postUrlOf.netA(name))).netA.mediaProductType),
    );
    expect(products).toEqual(['STORY', 'REELS']);
  });
});

const datesOf = (posts: readonly CreatorPost[]) => posts.map(({ postedAt }) => postedAt ?? '');
const sumOf = (parts: readonly (number | null)[]): number | null =>
  parts.includes(null) ? null : parts.reduce<number>((sum, part) => sum + (part ?? 0), 0);

function expectCoherent({ netA, netB, ...core }: Post): void {
  if (core.network === 'netA') {
    expect([netA.permalink, netA.caption]).toEqual([core.url, core.text]);
    expect([netA.totalLikeCount, netA.totalCommentCount, netA.totalViewCount]).toEqual([
      core.likeCount,
      core.commentCount,
      core.viewCount,
    ]);
    const parts = [netA.organicLikeCount, netA.organicCommentCount, netA.organicSaveCount, netA.organicShareCount];
    if (sumOf(parts) !== null) expect(netA.organicTotalInteractions).toBe(sumOf(parts));
    expect(netA.hashtags).toEqual([...(core.text ?? '').matchAll(/#(\w+)/g)].map(([, tag]) => tag));
    const types = ['TAG', 'CAPTION', 'STORY', 'COLLAB', 'PAID_PARTNERSHIP'];
    for (const { type } of netA.mentions) expect(types).toContain(type);
  } else {
    expect([netB.totalLikeCount, netB.totalCommentCount, netB.totalViewCount, netB.organicShareCount]).toEqual([
      core.likeCount,
      core.commentCount,
      core.viewCount,
      core.shareCount,
    ]);
    expect(netB.netBVideoId).toBe(core.externalId);
    const parts = [netB.totalLikeCount, netB.totalCommentCount, netB.totalShareCount, netB.favoriteCount];
    if (sumOf(parts) !== null) expect(netB.engagementCount).toBe(sumOf(parts));
  }
}

describe.each(engines)('whose eyes, on $name', ({ createStore }) => {
  let store: TestStore;
  let clock: HandClock;
  let service: Harness;
  const HOUR = 3_600_000;
  /** The sandbox, with an audience grant that ends an hour from now. */
  const granting = (): Source[] =>
    networks.map((network) => {
      const sandbox = createSandbox(network, { clock, ordinaryMilliseconds: 0 });
      return {
        ...sandbox,
        async obtain(entity, options) {
          const obtained = await sandbox.obtain(entity, options);
          return obtained.is === 'creator' && obtained.audienceUntil !== null
            ? { ...obtained, audienceUntil: clock() + HOUR }
            : obtained;
        },
      };
    });
  beforeAll(async () => {
    clock = createClock();
    store = await createStore(clock);
    service = await startHarness({ database: await store.open(), clock, sources: granting() });
  });
  afterAll(async () => {
    await service.close();
    await store.close();
  });
  const plain = () => ({ token: service.tokens.plain });
  /** The same creator by every way that leads to it. */
  async function channelsBy(handle: string, ask: { token?: string }, more = ''): Promise<Channel[]> {
    const [single, list, posted] = [
      await service.get(`/creators/netA/${handle}?include=posts${more && `&${more}`}`, ask),
      await service.get(`/creators?ids=${handle}${more && `&${more}`}`, ask),
      await service.post('/creators/batch', { ids: [handle], ...Object.fromEntries(new URLSearchParams(more)) }, ask),
    ];
    return [single.body.data, list.body.data[0], posted.body.data[0]].map(({ channels }) => channels[0] as Channel);
  }
  function expectUnattested(channel: Channel): void {
    expect(channel.netA).toMatchObject(MARKETPLACE_ONLY);
    expect(channel.verified).toBe(false);
    expect(channel.netA).not.toHaveProperty('audienceDemographics');
    expect(channel.netA).not.toHaveProperty('creatorEngagedAccountsBreakdowns');
  }
  const observed = ({ netA }: Channel) => Object.keys(MARKETPLACE_ONLY).filter((key) => netA[key as 'email'] !== null);

  it('DOC-13 who has no marketplace credentials sees none of its fields, whoever asked first and from memory too', async () => {
    await service.held('/creators/netA/first.full');
    const before = await channelsBy('first.full', {});
    expect(before.every((channel) => observed(channel).length > 6)).toBe(true);
    (await channelsBy('first.full', plain())).forEach(expectUnattested);
    expect(await channelsBy('first.full', {})).toEqual(before);
    await service.held('/creators/netA/first.plain', plain());
    (await channelsBy('first.plain', plain())).forEach(expectUnattested);
    expect((await channelsBy('first.plain', {})).every((channel) => observed(channel).length > 6)).toBe(true);
  });
  it('DOC-13 it is the organization acted for that counts, not the one of the credential', async () => {
    await service.service.principals.addMember({ account: 'acc_home', organization: 'org_plain', role: 'reader' });
    await service.service.principals.addMember({ account: 'acc_plain', organization: 'org_partner', role: 'reader' });
    await service.held('/creators/netA/acted.for');
    (await channelsBy('acted.for', {}, 'asOrg=plain')).forEach(expectUnattested);
    const attested = await channelsBy('acted.for', plain(), 'asOrg=partner');
    expect(attested.every((channel) => observed(channel).length > 6)).toBe(true);
  });
  it('DOC-13 posts say nothing that the creator hides; netB has no marketplace', async () => {
    const { body } = await service.held('/creators/netA/first.full?include=posts', plain());
    for (const { author } of body.data.posts) expect(author.verified).toBe(false);
    const post = await service.held('/posts?ids=PAada,C1x', plain());
    for (const { author } of post.body.data) expect(author.verified).not.toBe(true);
    await service.held('/creators/netB/bob');
    const [full, restricted] = [
      await service.get('/creators/netB/bob'),
      await service.get('/creators/netB/bob', plain()),
    ];
    expect(restricted.text).toBe(full.text);
  });
  it('DOC-14, DOC-15 audience demographics are there while the grant lives, and gone with it, refresh or not', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => `granted${index}`).join(',');
    const audience = async () => {
      const { body } = await service.get(`/creators?ids=${ids}`);
      return (body.data as Schemas['Creator'][]).flatMap(
        ({ channels }) => channels[0]?.netA.audienceDemographics ?? [],
      );
    };
    await service.held(`/creators?ids=${ids}`);
    const told = (await audience()) as { gender: { label: string }[]; country: { label: string }[] }[];
    expect(told.length).toBeGreaterThan(0);
    for (const { gender, country } of told) {
      for (const { label } of gender) expect(['male', 'female', 'unknown']).toContain(label);
      for (const { label } of country) expect(label).toMatch(/^[A-Z]{2}$/);
    }
    clock.pass(HOUR);
    expect(await audience()).toEqual([]);
  });
  it('DOC-12, GEN-08 an opaque group and values never seen before pass', async () => {
    const { service: own } = service;
    const entity = { kind: 'creator', network: 'netA', name: 'odd.one' } as const;
    const { body } = await service.held('/creators/netA/model.one');
    const odd = structuredClone(body.data) as Schemas['Creator'];
    Object.assign(odd.channels[0].netA, {
      gender: 'nobody-knows',
      ageBucket: '100-200',
      badges: ['never seen'],
      audienceDemographics: [1, { a: [null] }],
    });
    const at = { startedAt: clock(), freshUntil: clock() + HOUR };
    await own.documents.put({ entity, document: odd, posts: [], audienceUntil: clock() + HOUR }, at);
    const { status, body: read } = await service.get('/creators/netA/odd.one');
    expect([status, read.data.channels[0].netA]).toMatchObject([
      200,
      { gender: 'nobody-knows', badges: ['never seen'] },
    ]);
    expect(read.data.channels[0].netA.audienceDemographics).toEqual([1, { a: [null] }]);
  });
});
