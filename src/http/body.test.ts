import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { readJson } from './body.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const limits = { bodyBytes: 1024 * 1024, bodyDepth: 32 };
const bodyOf = () => Object.assign(new EventEmitter(), { headers: { 'content-type': 'application/json' } });
const read = (request: EventEmitter) => readJson(request as IncomingMessage, limits);

describe('a body in pieces', () => {
  it('CRB-08 is what it was, however it was cut', async () => {
    const whole = Buffer.from(JSON.stringify({ ids: ['ä'.repeat(20_000), '🎈', 'x'.repeat(30_000)] }));
    for (const length of [1, 7, 4_096, 8_192, 8_193, 50_000, whole.length]) {
      const request = bodyOf();
      const body = read(request);
      for (let from = 0; from < whole.length; from += length) request.emit('data', whole.subarray(from, from + length));
      request.emit('end');
      expect(await body).toEqual(JSON.parse(whole.toString()));
    }
  });

  it('CRB-08 of one byte each keeps no more memory than its bytes', () => {
    const request = bodyOf();
    void read(request).catch(() => {});
    const sent = Buffer.alloc(300_000, 'x');
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let at = 0; at < sent.length; at += 1) request.emit('data', sent.subarray(at, at + 1));
    collectGarbage();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(5_000_000);
    request.emit('close');
  });
});
