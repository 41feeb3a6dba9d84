import { describe, expect, it } from 'vitest';
import { startMock } from '../mock/start.ts';
import { createClient, LookupError } from './client.ts';
import { all, error, handTime, json, scripted } from './testing.ts';

describe('pace and retries', () => {
  it('RAT-02 RAT-05 1,000 identifiers finish within a budget of 60 without one 429', async () => {
    const { state, time } = handTime();
    const mock = await startMock({ port: 0, clock: time.clock, random: () => 1 });
    const statuses: number[] = [];
    const fetch = async (request: Request): Promise<Response> => {
      const response = await globalThis.fetch(request);
      statuses.push(response.status);
      return response;
    };
    const ids = Array.from({ length: 1000 }, (_, index) => (index % 10 === 0 ? `slow${index}` : `creator${index}`));
    for (const token of ['mock-full', 'mock-small']) {
      const client = createClient({ baseUrl: mock.url, token, fetch, time });
      const own = ids.map((id) => `${id}-${token}`);
      const entries = await all(client.readManyCreators(own, { wait: { deadlineSeconds: 3600 } }));
      expect(new Set(entries.map(({ is }) => is))).toEqual(new Set(['held']));
      expect(entries).toHaveLength(1000);
      expect(new Set(entries.map(({ id }) => id))).toEqual(new Set(own));
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(state.now).toBeGreaterThan(1_800_000_000_000);
    await mock.close();
  });

  it('RAT-02 waits the remainder of the window after a 429, then goes on', async () => {
    const { client, sent, state } = scripted([
      () => error(429, 'rate-limited', { 'Retry-After': '17' }),
      () => json(200, { data: { channels: [] } }),
    ]);
    const start = state.now;
    expect(await client.readCreator('netA', 'ada')).toMatchObject({ is: 'held' });
    expect((sent[1]?.at ?? 0) - start).toBe(17_000);
  });

  it('CRB-04 re-sends only what is being fetched, never before Retry-After', async () => {
    const channel = (username: string) => ({ channels: [{ network: 'netA', username, externalId: null }] });
    const waiting = { id: 'b', retryAfter: '2001-01-01T00:00:00Z' };
    const { client, sent, state } = scripted([
      () => json(200, { data: [channel('a')], fetching: [waiting], unavailable: [] }, { 'Retry-After': '7' }),
      () => json(200, { data: [channel('b')], fetching: [], unavailable: [] }),
    ]);
    const start = state.now;
    const entries = await all(client.readManyCreators(['a', 'b'], { wait: true }));
    expect(entries.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(sent.map(({ body }) => JSON.parse(body).ids)).toEqual([['a', 'b'], ['b']]);
    expect((sent[1]?.at ?? 0) - start).toBeGreaterThanOrEqual(7000);
    expect((sent[1]?.at ?? 0) - start).toBeLessThanOrEqual(7000 * 1.25);
  });

  it('backs off on 500, 503 and lost connections, and gives up with the last error', async () => {
    const { client, sent } = scripted([
      () => error(500, 'internal-error'),
      () => error(503, 'dependency-unavailable', { 'Retry-After': '9' }),
      () => json(200, { data: { channels: [] } }),
    ]);
    expect(await client.readCreator('netA', 'ada')).toMatchObject({ is: 'held' });
    const gaps = sent.slice(1).map(({ at }, index) => at - (sent[index]?.at ?? 0));
    expect(gaps[0]).toBeGreaterThanOrEqual(1000);
    expect(gaps[1]).toBeGreaterThanOrEqual(9000);

    const lost = scripted([], { attempts: 3 });
    const given = await lost.client.readCreator('netA', 'ada').catch((thrown: unknown) => thrown);
    expect(given).toBeInstanceOf(LookupError);
    expect(given).toMatchObject({ code: 'unreachable', status: null });
    expect(lost.sent).toHaveLength(3);
  });

  it('does not repeat what will not get better, and tells a foreign page from the contract', async () => {
    const wrong = scripted([() => error(400, 'invalid-input')]);
    await expect(wrong.client.readCreator('netA', 'ada')).rejects.toMatchObject({
      code: 'invalid-input',
      requestId: 'req-1',
    });
    expect(wrong.sent).toHaveLength(1);
    const page = scripted([() => new Response('<html>', { status: 200, headers: { 'x-request-id': 'req-2' } })]);
    await expect(page.client.readCreator('netA', 'ada')).rejects.toMatchObject({
      code: 'unexpected-response',
      status: 200,
      requestId: 'req-2',
    });
    expect(page.sent).toHaveLength(1);
  });

  it('a budget of its own is kept, also where the service allows more', async () => {
    const ok = () =>
      json(
        200,
        { data: { channels: [] } },
        { 'RateLimit-Policy': '"default";q=600;w=60', RateLimit: '"default";r=599;t=60' },
      );
    const { client, sent, state } = scripted(
      Array.from({ length: 7 }, () => ok),
      { budgetPerMinute: 3 },
    );
    const start = state.now;
    for (let index = 0; index < 7; index += 1) await client.readCreator('netA', 'ada');
    expect(sent.map(({ at }) => Math.floor((at - start) / 60_000))).toEqual([0, 0, 0, 1, 1, 1, 2]);
  });

  describe('nothing is read again after the deadline', () => {
    const waiting = { id: 'ada', retryAfter: '2001-01-01T00:00:00Z' };
    const spent = { 'Retry-After': '2', RateLimit: '"default";r=0;t=59' };
    const wait = { deadlineSeconds: 10 };

    it.each([
      ['when the budget has room only after it', spent, []],
      ['when a 429 says to wait for longer', { 'Retry-After': '2' }, [() => error(429, 'rate-limited')]],
    ])('%s: still fetching, told at once', async (_name, headers, later) => {
      const one = scripted([() => json(202, { fetching: [waiting] }, headers), ...later]);
      const start = one.state.now;
      expect(await one.client.readCreator('netA', 'ada', { wait })).toMatchObject({ is: 'fetching' });
      const many = scripted([() => json(200, { data: [], fetching: [waiting], unavailable: [] }, headers), ...later]);
      expect(await all(many.client.readManyCreators(['ada'], { wait }))).toEqual([
        { id: 'ada', is: 'fetching', requestId: 'req-1', retryAt: new Date(start + 2000) },
      ]);
      for (const { sent, state } of [one, many]) {
        expect(sent).toHaveLength(1 + later.length);
        expect(state.now - start).toBeLessThan(3000);
      }
    });

    it('when a failure is to be tried again later: the failure is told', async () => {
      const failing = Array.from({ length: 5 }, () => () => error(500, 'internal-error'));
      const { client, sent, state } = scripted([
        () => json(202, { fetching: [waiting] }, { 'Retry-After': '2' }),
        ...failing,
      ]);
      const start = state.now;
      await expect(client.readCreator('netA', 'ada', { wait })).rejects.toMatchObject({ code: 'internal-error' });
      expect(state.now - start).toBeLessThanOrEqual(10_000);
      expect(sent).toHaveLength(4);
    });

    it('a deadline that is no number is one that has passed', async () => {
      const { client, sent } = scripted([() => json(202, { fetching: [waiting] }, { 'Retry-After': '2' })]);
      const read = client.readCreator('netA', 'ada', { wait: { deadlineSeconds: Number.NaN } });
      expect(await read).toMatchObject({ is: 'fetching' });
      expect(sent).toHaveLength(1);
    });
  });
});
