import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox } from '../discovery/sources/sandbox.ts';
import type { Source } from '../model.ts';
import { networks } from '../networks/index.ts';
import { createClock, type HandClock } from '../testing/engines.ts';
import { startHarness, type Harness } from './testing.ts';

const CANARY = 'canary-7f3a';
const MAIL = `${CANARY}@mail.example`;

/** The sandbox, with a canary as e-mail and caption, and a source that fails with one. */
function canarySources(clock: HandClock): Source[] {
  return networks.map((network) => {
    const sandbox = createSandbox(network, { clock, ordinaryMilliseconds: 0, slowMilliseconds: 0 });
    return {
      ...sandbox,
      async obtain(entity, options) {
        if (entity.name.startsWith('crash')) throw new Error('the collector answered 500');
        const obtained = await sandbox.obtain(entity, options);
        if (obtained.is === 'creator') obtained.document.channels[0].netA.email = MAIL;
        if (obtained.is === 'post') obtained.document.text = obtained.document.netA.caption = `${CANARY} caption`;
        return obtained;
      },
    };
  });
}

let service: Harness;
beforeAll(async () => {
  const clock = createClock();
  service = await startHarness({ clock, sources: canarySources(clock) });
});
afterAll(() => service.close());

const HOSTS = ['neta.example', 'netb.example'];
const hostile = (host: string, evil: string) => [
  `https://${host}@${evil}/p/C1x`,
  `https://${host}:x@${evil}/p/C1x`,
  `https://${host}.${evil}/p/C1x`,
  `https://${evil}/${host}/p/C1x`,
  `https://${evil}#@${host}/p/C1x`,
  `https://${evil}?@${host}/p/C1x`,
  `https://${evil}\\@${host}/p/C1x`,
  `https://${evil}%2f@${host}/p/C1x`,
  `https:\\\\${host}\\p\\C1x`,
  `//${host}/p/C1x`,
  `https:${host}/p/C1x`,
  `https://${host}./p/C1x`,
  `https://${host}:80/p/C1x`,
  `https://${host.replace('.', '。')}/p/C1x`,
  `https://${host.replace('.', '%2e')}/p/C1x`,
  `http://${evil}/p/C1x`,
  'http://2130706433/p/C1x',
  'http://0x7f000001/p/C1x',
  'http://[::1]/p/C1x',
  'file:///etc/passwd',
  'gopher://127.0.0.1/p/C1x',
];

describe('SSRF', () => {
  it('PST-07 a URL that a caller sent is never fetched, and starts nothing', async () => {
    let fetched = 0;
    const trap = createServer((_request, response) => {
      fetched += 1;
      response.end();
    });
    await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
    const evil = `127.0.0.1:${(trap.address() as AddressInfo).port}`;
    const urls = HOSTS.flatMap((host) => hostile(host, evil));
    for (const url of urls) {
      const { status, body } = await service.get(`/posts?url=${encodeURIComponent(url)}`);
      expect([url, status, body.error.details]).toEqual([url, 404, { reason: 'unparseable-identifier' }]);
    }
    for (const path of ['/posts/batch', '/creators/batch']) {
      const { body } = await service.post(path, { ids: urls });
      expect([body.data, body.fetching]).toEqual([[], []]);
    }
    expect(await service.service.worker.runDue()).toBe(0);
    expect(fetched).toBe(0);
    trap.close();
  });
});

describe('enumeration', () => {
  it.each([
    ['ORG-03 organizations', 'asOrg=stranger', 'asOrg=nobody', 403],
    ['ORG-07 profiles', 'asProfile=other', 'asProfile=none', 404],
    ['ORG-04 ids', 'asOrg=org_partner', 'asOrg=org_nowhere', 404],
  ])('%s: what is hidden and what is not there answer alike', async (_name, hidden, absent, status) => {
    const answers = [];
    for (const query of [hidden, absent]) answers.push(await service.get(`/creators?ids=netZ:x&${query}`));
    for (const [index, query] of [hidden, absent].entries()) {
      const [field, value] = query.split('=') as [string, string];
      const posted = await service.post('/posts/batch', { ids: ['netZ:x'], [field]: value });
      expect(posted.text).toBe(answers[index]?.text);
    }
    const told = answers.map(({ status: got, text, headers }) => {
      const { 'x-request-id': _id, ratelimit: _spent, date: _date, ...rest } = headers as Record<string, string>;
      const { 'content-length': length, ...alike } = rest;
      return [got, text.replace(/org_\w+/, 'ID'), alike, text.includes('org_') || length];
    });
    expect(told[0]?.[0]).toBe(status);
    expect(told[1]).toEqual(told[0]);
  });
});

describe('what is echoed', () => {
  const SPLIT = 'x\r\nSet-Cookie: a=b\r\n\r\n<script>';
  it('never reaches a header, and is JSON', async () => {
    const answers = [
      await service.get(`/posts?ids=${encodeURIComponent(`netZ:${SPLIT}`)}`),
      await service.get(`/posts?ids=C1x&include=${encodeURIComponent(SPLIT)}`),
      await service.get(`/creators?ids=x&asOrg=org_${encodeURIComponent(SPLIT)}`),
      await service.get(`/creators/netA/${encodeURIComponent(SPLIT)}`),
      await service.get('/creators?ids=netZ:x', { headers: { 'x-request-id': CANARY } }),
    ];
    for (const { headers, text } of answers) {
      expect(headers['set-cookie']).toBeUndefined();
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(text).not.toMatch(/[\r\n]/);
      expect(headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
    }
  });
  it('is bounded: the message of an error is short, however long what it is about', async () => {
    const long = 'y'.repeat(30_000);
    const answers = [
      await service.get(`/creators?ids=x&asOrg=org_${long}`),
      await service.get(`/creators?ids=x&asOrg=${long}`),
      await service.get(`/creators?ids=x&asProfile=${long}`),
      await service.get(`/posts?ids=x&include=${long}`),
      await service.post('/creators/batch', { ids: ['x'], asOrg: `org_${long}` }),
      await service.post('/creators/batch', { ids: long }),
    ];
    for (const { body } of answers) expect(body.error.message.length).toBeLessThan(600);
  });
});

describe('bombs', () => {
  it.each([
    '{"__proto__":{"polluted":1},"ids":["netZ:x"]}',
    '{"constructor":{"prototype":{"polluted":1}},"ids":["netZ:x"]}',
    '{"ids":["netZ:x"],"toString":"x","hasOwnProperty":1}',
  ])('%s is harmless', async (body) => {
    expect((await service.post('/creators/batch', body)).status).toBe(200);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
  it.each(['__proto__', 'constructor', 'prototype', 'toString'])('a query parameter %s means nothing', async (name) => {
    expect((await service.get(`/creators?ids=netZ:x&${name}=1&${name}[a]=2`)).status).toBe(200);
    expect((await service.get(`/creators/${name}/${name}`)).status).toBe(404);
  });
  it('100 identifiers of 2 KiB in a body', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => `${index}${'@/:.%'.repeat(410)}`.slice(0, 2048));
    expect((await service.post('/posts/batch', { ids })).body.unavailable).toHaveLength(100);
  });
});

describe('AUT-11 logs and metrics tell no secret, and nothing of what is held or asked', () => {
  it('after every kind of request and discovery', async () => {
    const { tokens } = service;
    await service.held(`/creators/netA/${CANARY}?include=posts`);
    await service.held(`/posts?ids=${CANARY}&include=transcript`);
    await service.held('/creators/netA/crash.one');
    await service.held('/creators/netA/broken.one');
    await service.get(`/creators?ids=x&asOrg=${CANARY}&asProfile=${CANARY}`);
    await service.get(`/creators?ids=x&network=${CANARY}&include=${CANARY}`);
    await service.post('/creators/batch', `{"${CANARY}"`);
    for (const token of Object.values(tokens)) await service.get('/creators?ids=x', { token });
    await service.raw(`GET /${CANARY} HTTP/1.1\r\nHost: a\r\n${CANARY} x\r\n\r\n`);
    const { body } = await service.get(`/creators/netA/${CANARY}`);
    expect(body.data.channels[0].netA.email).toBe(MAIL);

    const logs = service.logged.join('');
    expect(logs).toContain('"status":200');
    const metrics = await (await fetch(`${service.service.url}/metrics`)).text();
    expect(metrics).toContain('lookup_request_duration_seconds_count');
    for (const text of [logs, metrics])
      for (const secret of [...Object.values(tokens), 'Bearer', MAIL, `${CANARY} caption`])
        expect(text).not.toContain(secret);
    const ofRequests = service.logged.filter((line) => line.includes('"msg":"request"')).join('');
    for (const text of [ofRequests, metrics]) expect(text).not.toContain(CANARY);
  });
});
