/** What Schemathesis reports, as results of ours. */
import type { Exchange, Finding, OperationId, RawHeader, RuleResult, Verdict } from '../model.ts';

/** The part of its JSON summary that counts. */
export interface Summary {
  readonly complete: boolean;
  readonly stop_reason: string;
  readonly phases: Readonly<Record<string, { readonly status: string | null; readonly skip_reason?: string | null }>>;
  readonly test_cases: { readonly generated: number };
  readonly failures: readonly {
    readonly title: string;
    readonly count: number;
    readonly operations: readonly string[];
  }[];
  readonly errors: readonly unknown[];
  readonly warnings: Readonly<Record<string, readonly unknown[]>>;
}

type Headers = Readonly<Record<string, readonly string[]>>;
interface Interaction {
  readonly request: {
    readonly method: string;
    readonly uri: string;
    readonly headers: Headers;
    readonly body?: { readonly $base64: string } | string | null;
  };
  readonly response?: {
    readonly status_code: number;
    readonly headers: Headers;
    readonly content?: { readonly $base64: string } | string | null;
    readonly elapsed: number;
  } | null;
  readonly timestamp: number;
}
interface CheckLine {
  readonly name: string;
  readonly status: string;
  readonly failure_info?: { readonly failure: { readonly title: string; readonly message: string } };
}
interface Recorder {
  readonly label: string;
  /** Either is null of a case that was interrupted. */
  readonly checks: Readonly<Record<string, readonly CheckLine[]>> | null;
  readonly interactions: Readonly<Record<string, Interaction>> | null;
}

export interface FuzzFailure {
  readonly check: string;
  readonly title: string;
  readonly message: string;
  readonly exchangeId: string;
}

export interface Folded {
  readonly exchanges: readonly Exchange[];
  readonly failures: readonly FuzzFailure[];
  /** Times that each check was made. */
  readonly made: ReadonlyMap<string, number>;
}

const textOf = (content: { readonly $base64: string } | string | null | undefined): string =>
  typeof content === 'object' && content !== null
    ? Buffer.from(content.$base64, 'base64').toString('utf8')
    : (content ?? '');

const headersOf = (headers: Headers): RawHeader[] =>
  Object.entries(headers).flatMap(([name, values]) => values.map((value) => [name, value] as const));

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Headers of the request as a reader may see them: no report of theirs shows the token, ours says where it stood. */
const shownHeaders = (headers: Headers): RawHeader[] =>
  headersOf(headers).map(([name, value]) =>
    /^authorization$/i.test(name) && value === '[Filtered]' ? [name, 'Bearer $TOKEN'] : [name, value],
  );

/** An interaction as an exchange; null where no answer came. A method that the operation lacks belongs to no operation. */
function exchangeOf(
  id: string,
  label: string,
  one: Interaction,
  operations: ReadonlyMap<string, string>,
): Exchange | null {
  if (!one.response) return null;
  const body = textOf(one.response.content);
  const url = /^https?:\/\/[^/]*(.*)$/s.exec(one.request.uri)?.[1] ?? one.request.uri;
  const headers = shownHeaders(one.request.headers);
  const sent = one.timestamp * 1000;
  return {
    id,
    step: 'fuzz',
    attempt: 0,
    role: headers.some(([name]) => /^authorization$/i.test(name)) ? 'full' : 'none',
    purpose: `generated for ${label}`,
    operation: label.startsWith(`${one.request.method} `)
      ? ((operations.get(label) as OperationId | undefined) ?? null)
      : null,
    request: {
      method: one.request.method,
      path: url,
      headers,
      body: one.request.body ? textOf(one.request.body) : null,
    },
    response: { status: one.response.status_code, headers: headersOf(one.response.headers), body, json: jsonOf(body) },
    sentAt: sent,
    receivedAt: sent + one.response.elapsed * 1000,
  };
}

/** All cases of an ndjson report; lines of other events are passed over, a torn last line too. */
export function fold(lines: Iterable<string>, operations: ReadonlyMap<string, string>): Folded {
  const exchanges: Exchange[] = [];
  const failures: FuzzFailure[] = [];
  const made = new Map<string, number>();
  for (const line of lines) {
    const recorder = (jsonOf(line) as { ScenarioFinished?: { recorder: Recorder } } | undefined)?.ScenarioFinished
      ?.recorder;
    if (!recorder) continue;
    const ids = new Map<string, string>();
    for (const [key, one] of Object.entries(recorder.interactions ?? {})) {
      const exchange = exchangeOf(`f${String(exchanges.length + 1).padStart(4, '0')}`, recorder.label, one, operations);
      if (exchange) ids.set(key, (exchanges.push(exchange), exchange.id));
    }
    for (const [key, checks] of Object.entries(recorder.checks ?? {}))
      collect(checks, ids.get(key) ?? '', failures, made);
  }
  return { exchanges, failures, made };
}

function collect(
  checks: readonly CheckLine[],
  exchangeId: string,
  failures: FuzzFailure[],
  made: Map<string, number>,
): void {
  for (const { name, failure_info: info } of checks) {
    made.set(name, (made.get(name) ?? 0) + 1);
    if (info) failures.push({ check: name, title: info.failure.title, message: info.failure.message, exchangeId });
  }
}

/** What each of their checks asks, in a sentence. */
export const sentences: Readonly<Record<string, string>> = {
  not_a_server_error: 'No generated request makes the service fail (5xx).',
  status_code_conformance: 'Every status is one that the document lists for the operation.',
  content_type_conformance: 'Every answer has the content type that the document lists.',
  response_headers_conformance: 'Every header that the document requires is there and has its form.',
  response_schema_conformance: 'Every body fits the schema of its status.',
  negative_data_rejection: 'A request that the document forbids is refused.',
  positive_data_acceptance: 'A request that the document allows is not refused.',
  missing_required_header: 'A request without a header that the document requires is refused.',
  unsupported_method: 'A method that a path does not have is answered with 405.',
  allow_header_conformance: '`Allow` of a 405 lists the methods that the document has for the path.',
  use_after_free: 'What was removed is gone.',
  ensure_resource_availability: 'What was made can be read.',
  ignored_auth: 'No operation answers without a credential, nor with a wrong one.',
  object_level_authorization: 'One principal does not see what only another may see.',
  contract_guard:
    'Every generated exchange fits the contract also by our own guard (status, headers, body, pairing of code and status).',
};

export type Guard = (exchange: Exchange) => readonly Finding[];

const resultOf = (
  check: string,
  findings: readonly Finding[],
  times: number,
  curl: (exchangeId: string) => string,
): RuleResult => {
  const verdict: Verdict = findings.length > 0 ? 'failed' : times > 0 ? 'passed' : 'not exercised';
  return {
    id: `FUZZ-${check}`,
    section: 'FUZZ',
    text: sentences[check] ?? check,
    ruling: null,
    how: 'B',
    level: 'specification',
    verdict,
    findings: findings.map((finding) => ({ ...finding, curl: curl(finding.exchangeId) })),
    reason: verdict === 'not exercised' ? 'the phases that were run make no such check' : null,
    notes: [`made ${times} times`],
    exchanges: [...new Set(findings.map(({ exchangeId }) => exchangeId))],
  };
};

/** What they say of a failure, which may be nothing or many lines, and how the request was answered. */
const inOneLine = (title: string, message: string, status: number | undefined): string =>
  `${[title, message.replace(/\s+/g, ' ').trim()].filter(Boolean).join(': ')}${status === undefined ? '' : ` (answered ${status})`}`;

const first = <T>(values: readonly T[], most: number): readonly T[] => values.slice(0, most);

/** Their checks and our guard as results, one each; at most 50 findings each, since one fault is found many times. */
export function resultsOf(folded: Folded, guard: Guard | null, curl: (exchange: Exchange) => string): RuleResult[] {
  const byId = new Map(folded.exchanges.map((exchange) => [exchange.id, exchange]));
  const line = (id: string): string => ((exchange) => (exchange ? curl(exchange) : ''))(byId.get(id));
  const theirs = Object.keys(sentences)
    .filter((name) => name !== 'contract_guard')
    .map((check) => {
      const findings = folded.failures
        .filter((failure) => failure.check === check)
        .map(({ title, message, exchangeId }): Finding => ({
          level: 'specification',
          expected: sentences[check] ?? title,
          seen: inOneLine(title, message, byId.get(exchangeId)?.response.status),
          pointer: '',
          exchangeId,
        }));
      return resultOf(check, first(findings, 50), folded.made.get(check) ?? 0, line);
    });
  if (!guard) return theirs;
  return [
    ...theirs,
    resultOf(
      'contract_guard',
      first(
        folded.exchanges.flatMap((exchange) => guard(exchange)),
        50,
      ),
      folded.exchanges.length,
      line,
    ),
  ];
}

/** Phases that were asked for and that the run did not finish. */
export const unfinished = (summary: Summary, asked: readonly string[]): string[] =>
  asked.filter((phase) => !['success', 'failure'].includes(summary.phases[phase]?.status ?? ''));

export interface Ending {
  readonly exitCode: 0 | 1 | 2 | 3;
  readonly says: string;
}

const credentials = ['missing_auth', 'unused_openapi_auth'];

/** What was seen of a run besides its exit code and summary. */
export interface Seen {
  /** A limit of requests was set, which ends a run with 130, and nobody stopped it before. */
  readonly capped: boolean;
  /** Failures that are the target's, by their checks and by our guard. */
  readonly found: number;
  /** Requests answered 200 or 202. */
  readonly reads: number;
  /** Phases that were not finished. */
  readonly missing: readonly string[];
}

/** Without the failures that were answered 429: they show nothing but a spent budget. */
export function unthrottled(folded: Folded): Folded {
  const throttled = new Set(folded.exchanges.filter(({ response }) => response.status === 429).map(({ id }) => id));
  return { ...folded, failures: folded.failures.filter(({ exchangeId }) => !throttled.has(exchangeId)) };
}

export function seenOf(folded: Folded, guardFindings: number, capped: boolean, missing: readonly string[]): Seen {
  const reads = folded.exchanges.filter(({ response }) => response.status === 200 || response.status === 202);
  return { capped, found: folded.failures.length + guardFindings, reads: reads.length, missing };
}

/** Their exit code and summary → ours. What a limit kept from being finished is not exercised, so the profile asked for is not passed. */
export function endingOf(
  code: number | null,
  summary: Summary | null,
  { capped, found, reads, missing }: Seen,
): Ending {
  if (!summary || code === null || code === 2)
    return { exitCode: 2, says: `Schemathesis did not run (exit ${code ?? 'by a signal'})` };
  if (found > 0) return { exitCode: 1, says: 'the target failed' };
  if (code === 130 && !capped) return { exitCode: 2, says: 'stopped by hand' };
  if (summary.errors.length > 0)
    return { exitCode: 2, says: 'Schemathesis could not judge: the target is unreachable, or a request crashed' };
  const warned = Object.keys(summary.warnings).filter((name) => (summary.warnings[name]?.length ?? 0) > 0);
  if (warned.includes('rate_limited')) return { exitCode: 3, says: 'the target throttled the run' };
  if (summary.failures.length > 0) return { exitCode: 1, says: 'the target failed' };
  if (code === 1 && warned.some((name) => credentials.includes(name)))
    return { exitCode: 3, says: 'the target did not accept the credential' };
  if (code === 1) return { exitCode: 2, says: `Schemathesis warned: ${warned.join(', ') || 'an empty report'}` };
  if (summary.test_cases.generated === 0) return { exitCode: 2, says: 'not one case was generated' };
  if (missing.length > 0) return { exitCode: 3, says: 'nothing found up to the limit of requests' };
  if (reads === 0)
    return { exitCode: 2, says: 'no request was answered 200 or 202: is the base URL right (without /api/v1)?' };
  return { exitCode: 0, says: 'nothing found' };
}

const longEnough = 10;

/** Where all answers from one on have a status by which a server says that it cannot: it went down in the middle. */
export function downFrom({ exchanges }: Folded): string | null {
  const status = exchanges.at(-1)?.response.status ?? 0;
  const before = exchanges.findLastIndex(({ response }) => response.status !== status);
  const first = exchanges[before + 1];
  if ((status < 500 && status !== 429) || before < 0 || !first || exchanges.length - before <= longEnough) return null;
  return `from ${first.id} of ${exchanges.length} on every answer was ${status}: the target gave up in the middle`;
}
