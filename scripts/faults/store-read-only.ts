import { execFileSync } from 'node:child_process';
import { clients, creatorKey, eventually, pause, untilHeld, type Bench } from './bench.ts';
import { Tally, type Answered, type Caller } from './caller.ts';
import { atMost, exactly, NotRun, type Figure } from './fault.ts';
import type { ServiceProcess } from './node.ts';
import { Gate } from './source.ts';
import type { Store } from './store.ts';

const held = Array.from({ length: 20 }, (_, index) => `kept${index}`);
const stale = held.slice(10);
const underWay = Array.from({ length: 30 }, (_, index) => `under${index}`);
const queued = Array.from({ length: 30 }, (_, index) => `queued${index}`);

/** Takes every write away from a running node, and gives it back; reads go on. */
interface Writes {
  refuse(): Promise<void>;
  allow(): Promise<void>;
}

/** Of PostgreSQL as its operators do it: every transaction that begins is read-only, those of kept connections too. */
function writesOfServer(bench: Bench, { database }: Store): Writes {
  async function set(sql: string): Promise<void> {
    await database.exec(sql);
    await database.exec('select pg_reload_conf()');
    await pause(500);
  }
  const allow = () => set('alter system reset default_transaction_read_only');
  bench.owns(allow, (end) => end());
  return { refuse: () => set('alter system set default_transaction_read_only = on'), allow };
}

/** A mount can't turn read-only below a file that is open for writing: a limit of no bytes refuses each write all the same, to root too. */
function writesOfProcess({ pid }: ServiceProcess): Writes {
  function limit(bytes: string): void {
    try {
      execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`], { stdio: 'pipe' });
    } catch (error) {
      throw new NotRun(`taking a process its writes needs prlimit: ${(error as Error).message.split('\n')[0]}`);
    }
  }
  return { refuse: async () => limit('0'), allow: async () => limit('unlimited') };
}

/** F12's other half: the store takes no write at all for a while, in the midst of discoveries. */
export async function readOnlyStore(bench: Bench): Promise<Figure[]> {
  const [store, source] = [await bench.store(), await bench.source()];
  const node = await bench.node(store, source, 'one', { CACHE_BYTES: '1' });
  const token = await store.issue(1_000_000);
  const callers = Array.from({ length: 4 }, () => bench.caller({ port: node.port, token }));
  const writes = bench.engine === 'sqlite' ? writesOfProcess(node) : writesOfServer(bench, store);
  await untilHeld(callers[0]!, held, 20);
  for (const handle of stale) await store.documents.expire(creatorKey(handle));
  const gate = new Gate();
  source.behave = async (_call, reply) => {
    await gate.passed;
    reply.proper();
  };
  await callers[0]!.creators([...underWay, ...queued]);
  await eventually(() => source.inFlight > 0, 5);
  await writes.refuse();
  gate.open();
  const { known, unknown } = await readsFor(callers, bench.quick ? 3 : 8);
  bench.say(`read-only: held: ${known}; not held: ${unknown.tally}`);
  await writes.allow();
  const kept = await store.held(held.map(creatorKey));
  const goesOn = await untilHeld(callers[0]!, ['afterwards'], 20);
  await untilHeld(callers[0]!, [...underWay, ...queued], 20);
  const asked = [...underWay, ...queued].map(creatorKey);
  return [
    exactly(
      `read-only store: reads of held documents, half of them stale, that were not 200, of ${known.total}`,
      known.others(200),
      0,
    ),
    exactly(
      `read-only store: reads with one that is not held that were not 503 with Retry-After, of ${unknown.tally.total}`,
      unknown.tally.total - unknown.proper,
      0,
    ),
    atMost(
      'read-only store: slowest of them all',
      Math.max(known.percentile(1), unknown.tally.percentile(1)),
      2_000,
      'ms',
    ),
    exactly(`read-only store: documents lost, of ${held.length}`, held.length - kept, 0),
    exactly(
      `read-only store: discoveries lost, of ${asked.length} that were asked for before`,
      asked.length - (await store.held(asked)),
      0,
    ),
    atMost('read-only store: from its first write to the next document', goesOn / 1000, 10, 's'),
  ];
}

interface Seen {
  readonly known: Tally;
  readonly unknown: { readonly tally: Tally; proper: number };
}

const isProper = ({ status, headers }: Answered): boolean => status === 503 && Number(headers['retry-after']) >= 1;

/** Held ones, singly and together, by turns with such as are not held, alone and among held ones. */
async function readsFor(callers: readonly Caller[], seconds: number): Promise<Seen> {
  const seen: Seen = { known: new Tally(), unknown: { tally: new Tally(), proper: 0 } };
  const until = performance.now() + seconds * 1000;
  await clients(
    callers.length,
    () => performance.now() < until,
    async (client, turn) => {
      const caller = callers[client]!;
      seen.known.add(await caller.creator(held[turn % held.length]!));
      seen.known.add(await caller.creators(held));
      const fresh = `never${client}t${turn}`;
      const answered = turn % 2 === 0 ? await caller.creator(fresh) : await caller.creators([...held, fresh]);
      seen.unknown.tally.add(answered);
      if (isProper(answered)) seen.unknown.proper += 1;
      await pause(20);
    },
  );
  return seen;
}
