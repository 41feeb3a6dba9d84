/** One cell of a demographic breakdown, as the contract's examples show it: count, percentage, both or neither, as the source supplied it. */
export interface Cell {
  readonly label: string;
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
    .flatMap((entry) =>
      [entry.slice(0, -3), entry.slice(-2)].map((name) => [name.toLowerCase(), entry.slice(-2)] as const),
    ),
);

/** ISO 3166-1 alpha-2. Written out because the runtime also knows withdrawn and unassigned codes by the same names: `UK`, `FX`. */
const countries =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK ' +
  'CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS ' +
  'GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV ' +
  'LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM ' +
  'PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR ' +
  'TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW';

/** Codes by themselves and by the country's long and short English names: `united kingdom`, `uk`. */
const countryCodes: ReadonlyMap<string, string> = (() => {
  const styles = (['long', 'short'] as const).map((style) => new Intl.DisplayNames(['en'], { type: 'region', style }));
  const codes = countries.split(' ');
  const names = codes.flatMap((code) => styles.map((style) => [style.of(code)?.toLowerCase() ?? '', code] as const));
  return new Map([...names, ...codes.map((code) => [code.toLowerCase(), code] as const)]);
})();

/** DOC-15: `male`, `female` or `unknown`, whatever the source calls them. */
export function normalizeGender(label: string): string {
  const letter = label.trim().toLowerCase();
  if (letter === 'm' || letter === 'male' || letter === 'men') return 'male';
  return letter === 'f' || letter === 'female' || letter === 'women' ? 'female' : 'unknown';
}

/** DOC-15: the ISO 3166-1 alpha-2 code of a country's code or English name; null when it is neither. */
export function normalizeCountry(label: string): string | null {
  return countryCodes.get(label.trim().toLowerCase()) ?? null;
}

/** DOC-15: `Austin, Texas` and `Austin, tx` are `Austin, TX`; a segment that is no USPS state stays as it is. */
export function normalizeCity(label: string): string {
  const [city, ...rest] = label.split(',').map((segment) => segment.trim());
  return [city, ...rest.map((segment) => states.get(segment.toLowerCase()) ?? segment)].join(', ');
}

/** `25-34,F` and `F.25-34` are both `25-34,female`. */
function normalizeAgeGender(label: string): string {
  const segments = label.split(/[,.]/).map((segment) => segment.trim());
  const age = segments.find((segment) => /\d/.test(segment)) ?? 'unknown';
  return `${age},${normalizeGender(segments.find((segment) => segment !== age) ?? '')}`;
}

/** By dimension. A map and not an object, as a source may name a dimension `constructor`. */
const normalizers: ReadonlyMap<string, (label: string) => string | null> = new Map([
  ['gender', normalizeGender],
  ['country', normalizeCountry],
  ['topCountries', normalizeCountry],
  ['city', normalizeCity],
  ['topCities', normalizeCity],
  ['ageGender', normalizeAgeGender],
  ['age,gender', normalizeAgeGender],
]);

/** Breakdowns by dimension with their labels normalized (DOC-15); a cell of an unknown country is left out. */
export function normalizeBreakdowns(raw: Readonly<Record<string, readonly Cell[]>>): Record<string, Cell[]> {
  return Object.fromEntries(
    Object.entries(raw).map(([dimension, cells]) => {
      const normalize = normalizers.get(dimension) ?? ((label: string) => label);
      const named = cells.map((cell) => ({ ...cell, label: normalize(cell.label) }));
      return [dimension, named.filter((cell): cell is Cell => cell.label !== null)];
    }),
  );
}
