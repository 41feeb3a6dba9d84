import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mediaIdOf } from '../networks/netA.ts';
import { startHarness, type Harness } from './testing.ts';

let service: Harness;
beforeAll(async () => {
  service = await startHarness({ settings: { CALLS_PER_MINUTE: '10000000' } });
});
afterAll(() => service.close());

const UNPARSEABLE = 'unparseable-identifier';
const UNSUPPORTED = 'not-supported-on-network';
type Kind = 'creators' | 'posts';
interface Batch {
  data: {
    network?: string;
    externalId?: string;
    netA?: { shortcode?: string };
    channels?: [{ network: string; username: string }];
  }[];
  fetching: { id: string; retryAfter: string }[];
  unavailable: { id: string; reason: string; retryable?: true }[];
}

/** What the batch by POST says of one identifier: the entity found, or the reason. */
async function outcome(kind: Kind, id: string, more: object = {}): Promise<string> {
  const ask = async () => (await service.post(`/${kind}/batch`, { ids: [id], ...more })).body as Batch;
  await ask();
  await service.settle();
  const { data, unavailable } = await ask();
  const [document] = data;
  if (document === undefined) return unavailable[0]?.reason ?? 'nothing';
  const [channel] = document.channels ?? [];
  if (channel !== undefined) return `${channel.network}:${channel.username}`;
  return `${document.network}:${document.netA?.shortcode ?? document.externalId}`;
}

describe('creators', () => {
  it.each([
    ['IDS-01 bare', 'Ada', 'netA:ada'],
    ['IDS-01 qualified', 'netB:ada', 'netB:ada'],
    ['IDS-01, IDS-09 a URL', 'HTTP://www.NetA.example/Ada/?a=b#c', 'netA:ada'],
    ['IDS-09 one @', '@ada', 'netA:ada'],
    ['IDS-09 no Unicode folding', '\u212Aelvin', UNPARSEABLE],
    ['IDS-06 an unsupported network', 'netC:ada', UNSUPPORTED],
    ['IDS-13 a network has case', 'NETA:ada', UNSUPPORTED],
    ['IDS-07 no handle', 'a b', UNPARSEABLE],
    ['IDS-08 a post URL', 'https://neta.example/p/C1x', UNPARSEABLE],
    ['IDS-10 blanks around it', ' ada\t', 'netA:ada'],
    ['IDS-14 blanks are ASCII', '\u00a0ada', UNPARSEABLE],
    ['IDS-13 user info', 'https://ada@neta.example/ada', UNPARSEABLE],
    ['IDS-13 too long', `https://neta.example/ada?${'x'.repeat(2048)}`, UNPARSEABLE],
    ['CRE-10 a handle of 100', 'a'.repeat(100), `netA:${'a'.repeat(100)}`],
    ['CRE-10 a handle of 101', 'a'.repeat(101), UNPARSEABLE],
    ['CRE-10 dots alone', '...', UNPARSEABLE],
  ])('%s: %j', async (_rule, id, want) => expect(await outcome('creators', id)).toBe(want));
  it.each([
    ['ada', UNSUPPORTED],
    ['netB:ada', 'netB:ada'],
    ['https://neta.example/ada', 'netA:ada'],
  ])('IDS-02, IDS-06 under an unsupported network, %s is %s', async (id, want) =>
    expect(await outcome('creators', id, { network: 'netC' })).toBe(want),
  );
  it('IDS-01, ORG-09 the default network is netA, also when network is empty', async () => {
    expect(await outcome('creators', 'ada', { network: 'netB' })).toBe('netB:ada');
    expect(await outcome('creators', 'ada', { network: '' })).toBe('netA:ada');
    expect((await service.get('/creators?ids=ada&network=')).body.data[0].channels[0].network).toBe('netA');
  });
});

describe('posts', () => {
  it.each([
    ['IDS-12 a shortcode keeps its case', 'c1X', 'netA:c1X'],
    ['IDS-12 /reel/ and /p/ are one', 'https://neta.example/reel/C1x', 'netA:C1x'],
    ['IDS-12 the media id', mediaIdOf('C1xC1xC1x'), 'netA:C1xC1xC1x'],
    ['IDS-08 a profile URL', 'https://neta.example/ada', UNPARSEABLE],
    ['IDS-06 an unsupported network', 'netC:1', UNSUPPORTED],
    ['PST-07 a host of nobody', 'https://example.com/p/C1x', UNPARSEABLE],
  ])('%s: %j', async (_rule, id, want) => expect(await outcome('posts', id)).toBe(want));
  it.each(['Shared1', 'C1x', 'x', '7'])('IDS-12 by media id, shortcode and URLs %s is one post', async (name) => {
    const { body } = await service.held(`/posts?ids=${name}`);
    const { externalId } = body.data[0];
    const ids = [
      externalId,
      `netA:${name}`,
      `https://neta.example/p/${name}/`,
      `http://m.neta.example/reel/${name}?x=1`,
    ];
    const { body: again } = await service.post('/posts/batch', { ids });
    expect(again.data.map((post: { externalId: string }) => post.externalId)).toEqual(Array(4).fill(externalId));
  });
  it('IDS-12 a media id that was asked for is the one that the post shows', async () => {
    const { body } = await service.held('/posts?ids=17841400455970028');
    expect(body.data[0].externalId).toBe('17841400455970028');
  });
  it('IDS-12 a netB post under whatever handle is one post', async () => {
    await service.held('/posts?ids=netB:V77');
    const ids = ['https://netb.example/@one/video/V77', 'https://www.netb.example/@two/video/V77/'];
    expect((await service.post('/posts/batch', { ids })).body.data).toHaveLength(2);
  });
  it.each(['C1x', 'netA:C1x', '', 'https://neta.example/ada', 'https://evil.example/p/C1x'])(
    'IDS-13, PST-03, PST-07 url=%s is unparseable',
    async (text) => {
      const { status, body } = await service.get(`/posts?url=${encodeURIComponent(text)}`);
      expect([status, body.error.details]).toEqual([404, { reason: UNPARSEABLE }]);
    },
  );
});

describe('lists', () => {
  const idsOf = ({ body }: Awaited<ReturnType<Harness['get']>>) => (body as Batch).unavailable.map(({ id }) => id);
  it('IDS-04, CRB-05 a query is cut at commas, blanks around them ignored, empty ones dropped', async () => {
    expect(idsOf(await service.get('/creators?ids=,%20netZ:a%20,,%09netZ:b,+netZ:c+,'))).toEqual([
      'netZ:a',
      'netZ:b',
      'netZ:c',
    ]);
  });
  it('IDS-10, CRB-05 a body is echoed as submitted, with blanks and commas', async () => {
    const ids = [' netZ:a', 'netZ:b,netZ:c', '\u00a0', '😀', '"\\\u0000\r\nSet-Cookie: x'];
    expect(idsOf(await service.post('/posts/batch', { ids: ['', ' ', ...ids] }))).toEqual(ids);
  });
  it.each(['/creators', '/posts'])(
    'IDS-05, IDS-11 %s takes 100 with repeats and empty ones, and not 101',
    async (path) => {
      const list = (count: number) => Array.from({ length: count }, () => 'netZ:a').join(',,');
      const hundred = await service.get(`${path}?ids=${list(100)},`);
      expect([hundred.status, idsOf(hundred)]).toEqual([200, ['netZ:a']]);
      expect((await service.get(`${path}?ids=${list(101)}`)).status).toBe(400);
      const posted = (count: number) => service.post(`${path}/batch`, { ids: list(count).split(',') });
      expect([(await posted(100)).status, (await posted(101)).status]).toEqual([200, 400]);
    },
  );
  it('CRB-02, CRB-04, CRB-07, PST-02 whatever is asked: GET and POST alike, each once, one wait for all', async () => {
    const word = fc.oneof(
      fc.constantFrom(
        'ada',
        'netB:bob',
        'netZ:x',
        '@@',
        'missing.one',
        '@ada',
        'https://neta.example/p/C1x',
        '__proto__',
      ),
      fc.stringMatching(/^[!-+\--~]{1,12}$/),
      fc.stringMatching(/^[a-z]{1,8}$/),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<Kind>('creators', 'posts'),
        fc.array(word, { minLength: 1, maxLength: 12 }),
        async (kind, ids) => {
          await service.post(`/${kind}/batch`, { ids });
          const got = await service.get(`/${kind}?ids=${ids.map(encodeURIComponent).join(',')}`);
          const posted = await service.post(`/${kind}/batch`, { ids });
          expect([got.status, posted.text]).toEqual([200, got.text]);
          expect(posted.headers['retry-after']).toBe(got.headers['retry-after']);
          const { data, fetching, unavailable } = got.body as Batch;
          expect(data.length + fetching.length + unavailable.length).toBe(new Set(ids).size);
          const told = [...fetching, ...unavailable].map(({ id }) => id);
          expect(new Set(told).size).toBe(told.length);
          for (const id of told) expect(ids).toContain(id);
          for (const entry of data) expect(entry).not.toHaveProperty('posts'); // CRB-03
          expect(new Set(fetching.map(({ retryAfter }) => retryAfter)).size).toBeLessThan(2);
          expect(got.headers['retry-after'] === undefined).toBe(fetching.length === 0);
          if (fetching[0]) {
            const seconds = (Date.parse(fetching[0].retryAfter) - service.clock()) / 1000;
            expect(Math.abs(seconds - Number(got.headers['retry-after']))).toBeLessThanOrEqual(1);
          }
          if (ids.length % 3 === 0) await service.settle();
        },
      ),
      { numRuns: 60 },
    );
  });
  it('CRB-03 an entry of a batch has no posts, whatever is included', async () => {
    await service.held('/creators/netA/ada');
    const [got, posted] = [
      await service.get('/creators?ids=ada&include=posts'),
      await service.post('/creators/batch', { ids: ['ada'], include: 'posts' }),
    ];
    expect([got.body.data[0], posted.body.data[0]].map((entry) => 'posts' in entry)).toEqual([false, false]);
  });
});

describe('include', () => {
  const analysis = async (query: string) => {
    const { body } = await service.held(`/posts?ids=C1x${query}`);
    return body.data[0].analysis === undefined ? undefined : Object.keys(body.data[0].analysis);
  };
  it('PST-09 blanks and empty pieces are dropped, repeats count once, parameters are joined', async () => {
    expect(await analysis('&include=,%20transcript%20,,transcript,narration')).toEqual(['transcript', 'narration']);
    expect(await analysis('&include=transcript&include=languages,transcript')).toEqual(['transcript', 'languages']);
  });
  it.each(['', '&include=', '&include=,%20,'])('PST-04, PST-09 ids=C1x%s: no analysis', async (query) =>
    expect(await analysis(query)).toBeUndefined(),
  );
  it('PST-09, CRE-06 the same of a creator', async () => {
    const { body } = await service.held('/creators/netA/ada?include=,%20');
    expect(body.data).not.toHaveProperty('posts');
  });
  it('PST-04 each of the 19, alone and all together', async () => {
    const keys = service.service.contract.analysisKeys;
    expect(keys).toHaveLength(19);
    for (const key of keys) expect(await analysis(`&include=${key}`)).toEqual([key]);
    expect((await analysis(`&include=${keys.join(',')}`))?.toSorted()).toEqual(keys.toSorted());
  });
  it.each(['Transcript', 'posts', 'transcript;narration', '__proto__'])('PST-05 include=%s is 400', async (value) => {
    const { status, body } = await service.get(`/posts?ids=C1x&include=transcript,${value}`);
    expect([status, body.error.code]).toEqual([400, 'invalid-input']);
  });
});
