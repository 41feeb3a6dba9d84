/** Draws that depend on names alone: the same seed and label give the same value on every node and after every restart. */
export interface Seed {
  /** A number in [0, 1). */
  fraction(label: string): number;
  /** A whole number in [low, high], both included. */
  whole(label: string, low: number, high: number): number;
  /** A number with up to two decimals in [low, high]. */
  decimal(label: string, low: number, high: number): number;
  /** True in `share` (0 to 1) of all seeds. */
  chance(label: string, share: number): boolean;
  pick<Item>(label: string, items: readonly Item[]): Item;
  /** `count` different items, in the order of their draw. */
  some<Item>(label: string, count: number, items: readonly Item[]): Item[];
}

/** 32 bits of a text: FNV-1a and the finish of murmur3, since neighbouring names have to look unlike. */
function hash(text: string): number {
  let state = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
}

export const round2 = (value: number): number => Math.round(value * 100) / 100;

export function seedOf(...names: readonly string[]): Seed {
  const prefix = names.join('/');
  const fraction = (label: string): number => hash(`${prefix}#${label}`) / 2 ** 32;
  const whole = (label: string, low: number, high: number): number =>
    low + Math.floor(fraction(label) * (high - low + 1));
  const some = <Item>(label: string, count: number, items: readonly Item[]): Item[] =>
    items
      .map((item, index) => ({ item, order: fraction(`${label}.${index}`) }))
      .sort((left, right) => left.order - right.order)
      .slice(0, count)
      .map(({ item }) => item);
  return {
    fraction,
    whole,
    decimal: (label, low, high) => round2(low + fraction(label) * (high - low)),
    chance: (label, share) => fraction(label) < share,
    pick: <Item>(label: string, items: readonly Item[]): Item => items[whole(label, 0, items.length - 1)] as Item,
    some,
  };
}
