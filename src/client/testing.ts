import { createClient, type ClientOptions } from './client.ts';

/** A clock that stands still until a sleep moves it. */
export function handTime() {
  const state = { now: 1_800_000_000_000, slept: [] as number[] };
  const sleep = async (milliseconds: number): Promise<void> => {
    state.slept.push(milliseconds);
    state.now += milliseconds;
  };
  return { state, time: { clock: () => state.now, sleep, random: () => 0.5 } };
}

/** All that an iterable yields. */
export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json', 'x-request-id': 'req-1', ...headers },
  });

export const error = (status: number, code: string, headers: Record<string, string> = {}): Response =>
  json(status, { error: { code, message: 'told by the test' } }, headers);

/** A client whose requests are answered from a list, and fail when it is empty; its sleeps take no time. */
export function scripted(answers: (() => Response)[], options: Partial<ClientOptions> = {}) {
  const { state, time } = handTime();
  const sent: { at: number; body: string }[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    sent.push({ at: state.now, body: await request.text() });
    const next = answers.shift();
    if (next === undefined) throw new TypeError('fetch failed');
    return next();
  };
  return {
    client: createClient({ baseUrl: 'https://lookup.example', token: 'x', fetch, time, ...options }),
    state,
    sent,
  };
}
