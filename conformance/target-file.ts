/**
 * Reads a target file (YAML or JSON). What is tested stands in the file, where in the environment: the environment wins over
 * what a started process says, that over the file, that over the defaults. Whatever is wrong is said in one line.
 */
import { readFileSync } from 'node:fs';

import { parse } from 'yaml';

import { isObject, type Json } from './answer.ts';
import type { Role } from './model.ts';
import type { Target, TargetNetwork, TargetToken } from './target.ts';

/** Bad usage or a bad file: exit 2, one line, no stack. */
export class ConfigurationError extends Error {}

export interface TargetFile {
  /** Command that starts the target and prints one JSON line with `baseUrl`, and maybe `tokens` and `organizations`. */
  readonly start: readonly string[] | null;
  readonly content: Json;
  readonly file: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

const topKeys = [
  'name',
  'baseUrl',
  'start',
  'tokens',
  'organizations',
  'profiles',
  'networks',
  'unsupportedNetwork',
  'capabilities',
];

const keysOf: Readonly<Record<string, readonly string[]>> = {
  organizations: ['own', 'member', 'delegated', 'withoutRole', 'id'],
  profiles: ['own', 'foreign'],
  capabilities: ['budget', 'windowSeconds', 'clockSkewSeconds', 'marketplace'],
};

const roles: readonly Role[] = [
  'full',
  'creatorsOnly',
  'postsOnly',
  'otherPrincipal',
  'expired',
  'revoked',
  'withoutMarketplace',
  'rateLimited',
  'rateLimitedSecond',
];

const groups: Readonly<Record<string, readonly string[]>> = {
  creators: ['held', 'notHeld', 'missing', 'broken', 'bare', 'silent'],
  posts: ['held', 'heldId', 'notHeld', 'missing', 'old', 'orphan', 'broken', 'bare', 'carousel'],
  urls: ['profile', 'post', 'reel'],
};

export function readTargetFile(file: string): TargetFile {
  let content: unknown;
  try {
    content = parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ConfigurationError(
      code === 'ENOENT'
        ? `there is no target file ${file}`
        : `cannot read the target file ${file}: ${message.split('\n')[0]}`,
    );
  }
  if (!isObject(content))
    throw new ConfigurationError(`${file} describes no target: it has to be a map with baseUrl, tokens, networks …`);
  only(content, topKeys, file, '');
  const { start } = content;
  if (
    start !== undefined &&
    !(Array.isArray(start) && start.length > 0 && start.every((part) => typeof part === 'string'))
  ) {
    throw new ConfigurationError(`${file}: start has to be a list of words, the command and its arguments`);
  }
  return { start: start ?? null, content, file };
}

function only(value: Json, allowed: readonly string[], file: string, place: string): void {
  const odd = Object.keys(value).find((key) => !allowed.includes(key));
  if (odd !== undefined)
    throw new ConfigurationError(`${file}: ${place}${odd} is not known; there are ${allowed.join(', ')}`);
}

/** The whole description. `started` is what a started process said of itself, in the form of a target file. */
export function describeTarget({ content, file }: TargetFile, environment: Environment, started: Json = {}): Target {
  const at = (key: string): Json => ({ ...mapAt(content, key, file), ...mapAt(started, key, file) });
  const baseUrl = baseUrlOf(environment['CONFORMANCE_BASE_URL'] ?? started['baseUrl'] ?? content['baseUrl'], file);
  return {
    name: textAt(content, 'name', file, '') ?? new URL(baseUrl).host,
    baseUrl,
    tokens: tokensOf(at('tokens'), environment, file),
    organizations: textsOf(at('organizations'), 'organizations', file),
    profiles: textsOf(at('profiles'), 'profiles', file),
    networks: networksOf(at('networks'), file),
    unsupportedNetwork: textAt(content, 'unsupportedNetwork', file, '') ?? 'netZ',
    capabilities: {
      budget: 60,
      windowSeconds: 60,
      clockSkewSeconds: 2,
      marketplace: true,
      ...capabilitiesOf(at('capabilities'), file),
    },
  };
}

function mapAt(value: Json, key: string, file: string): Json {
  const found = value[key] ?? {};
  if (!isObject(found)) throw new ConfigurationError(`${file}: ${key} has to be a map`);
  return found;
}

function textAt(value: Json, key: string, file: string, place: string): string | undefined {
  const found = value[key];
  if (found === undefined || found === null) return undefined;
  if (typeof found !== 'string' && typeof found !== 'number')
    throw new ConfigurationError(`${file}: ${place}${key} has to be text`);
  return String(found);
}

function textsOf(value: Json, key: string, file: string): Record<string, string> {
  only(value, keysOf[key] ?? [], file, `${key}.`);
  return Object.fromEntries(
    Object.keys(value).flatMap((each) => {
      const text = textAt(value, each, file, `${key}.`);
      return text === undefined ? [] : [[each, text]];
    }),
  );
}

function capabilitiesOf(value: Json, file: string): Partial<Target['capabilities']> {
  only(value, keysOf['capabilities'] ?? [], file, 'capabilities.');
  for (const [key, each] of Object.entries(value)) {
    const fits = key === 'marketplace' ? typeof each === 'boolean' : typeof each === 'number' && each >= 0;
    if (!fits)
      throw new ConfigurationError(
        `${file}: capabilities.${key} has to be ${key === 'marketplace' ? 'true or false' : 'a number'}`,
      );
  }
  return value;
}

function baseUrlOf(value: unknown, file: string): string {
  if (typeof value !== 'string' || value === '')
    throw new ConfigurationError(`${file} has no baseUrl, and CONFORMANCE_BASE_URL is not set`);
  if (!URL.canParse(value) || !/^https?:\/\//i.test(value))
    throw new ConfigurationError(`the base URL ${JSON.stringify(value)} is not an http:// or https:// URL`);
  const url = new URL(value);
  if (url.username || url.password || url.search || url.hash)
    throw new ConfigurationError('the base URL may have neither user info nor query nor fragment');
  return value.replace(/\/+$/, '').replace(/\/api\/v1$/, '');
}

/** `CONFORMANCE_TOKEN_CREATORS_ONLY` for `creatorsOnly`. */
export const variableOf = (role: string): string =>
  `CONFORMANCE_TOKEN_${role.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

function tokensOf(value: Json, environment: Environment, file: string): Partial<Record<Role, TargetToken>> {
  only(value, roles, file, 'tokens.');
  const tokens: Partial<Record<Role, TargetToken>> = {};
  for (const role of roles) {
    const described = value[role];
    const token = tokenOf(role, described, environment, file);
    const principal = isObject(described) ? textAt(described, 'principal', file, `tokens.${role}.`) : undefined;
    if (token !== undefined)
      tokens[role] = { token, principal: principal ?? (role === 'rateLimitedSecond' ? 'rateLimited' : role) };
  }
  if (!tokens.full)
    throw new ConfigurationError(`${file}: there is no token for the role full; set ${variableOf('full')}`);
  return tokens;
}

function tokenOf(role: Role, described: unknown, environment: Environment, file: string): string | undefined {
  if (described !== undefined && !isObject(described))
    throw new ConfigurationError(`${file}: tokens.${role} has to be a map such as { env: ${variableOf(role)} }`);
  const map = described ?? {};
  only(map, ['env', 'value', 'principal'], file, `tokens.${role}.`);
  const named = environment[textAt(map, 'env', file, `tokens.${role}.`) ?? variableOf(role)];
  const token = named || textAt(map, 'value', file, `tokens.${role}.`);
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    throw new ConfigurationError(`the token of the role ${role} has characters that no header can carry`);
  return token;
}

function networksOf(value: Json, file: string): Record<string, TargetNetwork> {
  return Object.fromEntries(
    Object.entries(value).map(([name, described]) => {
      if (!isObject(described)) throw new ConfigurationError(`${file}: networks.${name} has to be a map`);
      only(described, Object.keys(groups), file, `networks.${name}.`);
      return [
        name,
        Object.fromEntries(
          Object.entries(groups).map(([group, keys]) => {
            const part = mapAt(described, group, file);
            only(part, keys, file, `networks.${name}.${group}.`);
            return [
              group,
              Object.fromEntries(
                keys.flatMap((key) => {
                  const text = textAt(part, key, file, `networks.${name}.${group}.`);
                  return text === undefined ? [] : [[key, text]];
                }),
              ),
            ];
          }),
        ) as unknown as TargetNetwork,
      ];
    }),
  );
}
