/** Servers that break the contract, and proxies in front of one that keeps it: no hang, no spin, no untyped error, no lost identifier. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createClient, LookupError, type ClientOptions } from './client.ts';
import { all, error, handTime, json, scripted } from './testing.ts';
import { machineTime } from './time.ts';

const creator = (username: string) => ({ channels: [{ network: 'netA', username, externalId: null }] });
const held = () => json(200, { data: creator('ada') });
const entry = (id: string) => ({ id, retryAfter: 'soon' });

const thrownBy = (read: Promise<unknown>): Promise<unknown> => read.then(() => null).catch((thrown: unknown) => thrown);

describe('Retry-After as no service of the contract sends it', () => {
  it.each([
    ['503 of centuries', 503, '99999999999999999999'],
    ['503 of a month', 503, '2592000'],
    ['429 of centuries', 429, '99999999999999999999'],
  ])('%s: told at once and typed, not slept through, and the next read is not held up', async (_name, status, wait) => {
    const { client, sent, state } = scripted([() => error(status, 'busy', { 'Retry-After': wait }), held]);
    const thrown = await thrownBy(client.readCreator('netA', 'ada'));
    expect(thrown).toBeInstanceOf(LookupError);
    expect((thrown as LookupError).retryAfterSeconds).toBeGreaterThan(300);
    expect([sent.length, state.slept]).toEqual([1, []]);
    expect(await client.readCreator('netA', 'ada')).toMatchObject({ is: 'held' });
  });

  it('a date is waited for, by the clock of who sent it', async () => {
    const now = Date.UTC(2001, 0, 1);
    const headers = { Date: new Date(now).toUTCString(), 'Retry-After': new Date(now + 90_000).toUTCString() };
    const { client, sent } = scripted([() => error(503, 'busy', headers), held]);
    await client.readCreator('netA', 'ada');
    expect(sent[1]!.at - sent[0]!.at).toBeGreaterThanOrEqual(90_000);
  });

  it.each([
    ['12.5', 13_000],
    ['0.2', 1000],
    ['5, 10', 60_000],
    ['5s', 60_000],
  ])('429 with %s: %d ms', async (wait, milliseconds) => {
    const { client, sent } = scripted([() => error(429, 'rate-limited', { 'Retry-After': wait }), held]);
    await client.readCreator('netA', 'ada');
    expect(sent[1]!.at - sent[0]!.at).toBe(milliseconds);
  });

  it.each(['-5', '0', 'soon', 'Mon, 01 Jan 2001 00:00:00 GMT'])('%s: a second at the least', async (wait) => {
    const answers = Array.from(
      { length: 50 },
      () => () => json(202, { fetching: [entry('ada')] }, { 'Retry-After': wait }),
    );
    const { client, sent } = scripted(answers);
    expect(await client.readCreator('netA', 'ada', { wait: { deadlineSeconds: 10 } })).toMatchObject({
      is: 'fetching',
    });
    expect(sent.length).toBeLessThanOrEqual(10);
  });

  it('202 with a wait of centuries is told as an instant, not waited for', async () => {
    const { client, sent } = scripted([
      () => json(202, { fetching: [entry('ada')] }, { 'Retry-After': '9'.repeat(40) }),
    ]);
    const outcome = await client.readCreator('netA', 'ada', { wait: true });
    if (outcome.is !== 'fetching') throw new Error(outcome.is);
    expect(outcome.retryAt.getTime()).toBeGreaterThan(0);
    expect(sent).toHaveLength(1);
  });

  it('a sleep beyond what a timer takes does not end at once', async () => {
    vi.useFakeTimers();
    const woken = vi.fn();
    const sleeping = machineTime.sleep(2 ** 31 + 5_000).then(woken);
    await vi.advanceTimersByTimeAsync(2 ** 31);
    expect(woken).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(5_000);
    await sleeping;
    vi.useRealTimers();
  });

  it('429 without one: nothing is sent for a minute', async () => {
    const { client, sent } = scripted([() => error(429, 'rate-limited'), held]);
    await client.readCreator('netA', 'ada');
    expect(sent[1]!.at - sent[0]!.at).toBe(60_000);
  });

  it('RAT-03 a window is believed to last a minute, not longer', async () => {
    const spent = () => json(200, { data: creator('ada') }, { RateLimit: '"default";r=0;t=86400' });
    const { client, sent } = scripted([spent, spent]);
    await client.readCreator('netA', 'ada');
    await client.readCreator('netA', 'ada');
    expect(sent[1]!.at - sent[0]!.at).toBe(60_000);
  });
});

describe('answers that are none', () => {
  const batch = (data: unknown[], fetching: unknown[] = [], unavailable: unknown[] = []) => ({
    data,
    fetching,
    unavailable,
  });
  it.each([
    ['null', null],
    ['no buckets', {}],
    ['entries that are none', batch([], [null])],
    ['documents that are none', batch([{}, { channels: 5 }])],
    ['CRB-02 one identifier left out', batch([creator('a')])],
    ['CRB-02 one twice in a bucket', batch([creator('b')], [entry('a'), entry('a')])],
    ['CRB-02 one in two buckets', batch([creator('b')], [entry('a')], [{ id: 'a', reason: 'internal-error' }])],
    ['CRB-02 one that nobody asked for', batch([creator('b')], [entry('z')])],
    ['more documents than were asked for', batch([creator('a'), creator('b'), creator('c')])],
  ])('a batch with %s is a typed error, asked for once', async (_name, body) => {
    const { client, sent } = scripted([() => json(200, body)]);
    const thrown = await thrownBy(all(client.readManyCreators(['a', 'b'], { wait: true })));
    expect(thrown).toBeInstanceOf(LookupError);
    expect(thrown).toMatchObject({ code: 'unexpected-response', status: 200, requestId: 'req-1' });
    expect(sent).toHaveLength(1);
  });

  const post = (network: string, url: string, externalId: string) => ({
    network,
    url,
    externalId,
    netA: { shortcode: null, netAMediaId: null },
    netB: { netBVideoId: null },
  });
  const [postA, postB] = [
    post('netA', 'https://neta.example/p/7', '7'),
    post('netB', 'https://netb.example/@ben/video/7', '7'),
  ];

  it.each([
    ['netA:7', 'https://netb.example/@who/video/7'],
    ['https://neta.example/p/7', 'https://netb.example/@who/video/7'],
    ['https://neta.example/reel/7', 'netB:7'],
  ])('posts of one name on two networks are not mistaken for each other: %s, %s', async (idA, idB) => {
    for (const [ids, data] of [
      [
        [idA, idB],
        [postA, postB],
      ],
      [
        [idB, idA],
        [postA, postB],
      ],
      [
        [idA, idB],
        [postB, postA],
      ],
    ] as const) {
      const { client } = scripted([() => json(200, batch([...data]))]);
      const entries = await all(client.readManyPosts(ids));
      const found = Object.fromEntries(
        entries.map((entry) => [entry.id, entry.is === 'held' && entry.document.network]),
      );
      expect(found).toEqual({ [idA]: 'netA', [idB]: 'netB' });
    }
  });

  it('creators of one handle on two networks: told apart where an identifier names its network, else left without one', async () => {
    const [ada, other] = [creator('ada'), { channels: [{ network: 'netB', username: 'ada', externalId: null }] }];
    const read = async (ids: string[]) => {
      const { client } = scripted([() => json(200, batch([ada, other]))]);
      const entries = await all(client.readManyCreators(ids));
      return entries.map((entry) => [entry.is === 'held' && entry.document.channels[0].network, entry.id]);
    };
    const [urlA, urlB] = ['https://neta.example/ada', 'https://netb.example/@ada'];
    for (const ids of [
      [urlB, 'netA:ada'],
      [urlB, urlA],
    ])
      expect(await read(ids)).toEqual([
        ['netA', ids[1]],
        ['netB', urlB],
      ]);
    expect(await read(['https://two.example/@ada', 'https://one.example/ada'])).toEqual([
      ['netA', null],
      ['netB', null],
    ]);
  });

  it("a handle that is the digits of another account's id is not mistaken for it", async () => {
    const account = (username: string, externalId: string) => ({
      channels: [{ network: 'netA', username, externalId }],
    });
    for (const ids of [
      ['555', 'ada'],
      ['ada', '555'],
    ]) {
      const { client } = scripted([() => json(200, batch([account('ada', '555'), account('555', '999')]))]);
      const entries = await all(client.readManyCreators(ids));
      expect(entries.map((entry) => [entry.id, entry.is === 'held' && entry.document.channels[0].username])).toEqual([
        ['ada', 'ada'],
        ['555', '555'],
      ]);
    }
    const { client } = scripted([() => json(200, batch([account('ada', '555'), account('ben', '6')]))]);
    const entries = await all(client.readManyCreators(['555', 'ben']));
    expect(entries.map(({ id }) => id)).toEqual(['555', 'ben']);
  });

  it('two spellings of one entity that another implementation answers once are both found', async () => {
    const { client } = scripted([() => json(200, batch([creator('a')]))]);
    const entries = await all(client.readManyCreators(['a', '@A']));
    expect(entries.map(({ id, is }) => [id, is])).toEqual([
      ['a', 'held'],
      ['@A', 'held'],
    ]);
  });

  it.each([
    ['null', () => json(200, null)],
    ['data: null', () => json(200, { data: null })],
    ['a list', () => json(200, [])],
    ['nothing', () => new Response(null, { status: 204 })],
    ['202 and null', () => json(202, null)],
    ['GEN-13 a redirect', () => new Response(null, { status: 302, headers: { Location: '/elsewhere' } })],
  ])('a single read answered with %s is a typed error', async (_name, answer) => {
    const { client, sent } = scripted([answer]);
    await expect(client.readCreator('netA', 'ada')).rejects.toMatchObject({ code: 'unexpected-response' });
    await expect(thrownBy(scripted([answer]).client.readPost('https://x.example/p/1'))).resolves.toBeInstanceOf(
      LookupError,
    );
    expect(sent).toHaveLength(1);
  });

  it('a body without an end is given up long before the memory is full', async () => {
    let [pulled, cancelled] = [0, false];
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(1 << 20));
      },
      cancel: () => void (cancelled = true),
    });
    const { client } = scripted([() => new Response(endless, { headers: { 'x-request-id': 'req-1' } })]);
    await expect(client.readCreator('netA', 'ada')).rejects.toMatchObject({
      code: 'unexpected-response',
      status: 200,
      requestId: 'req-1',
    });
    expect(pulled).toBeLessThan(80);
    expect(cancelled).toBe(true);
  });

  it('a token function that fails is no answer, and says why', async () => {
    const token = () => Promise.reject(new Error('the vault is closed'));
    const { client, sent } = scripted([], { token, attempts: 1 });
    const thrown = await thrownBy(client.readCreator('netA', 'ada'));
    expect(thrown).toMatchObject({ code: 'unreachable', message: 'no answer: the vault is closed' });
    expect(sent).toHaveLength(0);
  });

  it('AUT-02 a token that can not be sent is refused without being told', async () => {
    const { client, sent } = scripted([], { token: 'secret\nsecret' });
    const thrown = await thrownBy(client.readCreator('netA', 'ada'));
    expect(thrown).toMatchObject({ code: 'unauthorized' });
    expect(String((thrown as Error).stack)).not.toContain('secret\nsecret');
    expect(sent).toHaveLength(0);
  });
});

describe('options that can not work', () => {
  it.each<Partial<ClientOptions>>([
    { baseUrl: 'lookup.example' },
    { baseUrl: '' },
    { baseUrl: 'localhost:8080' },
    { baseUrl: 'ftp://lookup.example' },
    { baseUrl: 'https://lookup.example?a=1' },
    { baseUrl: 'https://lookup.example#a' },
    { token: undefined as never },
    { budgetPerMinute: 0 },
    { budgetPerMinute: Number.NaN },
    { attempts: -1 },
    { requestTimeoutSeconds: 0 },
  ])('%j is a TypeError at once', (options) => {
    expect(() => scripted([], options)).toThrow(TypeError);
  });

  it('a URL with a password is refused without being told', () => {
    const create = () => scripted([], { baseUrl: 'https://ada:secret@lookup.example' });
    expect(create).toThrow(TypeError);
    expect(create).not.toThrow('secret');
  });

  it('a token function that returns nothing is refused at once', async () => {
    const { client, sent, state } = scripted([], { token: (() => undefined) as never });
    await expect(client.readCreator('netA', 'ada')).rejects.toMatchObject({ code: 'unauthorized' });
    expect([sent, state.slept]).toEqual([[], []]);
  });
});

describe('deep analysis of a read of posts', () => {
  const batch = { data: [], fetching: [], unavailable: [{ id: 'C1', reason: 'author-unresolved' }] };

  it('PST-06 is asked for in the body', async () => {
    const { client, sent } = scripted([() => json(200, batch)]);
    await all(client.readManyPosts(['C1'], { creatorDeepAnalysis: true }));
    expect(sent.map(({ body }) => JSON.parse(body))).toEqual([{ ids: ['C1'], creatorDeepAnalysis: true }]);
  });

  it('PST-06 beside include is a TypeError, as no operation takes both', () => {
    const { client, sent } = scripted([]);
    const options = { creatorDeepAnalysis: true, include: ['transcript'] } as const;
    // @ts-expect-error one or the other
    expect(() => client.readManyPosts(['C1'], options)).toThrow(TypeError);
    expect(sent).toHaveLength(0);
  });
});

describe('identifiers that do not fit', () => {
  it('one identifier in the place of a list is a TypeError, not one read for each letter', async () => {
    const { client, sent } = scripted([]);
    // @ts-expect-error a text is no list
    await expect(all(client.readManyCreators('ada'))).rejects.toThrow(TypeError);
    expect(sent).toHaveLength(0);
  });

  it('GEN-11 long URLs with include go in as many queries as they need, none of them over 64 KiB', async () => {
    const lines: number[] = [];
    const fetch = async ({ url }: Request): Promise<Response> => {
      lines.push(url.length);
      const ids = new URL(url).searchParams.get('ids')!.split(',');
      return json(200, {
        data: [],
        fetching: [],
        unavailable: ids.map((id) => ({ id, reason: 'unparseable-identifier' })),
      });
    };
    const ids = Array.from({ length: 100 }, (_, index) => `https://neta.example/p/C${index}?${'é/'.repeat(200)}`);
    const client = createClient({ baseUrl: 'https://lookup.example', token: 'x', fetch, time: handTime().time });
    const entries = await all(client.readManyPosts(ids, { include: ['languages'] }));
    expect(new Set(entries.map(({ id }) => id))).toEqual(new Set(ids));
    expect(Math.max(...lines)).toBeLessThan(64 * 1024);
    expect(lines.length).toBeLessThanOrEqual(4);
  });

  it.each(['', '.', '..', '\ud800'])(
    'CRE-05 the network %j is not supported, and not another path',
    async (network) => {
      const { client, sent } = scripted([]);
      expect(await client.readCreator(network, 'ada')).toMatchObject({ reason: 'not-supported-on-network' });
      expect(sent).toHaveLength(0);
    },
  );

  it.each(['', '.', '..', '\ud800'])('CRE-10 the handle %j is unparseable, not another path', async (handle) => {
    const { client, sent } = scripted([]);
    expect(await client.readCreator('netA', handle)).toMatchObject({ reason: 'unparseable-identifier' });
    expect(sent).toHaveLength(0);
  });
});

describe('connections that go wrong', () => {
  let close = (): void => {};
  afterEach(() => close());

  /** A client of a server that answers like that, whose pauses take no time. */
  async function against(answer: (response: ServerResponse) => void, options: Partial<ClientOptions> = {}) {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      answer(response);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    close = () => server.close().closeAllConnections();
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { time } = handTime();
    return {
      asked,
      client: createClient({ baseUrl, token: 'x', attempts: 2, requestTimeoutSeconds: 0.3, time, ...options }),
    };
  }

  it.each<[string, (response: ServerResponse) => void]>([
    ['is reset', (response) => response.destroy()],
    [
      'ends in the middle of the body',
      (response) => response.writeHead(200, { 'Content-Length': 99 }).write('{', () => response.destroy()),
    ],
    ['never answers', () => {}],
    [
      'never ends its body',
      (response) => {
        const drip = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(drip));
      },
    ],
  ])('one that %s is unreachable, after the attempts it has', async (_name, answer) => {
    const { client, asked } = await against(answer);
    await expect(client.readCreator('netA', 'ada')).rejects.toMatchObject({ code: 'unreachable', status: null });
    expect(asked).toHaveLength(2);
  });

  it('GEN-13 a redirect is not followed', async () => {
    const { client, asked } = await against((response) => response.writeHead(301, { Location: '/elsewhere' }).end());
    await expect(all(client.readManyCreators(['a']))).rejects.toMatchObject({ status: 301 });
    expect(asked).toHaveLength(1);
  });

  it('a page of a proxy is repeated where its status is passing, and told as what it is', async () => {
    const { client, asked } = await against((response) => response.writeHead(502).end('<html>'));
    await expect(client.readCreator('netA', 'ada')).rejects.toMatchObject({ code: 'unexpected-response', status: 502 });
    expect(asked).toHaveLength(2);
  });

  const never = () => new Promise<never>(() => {});

  it.each([
    ['token function', { token: never }],
    ['fetch', { fetch: never }],
  ])('a %s that never settles is ended by the request time limit, and by the signal', async (_name, options) => {
    const { client } = await against((response) => response.end(), options);
    await expect(client.readCreator('netA', 'ada')).rejects.toMatchObject({ code: 'unreachable', status: null });
    const stop = new AbortController();
    const patient = await against((response) => response.end(), { requestTimeoutSeconds: 600, ...options });
    const read = patient.client.readCreator('netA', 'ada', { signal: stop.signal });
    setTimeout(() => stop.abort(new Error('enough')), 20);
    await expect(read).rejects.toThrow('enough');
  });

  it('identifiers that never come do not outlast the signal', async () => {
    const { client } = await against((response) => response.end());
    const stop = new AbortController();
    const read = all(
      client.readManyCreators({ [Symbol.asyncIterator]: () => ({ next: never }) }, { signal: stop.signal }),
    );
    setTimeout(() => stop.abort(new Error('enough')), 20);
    await expect(read).rejects.toThrow('enough');
  });

  it('a time limit of any length is one: fractions of a millisecond, and more than a timer takes', async () => {
    for (const requestTimeoutSeconds of [8.0003, 2 ** 40]) {
      const { client } = await against((response) => response.end('{"data":{"channels":[]}}'), {
        requestTimeoutSeconds,
      });
      expect(await client.readCreator('netA', 'ada')).toMatchObject({ is: 'held' });
    }
  });

  it('ends with its signal at once, also while another read is the first to learn the budget', async () => {
    const { client } = await against(() => {}, { requestTimeoutSeconds: 20, attempts: 1 });
    const stop = new AbortController();
    const reads = ['ada', 'ben'].map((handle) => client.readCreator('netA', handle, { signal: stop.signal }));
    setTimeout(() => stop.abort(new Error('enough')), 20);
    for (const read of reads) await expect(read).rejects.toThrow('enough');
  });
});
