/** The command line of `npm run fuzz`. */
import { parseArgs } from 'node:util';

export type FuzzProfile = 'smoke' | 'contract' | 'deep';

/** What the person asked for is not possible: one line, exit 2. */
export class Unusable extends Error {}

export interface FuzzOptions {
  readonly target: string | null;
  readonly url: string | null;
  readonly profile: FuzzProfile | null;
  readonly requests: number | null;
  readonly seed: number | null;
  /** Part of every handle of the run, so that "not held" happens; the same again for an exact replay. */
  readonly run: string | null;
  readonly rateLimit: string | null;
  readonly engine: 'auto' | 'docker' | 'local';
  readonly out: string;
  readonly into: string | null;
  readonly noMethodNotAllowed: boolean;
  readonly help: boolean;
}

export const usage = `Usage: npm run fuzz -- [--target FILE | --url URL] [options]

Runs Schemathesis against a target of the contract and folds its results into a report of ours.
The token comes from FUZZ_TOKEN, else from the target file's role "full"; never from an argument.

  --target FILE     target file of the conformance suite (base URL, token, identifiers); default: the service of this repository
  --url URL         base URL without /api/v1, instead of the file's
  --profile NAME    smoke (examples, about 40 requests; the default off loopback), contract (every documented refusal too;
                    the default on loopback), deep (generated requests; off loopback only with --requests)
  --requests N      send at most N requests, its probes included; what the limit cuts off is not exercised (exit 3)
  --seed N          repeat a run (printed by each)
  --run ID          the part of handles that is unique to a run; give the printed one to repeat it byte for byte
  --rate-limit R    e.g. 50/m; the default off loopback, none on loopback
  --engine NAME     auto (docker with the image, else a local command), docker, local
  --out DIR         where reports go (default: out/fuzz)
  --into FILE       also add the results to this report of the conformance suite
  --no-405          the target answers 404 where a method is wrong: don't try wrong methods
  --help

Exit: 0 nothing found, 1 the target failed, 2 configuration or harness, 3 not exercised: the limit of requests came before
the end of the profile, or the target throttled or did not accept the credential.`;

const wholeNumber = (name: string, text: string | undefined, least: number): number | null => {
  if (text === undefined) return null;
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < least)
    throw new Unusable(`--${name} takes a whole number from ${least} on, not "${text}"`);
  return number;
};

const oneOf = <T extends string>(name: string, text: string | undefined, allowed: readonly T[]): T | null => {
  if (text === undefined) return null;
  const found = allowed.find((value) => value === text);
  if (!found) throw new Unusable(`--${name} is one of ${allowed.join(', ')}, not "${text}"`);
  return found;
};

const matching = (name: string, text: string | undefined, pattern: RegExp): string | null => {
  if (text !== undefined && !pattern.test(text))
    throw new Unusable(`--${name} "${text}" has not the form ${pattern.source}`);
  return text ?? null;
};

function baseUrl(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    throw new Unusable(`--url takes an http:// or https:// URL, not "${text}"`);
  return text.replace(/\/+$/, '').replace(/\/api\/v1$/, '');
}

function parsed(argv: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  try {
    return parseArgs({
      args: [...argv],
      options: {
        target: text,
        url: text,
        profile: text,
        requests: text,
        seed: text,
        run: text,
        'rate-limit': text,
        engine: text,
        out: text,
        into: text,
        'no-405': flag,
        help: flag,
      },
    }).values;
  } catch (error) {
    throw new Unusable((error as Error).message.split('. ')[0] ?? 'unknown option');
  }
}

/** Throws Unusable with the line to print. */
export function parseOptions(argv: readonly string[]): FuzzOptions {
  const values = parsed(argv);
  return {
    target: values.target ?? null,
    url: baseUrl(values.url),
    profile: oneOf('profile', values.profile, ['smoke', 'contract', 'deep']),
    requests: wholeNumber('requests', values.requests, 1),
    seed: wholeNumber('seed', values.seed, 0),
    run: matching('run', values.run, /^[a-z0-9]{1,16}$/),
    rateLimit: matching('rate-limit', values['rate-limit'], /^\d+\/[smhd]$/),
    engine: oneOf('engine', values.engine, ['auto', 'docker', 'local']) ?? 'auto',
    out: values.out ?? 'out/fuzz',
    into: values.into ?? null,
    noMethodNotAllowed: values['no-405'],
    help: values.help,
  };
}

const loopback = /^https?:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?(?:\/|$)/i;
export const isLoopback = (baseUrl: string): boolean => loopback.test(baseUrl);

/** The profile to run; off loopback nothing big is sent that was not asked for in figures. */
export function profileFor(options: FuzzOptions, baseUrl: string): FuzzProfile {
  if (isLoopback(baseUrl)) return options.profile ?? 'contract';
  if (options.profile === 'deep' && options.requests === null)
    throw new Unusable(`profile deep against ${baseUrl} needs --requests N: it is not on loopback`);
  return options.profile ?? 'smoke';
}
