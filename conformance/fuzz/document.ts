/** The contract as the generator gets it: a copy of the bundle that has the target's own identifiers as examples. */
import type { Target, TargetNetwork } from '../target.ts';

type Json = Record<string, unknown>;
export interface Bundle extends Json {
  readonly paths: Record<string, Record<string, unknown>>;
}

/** Values for the parameters of the operations, in the order in which they are sent. */
export interface Fixtures {
  readonly networks: readonly string[];
  readonly handles: readonly string[];
  readonly creatorIds: readonly string[];
  readonly postIds: readonly string[];
  readonly postUrls: readonly string[];
  readonly asOrg: readonly string[];
  readonly asProfile: readonly string[];
}

const present = (values: readonly (string | undefined)[]): string[] => values.filter((value) => value !== undefined);
const filled = (template: string | undefined, run: string): string | undefined => template?.replaceAll('{uuid}', run);

const handlesOf = ({ creators }: TargetNetwork, run: string): string[] =>
  present(
    [creators.held, creators.notHeld, creators.missing, creators.broken, creators.bare, creators.silent].map((one) =>
      filled(one, run),
    ),
  );

const postsOf = ({ posts }: TargetNetwork, run: string): string[] =>
  present(
    [posts.held, posts.notHeld, posts.missing, posts.old, posts.orphan, posts.broken, posts.bare, posts.carousel].map(
      (one) => filled(one, run),
    ),
  );

const seldom = ['held', 'notHeld', 'missing', 'broken', 'old'];

/**
 * A few values of each state, network by network in turn: the generator walks through all lists of examples at once, so the
 * first of one meets the first of the others. As many as fit one window of a budget (smoke).
 */
function inTurn(
  networks: readonly (readonly [string, TargetNetwork])[],
  group: 'creators' | 'posts',
  run: string,
  show: (network: TargetNetwork, value: string) => string | undefined,
): string[] {
  const all = seldom.map((state) =>
    networks.map(([, network]) => {
      const value = filled((network[group] as Readonly<Record<string, string | undefined>>)[state], run);
      return value === undefined ? undefined : show(network, value);
    }),
  );
  return all.flatMap((values, index) => (index === 0 ? present(values) : present([values[index % values.length]])));
}

/** `run` is put where a template has `{uuid}`. Batches mix networks and states, and one identifier of each bucket is wrong. */
export function fixturesOf(target: Target, run: string): Fixtures {
  const networks = Object.entries(target.networks);
  const unsupported = target.unsupportedNetwork;
  const qualified = (ids: (network: TargetNetwork) => string[]) =>
    networks.flatMap(([name, network]) => ids(network).map((id) => `${name}:${id}`));
  const creators = qualified((network) => handlesOf(network, run));
  const posts = qualified((network) => postsOf(network, run));
  return {
    networks: [...networks.map(([name]) => name), unsupported],
    handles: inTurn(networks, 'creators', run, (_, handle) => handle),
    creatorIds: [creators.join(','), [`${unsupported}:someone`, '!!', ...creators.slice(0, 2)].join(',')],
    postIds: [posts.join(','), [`${unsupported}:p1`, '!!', ...posts.slice(0, 2)].join(',')],
    postUrls: [
      ...inTurn(networks, 'posts', run, ({ urls }, post) => urls.post?.replaceAll('{post}', post)),
      'https://unknown.invalid/p/1',
    ],
    asOrg: present([target.organizations.own, target.organizations.member]),
    asProfile: present([target.profiles.own]),
  };
}

const examplesOf = (values: readonly unknown[]): Json =>
  Object.fromEntries(values.map((value, index) => [`run${index}`, { value }]));

const resolved = (bundle: Bundle, value: Json): Json => {
  const reference = value['$ref'];
  if (typeof reference !== 'string') return value;
  const parts = reference.replace(/^#\//, '').split('/');
  return parts.reduce<unknown>(
    (at, part) => (at as Json | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')],
    bundle,
  ) as Json;
};

const valuesOf = (name: string, path: string, fixtures: Fixtures): readonly string[] =>
  ({
    network: fixtures.networks,
    handle: fixtures.handles,
    ids: path.startsWith('/posts') ? fixtures.postIds : fixtures.creatorIds,
    url: fixtures.postUrls,
    asOrg: fixtures.asOrg,
    asProfile: fixtures.asProfile,
  })[name] ?? [];

function parameterWith(bundle: Bundle, parameter: Json, path: string, fixtures: Fixtures): Json {
  const { example: _one, examples: _many, ...whole } = resolved(bundle, parameter);
  const schema = whole['schema'] as Json | undefined;
  const values = valuesOf(String(whole['name']), path, fixtures);
  // A slug that the document only invented would be refused with 403 or 404 in cases that are meant to be legal.
  if (values.length === 0)
    return ['asOrg', 'asProfile'].includes(String(whole['name']))
      ? { ...whole, schema: withoutExamples(schema) }
      : resolved(bundle, parameter);
  return { ...whole, schema: withoutExamples(schema), examples: examplesOf(values) };
}

const withoutExamples = (schema: Json | undefined): Json => {
  const { example: _one, examples: _many, ...rest } = schema ?? {};
  return rest;
};

function bodyWith(bundle: Bundle, body: Json, path: string, fixtures: Fixtures): Json {
  const whole = resolved(bundle, body);
  const lists = path.startsWith('/posts') ? fixtures.postIds : fixtures.creatorIds;
  const content = Object.entries(whole['content'] as Record<string, Json>).map(([type, media]) => {
    const { example: _one, examples: _many, ...rest } = media;
    return [type, { ...rest, examples: examplesOf(lists.map((list) => ({ ids: list.split(',') }))) }];
  });
  return { ...whole, content: Object.fromEntries(content) };
}

function operationWith(bundle: Bundle, path: string, operation: Json, fixtures: Fixtures): Json {
  const parameters = (operation['parameters'] as Json[] | undefined) ?? [];
  const body = operation['requestBody'] as Json | undefined;
  return {
    ...operation,
    parameters: parameters.map((parameter) => parameterWith(bundle, parameter, path, fixtures)),
    ...(body ? { requestBody: bodyWith(bundle, body, path, fixtures) } : {}),
  };
}

const methods = new Set(['get', 'post', 'put', 'delete', 'patch']);

/** A copy of `bundle` whose examples are the target's identifiers; the bundle itself stays as it is. */
export function withFixtures(bundle: Bundle, fixtures: Fixtures): Bundle {
  const paths = Object.entries(bundle.paths).map(([path, item]) => {
    const { parameters: shared, ...rest } = item as Json & { parameters?: Json[] };
    const members = Object.entries(rest).map(([method, operation]) => {
      if (!methods.has(method)) return [method, operation];
      const own = operation as Json;
      const all = { ...own, parameters: [...(shared ?? []), ...((own['parameters'] as Json[] | undefined) ?? [])] };
      return [method, operationWith(bundle, path, all, fixtures)];
    });
    return [path, Object.fromEntries(members)];
  });
  return { ...bundle, paths: Object.fromEntries(paths) };
}

/** `GET /posts` → `getPosts`, for every operation of the document. */
export function operationIds(bundle: Bundle): Map<string, string> {
  const entries = Object.entries(bundle.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      methods.has(method)
        ? [[`${method.toUpperCase()} ${path}`, String((operation as Json)['operationId'])] as const]
        : [],
    ),
  );
  return new Map(entries);
}
