/** Collects planned requests; a step whose fixtures the target does not declare is noted with what it lacks. */
import type { OperationId, PlannedRequest, Role } from '../model.ts';
import type { Target } from '../target.ts';

export interface Plan {
  readonly requests: readonly PlannedRequest[];
  /** Step → why it is not planned. */
  readonly skipped: ReadonlyMap<string, string>;
}

export type Step = Omit<PlannedRequest, 'role' | 'method' | 'facts'> & {
  readonly role?: Role;
  readonly method?: string;
  readonly facts?: PlannedRequest['facts'];
  /** Fixtures by name; an undefined one leaves the step out. */
  readonly needs?: Readonly<Record<string, unknown>>;
  /** Only planned with `--strict`: nothing but a ruling is judged by it. */
  readonly strictOnly?: boolean;
};

export interface Planner {
  readonly strict: boolean;
  add(step: Step): void;
  plan(): Plan;
}

export function createPlanner(target: Target, strict: boolean): Planner {
  const requests: PlannedRequest[] = [];
  const skipped = new Map<string, string>();
  return {
    strict,
    add({ needs = {}, strictOnly = false, ...step }) {
      const lacking = Object.entries(needs).find(([, value]) => value === undefined)?.[0];
      const role = step.role ?? 'full';
      if (strictOnly && !strict) skipped.set(step.step, 'sent with --strict only');
      else if (lacking !== undefined) skipped.set(step.step, `the target declares no ${lacking}`);
      else if (role !== 'none' && role !== 'unknown' && !target.tokens[role])
        skipped.set(step.step, `the target declares no token for the role ${role}`);
      else requests.push({ method: 'GET', ...step, role } as PlannedRequest);
    },
    plan: () => ({ requests, skipped }),
  };
}

/** `{ids: [...]}`-like query text; undefined values are left out. Commas between ids stay, all else is encoded. */
export function query(parameters: Readonly<Record<string, string | undefined>>): string {
  const parts = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value).replaceAll('%2C', ',')}`],
  );
  return parts.length > 0 ? `?${parts.join('&')}` : '';
}

export const creatorPath = (
  network: string,
  handle: string,
  parameters: Readonly<Record<string, string | undefined>> = {},
): string => `/api/v1/creators/${encodeURIComponent(network)}/${encodeURIComponent(handle)}${query(parameters)}`;

export const json = (body: unknown): Pick<Step, 'method' | 'body' | 'contentType'> => ({
  method: 'POST',
  body: JSON.stringify(body),
  contentType: 'application/json',
});

/** The identifiers that the target has fixtures for. */
export const present = (identifiers: readonly (string | undefined)[]): string[] =>
  identifiers.filter((each) => each !== undefined);

export const operationPath: Readonly<Record<Exclude<OperationId, 'getCreator'>, string>> = {
  listCreators: '/api/v1/creators',
  batchCreators: '/api/v1/creators/batch',
  getPosts: '/api/v1/posts',
  batchPosts: '/api/v1/posts/batch',
};
