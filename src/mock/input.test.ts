import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { jsonOf, queryOf } from './input.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const open = (headers: object = {}) =>
  Object.assign(new EventEmitter(), { headers: { 'content-type': 'application/json', ...headers } });
const read = (request: EventEmitter) => jsonOf(request as IncomingMessage);

describe('a body in pieces', () => {
  it('CRB-08 is what it was, however it was cut', async () => {
    const whole = Buffer.from(JSON.stringify({ ids: ['ä'.repeat(20_000), '🎈'] }));
    for (const headers of [{}, { 'content-length': String(whole.length) }])
      for (const length of [1, 7, whole.length]) {
        const request = open(headers);
        const body = read(request);
        for (let from = 0; from < whole.length; from += length)
          request.emit('data', whole.subarray(from, from + length));
        request.emit('end');
        expect(await body).toEqual(JSON.parse(whole.toString()));
      }
  });

  it('CRB-08 of one byte each keeps no more memory than its bytes', () => {
    const request = open();
    void read(request).catch(() => {});
    const sent = Buffer.alloc(300_000, 'x');
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let at = 0; at < sent.length; at += 1) request.emit('data', sent.subarray(at, at + 1));
    collectGarbage();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(5_000_000);
    request.emit('close');
  });

  it('CRB-08 beyond the limit is refused where it passes it', async () => {
    const request = open();
    const body = read(request);
    for (let sent = 0; sent <= 1024 * 1024; sent += 65_536) request.emit('data', Buffer.alloc(65_536));
    await expect(body).rejects.toMatchObject({ code: 'invalid-input', message: expect.stringContaining('1 MiB') });
    expect(request.listenerCount('data')).toBe(0);
  });
});

it('CRE-10 CRB-05 a broken escape stays as it was written, and spoils nothing beside it', () => {
  const ids = queryOf('ids=a%2Cx%zz+y%ff%2C%41%c3%28,%ed%a0%80%2c%F0%9F%8E%88,%e0%80%80%,b%2525').get('ids');
  expect(ids).toBe('a,x%zz y%ff,A%c3(,%ed%a0%80,🎈,%e0%80%80%,b%25');
});
