/** How a check writes down what it sees: each method notes the exchange as looked at and adds a finding where it differs. */
import { detailsOf, errorOf, shown } from './answer.ts';
import type { CheckContext, Exchange, Finding, Level, Outcome } from './model.ts';

export class Look {
  readonly context: CheckContext;
  readonly findings: Finding[] = [];
  readonly #looked = new Set<string>();
  readonly #missing: { level: Level; what: string }[] = [];
  readonly #notes: string[] = [];
  #notApplicable: string | undefined;

  constructor(context: CheckContext) {
    this.context = context;
  }

  /** The last answer of a step; where there is none, that is noted as a missing prerequisite. */
  step(name: string, level: Level = 'specification'): Exchange | undefined {
    const exchange = this.context.last(name);
    if (exchange) this.at(exchange);
    else this.miss(`${name}: ${this.context.absence(name) ?? 'was not sent'}`, level);
    return exchange;
  }

  at(exchange: Exchange): void {
    this.#looked.add(exchange.id);
  }

  miss(what: string, level: Level = 'specification'): void {
    this.#missing.push({ level, what });
  }

  note(text: string): void {
    this.#notes.push(text);
  }

  lacks(capability: string): void {
    this.#notApplicable = capability;
  }

  fail(exchange: Exchange, pointer: string, expected: string, seen: string, level: Level = 'specification'): void {
    this.at(exchange);
    this.findings.push({ level, expected, seen, pointer, exchangeId: exchange.id });
  }

  /** True where `holds`; else a finding. */
  that(
    holds: boolean,
    exchange: Exchange,
    pointer: string,
    expected: string,
    seen: unknown,
    level: Level = 'specification',
  ): boolean {
    this.at(exchange);
    if (!holds) this.fail(exchange, pointer, expected, shown(seen), level);
    return holds;
  }

  status(exchange: Exchange, allowed: number | readonly number[], level: Level = 'specification'): boolean {
    const among = typeof allowed === 'number' ? [allowed] : allowed;
    const { status, failure } = exchange.response;
    this.at(exchange);
    if (among.includes(status)) return true;
    this.fail(exchange, 'status', among.join(' or '), failure ?? String(status), level);
    return false;
  }

  /** The status and its code. */
  refusal(exchange: Exchange, status: number, code: string, level: Level = 'specification'): boolean {
    if (!this.status(exchange, status, level)) return false;
    return this.that(
      errorOf(exchange)['code'] === code,
      exchange,
      '/error/code',
      JSON.stringify(code),
      errorOf(exchange)['code'],
      level,
    );
  }

  /** Refused, with no `details`: nothing was read. */
  noDetails(exchange: Exchange, level: Level = 'specification'): void {
    if (exchange.response.status !== 404) return;
    this.that(detailsOf(exchange) === undefined, exchange, '/error/details', 'no such key', detailsOf(exchange), level);
  }

  outcome(): Outcome {
    return {
      findings: this.findings,
      looked: [...this.#looked],
      missing: this.#missing,
      notes: this.#notes,
      ...(this.#notApplicable === undefined ? {} : { notApplicable: this.#notApplicable }),
    };
  }
}
