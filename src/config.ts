/**
 * Every setting of the service in one table: name, unit, default, bounds and meaning. `--help` prints the table, and `readConfig` checks
 * the environment against it; nothing else of the service reads the environment.
 */

interface Common {
  readonly describe: string;
}
interface NumberSetting extends Common {
  readonly is: 'number';
  readonly unit: string;
  readonly default: number;
  readonly min: number;
  readonly max: number;
}
interface TextSetting extends Common {
  readonly is: 'text';
  readonly default: string;
  /** What a value has to be; absent: anything. */
  readonly form?: Form;
}
/** A form of texts. */
interface Form {
  readonly fits: (text: string) => boolean;
  /** How a message ends that begins with "it has to be". */
  readonly says: string;
  /** Messages do not repeat the value. */
  readonly secret?: true;
}
interface ChoiceSetting extends Common {
  readonly is: 'choice';
  readonly of: readonly string[];
  readonly default: string;
}
type Setting = NumberSetting | TextSetting | ChoiceSetting;

const number = (unit: string, fallback: number, min: number, max: number, describe: string): NumberSetting => ({
  is: 'number',
  unit,
  default: fallback,
  min,
  max,
  describe,
});
const text = (fallback: string, describe: string, form?: Form): TextSetting => ({
  is: 'text',
  default: fallback,
  describe,
  ...(form && { form }),
});
const choice = (of: readonly string[], fallback: string, describe: string): ChoiceSetting => ({
  is: 'choice',
  of,
  default: fallback,
  describe,
});

/** Paths are added to its end. */
const httpUrl: Form = {
  fits(value) {
    if (!/^https?:\/\/[^?#]+$/.test(value) || !URL.canParse(value)) return false;
    const { username, password } = new URL(value);
    return username + password === '';
  },
  says: 'an http or https URL, without user, query and fragment',
};
const postgresUrl: Form = {
  fits: (value) => /^postgres(?:ql)?:\/\//.test(value) && URL.canParse(value),
  says: 'postgres://user:password@host:port/database, odd characters of the password percent-encoded',
  secret: true,
};
const bearerToken: Form = {
  fits: (value) => /^[\x21-\x7e]{1,4096}$/.test(value),
  says: 'printable ASCII without blanks',
  secret: true,
};
/** As a browser's `Origin` header has it, with which it is compared. */
const isOrigin = (value: string): boolean =>
  /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@A-Z]+$/.test(value) &&
  (!/^https?:/.test(value) || (URL.canParse(value) && new URL(value).origin === value));
/** The origins of `CORS_ORIGINS`. */
export const originsOf = (value: string): string[] =>
  value
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
const origins: Form = {
  fits: (value) => originsOf(value).every(isOrigin),
  says: 'comma-separated origins such as https://app.example, in lower case and without a path',
};

const KiB = 1024;
const MiB = 1024 * KiB;
const DAY = 86_400;

export const SETTINGS = {
  HOST: text('127.0.0.1', 'Address to listen on; 0.0.0.0 for all of them.'),
  PORT: number('port', 8080, 0, 65_535, 'Port to listen on; 0 lets the system choose.'),
  PUBLIC_URL: text('', 'Base address that callers use, without /api/v1, where it is not http://HOST:PORT.', httpUrl),
  ENVIRONMENT: choice(
    ['development', 'production'],
    'development',
    'In production no development token is ever created.',
  ),
  LOG_LEVEL: choice(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    'info',
    'Least level that is logged.',
  ),
  CORS_ORIGINS: text('', 'Comma-separated origins whose pages may call; empty lets none in.', origins),

  DATA_DIR: text('./data', 'Folder of the embedded store; :memory: keeps nothing.'),
  DATABASE_URL: text(
    '',
    'postgres://… to use PostgreSQL in place of the embedded store; needed for several nodes.',
    postgresUrl,
  ),
  DATABASE_POOL: number('connections', 10, 1, 200, 'Connections to PostgreSQL.'),
  CACHE_BYTES: number(
    'bytes',
    8 * MiB,
    0,
    64 * 1024 * MiB,
    'Memory for documents; those that do not fit are read from the store.',
  ),

  DOCUMENT_BYTES: number(
    'bytes',
    2 * MiB,
    64 * KiB,
    8 * MiB,
    'Largest document of a creator or post that is held; a larger one counts as a failure of its source.',
  ),
  CREATOR_FRESH_SECONDS: number('seconds', DAY, 1, 365 * DAY, 'How long a creator is fresh.'),
  POST_FRESH_SECONDS: number('seconds', 6 * 3600, 1, 365 * DAY, 'How long a post is fresh.'),
  SCHEDULED_REFRESH: choice(
    ['on', 'off'],
    'on',
    'Refresh creators with deep analysis on as they become stale, unasked.',
  ),
  RETRYABLE_REMEMBERED_SECONDS: number(
    'seconds',
    120,
    1,
    DAY,
    "How long a failure on the service's side is remembered (STA-05).",
  ),
  TERMINAL_REMEMBERED_SECONDS: number(
    'seconds',
    DAY,
    1,
    30 * DAY,
    'How long a terminal reason is remembered (STA-05).',
  ),
  DEEP_SECONDS: number('seconds', 7 * DAY, 1, 365 * DAY, 'How long creatorDeepAnalysis stays on (CRB-10).'),

  LEASE_SECONDS: number('seconds', 15, 2, 3600, 'How long a worker holds a discovery without renewing it.'),
  RENEW_SECONDS: number('seconds', 5, 1, 1200, 'How often a lease is renewed; a third of it at most.'),
  DISCOVERY_CONCURRENCY: number('discoveries', 16, 1, 1000, 'Discoveries that this process runs at once.'),
  DISCOVERY_PER_NETWORK: number(
    'discoveries',
    12,
    1,
    1000,
    'The same of one network: what it leaves is for the others while its calls hang.',
  ),
  DISCOVERY_ATTEMPTS: number('attempts', 3, 1, 20, 'Attempts before a discovery is given up.'),
  DISCOVERY_TIMEOUT_SECONDS: number('seconds', 30, 1, 600, 'Deadline of one attempt.'),
  BACKOFF_SECONDS: number('seconds', 1, 1, 3600, 'Wait before the second attempt; it doubles with each.'),
  BACKOFF_MAX_SECONDS: number('seconds', 60, 1, 86_400, 'Longest wait between attempts.'),
  CALLS_PER_MINUTE: number('calls', 6000, 1, 10_000_000, 'Pace of the calls to one network.'),
  CALLS_BURST: number('calls', 100, 1, 1_000_000, 'Calls that may come together after a quiet time.'),
  CIRCUIT_FAILURES: number('failures', 5, 1, 10_000, 'Entities failing in a row before calls to a network stop.'),
  CIRCUIT_SECONDS: number('seconds', 15, 1, 3600, 'How long they stop at first.'),
  QUEUE_LIMIT: number('discoveries', 100_000, 1, 10_000_000, 'Discoveries that may wait at once.'),
  QUEUE_LIMIT_PER_ACCOUNT: number('discoveries', 5_000, 1, 10_000_000, 'The same of one account.'),
  POLL_MILLISECONDS: number(
    'milliseconds',
    250,
    10,
    60_000,
    'How often the worker looks for due work that nobody told it of.',
  ),

  ENRICHMENT_URL: text(
    '',
    'OpenAI-compatible endpoint, up to and with /v1, that fills analysis; empty: no model is asked.',
    httpUrl,
  ),
  ENRICHMENT_MODEL: text('', 'Model to ask there.'),
  ENRICHMENT_KEY: text('', 'Its key, sent as a bearer token; a secret.', bearerToken),

  AUTH_CACHE_SECONDS: number(
    'seconds',
    2,
    0,
    4,
    'How long a verified token is trusted without a look; a revocation shows within 5 s (AUT-05).',
  ),
  DEFAULT_PER_MINUTE: number('requests', 60, 1, 1_000_000, 'Budget a minute of a new service account (RAT-01).'),

  BODY_BYTES: number('bytes', MiB, KiB, MiB, 'Largest request body (CRB-08).'),
  BODY_DEPTH: number('levels', 32, 2, 1000, 'Deepest nesting of a request body.'),
  HEADER_BYTES: number('bytes', 80 * KiB, 16 * KiB, MiB, 'Largest head of a request; 100 URLs need 64 KiB (GEN-11).'),
  HEADERS_TIMEOUT_SECONDS: number('seconds', 10, 1, 600, 'Deadline of the head of a request.'),
  REQUEST_TIMEOUT_SECONDS: number('seconds', 15, 1, 600, 'Deadline of a whole request.'),
  KEEP_ALIVE_SECONDS: number('seconds', 5, 1, 600, 'How long an idle connection is kept.'),
  WRITE_TIMEOUT_SECONDS: number(
    'seconds',
    30,
    1,
    600,
    'How long a reader may take for a response; its connection is then closed.',
  ),
  MAX_CONNECTIONS: number('connections', 10_000, 1, 1_000_000, 'Open connections; more are refused.'),
  MAX_IN_FLIGHT: number('requests', 1000, 1, 1_000_000, 'Requests handled at once; more are answered 503.'),
  PATIENCE_MILLISECONDS: number(
    'milliseconds',
    2000,
    50,
    60_000,
    'Longest that an answer may take; what would take longer is answered 503 at once (F13).',
  ),
  NOTICE_MILLISECONDS: number(
    'milliseconds',
    1000,
    0,
    60_000,
    'A stopping process takes requests until none has come for so long: a balancer has to notice that it is not ready.',
  ),
  DRAIN_SECONDS: number('seconds', 10, 0, 600, 'How long requests in flight may take after SIGTERM.'),
} as const satisfies Record<string, Setting>;

type Settings = typeof SETTINGS;

/** The value of each setting by its name: numbers in the unit of the table, texts as given. */
export type Config = {
  readonly [name in keyof Settings]: Settings[name] extends NumberSetting ? number : string;
} & {
  /** `SOURCE_<network>_URL` by network: base URLs of the collectors that are asked in place of the sandbox. */
  readonly SOURCES: Readonly<Record<string, string>>;
  /** `SOURCE_<network>_TOKEN` by network: bearer tokens for them. */
  readonly SOURCE_TOKENS: Readonly<Record<string, string>>;
};

type Environment = Readonly<Record<string, string | undefined>>;

/** A setting has a value that it cannot have. The message is one line for people; the command ends with 2. */
export class WrongSetting extends Error {}

/**
 * The settings that the environment gives, and the defaults of the others. An empty value counts as none.
 *
 * @throws WrongSetting
 */
export function readConfig(environment: Environment = process.env): Config {
  const entries = Object.entries(SETTINGS).map(([name, setting]) => [name, read(name, setting, environment[name])]);
  return {
    ...Object.fromEntries(entries),
    SOURCES: readEachNetwork('URL', environment, httpUrl),
    SOURCE_TOKENS: readEachNetwork('TOKEN', environment, bearerToken),
  } as Config;
}

function read(name: string, setting: Setting, given: string | undefined): string | number {
  if (given === undefined || given === '') return setting.default;
  if (setting.is === 'text') return setting.form === undefined ? given : checked(name, setting.form, given);
  if (setting.is === 'choice') {
    if (setting.of.includes(given)) return given;
    throw new WrongSetting(`${name} is ${JSON.stringify(given)}, but has to be one of ${setting.of.join(', ')}`);
  }
  const value = /^[0-9]{1,15}$/.test(given) ? Number(given) : NaN;
  if (value >= setting.min && value <= setting.max) return value;
  const range = `${setting.min} to ${setting.max} (${setting.unit})`;
  throw new WrongSetting(`${name} is ${JSON.stringify(given)}, but has to be a whole number from ${range}`);
}

/** The values of `SOURCE_<network>_<what>`, by network. */
function readEachNetwork(what: 'URL' | 'TOKEN', environment: Environment, valueForm: Form): Record<string, string> {
  const form = new RegExp(`^SOURCE_([A-Za-z][A-Za-z0-9]*)_${what}$`);
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    const network = form.exec(name)?.[1];
    if (network !== undefined && value !== undefined && value !== '') values[network] = checked(name, valueForm, value);
  }
  return values;
}

function checked(name: string, { fits, says, secret }: Form, value: string): string {
  if (fits(value)) return value;
  // A URL with user info has a password in it.
  const shown = secret || value.includes('@') ? '' : ` is ${JSON.stringify(value)}, but`;
  throw new WrongSetting(`${name}${shown} has to be ${says}`);
}

/**
 * The names in the environment that are a setting's but for their case or for one letter added, lost or changed; those of `networks`, the
 * supported ones, too: what belongs to another network would be passed over, and the sandbox asked in its place.
 */
export function misspelt(
  networks: readonly string[],
  environment: Environment = process.env,
): { readonly given: string; readonly meant: string }[] {
  const ofNetworks = networks.flatMap((network) => [`SOURCE_${network}_URL`, `SOURCE_${network}_TOKEN`]);
  const names = [...Object.keys(SETTINGS).filter((name) => name.includes('_')), ...ofNetworks];
  const nearest = (given: string): string | undefined =>
    [0, 1].map((letters) => names.find((name) => lettersBetween(given, name) === letters)).find(Boolean);
  return Object.keys(environment).flatMap((given) => {
    const meant = names.includes(given) ? undefined : nearest(given);
    return meant === undefined ? [] : [{ given, meant }];
  });
}

/** How many letters were added, lost or changed in one place, without regard to case. */
function lettersBetween(given: string, name: string): number {
  const [left, right] = [given.toLowerCase(), name.toLowerCase()];
  const shortest = Math.min(left.length, right.length);
  let head = 0;
  while (head < shortest && left[head] === right[head]) head += 1;
  let tail = 0;
  while (tail < shortest - head && left.at(-1 - tail) === right.at(-1 - tail)) tail += 1;
  return Math.max(left.length, right.length) - head - tail;
}

/** The table of settings as text, for `--help`. */
export function describeSettings(): string {
  const rows = Object.entries(SETTINGS).map(
    ([name, setting]) => `  ${name.padEnd(30)}${setting.describe}\n${boundsOf(setting)}`,
  );
  const source = `  ${'SOURCE_<network>_URL'.padEnd(30)}Base URL to ask for that network in place of the sandbox.`;
  const token = `  ${'SOURCE_<network>_TOKEN'.padEnd(30)}Bearer token that it wants; a secret.`;
  return [...rows, source, token].join('\n');
}

function boundsOf(setting: Setting): string {
  const indent = ' '.repeat(32);
  if (setting.is === 'number') {
    return `${indent}${setting.unit}, ${setting.min} to ${setting.max}, default ${setting.default}`;
  }
  const values = setting.is === 'choice' ? `${setting.of.join(' | ')}, ` : '';
  return `${indent}${values}default ${setting.default === '' ? 'none' : setting.default}`;
}
