import { createServer, get, ServerResponse, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import { Socket, type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSlabs } from './slabs.ts';

const SLAB = 64 * 1024;

/** A body that is told from every other at each of its bytes' places, cut into pieces of many sizes. */
function bodyOf(seed: number, bytes: number): { body: Buffer; pieces: Buffer[] } {
  const body = Buffer.alloc(bytes, `this is of body ${seed}; `);
  const pieces: Buffer[] = [];
  for (let at = 0, size = 1; at < bytes; at += size, size = (size * 7) % 9_001)
    pieces.push(body.subarray(at, at + size));
  return { body, pieces };
}

const openResponse = (): ServerResponse => {
  const response = new ServerResponse({ method: 'GET' } as IncomingMessage);
  response.assignSocket(new Socket());
  return response;
};

describe('memory that large responses are gathered in', () => {
  const slabs = createSlabs();
  const gathered: boolean[] = [];
  let server: Server;
  let url: string;

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const [, seed, bytes] = (request.url ?? '').split('/').map(Number);
    const { pieces } = bodyOf(seed!, bytes!);
    const chunks = slabs.gather(pieces, bytes!, response);
    gathered.push(chunks !== pieces);
    for (const chunk of chunks) response.write(chunk);
    response.end();
  }

  beforeAll(async () => {
    server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  async function begin(seed: number, bytes: number): Promise<IncomingMessage> {
    const [response] = await once(get(`${url}/${seed}/${bytes}`, { agent: false }), 'response');
    return response as IncomingMessage;
  }
  const read = async (seed: number, bytes: number) => buffer(await begin(seed, bytes));

  it('hands over the same bytes, whatever their number', async () => {
    for (const bytes of [1, SLAB - 1, SLAB, SLAB + 1, 3 * SLAB, 453_000]) {
      expect((await read(bytes, bytes)).equals(bodyOf(bytes, bytes).body), `${bytes} bytes`).toBe(true);
    }
    expect(gathered).not.toContain(false);
  });

  it('F18 lends so much at most: later responses keep references, until one closes', () => {
    const [first, second, third] = Array.from({ length: 3 }, openResponse);
    const { pieces } = bodyOf(1, 80 * SLAB);
    const isGathered = (response: ServerResponse): boolean => slabs.gather(pieces, 80 * SLAB, response) !== pieces;
    expect([isGathered(first!), isGathered(second!)]).toEqual([true, false]);
    first!.emit('close');
    expect(isGathered(third!)).toBe(true);
    third!.emit('close');
  });

  it('F18 what a reader leaves behind is used again, and nobody reads of another', async () => {
    for (let round = 0; round < 10; round += 1) {
      const left = await begin(round, 100 * SLAB);
      left.destroy();
      const seed = 100 + round;
      expect((await read(seed, 100 * SLAB)).equals(bodyOf(seed, 100 * SLAB).body), `round ${round}`).toBe(true);
    }
    // The server learns a moment later that a reader has gone.
    await vi.waitFor(async () => {
      await read(0, 100 * SLAB);
      expect(gathered.at(-1), 'given back').toBe(true);
    });
  });

  it('takes nothing for a response that waits behind another on its connection', () => {
    const { pieces } = bodyOf(1, 100_000);
    expect(slabs.gather(pieces, 100_000, { socket: null } as ServerResponse)).toBe(pieces);
  });
});
