import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { Entity, Obtained } from '../../model.ts';
import { networks } from '../../networks/index.ts';
import { netA } from '../../networks/netA.ts';
import { createCollector } from '../collector.ts';
import { SourceThrottled } from '../source.ts';
import { createHttpSource, type HttpSourceOptions } from './http.ts';
import { createSandbox } from './sandbox.ts';

const bundle = JSON.parse(readFileSync(new URL('../../../generated/openapi.json', import.meta.url), 'utf8'));
const { schemas } = bundle.components;
const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(bundle, 'https://contract.invalid/');
const { signal } = new AbortController();
const clock = () => Date.UTC(2026, 4, 12, 12);
const ada: Entity = { kind: 'creator', network: 'netA', name: 'ada' };
const c1x: Entity = { kind: 'post', network: 'netA', name: 'C1x' };
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function listen(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const sandboxes = () =>
  networks.map((network) => createSandbox(network, { clock, ordinaryMilliseconds: 0, slowMilliseconds: 0 }));
async function sourceOf(listener: RequestListener, options: Partial<HttpSourceOptions> = {}) {
  const baseUrl = await listen(createServer(listener));
  return createHttpSource(netA, { baseUrl, schemas, ...options });
}
const answering =
  (body: unknown, status = 200, headers: Record<string, string> = {}): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

function expectLegal(obtained: Obtained): void {
  if (obtained.is === 'unavailable') return;
  const check = (name: string, value: unknown): void => {
    const validate = ajv.getSchema(`https://contract.invalid/#/components/schemas/${name}`)!;
    void validate(JSON.parse(JSON.stringify(value)));
    expect(validate.errors ?? []).toEqual([]);
  };
  if (obtained.is === 'post') return (check('Post', obtained.document), check('Analysis', obtained.analysis));
  check('Creator', obtained.document);
  for (const post of obtained.posts) check('CreatorPost', post);
}

describe('a collector of the sandbox, over HTTP', () => {
  it.each(networks)('$name tells the same as the sandbox itself', async (network) => {
    const direct = sandboxes().find((source) => source.network === network.name)!;
    const remote = createHttpSource(network, { baseUrl: await listen(createCollector(sandboxes())), schemas });
    for (const name of [
      'ada',
      'bare1',
      'silent',
      'missing',
      'broken',
      'carousel',
      'reel',
      'story',
      'old',
      'orphan',
      'c.d',
      '-',
    ]) {
      for (const kind of ['creator', 'post'] as const) {
        if (kind === 'post' && network.postOfText(name) === null) continue;
        const entity = { kind, network: network.name, name };
        const [want, got] = [
          await direct.obtain(entity, { deep: true, signal }),
          await remote.obtain(entity, { deep: true, signal }),
        ];
        expect(JSON.parse(JSON.stringify(got))).toEqual(JSON.parse(JSON.stringify(want)));
      }
    }
  });
});

describe('F10 mad sources', () => {
  it.each([
    ['HTML', answering('<html>', 200, { 'content-type': 'text/html' })],
    ['no JSON', answering('{"creator": NaN}')],
    ['an array', answering([])],
    ['nothing', answering('')],
    ['no creator', answering({})],
    ['no channels', answering({ creator: { channels: [] } })],
    ['another network', answering({ creator: { channels: [{ network: 'netB' }] } })],
    ['a redirect', answering('', 302, { location: 'http://127.0.0.1:1/' })],
    ['500', answering({}, 500)],
    ['404 without a reason', answering({}, 404)],
    ['404 with a hostile reason', answering({ reason: 'a\r\nb' }, 404)],
    [
      'a torn answer',
      ((_, response) => (
        response.writeHead(200, { 'content-length': '999' }),
        response.write('{'),
        response.destroy()
      )) satisfies RequestListener,
    ],
  ])('%s is a failure', async (_, listener) => {
    await expect((await sourceOf(listener)).obtain(ada, { deep: false, signal })).rejects.toThrow();
  });

  it('a redirect is not followed, whatever stands there', async () => {
    let asked = 0;
    const creator = { channels: [{ network: 'netA' }] };
    const elsewhere = await listen(createServer((...exchange) => ((asked += 1), answering({ creator })(...exchange))));
    const source = await sourceOf(answering('', 307, { location: elsewhere }));
    await expect(source.obtain(ada, { deep: false, signal })).rejects.toThrow('the source answered 307');
    expect(asked).toBe(0);
  });

  it('what unpacks to more than the bound is cut off too', async () => {
    const packed = gzipSync(JSON.stringify({ creator: 'x'.repeat(10_000_000) }));
    const source = await sourceOf(
      (_, response) =>
        void response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(packed),
      { maxBytes: 1_000_000 },
    );
    await expect(source.obtain(ada, { deep: false, signal })).rejects.toThrow('longer than');
  });

  it('the token goes to the collector, and nothing of a caller', async () => {
    const seen: (string | undefined)[] = [];
    const source = await sourceOf(
      (request, response) => {
        seen.push(request.headers.authorization, request.url);
        answering({ reason: 'account-not-discoverable' }, 404)(request, response);
      },
      { token: 'secret' },
    );
    await source.obtain({ ...ada, name: 'a.b_c-d' }, { deep: true, signal });
    expect(seen).toEqual(['Bearer secret', '/v1/netA/creators/a.b_c-d?deep=true']);
  });

  it('10 MB are cut off at the bound', async () => {
    const source = await sourceOf(answering({ creator: 'x'.repeat(10_000_000) }), { maxBytes: 1_000_000 });
    await expect(source.obtain(ada, { deep: false, signal })).rejects.toThrow('longer than');
  });

  it('a source that never answers is left at the timeout', async () => {
    const source = await sourceOf(() => {}, { timeoutMilliseconds: 50 });
    await expect(source.obtain(ada, { deep: false, signal })).rejects.toThrow();
  });

  it('wrong types and missing keys become null, unknown keys go', async () => {
    const channel = {
      network: 'netA',
      externalId: 7,
      username: 'ada',
      followersCount: '12',
      verified: 'yes',
      netA: { name: 5, badges: 'x', hack: 1 },
      hack: 1,
    };
    const obtained = await (
      await sourceOf(answering({ creator: { channels: [channel] }, posts: 'none' }))
    ).obtain(ada, { deep: false, signal });
    expectLegal(obtained);
    if (obtained.is !== 'creator') throw new Error(obtained.is);
    const repaired = obtained.document.channels[0];
    expect(repaired).toMatchObject({ externalId: null, username: 'ada', followersCount: null, verified: false });
    expect(repaired.netA).toMatchObject({ name: null, badges: null, hasProfilePic: false });
    expect(JSON.stringify(repaired)).not.toContain('hack');
  });

  it('DOC-06 DOC-07 equalities and sums are made to hold', async () => {
    const post = {
      network: 'netA',
      likeCount: 5,
      netA: {
        totalLikeCount: 9,
        organicLikeCount: 1,
        organicCommentCount: 2,
        organicSaveCount: 3,
        organicShareCount: 4,
        organicTotalInteractions: 0,
      },
    };
    const obtained = await (await sourceOf(answering({ post }))).obtain(c1x, { deep: false, signal });
    expectLegal(obtained);
    expect(obtained).toMatchObject({ document: { netA: { totalLikeCount: 5, organicTotalInteractions: 10 } } });
  });

  it("DOC-08 hashtags are made the caption's", async () => {
    const read = async (text: string | null) => {
      const post = { network: 'netA', text, netA: { hashtags: ['#loud', 'elsewhere', 'loud'] } };
      const obtained = await (await sourceOf(answering({ post }))).obtain(c1x, { deep: false, signal });
      return obtained.is === 'post' ? obtained.document.netA.hashtags : obtained;
    };
    expect(await read('#loud and #Größe2, #loud, a&#39;b, https://x.example/#part')).toEqual(['loud', 'Größe2']);
    expect(await read('quiet')).toEqual([]);
    expect(await read(null)).toEqual(['#loud', 'elsewhere', 'loud']);
  });

  it('DOC-14 demographics without a grant are dropped', async () => {
    const channel = { network: 'netA', netA: { audienceDemographics: { gender: [{ label: 'F' }] } } };
    const read = async (audienceUntil?: string) =>
      (await sourceOf(answering({ creator: { channels: [channel] }, audienceUntil }))).obtain(ada, {
        deep: false,
        signal,
      });
    expect(JSON.stringify(await read())).not.toContain('audienceDemographics');
    expect(JSON.stringify(await read('2026-06-01T00:00:00Z'))).toContain(
      '"audienceDemographics":{"gender":[{"label":"female"}]}',
    );
  });

  it('DOC-15 the groups are normalized dimension by dimension, whatever stands beside', async () => {
    const creatorEngagedAccountsBreakdowns = {
      topCities: [{ label: 'Austin, Texas' }],
      age: 'young',
      toString: [{ label: '18' }],
    };
    const channel = { network: 'netA', netA: { creatorEngagedAccountsBreakdowns } };
    const obtained = await (
      await sourceOf(answering({ creator: { channels: [channel] } }))
    ).obtain(ada, { deep: false, signal });
    expect(JSON.stringify(obtained)).toContain(
      '{"topCities":[{"label":"Austin, TX"}],"age":"young","toString":[{"label":"18"}]}',
    );
  });

  it.each([
    ['nested without an end', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['of megabytes', `"${'x'.repeat(1_000_000)}"`],
  ])('a group of free form that is %s is left out', async (_, group) => {
    const body = `{"creator":{"channels":[{"network":"netA","netA":{"creatorEngagedAccountsBreakdowns":${group}}}]}}`;
    const obtained = await (await sourceOf(answering(body))).obtain(ada, { deep: false, signal });
    expectLegal(obtained);
    expect(JSON.stringify(obtained)).not.toContain('creatorEngagedAccountsBreakdowns');
  });

  it('CRE-08 a post that comes twice is shown once, and one of another network not at all', async () => {
    const author = { accountId: '1' };
    const posts = [
      { externalId: 'a', author },
      { externalId: 'a', author },
      { url: 'https://neta.example/p/b', author },
      { url: 'https://neta.example/p/b', author },
      { author },
      { network: 'netB', externalId: 'c', author },
    ];
    const obtained = await (
      await sourceOf(answering({ creator: { channels: [{ network: 'netA' }] }, posts }))
    ).obtain(ada, { deep: false, signal });
    if (obtained.is !== 'creator') throw new Error(obtained.is);
    expect(obtained.posts.map(({ externalId, url }) => externalId ?? url)).toEqual([
      'a',
      'https://neta.example/p/b',
      null,
    ]);
  });

  it('another post than the one that was asked for is a failure, as its permalink says', async () => {
    const read = async (url: string) =>
      (await sourceOf(answering({ post: { network: 'netA', url } }))).obtain(c1x, { deep: false, signal });
    for (const same of [
      'https://neta.example/p/C1x',
      'https://www.neta.example/reel/C1x/?a=b',
      'elsewhere',
      'https://neta.example/C1x',
    ])
      expect((await read(same)).is).toBe('post');
    await expect(read('https://neta.example/p/C2y')).rejects.toThrow('another post');
  });

  it('STA-05 internal-error is a failure of the service, and worth another try', async () => {
    const source = await sourceOf(answering({ reason: 'internal-error' }, 404));
    expect(await source.obtain(ada, { deep: false, signal })).toEqual({
      is: 'unavailable',
      reason: 'internal-error',
      retryable: true,
    });
  });

  it('F9 429 is throttling, with its time', async () => {
    const read = async (headers: Record<string, string>) =>
      (await sourceOf(answering({}, 429, headers))).obtain(ada, { deep: false, signal });
    await expect(read({ 'retry-after': '7' })).rejects.toEqual(new SourceThrottled(7));
    await expect(read({ 'retry-after': 'soon' })).rejects.toEqual(new SourceThrottled(60));
  });

  it('whatever a source answers is a legal document or a failure', async () => {
    const { document, posts } = (await sandboxes()[0]!.obtain(ada, { deep: false, signal })) as Extract<
      Obtained,
      { is: 'creator' }
    >;
    const post = (await sandboxes()[0]!.obtain(c1x, { deep: false, signal })) as Extract<Obtained, { is: 'post' }>;
    let body: unknown = null;
    const source = await sourceOf((request, response) => answering(body)(request, response));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(ada, c1x),
        fc.infiniteStream(fc.nat(999)),
        fc.jsonValue(),
        async (entity, draws, garbage) => {
          const truth =
            entity.kind === 'creator' ? { creator: document, posts } : { post: post.document, analysis: post.analysis };
          body = spoil(structuredClone(truth), draws, garbage);
          const obtained = await source.obtain(entity, { deep: false, signal }).catch(() => null);
          if (obtained !== null) expectLegal(obtained);
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** Puts garbage into a value at about one place in twenty. */
function spoil(value: unknown, draws: Iterator<number>, garbage: unknown): unknown {
  if (draws.next().value < 40) return garbage;
  if (Array.isArray(value)) return value.map((item) => spoil(item, draws, garbage));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, spoil(item, draws, garbage)]));
}
