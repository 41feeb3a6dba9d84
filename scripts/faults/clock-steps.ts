import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../ending.ts';
import { pause, untilHeld, type Bench } from './bench.ts';
import { Tally, type Answered, type Caller } from './caller.ts';
import { atLeast, atMost, exactly, type Fault, type Figure } from './fault.ts';
import type { ServiceProcess } from './node.ts';
import type { Store } from './store.ts';

const perMinute = 60;
const hour = 3_600_000;

/** The clock that counts the windows, and how to set it: of PostgreSQL the database's, else the process's. */
interface Clock {
  readonly node: ServiceProcess;
  set(offset: number): Promise<void>;
}

async function steppedNode(bench: Bench, store: Store): Promise<Clock> {
  const source = await bench.source();
  const folder = bench.owns(temporaryFolder('faults-clock-'), (each) => rmSync(each, { recursive: true }));
  const file = join(folder, 'offset');
  const nodeArguments = ['--import', join(import.meta.dirname, 'stepping-clock.ts')];
  const node = await bench.node(store, source, 'one', { CLOCK_OFFSET_FILE: file }, { nodeArguments });
  return {
    node,
    async set(offset) {
      if (bench.engine === 'postgres') return setDatabaseClock(store, offset);
      writeFileSync(file, String(offset));
      node.signal('SIGUSR2');
      await pause(100);
    },
  };
}

const setDatabaseClock = ({ database }: Store, offset: number): Promise<void> =>
  database.exec(`create or replace function now_ms() returns bigint language sql stable parallel safe
    as 'select floor(extract(epoch from statement_timestamp()) * 1000)::bigint + ${offset}'`);

/** A clock that goes on by a whole window, by nearly one, by an hour, or is set back. */
function stepOf(bench: Bench): number {
  const steps = [
    hour,
    -hour,
    60_000,
    59_000,
    58_000 + bench.random() * 2_000,
    -30_000,
    -60_001,
    2 * bench.random() * hour - hour,
  ];
  return Math.round(steps[Math.floor(bench.random() * steps.length)]!);
}

/** 80 requests at once. */
async function burst(caller: Caller, waits: number[]): Promise<Tally> {
  const tally = new Tally();
  const answers = await Promise.all(Array.from({ length: 80 }, () => caller.creator('known')));
  for (const answered of answers) {
    tally.add(answered);
    if (answered.status === 429) waits.push(waitOf(answered));
  }
  return tally;
}

const waitOf = ({ headers }: Answered): number => Number(headers['retry-after']);

async function run(bench: Bench): Promise<Figure[]> {
  const store = await bench.store();
  const clock = await steppedNode(bench, store);
  const { port } = clock.node;
  await untilHeld(bench.caller({ port, token: await store.issue(1_000_000) }), ['known'], 20);
  const rounds = bench.quick ? 8 : 60;
  const waits: number[] = [];
  let [mostBefore, mostAcross, others, offset] = [0, 0, 0, 0];
  for (let round = 0; round < rounds; round += 1) {
    const caller = bench.caller({ port, token: await store.issue(perMinute), connections: 20 });
    const before = await burst(caller, waits);
    offset += stepOf(bench);
    await clock.set(offset);
    const after = await burst(caller, waits);
    mostBefore = Math.max(mostBefore, before.count(200), after.count(200));
    mostAcross = Math.max(mostAcross, before.count(200) + after.count(200));
    others += before.others(200, 429) + after.others(200, 429);
    caller.close();
  }
  const fetching = await bench.caller({ port, token: await store.issue(perMinute) }).creator('never-asked-before');
  return [
    exactly(`most accepted between two of ${rounds} steps of the clock`, mostBefore, perMinute),
    atMost('most accepted across a step', mostAcross, 2 * perMinute),
    atLeast(`shortest Retry-After of ${waits.length} refusals`, Math.min(...waits), 1, 's'),
    atMost('longest Retry-After of them', Math.max(...waits), 60, 's'),
    exactly('answers other than 200 and 429', others, 0),
    exactly(
      'Retry-After of a fetching answer, below 1 or above 3600',
      [waitOf(fetching)].filter((wait) => !(wait >= 1 && wait <= 3_600)).length,
      0,
    ),
  ];
}

export const clockSteps: Fault = {
  id: 'F15',
  title: 'window edges, clock stepped by up to an hour either way',
  mustHold: 'never more than 2 × 60 across an edge; Retry-After ≥ 1',
  engines: ['sqlite', 'postgres'],
  run,
};
