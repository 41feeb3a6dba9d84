import { clients, creatorKey, pause, type Bench } from './bench.ts';
import { batchOf, Tally, type Caller } from './caller.ts';
import type { Key } from '../../src/model.ts';

/** What callers were told of the creators they asked for; a document is acknowledged once it was told as held. */
export class Told {
  readonly held = new Set<string>();
  readonly asked = new Set<string>();
  /** Told as held, and later no more. */
  readonly lost = new Set<string>();
  readonly tally = new Tally();

  /** Asks for a creator that is new in each turn, and for two of earlier turns. */
  async ask(caller: Caller, name: string, turn: number): Promise<void> {
    const handles = [turn, turn - 1, turn - 7].filter((each) => each >= 0).map((each) => `${name}t${each}`);
    const answered = await caller.creators(handles);
    this.tally.add(answered);
    if (answered.status !== 200 || answered.body === null) return pause(50);
    const missing = new Set([...batchOf(answered).fetching, ...batchOf(answered).unavailable].map(({ id }) => id));
    for (const handle of handles) {
      this.asked.add(handle);
      if (!missing.has(handle)) this.held.add(handle);
      else if (this.held.has(handle)) this.lost.add(handle);
    }
    await pause(10);
  }

  /** That load from each caller, for as long as it goes on. */
  load(callers: readonly Caller[], name: string, going: () => boolean): Promise<void> {
    return clients(callers.length, going, (client, turn) => this.ask(callers[client]!, `${name}c${client}`, turn));
  }

  keys(which: 'held' | 'asked'): Key[] {
    return [...this[which]].map(creatorKey);
  }
}

export const callersOf = (bench: Bench, count: number, port: number, token: string): Caller[] =>
  Array.from({ length: count }, () => bench.caller({ port, token }));
