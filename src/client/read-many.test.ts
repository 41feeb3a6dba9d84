import { describe, expect, it } from 'vitest';
import { createClient } from './client.ts';
import { all, error, handTime, json, scripted } from './testing.ts';

const held = (username: string) => ({ channels: [{ network: 'netA', username, externalId: null }] });
const numbered = (from: number, count: number) => Array.from({ length: count }, (_, index) => `c${from + index}`);

describe('many identifiers', () => {
  /** A client whose batches are answered by the identifiers asked for: `seconds` says which are fetching, and for how long. */
  function reading(seconds: (ids: readonly string[], batch: number) => number | null) {
    const { state, time } = handTime();
    const start = state.now;
    const sent: { second: number; ids: string[] }[] = [];
    const fetch = async (request: Request): Promise<Response> => {
      const { ids } = (await request.json()) as { ids: string[] };
      sent.push({ second: Math.round((state.now - start) / 1000), ids });
      const wait = seconds(ids, sent.length);
      if (wait === null) return json(200, { data: ids.map(held), fetching: [], unavailable: [] });
      const fetching = ids.map((id) => ({ id, retryAfter: '2001-01-01T00:00:00Z' }));
      return json(200, { data: [], fetching, unavailable: [] }, { 'Retry-After': String(wait) });
    };
    const client = createClient({
      baseUrl: 'https://lookup.example',
      token: 'x',
      fetch,
      time: { ...time, random: () => 0 },
    });
    const read = async (ids: readonly string[]) =>
      (await all(client.readManyCreators(ids, { wait: true }))).map(({ id }) => id);
    return { read, sent };
  }

  it('IDS-10 IDS-11 are asked for once each, without blanks', async () => {
    const { read, sent } = reading(() => null);
    expect(await read(['ada', ' ada', '', ' ', 'ben', 'ada\n'])).toEqual(['ada', 'ben']);
    expect(sent.map(({ ids }) => ids)).toEqual([['ada', 'ben']]);
  });

  it('that fall due together are read again in full batches, and none is lost', async () => {
    const { read, sent } = reading((_, batch) => (batch <= 3 ? 5 : null));
    const ids = numbered(0, 250);
    expect(new Set(await read(ids))).toEqual(new Set(ids));
    expect(sent.map(({ second, ids: { length } }) => [second, length])).toEqual([
      [0, 100],
      [0, 100],
      [0, 50],
      [5, 100],
      [5, 100],
      [5, 50],
    ]);
  });

  it('CRB-04 are read again in the order in which their waits end', async () => {
    const { read, sent } = reading((_, batch) => [20, 5][batch - 1] ?? null);
    await read(numbered(0, 150));
    expect(sent.map(({ second, ids }) => [second, ids[0], ids.length])).toEqual([
      [0, 'c0', 100],
      [0, 'c100', 50],
      [5, 'c100', 50],
      [20, 'c0', 100],
    ]);
  });
});

describe('one request', () => {
  it('GEN-01 goes to one address, whether or not the base URL has /api/v1', async () => {
    for (const baseUrl of [
      'https://lookup.example',
      'https://lookup.example/api/v1',
      'https://lookup.example/api/v1/',
    ]) {
      const urls: string[] = [];
      const fetch = async ({ url }: Request) => (urls.push(url), json(200, { data: held('ada') }));
      await createClient({ baseUrl, token: 'x', fetch, time: handTime().time }).readCreator('netA', 'ada');
      expect(urls).toEqual(['https://lookup.example/api/v1/creators/netA/ada']);
    }
  });

  it('AUT-02 carries the token without blanks around it, as a file with a line end gives it', async () => {
    const sent: (string | null)[] = [];
    const fetch = async ({ headers }: Request) => (
      sent.push(headers.get('authorization')),
      json(200, { data: held('ada') })
    );
    const options = { baseUrl: 'https://lookup.example', fetch, time: handTime().time };
    for (const token of [' abc\n', () => 'abc\r\n'])
      await createClient({ ...options, token }).readCreator('netA', 'ada');
    expect(sent).toEqual(['Bearer abc', 'Bearer abc']);
  });

  it('ERR-03 only a 404 with a reason is an outcome', async () => {
    const details = { reason: 'author-unresolved' };
    const refusal = json(403, { error: { code: 'forbidden', message: 'no', details } });
    await expect(scripted([() => refusal]).client.readPost('u')).rejects.toMatchObject({ code: 'forbidden' });
    const noProfile = scripted([() => error(404, 'not-found')]);
    await expect(noProfile.client.readPost('u')).rejects.toMatchObject({ code: 'not-found' });
  });

  it('GEN-11 PST-04 an identifier too long for any query goes alone, and nothing empty before it', async () => {
    const queries: (string | null)[] = [];
    const fetch = async ({ url }: Request) => {
      const ids = new URL(url).searchParams.get('ids');
      queries.push(ids);
      return json(200, { data: [], fetching: [], unavailable: [{ id: ids, reason: 'unparseable-identifier' }] });
    };
    const client = createClient({ baseUrl: 'https://lookup.example', token: 'x', fetch, time: handTime().time });
    const long = 'x'.repeat(61_000);
    const [alone] = await all(client.readManyPosts([long], { include: ['transcript'] }));
    expect([queries, alone?.requestId]).toEqual([[long], 'req-1']);
    const entries = await all(client.readManyPosts([long, 'C1x'], { include: ['transcript'] }));
    expect(entries.map(({ requestId }) => requestId)).toEqual([null, null]);
  });

  it('CRE-09 PST-04 a post read alone because of its comma keeps the identifier asked for', async () => {
    const entry = { id: 'as the service spells it', retryAfter: '2001-01-01T00:00:00Z' };
    const { client } = scripted([() => json(202, { fetching: [entry] }, { 'Retry-After': '2' })]);
    const id = 'https://neta.example/p/C1x?a,b';
    expect(await all(client.readManyPosts([id], { include: ['transcript'] }))).toMatchObject([{ id, is: 'fetching' }]);
  });
});
