/** The cost of the queue by its depth, and of the budget by principals: the storage layer itself, in this process. */
import { createBudget } from '../../src/auth/budget.ts';
import type { Principal } from '../../src/model.ts';
import { networks } from '../../src/networks/index.ts';
import { createDiscoveries } from '../../src/storage/discoveries.ts';
import { median } from './statistics.ts';
import { fillQueue, type EngineName, type Store, type Stores } from './stores.ts';

export interface QueueCost {
  readonly engine: EngineName;
  readonly depth: number;
  /** Milliseconds, medians. */
  readonly start: number;
  readonly claim: number;
  readonly done: number;
  /** Counting the queue, which each process does once a second. */
  readonly count: number;
}

export interface BudgetCost {
  readonly engine: EngineName;
  readonly principals: number;
  /** Of one request, while sixteen are under way. */
  readonly microseconds: number;
}

const engines: readonly EngineName[] = ['SQLite', 'PostgreSQL'];
const depths = [1, 1_000, 10_000, 100_000];
const turns = 200;
const rooms = new Map(networks.map(({ name }) => [name, 1]));
const wanted = { owner: 'bench', leaseSeconds: 60, limit: 1, rooms };

export async function measureQueue(stores: Stores, say: (line: string) => void): Promise<QueueCost[]> {
  const costs: QueueCost[] = [];
  for (const engine of engines) {
    const store = await stores.create(engine);
    let filled = 0;
    for (const depth of depths) {
      say(`${engine}: a queue of ${depth.toLocaleString('en')}`);
      await fillQueue(store, filled, depth);
      filled = depth;
      costs.push({ engine, depth, ...(await turnsOfQueue(store)) });
    }
  }
  return costs;
}

/** Each turn starts a discovery, claims the next and ends it, so that the depth stays. */
async function turnsOfQueue({ database }: Store): Promise<Omit<QueueCost, 'engine' | 'depth'>> {
  const discoveries = createDiscoveries(database, { clock: Date.now, queueLimit: 10_000_000 });
  const by = { account: 'acc_1', organization: 'org', profile: null, deep: false };
  const times = { start: [] as number[], claim: [] as number[], done: [] as number[], count: [] as number[] };
  const timed = async <Result>(of: keyof typeof times, work: () => Promise<Result>): Promise<Result> => {
    const began = performance.now();
    const result = await work();
    times[of].push(performance.now() - began);
    return result;
  };
  for (let turn = 0; turn < turns; turn += 1) {
    const key = `creator:netA:turn${turn}`;
    await timed('start', () => discoveries.startOrJoin([{ key, waitSeconds: 1 }], by));
    const [claim] = await timed('claim', () => discoveries.claim(wanted));
    if (!claim) throw new Error('nothing to claim');
    await timed('done', () => discoveries.done(claim));
    if (turn % 10 === 0) await timed('count', () => discoveries.depth());
  }
  await database.query('delete from work where key like $1', ['creator:netA:turn%']);
  return {
    start: median(times.start),
    claim: median(times.claim),
    done: median(times.done),
    count: median(times.count),
  };
}

const principalCounts = [1, 100, 10_000, 100_000];
const lanes = 16;
const seconds = 0.8;
const rounds = 3;

export async function measureBudget(stores: Stores, say: (line: string) => void): Promise<BudgetCost[]> {
  const costs: BudgetCost[] = [];
  for (const engine of engines)
    for (const principals of principalCounts) {
      say(`${engine}: budgets of ${principals.toLocaleString('en')} principals`);
      costs.push({ engine, principals, microseconds: await costOfBudget(await stores.create(engine), principals) });
    }
  return costs;
}

async function costOfBudget({ database }: Store, count: number): Promise<number> {
  const budget = createBudget(database, Date.now);
  const principals = Array.from({ length: count }, (_, index): Principal => {
    return { account: `acc_${index}`, organization: 'org', scopes: new Set(), perMinute: 1_000_000_000 };
  });
  for (let from = 0; from < count; from += 1_000)
    await Promise.all(principals.slice(from, from + 1_000).map((principal) => budget.spend(principal)));
  const costs = [];
  for (let round = 0; round < rounds; round += 1) costs.push(await spendFor(budget, principals));
  return median(costs);
}

/** Microseconds a request, of so many lanes that each wait for their answer. */
async function spendFor(budget: ReturnType<typeof createBudget>, principals: readonly Principal[]): Promise<number> {
  const began = performance.now();
  const end = began + seconds * 1000;
  let spent = 0;
  const lane = async (): Promise<void> => {
    while (performance.now() < end) {
      const principal = principals[(spent * 7_919) % principals.length]!;
      spent += 1;
      await budget.spend(principal);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return ((performance.now() - began) * 1000) / spent;
}
