import { setTimeout as pause } from 'node:timers/promises';
import type { Key } from '../../src/model.ts';
import { Caller, type CallerOptions } from './caller.ts';
import type { EngineName } from './fault.ts';
import { Guard } from './guard.ts';
import { startServiceProcess, type ServiceProcess, type StartOptions } from './node.ts';
import { MadSource } from './source.ts';
import { createPostgresStore, createSqliteStore, type SharedPostgres, type Store } from './store.ts';

export interface BenchOptions {
  readonly engine: EngineName;
  /** Fewer rounds and shorter times, for CI. */
  readonly quick: boolean;
  readonly seed: number;
  readonly postgres: SharedPostgres;
  /** Told of progress. */
  readonly say: (line: string) => void;
}

/** What the nodes of the bench have set, so that a lease ends within seconds. */
const swift = {
  LEASE_SECONDS: '2',
  RENEW_SECONDS: '1',
  BACKOFF_SECONDS: '1',
  POLL_MILLISECONDS: '100',
  DISCOVERY_TIMEOUT_SECONDS: '5',
  SCHEDULED_REFRESH: 'off',
  DRAIN_SECONDS: '5',
};

/** What one fault runs in: everything it starts is its own, and is ended with it, in the opposite order. */
export class Bench {
  readonly engine: EngineName;
  readonly quick: boolean;
  readonly say: (line: string) => void;
  readonly guard = new Guard();
  readonly #options: BenchOptions;
  readonly #owned: (() => unknown)[] = [];
  #state: number;

  constructor(options: BenchOptions) {
    this.#options = options;
    this.engine = options.engine;
    this.quick = options.quick;
    this.say = options.say;
    this.#state = options.seed;
  }

  /** Seeded, in [0, 1): mulberry32. */
  random(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Has `end` called when the fault is over; answers the thing itself. */
  owns<Thing>(thing: Thing, end: (thing: Thing) => unknown): Thing {
    this.#owned.push(() => end(thing));
    return thing;
  }

  async store(): Promise<Store> {
    const store =
      this.engine === 'sqlite'
        ? await createSqliteStore()
        : await createPostgresStore(await this.#options.postgres.server());
    return this.owns(store, (each) => each.close());
  }

  async source(): Promise<MadSource> {
    const source = new MadSource();
    await source.listen();
    return this.owns(source, (each) => each.close());
  }

  /** A node on that store that asks that source, with leases of 2 s. */
  async node(
    { settings }: Pick<Store, 'settings'>,
    source: MadSource,
    name: string,
    own: Readonly<Record<string, string>> = {},
    options: Omit<StartOptions, 'settings'> = {},
  ): Promise<ServiceProcess> {
    const all = { ...swift, ...settings, ...source.settings(name), ...own };
    return this.owns(await startServiceProcess({ ...options, settings: all }), (each) => each.stop());
  }

  caller(options: Omit<CallerOptions, 'guard'>): Caller {
    return this.owns(new Caller({ ...options, guard: this.guard }), (each) => each.close());
  }

  /** Ends all that was started. */
  async end(): Promise<void> {
    for (const end of this.#owned.splice(0).toReversed()) await Promise.resolve(end()).catch(() => {});
  }
}

export const creatorKey = (handle: string): Key => `creator:netA:${handle}`;

/** Discoveries that still wait or run when there has been time to end them. */
export async function leftOver({ discoveries }: Store, seconds = 10): Promise<number> {
  let left = 0;
  await eventually(async () => {
    const { queued, running } = await discoveries.depth();
    left = queued + running;
    return left === 0;
  }, seconds);
  return left;
}

/** Asks again and again until the answer is true. False: it was not within that time. */
export async function eventually(
  isSo: () => boolean | Promise<boolean>,
  seconds: number,
  everyMilliseconds = 50,
): Promise<boolean> {
  const until = performance.now() + seconds * 1000;
  for (;;) {
    if (await isSo()) return true;
    if (performance.now() > until) return false;
    await pause(everyMilliseconds);
  }
}

/** Reads until the creators are held, as clients do that do not wait as told. Milliseconds that it took; Infinity: not in time. */
export async function untilHeld(caller: Caller, handles: readonly string[], seconds: number): Promise<number> {
  const start = performance.now();
  const held = await eventually(async () => {
    const { status, body } = await caller.creators(handles);
    return status === 200 && (body as { data: unknown[] }).data.length === handles.length;
  }, seconds);
  return held ? performance.now() - start : Number.POSITIVE_INFINITY;
}

/** Clients that each have a request in flight until they are told to stop. */
export async function clients(
  count: number,
  going: () => boolean,
  ask: (client: number, turn: number) => Promise<void>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, async (_, client) => {
      for (let turn = 0; going(); turn += 1) await ask(client, turn);
    }),
  );
}

export { pause };
