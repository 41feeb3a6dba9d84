import { eventually, type Bench } from './bench.ts';
import { batchOf } from './caller.ts';
import { exactly, type Fault, type Figure } from './fault.ts';
import type { Batch } from './guard.ts';
import type { Behaviour, Collected, Reply } from './source.ts';

type Garbage = (reply: Reply) => void | Promise<void>;

const changed =
  (change: (body: Collected) => unknown): Garbage =>
  async (reply) => {
    const body = await reply.document();
    reply.json(change(body) ?? body);
  };
const json =
  (text: string): Garbage =>
  (reply) =>
    reply.raw('application/json', text);
const megabytes = (count: number): string => 'x'.repeat(count * 1024 * 1024);
const channelOf = (body: Collected): Collected => body['creator'].channels[0];

/** Everything a broken collector has been seen to send, and some that none has yet. */
const kinds: readonly Garbage[] = [
  (reply) => reply.raw('text/html', '<!doctype html><h1>502 Bad Gateway</h1>'),
  (reply) => reply.raw('application/json', ''),
  json('null'),
  json('[]'),
  json('"creator"'),
  json('{"creator": NaN}'),
  json('{"creator": {"channels": [{"network": "netA", "followersCount": NaN}]}}'),
  json('{"creator": {"channels": ['),
  json('{"creator": {}}'),
  json('{"creator": {"channels": []}}'),
  json(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
  json('{"__proto__": {"creator": 1}, "creator": {"channels": [{"network": "netA", "__proto__": 7}]}}'),
  json('{"creator": {"channels": [{"network": "netA", "followersCount": 1e999}]}}'),
  json('\uFEFF{"creator": {"channels": [{"network": "netA"}]}}'),
  changed((body) => void (channelOf(body)['followersCount'] = 'many')),
  changed((body) => void (channelOf(body)['verified'] = 'yes')),
  changed((body) => void (channelOf(body)['network'] = 'netZ')),
  changed((body) => void (channelOf(body)['username'] = null)),
  changed((body) => void (channelOf(body)['netA'].email = '\uD800 half a character')),
  changed((body) => void (channelOf(body)['netA'].badges = { 0: 'b' })),
  changed((body) => void (channelOf(body)['netA'].name = megabytes(1))),
  changed((body) => void (channelOf(body)['netA'].name = megabytes(10))),
  changed((body) => void delete channelOf(body)['netA']),
  changed((body) => void (body['posts'] = 'none')),
  changed((body) => void (body['posts'] = Array.from({ length: 5_000 }, () => body['posts'][0]))),
  changed((body) => void (body['posts'][0].postedAt = 'yesterday')),
  changed((body) => void (body['posts'][0].author.accountId = 'somebody else')),
  changed((body) => void (body['audienceUntil'] = 'never')),
  changed((body) => ({ ...body, undocumented: true, creator: { ...body['creator'], undocumented: [1] } })),
  (reply) => reply.status(302, { location: 'http://127.0.0.1:1/' }),
  (reply) => reply.status(204),
  (reply) => reply.status(418),
  (reply) => reply.raw('application/json', '{', { 'content-length': '1000' }),
  (reply) => reply.raw('application/json', Buffer.from([0xff, 0xfe, 0x00]), { 'content-encoding': 'gzip' }),
  (reply) => reply.reset(),
];

const junk: readonly unknown[] = [null, '', 'x', -1, 1.5, 1e308, true, [], [null], {}, [[]], { a: 1 }, '\u0000'];

/** A legal document with a value of it, anywhere, in the place of which stands something else. */
function mutated(bench: Bench): Garbage {
  return changed((body) => {
    let at: Collected = body;
    for (;;) {
      const names = Object.keys(at);
      const name = names[Math.floor(bench.random() * names.length)];
      if (name === undefined) return;
      const value: unknown = at[name];
      const deeper = typeof value === 'object' && value !== null && bench.random() < 0.85;
      if (deeper) at = value;
      else return void (at[name] = junk[Math.floor(bench.random() * junk.length)]);
    }
  });
}

const sizeOf = (batch: Batch | null): number =>
  batch === null ? 0 : batch.data.length + batch.fetching.length + batch.unavailable.length;

async function run(bench: Bench): Promise<Figure[]> {
  const [store, source] = [await bench.store(), await bench.source()];
  const settings = { DISCOVERY_ATTEMPTS: '1', CIRCUIT_FAILURES: '10000', DISCOVERY_CONCURRENCY: '8' };
  const node = await bench.node(store, source, 'one', settings);
  const caller = bench.caller({ port: node.port, token: await store.issue(1_000_000) });
  const count = bench.quick ? 100 : 400;
  const behave: Behaviour = ({ key }, reply) => {
    const index = Number(/(\d+)$/.exec(key)?.[1] ?? 0);
    return (kinds[index] ?? mutated(bench))(reply);
  };
  source.behave = behave;
  const wrong: number[] = [];
  let [held, refused] = [0, 0];
  for (let first = 0; first < count; first += 50) {
    const handles = Array.from({ length: 50 }, (_, index) => `garbage${first + index}`);
    await eventually(
      async () => {
        // What is repaired may name nobody: that each is in one bucket is seen by their number.
        const answered = await caller.get(`/creators?ids=${handles.join(',')}`);
        if (answered.status !== 200 || sizeOf(batchOf(answered)) !== handles.length) wrong.push(answered.status);
        return batchOf(answered)?.fetching.length === 0;
      },
      60,
      200,
    );
    for (const handle of handles) {
      const { status } = await caller.get(`/creators/netA/${handle}?include=posts`);
      if (status === 200) held += 1;
      else if (status === 404) refused += 1;
      else wrong.push(status);
    }
    bench.say(`${first + 50} of ${count}: ${held} repaired and held, ${refused} refused`);
  }
  return [
    exactly('answers other than 200 and 404, or with an identifier in no bucket or in two', wrong.length, 0),
    exactly(`identifiers without an end, of ${count}`, count - held - refused, 0),
    exactly(
      'documents held back by the service itself',
      node.errors.filter((line) => /contract|not what was stored/.test(line)).length,
      0,
    ),
  ];
}

export const garbage: Fault = {
  id: 'F10',
  title: 'source answers garbage: wrong types, NaN, 10 MB of text, missing keys, HTML, and seeded mutations',
  mustHold: 'nulls or a retryable failure; never a 500, never a bad shape',
  engines: ['sqlite', 'postgres'],
  run,
};
