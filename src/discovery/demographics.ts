/** One cell of a demographic breakdown: count, percentage, both or neither, as the source supplied it. */
export interface Cell {
  readonly value: string;
  readonly count?: number;
  readonly percentage?: number;
}

const states = new Map(
  (
    'Alabama AL,Alaska AK,Arizona AZ,Arkansas AR,California CA,Colorado CO,Connecticut CT,Delaware DE,District of Columbia DC,' +
    'Florida FL,Georgia GA,Hawaii HI,Idaho ID,Illinois IL,Indiana IN,Iowa IA,Kansas KS,Kentucky KY,Louisiana LA,Maine ME,' +
    'Maryland MD,Massachusetts MA,Michigan MI,Minnesota MN,Mississippi MS,Missouri MO,Montana MT,Nebraska NE,Nevada NV,' +
    'New Hampshire NH,New Jersey NJ,New Mexico NM,New York NY,North Carolina NC,North Dakota ND,Ohio OH,Oklahoma OK,Oregon OR,' +
    'Pennsylvania PA,Puerto Rico PR,Rhode Island RI,South Carolina SC,South Dakota SD,Tennessee TN,Texas TX,Utah UT,Vermont VT,' +
    'Virginia VA,Washington WA,West Virginia WV,Wisconsin WI,Wyoming WY'
  )
    .split(',')
    .map((entry) => [entry.slice(0, -3).toLowerCase(), entry.slice(-2)] as const),
);

const regionNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** English names of all regions that ISO 3166-1 has a two-letter code for, as far as the runtime knows them. */
const countryCodes: ReadonlyMap<string, string> = (() => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  const named = codes.map((code) => [regionNames.of(code)?.toLowerCase(), code] as const);
  return new Map(named.filter((entry): entry is readonly [string, string] => entry[0] !== undefined));
})();

/** DOC-15: `male`, `female` or `unknown`, whatever the source calls them. */
export function normalizeGender(label: string): string {
  const letter = label.trim().toLowerCase();
  if (letter === 'm' || letter === 'male' || letter === 'men') return 'male';
  return letter === 'f' || letter === 'female' || letter === 'women' ? 'female' : 'unknown';
}

/** DOC-15: the ISO 3166-1 alpha-2 code of a country's code or English name; null when it is neither. */
export function normalizeCountry(label: string): string | null {
  const text = label.trim();
  if (/^[A-Za-z]{2}$/.test(text)) return text.toUpperCase();
  return countryCodes.get(text.toLowerCase()) ?? null;
}

/** DOC-15: `Austin, Texas` is `Austin, TX`; a segment that is no USPS state stays as it is. */
export function normalizeCity(label: string): string {
  const [city, ...rest] = label.split(',').map((segment) => segment.trim());
  return [city, ...rest.map((segment) => states.get(segment.toLowerCase()) ?? segment)].join(', ');
}

/** `25-34,F` and `F,25-34` are both `25-34,female`. */
function normalizeAgeGender(label: string): string {
  const segments = label.split(',').map((segment) => segment.trim());
  const age = segments.find((segment) => /\d/.test(segment)) ?? 'unknown';
  return `${age},${normalizeGender(segments.find((segment) => segment !== age) ?? '')}`;
}

const normalizers: Readonly<Record<string, (label: string) => string | null>> = {
  gender: normalizeGender,
  country: normalizeCountry,
  city: normalizeCity,
  'age,gender': normalizeAgeGender,
};

/** Breakdowns by dimension with their labels normalized (DOC-15); a country that nobody knows is left out. */
export function normalizeBreakdowns(raw: Readonly<Record<string, readonly Cell[]>>): Record<string, Cell[]> {
  return Object.fromEntries(
    Object.entries(raw).map(([dimension, cells]) => {
      const normalize = normalizers[dimension] ?? ((label: string) => label);
      const named = cells.map((cell) => ({ ...cell, value: normalize(cell.value) }));
      return [dimension, named.filter((cell): cell is Cell => cell.value !== null)];
    }),
  );
}
