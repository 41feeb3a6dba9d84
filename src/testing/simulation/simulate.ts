/**
 * A minute in the life of several nodes on one store, decided by a seed: readers come, nodes are killed, stopped, restarted and paused, the store is
 * cut off, networks fail. What runs is the service's own code on real SQL; only time, the networks and the way to the store are simulated.
 * The same seed gives the same minute.
 */
import { readFileSync } from 'node:fs';
import { createContract, type Contract, type ContractDocument } from '../../http/contract.ts';
import { keyOf, type Instant, type Key } from '../../model.ts';
import { createDocuments, type Documents } from '../../storage/documents.ts';
import { migrate } from '../../storage/migrate.ts';
import { openSqlite } from '../../storage/sqlite.ts';
import type { Database } from '../../storage/database.ts';
import { createNode, simulatedLimits, type SimulatedNode } from './node.ts';
import { createReaders } from './readers.ts';
import { chanceOf, createSchedule, type Chance, type Schedule } from './schedule.ts';
import { createSharedStore, type SharedStore } from './store.ts';
import { createWitness, operator, type Witness } from './witness.ts';

export interface SimulationOptions {
  /** A fault of the test's: what statements are changed into, to see that it is noticed. */
  readonly alter?: (sql: string) => string;
  readonly notifies?: boolean;
}

export interface Simulated {
  readonly steps: number;
  readonly reads: number;
  readonly calls: number;
  readonly crashes: number;
}

const start = Date.UTC(2026, 0, 1);
const hour = 3_600_000;
const troubledMilliseconds = 30_000;
/** Mishaps, and among how many statements they fall. */
const mishapCount = 6;
const mishapsWithin = 250;
/** By then all is to be at rest: leases have ended, back-offs, throttling and the circuit are over. */
const settledMilliseconds = 15 * 60_000;

const bundle = new URL('../../../generated/openapi.json', import.meta.url);

/** Runs one seed after the other on one store, emptied in between. */
export async function createSimulator(options: SimulationOptions = {}) {
  let now: () => Instant = () => start;
  let behind = 0;
  const lag = (milliseconds: number): void => void (behind = milliseconds);
  const contract = createContract(JSON.parse(readFileSync(bundle, 'utf8')) as ContractDocument);
  const store = await openSqlite({ path: ':memory:', clock: () => now() - behind });
  await migrate(store);

  return {
    /** @throws Violation when something happened that may never happen. */
    async simulate(seed: number): Promise<Simulated> {
      await store.exec('delete from entity; delete from work; delete from deep');
      const chance = chanceOf(seed);
      const schedule = createSchedule(chance, start);
      now = schedule.now;
      return live(createWorld({ seed, chance, schedule, store, lag, contract, options }));
    },
    close: () => store.close(),
  };
}

interface WorldParts {
  readonly seed: number;
  readonly chance: Chance;
  readonly schedule: Schedule;
  readonly store: Database;
  readonly lag: (milliseconds: number) => void;
  readonly contract: Contract;
  readonly options: SimulationOptions;
}

interface World extends WorldParts {
  readonly witness: Witness;
  readonly shared: SharedStore;
  readonly nodes: SimulatedNode[];
  readonly startNode: () => void;
  trouble: number;
  crashes: number;
}

function createWorld(parts: WorldParts): World {
  const { chance, schedule, store, lag, contract, options } = parts;
  const witness = createWitness(store, schedule.now, simulatedLimits.attempts);
  const { alter = (sql: string) => sql, notifies = true } = options;
  const onStatement = (node: string): void => {
    statements += 1;
    if (mishaps.delete(statements) && schedule.now() < start + troubledMilliseconds) disturb(world, node);
  };
  const shared = createSharedStore({ store, lag, schedule, chance, witness, alter, notifies, onStatement });
  const mishaps = new Set(Array.from({ length: mishapCount }, () => Math.ceil(chance() * mishapsWithin)));
  const nodes: SimulatedNode[] = [];
  const freshSeconds = 10 + Math.floor(chance() * 150);
  let started = 0;
  let statements = 0;

  function startNode(): void {
    started += 1;
    const name = `node-${started}`;
    const database = shared.databaseOf(name);
    const skewMilliseconds = Math.round((chance() - 0.5) * hour);
    const trouble = (): number => world.trouble;
    const limits = { ...simulatedLimits, creatorFreshSeconds: freshSeconds };
    nodes.push(createNode({ name, schedule, chance, database, witness, contract, skewMilliseconds, limits, trouble }));
  }
  const world: World = { ...parts, witness, shared, nodes, startNode, trouble: 0, crashes: 0 };
  return world;
}

async function live(world: World): Promise<Simulated> {
  const { chance, schedule, witness, nodes } = world;
  world.trouble = chance() * 0.6;
  for (let count = 1 + Math.floor(chance() * 3); count > 0; count -= 1) world.startNode();
  const readers = createReaders({ schedule, chance, witness, nodes, until: start + troubledMilliseconds });
  const over = (): boolean => witness.violation() !== null;

  await schedule.run(start + troubledMilliseconds, over);
  world.trouble = 0;
  world.startNode();
  await schedule.run(start + settledMilliseconds, () => over() || readers.waiting() === 0);
  if (readers.waiting() > 0) witness.broken(`never told: ${readers.unanswered().join(' ')}`);
  await schedule.run(schedule.now() + simulatedLimits.leaseSeconds * 2_000, over);
  if (!over()) await judgeRest(world);

  for (const { name } of nodes) schedule.crash(name);
  const violation = witness.violation();
  if (violation !== null) throw violation;
  return { steps: schedule.steps(), reads: readers.reads(), calls: witness.calls(), crashes: world.crashes };
}

/** One mishap, to the store or to the node that has just spoken with it. */
function disturb(world: World, name: string): void {
  const { schedule, chance, nodes, shared } = world;
  const draw = chance();
  if (draw < 0.15) return shared.cut(chance() * 5_000);
  if (draw < 0.3) return void operate(world);
  const node = nodes.find((each) => each.name === name);
  if (node === undefined) return;
  if (draw < 0.6) return schedule.pause(name, chance() * 40_000);
  nodes.splice(nodes.indexOf(node), 1);
  schedule.after('chaos', chance() * 5_000, world.startNode);
  if (draw < 0.7) return void node.worker.stop();
  world.crashes += 1;
  schedule.crash(name);
}

const known = { kind: 'creator', network: 'netA', name: 'ada' } as const;

const operatorOf = (shared: SharedStore, { now: clock }: Schedule): Documents =>
  createDocuments(shared.databaseOf(operator), { cacheBytes: 1, clock });

/** What the command `admin` does: forget a creator, or have it fetched anew. */
async function operate(world: World): Promise<void> {
  const documents = operatorOf(world.shared, world.schedule);
  if (world.chance() < 0.7) await forget(world, documents);
  else await documents.expire(keyOf(known)).catch(() => {});
}

/** Until the store has taken it: one that fails forgets a part, and whoever forgets is told so. */
async function forget(world: World, documents: Documents): Promise<void> {
  const began = world.schedule.now();
  const done = await documents.forget(known).then(
    () => true,
    () => false,
  );
  if (done) world.witness.forgot(keyOf(known), began);
}

/** Longer than anything that is due may wait for a worker that lives. */
const overdueMilliseconds = 20_000;

interface Left {
  readonly key: string;
  readonly state: string;
}

/** When all is quiet: no discovery is left over, and every node tells what the store holds. */
async function judgeRest({ store, shared, nodes, witness, schedule }: World): Promise<void> {
  const left = await store.query<Left>("select key, state from work where state <> 'idle' and due_at < $1", [
    schedule.now() - overdueMilliseconds,
  ]);
  for (const { key, state } of left) witness.broken(`${key} is ${state}, and nobody works on it`);
  for (const { worker } of nodes) void worker.stop();
  for (const { told } of nodes) void told(keyOf(known));
  await schedule.run(schedule.now() + 2_000);
  const keys = (await store.query<{ key: string }>('select key from entity order by key')).map(({ key }) => key);
  void operatorOf(shared, schedule).forget(known);
  await schedule.run(schedule.now() + 2_000);

  const held = await createDocuments(store, { cacheBytes: 1, clock: schedule.now }).load(keys);
  const judgeTold = (name: string, key: Key, document: Buffer | undefined): void => {
    if (!sameBytes(document, held.get(key)?.document?.full))
      witness.broken(`${name} tells another ${key} than the store holds`);
  };
  for (const { name, told } of nodes)
    for (const key of keys) void told(key).then((document) => judgeTold(name, key, document));
  await schedule.run(schedule.now() + 2_000);
}

const sameBytes = (left: Buffer | undefined, right: Buffer | undefined): boolean =>
  left === undefined || right === undefined ? left === right : left.equals(right);
