/** One node of a simulation: the service's own look-up, worker and documents, without HTTP around them. */
import { readConfig } from '../../config.ts';
import { createSandbox } from '../../discovery/sources/sandbox.ts';
import { SourceThrottled } from '../../discovery/source.ts';
import type { WorkerLimits } from '../../discovery/limits.ts';
import { createWorker, type Worker } from '../../discovery/worker.ts';
import type { Contract } from '../../http/contract.ts';
import { createRoutes, type Routes } from '../../http/routes.ts';
import { createLookUp } from '../../lookup/look-up.ts';
import { keyOf, type Clock, type Entity, type Key, type Obtained, type Source } from '../../model.ts';
import { networks } from '../../networks/index.ts';
import type { Network } from '../../networks/network.ts';
import { limitsOf } from '../../service.ts';
import type { Database } from '../../storage/database.ts';
import { createDiscoveries } from '../../storage/discoveries.ts';
import { createDocuments } from '../../storage/documents.ts';
import type { Chance, Schedule } from './schedule.ts';
import type { Witness } from './witness.ts';

export interface SimulatedNode {
  readonly name: string;
  readonly clock: Clock;
  readonly routes: Routes;
  readonly worker: Worker;
  /** The document that it tells of a key. */
  told(key: Key): Promise<Buffer | undefined>;
}

export interface NodeParts {
  readonly name: string;
  readonly schedule: Schedule;
  readonly chance: Chance;
  readonly database: Database;
  readonly witness: Witness;
  readonly contract: Contract;
  /** How far the node's clock is from the store's. */
  readonly skewMilliseconds: number;
  readonly limits: WorkerLimits;
  /** How much of the networks' calls goes wrong, 0 to 1. */
  readonly trouble: () => number;
}

export const simulatedLimits: WorkerLimits = {
  ...limitsOf(readConfig({})),
  concurrentTotal: 4,
  concurrentPerNetwork: 3,
  attemptSeconds: 8,
  backoffMaxSeconds: 10,
  retryableRememberedSeconds: 20,
  terminalRememberedSeconds: 120,
  creatorFreshSeconds: 25,
  postFreshSeconds: 25,
  deepSeconds: 60,
  callsPerMinute: 120,
  callsBurst: 5,
  circuitFailures: 3,
  circuitSeconds: 5,
  pollMilliseconds: 8_000,
};

const silent = { info: () => {}, warn: () => {}, error: () => {} };

export function createNode(parts: NodeParts): SimulatedNode {
  const { name, schedule, chance, database, contract, limits, skewMilliseconds } = parts;
  const clock = (): number => schedule.now() + skewMilliseconds;
  const documents = createDocuments(database, { cacheBytes: 200_000, clock });
  const discoveries = createDiscoveries(database, { clock, queueLimit: 50, queueLimitPerAccount: 10 });
  const worker = createWorker({
    documents,
    discoveries,
    sources: networks.map((network) => createTroubledSource(network, clock, parts)),
    clock,
    random: chance,
    owner: name,
    checkDocument: (schema, value) => contract.checkValue(value, `/components/schemas/${schema}`),
    limits,
    log: silent,
    timers: { after: (milliseconds, run) => schedule.after(name, milliseconds, run) },
  });
  const { deepSeconds } = limits;
  const { waitSeconds } = worker;
  const lookUp = createLookUp({
    documents,
    discoveries,
    clock,
    waitSeconds,
    wake: worker.wake,
    deepSeconds,
  });
  const onCorrupt = (violation: Error): void => parts.witness.broken(violation.message);
  worker.start();
  return {
    name,
    clock,
    worker,
    routes: createRoutes({ lookUp, networks, contract, clock, onCorrupt }),
    told: async (key) => (await documents.load([key])).get(key)?.document?.full,
  };
}

/** The sandbox, but slow, throttling, failing, silent or mad as chance has it. */
function createTroubledSource(network: Network, clock: Clock, parts: NodeParts): Source {
  const { name, schedule, chance, witness, trouble } = parts;
  const sandbox = createSandbox(network, {
    clock,
    ordinaryMilliseconds: 400,
    slowMilliseconds: 5_000,
    sleep: (milliseconds, signal) => sleep(Math.ceil(milliseconds * 2 * chance()), signal),
  });

  /** Half of the calls do not heed their signal, as sources may. */
  async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    await schedule.wait(name, milliseconds);
    if (chance() < 0.5) signal.throwIfAborted();
  }

  async function misbehave(signal: AbortSignal): Promise<Obtained> {
    const draw = chance();
    if (draw < 0.2) throw new SourceThrottled(Math.ceil(chance() * 10));
    await sleep(chance() * 3_000, signal);
    if (draw < 0.4) return { is: 'creator', document: { channels: [] } } as unknown as Obtained;
    if (draw < 0.5) return new Promise(() => {});
    if (draw < 0.6) await sleep(30_000, signal);
    throw new Error('the network is down');
  }

  return {
    ...sandbox,
    obtain(entity: Entity, options) {
      witness.call(name, keyOf(entity));
      return chance() < trouble() ? misbehave(options.signal) : sandbox.obtain(entity, options);
    },
  };
}
