import type { Bench } from './bench.ts';

export type EngineName = 'sqlite' | 'postgres';

/** One thing that was measured, beside what it has to be. */
export interface Figure {
  readonly name: string;
  readonly value: string;
  readonly bound: string;
  readonly inside: boolean;
}

/** A fault that is brought about for real, and what has to hold meanwhile. */
export interface Fault {
  /** `F1` … `F22`. */
  readonly id: string;
  readonly title: string;
  readonly mustHold: string;
  /** The stores on which it means something. */
  readonly engines: readonly EngineName[];
  run(bench: Bench): Promise<readonly Figure[]>;
}

/** The machine or the user can't bring the fault about: it is told with its reason, and is not green. */
export class NotRun extends Error {}

const shown = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(2));
const withUnit = (value: number, unit: string): string => (unit === '' ? shown(value) : `${shown(value)} ${unit}`);

export const exactly = (name: string, value: number, bound: number, unit = ''): Figure => ({
  name,
  value: withUnit(value, unit),
  bound: `= ${withUnit(bound, unit)}`,
  inside: value === bound,
});

export const atMost = (name: string, value: number, bound: number, unit = ''): Figure => ({
  name,
  value: withUnit(value, unit),
  bound: `≤ ${withUnit(bound, unit)}`,
  inside: value <= bound,
});

export const atLeast = (name: string, value: number, bound: number, unit = ''): Figure => ({
  name,
  value: withUnit(value, unit),
  bound: `≥ ${withUnit(bound, unit)}`,
  inside: value >= bound,
});

/** Something that is so or is not. */
export const holds = (name: string, inside: boolean): Figure => ({
  name,
  value: inside ? 'yes' : 'no',
  bound: 'yes',
  inside,
});
