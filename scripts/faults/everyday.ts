import { clients } from './bench.ts';
import type { Caller, Tally } from './caller.ts';

/** What callers ask for all day: a held creator, a batch of which most is held, a new one, posts. */
export async function askEveryday(caller: Caller, client: number, turn: number, tally: Tally): Promise<void> {
  const handles = Array.from({ length: 20 }, (_, index) => `everyday${(turn + index) % 200}`);
  const asks = [
    () => caller.get('/creators/netA/ada?include=posts'),
    () => caller.creators(handles),
    () => caller.creator(`fresh${client}n${turn}`, 'netB'),
    () => caller.posts(['C1x', `${10_000 + client}x${turn}`]),
  ];
  tally.add(await asks[turn % asks.length]!());
}

/** That load, from each caller one request after the other, for as long as it goes on. */
export const everyday = (callers: readonly Caller[], tally: Tally, going: () => boolean): Promise<void> =>
  clients(callers.length, going, (client, turn) => askEveryday(callers[client]!, client, turn, tally));
