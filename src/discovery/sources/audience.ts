import type { Cell } from '../demographics.ts';
import { normalizeBreakdowns } from '../demographics.ts';
import type { Seed } from './seed.ts';
import { ages, cities, countryNames } from './words.ts';

export interface Share {
  readonly label: string;
  readonly percentage: number;
}

/** Splits 100 percent among labels, one decimal each, the earlier labels larger; rounded where they meet, so that the sum is 100. */
export function shares(seed: Seed, label: string, labels: readonly string[]): Share[] {
  const weights = labels.map((name, index) => (0.3 + seed.fraction(`${label}.${name}`)) / (1 + index * 0.5));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let [upTo, before] = [0, 0];
  return labels.map((name, index) => {
    upTo += weights[index] ?? 0;
    const tenths = Math.round((upTo / total) * 1000);
    const percentage = (tenths - before) / 10;
    before = tenths;
    return { label: name, percentage };
  });
}

const ageGenders = ages.slice(0, 4).flatMap((age) => [`${age},F`, `${age},M`]);

/** Labels as the network writes them: `F`, `United States`, `Austin, Texas`; normalized on the way out (DOC-15). */
function rawBreakdowns(seed: Seed, cellOf: (share: Share) => Cell): Record<string, Cell[]> {
  const dimension = (name: string, labels: readonly string[]): Cell[] => shares(seed, name, labels).map(cellOf);
  return {
    gender: dimension('gender', ['F', 'M', 'U']),
    age: dimension('age', ages),
    ageGender: dimension('age,gender', ageGenders),
    country: dimension('country', countryNames),
    city: dimension('city', cities),
  };
}

/** Engaged-audience demographics: five dimensions, cells with count and percentage, some with one of them alone. */
export function audienceDemographics(seed: Seed, engaged: number): Record<string, Cell[]> {
  const raw = rawBreakdowns(seed, ({ label, percentage }) => {
    const count = Math.round((engaged * percentage) / 100);
    return seed.chance(`cell.${label}`, 0.2) ? { label, percentage } : { label, count, percentage };
  });
  return normalizeBreakdowns(raw);
}

/** The engaged accounts by gender, age, top countries and top cities: percentages alone, never counts. */
export function engagedAccountsBreakdowns(seed: Seed): Record<string, Cell[]> {
  const raw = rawBreakdowns(seed, ({ label, percentage }) => ({ label, percentage }));
  const { gender = [], age = [], country = [], city = [] } = raw;
  return normalizeBreakdowns({ gender, age, topCountries: country, topCities: city });
}
