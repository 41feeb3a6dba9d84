import { beforeEach, describe, expect, it } from 'vitest';
import { createClock } from '../testing/engines.ts';
import { createRemembered, type Found } from './remembered.ts';

describe('answers of the store in memory', () => {
  const clock = createClock();
  let version = 'v1';
  let reads: string[];
  let found: Found<string> | null;
  const remembered = () =>
    createRemembered({
      version: () => version,
      async read(key) {
        reads.push(key);
        return found;
      },
      clock,
      cacheSeconds: 2,
    });
  beforeEach(() => {
    reads = [];
    found = { value: 'ada', validMilliseconds: null };
  });

  it('are recalled for their time, and then asked for again', async () => {
    const { recall, load } = remembered();
    expect(recall('a')).toBeUndefined();
    expect(await load('a')).toBe('ada');
    clock.pass(1_999);
    expect(recall('a')).toBe('ada');
    clock.pass(1);
    expect(recall('a')).toBeUndefined();
  });

  it('AUT-04 end with their own limit where that comes first', async () => {
    found = { value: 'ada', validMilliseconds: 500 };
    const { recall, load } = remembered();
    await load('a');
    clock.pass(499);
    expect(recall('a')).toBe('ada');
    clock.pass(1);
    expect(recall('a')).toBeUndefined();
  });

  it('are never of none: what the store does not have is asked for each time', async () => {
    found = null;
    const { recall, load } = remembered();
    expect([await load('a'), recall('a'), await load('a')]).toEqual([null, undefined, null]);
    expect(reads).toEqual(['a', 'a']);
  });

  it('are read once for requests that come together', async () => {
    const { load } = remembered();
    expect(await Promise.all([load('a'), load('a'), load('b')])).toEqual(['ada', 'ada', 'ada']);
    expect(reads).toEqual(['a', 'b']);
  });

  it('AUT-05 are forgotten with a change, and not kept when they were read before it', async () => {
    const { recall, load } = remembered();
    await load('a');
    expect(recall('a')).toBe('ada');
    const early = load('b');
    version = 'v2';
    expect(recall('a')).toBeUndefined();
    await early;
    expect(recall('b')).toBeUndefined();
  });

  it('AUT-05 a read that began before a change is neither shared after it nor ends the sharing of a later one', async () => {
    const answers: (() => void)[] = [];
    const { load } = createRemembered({
      version: () => version,
      read: (key) => {
        reads.push(key);
        return new Promise<Found<string> | null>((resolve) => answers.push(() => resolve(found)));
      },
      clock,
      cacheSeconds: 2,
    });
    const before = load('a');
    version = 'changed meanwhile';
    const after = load('a');
    expect(reads).toEqual(['a', 'a']);
    answers[0]!();
    await before;
    const together = load('a');
    answers[1]!();
    expect(await Promise.all([after, together])).toEqual(['ada', 'ada']);
    expect(reads).toEqual(['a', 'a']);
  });

  it('F15 are asked for again after the clock was set back', async () => {
    const { recall, load } = remembered();
    await load('a');
    expect(recall('a')).toBe('ada');
    clock.pass(-1);
    expect(recall('a')).toBeUndefined();
  });

  it('are at most 10,000: the oldest goes', async () => {
    const { recall, load } = remembered();
    for (let index = 0; index <= 10_000; index += 1) await load(String(index));
    expect([recall('0'), recall('1'), recall('10000')]).toEqual([undefined, 'ada', 'ada']);
  });

  it('AUT-08 neither are nor are not while the store can not tell', async () => {
    const fails = (): never => {
      throw new Error('gone');
    };
    const broken = createRemembered({ version: fails, read: async () => fails(), clock, cacheSeconds: 2 });
    expect(() => broken.recall('a')).toThrow(expect.objectContaining({ code: 'dependency-unavailable' }));
    await expect(broken.load('a')).rejects.toMatchObject({ code: 'dependency-unavailable' });
  });
});
