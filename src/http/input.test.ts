import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHarness, type Harness } from './testing.ts';

let service: Harness;
beforeAll(async () => {
  service = await startHarness();
});
afterAll(() => service.close());

const json = { 'Content-Type': 'application/json' };

describe('ERR-01 the message of a 404 says what there is, to one who has not read the contract', () => {
  it.each([
    ['GEN-13 another path', '/creators/ada', '/api/v1/creators/{network}/{handle}, /api/v1/creators, '],
    ['GEN-13 a final slash', '/posts/', '/api/v1/posts, /api/v1/posts/batch'],
    ['CRE-05 a network in another case', '/creators/neta/ada', 'exact, in case too'],
    ['CRE-10 no handle', '/creators/netA/ad%C3%A4', 'ASCII letters, digits'],
    ['PST-07 no post URL', '/posts?url=C1x', 'its URL on a supported network'],
  ])('%s: %s', async (_rule, path, message) => {
    const { status, body } = await service.get(path);
    expect([status, body.error.code]).toEqual([404, 'not-found']);
    expect(body.error.message).toContain(message);
  });
});

describe('400 says which parameter, what is wrong, what is allowed', () => {
  it.each([
    ['IDS-05 none', '/creators', '"ids" is missing'],
    ['IDS-05 empty', '/creators?ids=,%20,', '"ids" names 0'],
    [
      'IDS-11 over the cap, repeats counted',
      `/creators?ids=${'a,'.repeat(101)}`,
      '"ids" names 101 identifiers; 1 to 100',
    ],
    ['IDS-14 given twice', '/creators?ids=a&network=netA&network=netA', '"network" was given 2 times'],
    ['IDS-14 given twice', '/posts?url=a&url=a', '"url" was given 2 times'],
    ['PST-03 both', '/posts?url=a&ids=b', 'exclude one another'],
    ['PST-03 both, one empty', '/posts?url=&ids=b', 'exclude one another'],
    ['PST-03 neither', '/posts', 'Give "url"'],
    [
      'PST-05 an unknown value',
      '/posts?ids=a&include=narration,Narration',
      '"Narration"; allowed: narration, transcript',
    ],
  ])('%s: %s', async (_rule, path, message) => {
    const { status, body } = await service.get(path);
    expect([status, body.error.code]).toEqual([400, 'invalid-input']);
    expect(body.error.message).toContain(message);
  });

  it.each([
    ['no JSON', '{', 'not JSON'],
    ['nothing', ' ', 'The body is empty; it has to be a JSON object with "ids"'],
    ['an array', '[]', 'an array'],
    ['no ids', '{}', '"ids" is missing'],
    ['ids a text', '{"ids":"a"}', '"ids" is a string'],
    ['an item a number', '{"ids":["a",1]}', '"ids[1]" is a number'],
    ['only blanks', '{"ids":[" "]}', 'names 0'],
    ['IDS-14 null', '{"ids":["a"],"network":null}', '"network" is null'],
    ['a flag as text', '{"ids":["a"],"creatorDeepAnalysis":"true"}', '"creatorDeepAnalysis" is a string'],
    ['bombs: too deep', `{"x":${'['.repeat(100_000)}`, 'nested deeper'],
    ['__proto__', '{"__proto__":{"ids":["a"]}}', '"ids" is missing'],
    ['too large', `"${'a'.repeat(1_100_000)}"`, 'larger than'],
  ])('CRB-08 %s', async (_name, body, message) => {
    const { status, body: answer } = await service.post('/creators/batch', body, { headers: json });
    expect([status, answer.error.code]).toEqual([400, 'invalid-input']);
    expect(answer.error.message).toContain(message);
  });

  it.each([
    ['another type', { 'Content-Type': 'text/plain' }],
    ['another charset', { 'Content-Type': 'application/json; charset=latin1' }],
    ['an encoding', { ...json, 'Content-Encoding': 'gzip' }],
  ])('CRB-08 %s', async (_name, headers) => {
    expect((await service.post('/creators/batch', '{"ids":["a"]}', { headers })).status).toBe(400);
  });
  it('CRB-08 bytes that are no UTF-8', async () => {
    const head = `POST /api/v1/creators/batch HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.tokens.full}\r\n`;
    const body = Buffer.from([0x22, 0xff, 0x22]);
    const answer = await service.raw(
      Buffer.concat([Buffer.from(`${head}Content-Type: application/json\r\nContent-Length: 3\r\n\r\n`), body]),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*UTF-8/s);
  });
  it.each(['identity', 'Identity', ''])('CRB-08 the encoding "%s" is none', async (encoding) => {
    const headers = { 'Content-Encoding': encoding };
    expect((await service.post('/creators/batch', '{"ids":["netC:a"]}', { headers })).status).toBe(200);
  });
  it('CRB-08 a charset in another case is fine', async () => {
    const headers = { 'Content-Type': 'Application/JSON; Charset=UTF-8' };
    expect((await service.post('/creators/batch', '{"ids":["netC:a"]}', { headers })).status).toBe(200);
  });
});

describe('what is not named is passed over', () => {
  it('GEN-06, IDS-14 unknown and bracketed parameters', async () => {
    const { status } = await service.get('/creators?ids=netC:x&include=nothing&asOrg[]=q&network[a]=b&x=1&x=2&%zz');
    expect(status).toBe(200);
    expect((await service.get('/creators?ids[]=a')).status).toBe(400);
  });
  it('CRE-10 CRB-05 a broken escape stays as it was written, and spoils no identifier beside it', async () => {
    const given = 'netC%3Aa%2Cx%zz,y%ff%2C%41%c3%28,%ed%a0%80%2cnetC:%F0%9F%8E%88,%e0%80%80%,netC%3Ab%2525';
    const { body } = await service.get(`/creators?ids=${given}`);
    expect(body.unavailable.map((entry: { id: string }) => entry.id)).toEqual([
      'netC:a',
      'x%zz',
      'y%ff',
      'A%c3(',
      '%ed%a0%80',
      'netC:🎈',
      '%e0%80%80%',
      'netC:b%25',
    ]);
    expect(body.unavailable[0].reason).toBe('not-supported-on-network');
    expect(body.unavailable[1].reason).toBe('unparseable-identifier');
  });
  it('IDS-14 ids several times are joined', async () => {
    expect((await service.get('/creators?ids=netC:a&ids=netC:b,netC:c')).body.unavailable.length).toBe(3);
  });
  it('GEN-11 100 percent-encoded URLs of 64 KiB are a legal batch', async () => {
    const one = (index: number) => encodeURIComponent(`https://neta.example/p/C${index}x?${'é'.repeat(100)}`);
    const path = `/posts?ids=${Array.from({ length: 100 }, (_, index) => one(index)).join(',')}`;
    expect(path.length).toBeGreaterThan(60_000);
    const { status, body } = await service.get(path);
    expect([status, body.fetching.length]).toEqual([200, 100]);
  });
  it('bombs: 60,000 ampersands, and as many parameters of no name, are one request like others', async () => {
    expect((await service.get(`/creators?${'&'.repeat(60_000)}ids=netZ:x`)).status).toBe(200);
    expect((await service.get(`/creators?${'x=&'.repeat(20_000)}ids=netZ:x`)).status).toBe(200);
  });
});

describe('paths and methods', () => {
  it.each([
    ['GET', '/nope'],
    ['GET', ''],
    ['GET', '/creators/'],
    ['GET', '/Creators?ids=a'],
    ['GET', '//creators?ids=a'],
    ['GET', '/creators/netA/ada/'],
    ['GET', '/creators/netA//ada'],
    ['GET', '/%63reators?ids=a'],
  ])('GEN-07, GEN-13 %s %s is unknown, without a credential', async (_method, path) => {
    const { status, body } = await service.get(path, { token: null });
    expect([status, body.error.code, body.error.details]).toEqual([404, 'not-found', undefined]);
  });
  it('GEN-07 another method: 405 with Allow, without a credential', async () => {
    const answer = await service.post('/creators', {}, { token: null });
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET, HEAD']);
    const get = await service.get('/posts/batch', { token: null });
    expect([get.status, get.headers['allow']]).toEqual([405, 'POST']);
  });
  it('GEN-07 HEAD works where GET does', async () => {
    await service.held('/creators/netA/ada');
    const [head, get] = [await service.head('/creators/netA/ada'), await service.get('/creators/netA/ada')];
    expect([head.status, head.headers['content-length'], head.text]).toEqual([
      200,
      get.headers['content-length'],
      undefined,
    ]);
    expect((await service.head('/creators/batch')).status).toBe(405);
  });
  it('GEN-02, GEN-10 a request id of ours, another each time; nothing is stored or revalidated', async () => {
    const headers = { 'x-request-id': 'mine', 'If-None-Match': '*', 'If-Modified-Since': new Date().toUTCString() };
    const answers = [
      await service.get('/creators/netA/ada', { headers }),
      await service.get('/creators/netA/ada', { headers }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(new Set(answers.map(({ headers: { 'x-request-id': id } }) => id)).add('mine').size).toBe(3);
    expect(answers[0]?.headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(answers[0]?.headers['etag']).toBeUndefined();
  });
});

describe('GEN-09 what the parser refuses carries the envelope and a request id', () => {
  const host = 'Host: a\r\n';
  it.each([
    ['a broken request line', 'XX YY\r\n\r\n'],
    ['too large a head', `GET / HTTP/1.1\r\n${host}X: ${'a'.repeat(90_000)}\r\n\r\n`],
    ['a broken header', `GET / HTTP/1.1\r\n${host}a b: c\r\n\r\n`],
    ['two lengths', `POST /api/v1/creators/batch HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`],
    [
      'length and chunks (smuggling)',
      `POST /api/v1/creators/batch HTTP/1.1\r\n${host}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
    ],
    ['no Host', 'GET /api/v1/posts HTTP/1.1\r\n\r\n'],
    ['two Hosts', `GET /api/v1/posts HTTP/1.1\r\n${host}${host}\r\n`],
    ['CONNECT', `CONNECT a:1 HTTP/1.1\r\n${host}\r\n`],
    ['an expectation', `GET /api/v1/posts HTTP/1.1\r\n${host}Expect: more\r\n\r\n`],
    ['a bare line feed in a header', `GET / HTTP/1.1\r\n${host}a: b\nc: d\0\r\n\r\n`],
  ])('%s', async (_name, bytes) => {
    const answer = await service.raw(bytes);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/\r\nx-request-id: [0-9a-f]{32}\r\n/);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)).error.code).toBe('invalid-input');
  });
});

describe('faults', () => {
  it('ERR-04 a 500 tells nothing of the fault, and is safe to retry; the log knows', async () => {
    const own = await startHarness();
    await own.held('/creators/netA/ada');
    own.service.contract.checkPiece = () => {
      throw new Error('select * from secret_table');
    };
    const { status, body, text, headers } = await own.get('/creators/netA/ada');
    expect([status, body]).toEqual([500, { error: { code: 'internal-error', message: expect.any(String) } }]);
    expect(text).not.toMatch(/secret|select|at .*\.ts|Error/);
    expect(headers['retry-after']).toBeUndefined();
    expect(own.logged.join('')).toContain('secret_table');
    await own.close();
  });
});
