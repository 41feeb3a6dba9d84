/**
 * The words of the conformance suite: what was sent and seen (Exchange), what judges it (Check), what it says (Report), and
 * what proves that the judge can be trusted (Fault, Variant). Types only; no part of this folder imports anything of `src/`.
 */
import type { Breach } from './contract.ts';
import type { Target } from './target.ts';

/** Who a request is sent as: a role of the target file's tokens, or nobody. */
export type Role =
  | 'full'
  | 'creatorsOnly'
  | 'postsOnly'
  | 'otherPrincipal'
  | 'expired'
  | 'revoked'
  | 'withoutMarketplace'
  | 'rateLimited'
  | 'rateLimitedSecond'
  | 'unknown'
  | 'none';

export type OperationId = 'getCreator' | 'listCreators' | 'batchCreators' | 'getPosts' | 'batchPosts';

export type Profile = 'core' | 'extended' | 'rate-limit' | 'all';

/** A header as it stood on the wire: name in its own case, value; repeats are repeated. */
export type RawHeader = readonly [name: string, value: string];

export interface ExchangeRequest {
  readonly method: string;
  /** Path with query, from the root of the host: `/api/v1/creators?ids=a`. */
  readonly path: string;
  /** `authorization` is `Bearer $TOKEN` (or the malformed form that was sent, the credential replaced by `$TOKEN`). */
  readonly headers: readonly RawHeader[];
  /** Text sent, or null. */
  readonly body: string | null;
}

export interface ExchangeResponse {
  readonly status: number;
  readonly headers: readonly RawHeader[];
  /** Decoded (gzip, deflate, br undone); at most 8 MiB. */
  readonly body: string;
  /** The parsed body; undefined where it is no JSON. */
  readonly json: unknown;
  /** Why there is no answer; `status` is then 0. */
  readonly failure?: string;
}

export interface Exchange {
  /** `x01`, `x02` … in the order of sending. */
  readonly id: string;
  /** The planned step that this request belongs to, e.g. `creator-held`; polls repeat it. */
  readonly step: string;
  /** 0 for the first request of a step, 1 for its first poll, … */
  readonly attempt: number;
  readonly role: Role;
  /** Why it was sent, for a reader of the report. */
  readonly purpose: string;
  readonly operation: OperationId | null;
  readonly request: ExchangeRequest;
  readonly response: ExchangeResponse;
  /** Milliseconds since the epoch. */
  readonly sentAt: number;
  readonly receivedAt: number;
}

export type Level = 'specification' | 'ruling';

/** `observed` also stands for a ruling not met without `--strict`. */
export type Verdict = 'passed' | 'failed' | 'not exercised' | 'not applicable' | 'observed' | 'error';

/** One thing that is not as the rule says. */
export interface Finding {
  readonly level: Level;
  readonly expected: string;
  readonly seen: string;
  /** JSON pointer into the response body, or `header:Retry-After`, `status`; '' for the whole response. */
  readonly pointer: string;
  readonly exchangeId: string;
}

/** What a check has to say: findings, the exchanges it looked at, and what it would have needed. */
export interface Outcome {
  readonly findings: readonly Finding[];
  readonly looked: readonly string[];
  /** Prerequisites that were missing; any (of a judged level) makes the verdict `not exercised` unless something failed. */
  readonly missing: readonly { readonly level: Level; readonly what: string }[];
  /** The capability that the target says it lacks. */
  readonly notApplicable?: string;
  /** Whether the extended profile had requests for it. */
  readonly further?: boolean;
  /** Things worth showing that no rule forbids. */
  readonly notes: readonly string[];
}

/** What a check may look at; nothing else. */
export interface CheckContext {
  readonly target: Target;
  readonly strict: boolean;
  readonly profile: Profile;
  /** In the order of sending; those stopped before an answer came are absent. */
  readonly exchanges: readonly Exchange[];
  /** All requests of one step, polls included, in order. */
  of(step: string): readonly Exchange[];
  /** The first and the last request of a step. */
  first(step: string): Exchange | undefined;
  last(step: string): Exchange | undefined;
  /** What the plan knew of a step: the identifiers submitted and so on; undefined where the step was not planned. */
  planned(step: string): PlannedRequest | undefined;
  /** Why a step is not in the plan, or was not sent; undefined where it was sent. */
  absence(step: string): string | undefined;
  /** In what the exchange differs from the OpenAPI document. */
  breaches(exchange: Exchange): readonly Breach[];
}

/** One id for pass and fail; its sentence is that of the same line in spec/rules.md. */
export interface Check {
  readonly id: string;
  run(context: CheckContext): Outcome;
}

/** A request of the plan: everything about it is known before the first byte is sent. */
export interface PlannedRequest {
  /** Unique name, e.g. `creator-held`. */
  readonly step: string;
  readonly role: Role;
  readonly operation: OperationId | null;
  readonly purpose: string;
  readonly method: string;
  /** Relative to `{base_url}`: `/api/v1/creators/netA/ada?include=posts`. */
  readonly path: string;
  readonly body?: string;
  readonly contentType?: string | null;
  /** Headers besides those that every request has. */
  readonly headers?: readonly RawHeader[];
  /** Authorization lines in place of the role's `Bearer <token>`; `$TOKEN` is replaced by the role's token. */
  readonly authorization?: readonly string[];
  /** Bytes to write instead of a well-formed request. */
  readonly raw?: string;
  /** Identifiers submitted, as the answer must echo them; batch steps only. */
  readonly identifiers?: readonly string[];
  /** At most so many re-reads while the answer is "fetching", each after the wait it names. */
  readonly polls?: number;
  /** 1 starts discoveries, 2 needs nothing, 3 comes after the polls and finds things settled. */
  readonly phase: 1 | 2 | 3;
  /** The rules that this request is for. */
  readonly rules: readonly string[];
  /** Facts that a check reads again: `{ network: 'netA', handle: 'ada' }`. */
  readonly facts?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
}

export interface RuleResult {
  readonly id: string;
  readonly section: string;
  readonly text: string;
  readonly ruling: string | null;
  readonly how: 'S' | 'B' | 'F' | 'W';
  readonly level: Level | 'both';
  readonly verdict: Verdict;
  readonly findings: readonly (Finding & { readonly curl: string })[];
  /** Why it was not exercised, not applicable, observed, or who covers it (W rules). */
  readonly reason: string | null;
  readonly notes: readonly string[];
  /** Ids of the exchanges that were looked at. */
  readonly exchanges: readonly string[];
}

export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly notExercised: number;
  readonly notApplicable: number;
  readonly observed: number;
  readonly error: number;
  /** W rules: not testable from outside, not part of the other figures. */
  readonly outside: number;
}

/** A failure that is accepted for a while; a line that no longer fails (stale) or is over (expired) fails the run. */
export interface KnownFailure {
  readonly id: string;
  readonly reason: string;
  readonly link: string;
  /** `2027-01-31`: the last day on which it counts. */
  readonly expires: string;
  readonly state: 'known' | 'stale' | 'expired';
}

/** The one JSON that every other report is made from; `reportVersion` changes when a reader would have to. */
export interface Report {
  readonly reportVersion: 1;
  readonly suiteVersion: string;
  readonly contractVersion: string;
  readonly target: { readonly name: string; readonly baseUrl: string };
  readonly profile: Profile;
  readonly strict: boolean;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly requests: {
    readonly plannedAtMost: number;
    readonly sent: number;
    readonly byPrincipal: Readonly<Record<string, number>>;
    readonly rateLimitedOnce: boolean;
  };
  readonly results: readonly RuleResult[];
  readonly exchanges: readonly Exchange[];
  readonly totals: Totals;
  readonly knownFailures: readonly KnownFailure[];
  /** What stopped the run early or made it impossible; null after a whole run. */
  readonly problem: string | null;
  /** What a person should look at first: "no answer is JSON: is the base URL right?" */
  readonly hints: readonly string[];
  readonly exitCode: 0 | 1 | 2 | 3;
}

/** A response on its way through the fault proxy; `body` is the decoded text. */
export interface AlterableResponse {
  status: number;
  headers: [name: string, value: string][];
  body: string;
}

export interface AlterableRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly RawHeader[];
  readonly body: string;
  readonly operation: OperationId | null;
}

/** A faulty implementation in one row: what a proxy does to the answers of a correct server. */
export interface Fault {
  readonly name: string;
  /** The rule whose own check has to catch it. */
  readonly breaks: string;
  /** `ruling`: only `--strict` may kill it. */
  readonly level?: Level;
  readonly family: string;
  /** The profile whose requests show it; the core one unless told. */
  readonly profile?: 'extended' | 'rate-limit';
  /** Changes `response` in place or returns another one; `state` lives as long as the proxy. */
  alter(
    response: AlterableResponse,
    request: AlterableRequest,
    state: Map<string, unknown>,
  ): void | AlterableResponse | Promise<void | AlterableResponse>;
}

/** A legal but unusual implementation: silent at both levels, or (`strict: 'may speak'`) by default only. */
export interface Variant extends Omit<Fault, 'breaks' | 'level'> {
  readonly strict?: 'silent' | 'may speak';
}

export interface SuiteOptions {
  readonly target: Target;
  readonly strict: boolean;
  readonly profile?: Profile;
  /** Judge only these rules (the requests of the profile are all sent). */
  readonly only?: readonly string[];
  /** Seconds after which no further poll is waited for. */
  readonly deadlineSeconds?: number;
  onProgress?(line: string): void;
  /** Waiting, replaceable so that a self-proof with 30 s waits stays short. */
  sleep?(milliseconds: number): Promise<void>;
  /** Milliseconds since the epoch. */
  now?(): number;
  /** Of one request; 15 s unless told. */
  readonly timeoutMilliseconds?: number;
  readonly knownFailures?: readonly Omit<KnownFailure, 'state'>[];
}

/** conformance/suite.ts exports `runSuite: RunSuite`. */
export type RunSuite = (options: SuiteOptions) => Promise<Report>;
