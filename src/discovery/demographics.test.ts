import { describe, expect, it } from 'vitest';
import { normalizeBreakdowns } from './demographics.ts';

const labels = (dimension: string, ...given: readonly string[]): string[] | undefined =>
  normalizeBreakdowns({ [dimension]: given.map((label) => ({ label })) })[dimension]?.map(({ label }) => label);

describe('DOC-15 labels as the networks write them are normalized', () => {
  it('a country is its ISO 3166-1 code, never one that was withdrawn or never assigned', () => {
    expect(labels('country', 'United Kingdom', 'France', 'Russia', 'Serbia', 'Vietnam', 'us')).toEqual([
      'GB',
      'FR',
      'RU',
      'RS',
      'VN',
      'US',
    ]);
    expect(labels('country', 'UK', 'Hong Kong', 'Czechia')).toEqual(['GB', 'HK', 'CZ']);
    expect(labels('topCountries', 'France', 'Atlantis')).toEqual(['FR']);
  });

  it('what is no country is left out', () => expect(labels('country', 'XX', 'EU', 'Unknown Region', '')).toEqual([]));

  it('the state of a city is its USPS abbreviation', () =>
    expect(labels('city', 'Austin, Texas', 'Austin, tx', 'London, England')).toEqual([
      'Austin, TX',
      'Austin, TX',
      'London, England',
    ]));

  it('a dimension may be called anything', () => expect(labels('hasOwnProperty', 'x')).toEqual(['x']));

  it('gender is one of three, also beside an age', () => {
    expect(labels('gender', 'F', 'Male', 'U', 'other')).toEqual(['female', 'male', 'unknown', 'unknown']);
    for (const dimension of ['ageGender', 'age,gender'])
      expect(labels(dimension, 'F.25-34', '25-34, M', 'U,65+')).toEqual(['25-34,female', '25-34,male', '65+,unknown']);
  });
});
