import { readFileSync } from 'node:fs';
import { createContract, type ContractDocument } from '../../src/http/contract.ts';
import { match } from '../../src/http/match.ts';

export interface Batch {
  readonly data: readonly object[];
  readonly fetching: readonly { readonly id: string }[];
  readonly unavailable: readonly { readonly id: string; readonly reason: string; readonly retryable?: true }[];
}

/** What came back, as a caller sees it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The identifiers of a batch, as submitted. */
  readonly asked: readonly string[] | null;
}

const contract = createContract(
  JSON.parse(readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8')) as ContractDocument,
);

/** Holds every answer that a caller of the bench sees to the contract, by the document the service itself was made from. */
export class Guard {
  answers = 0;
  readonly breaches: string[] = [];
  readonly #requestIds = new Set<string>();
  #putOff: Seen[] | null = null;

  /** Answers of a measurement are held to the contract when it is over, or the bench would measure itself; their bodies are not told. */
  async afterwards<Result>(measure: () => Promise<Result>): Promise<Result> {
    this.#putOff = [];
    try {
      return await measure();
    } finally {
      const putOff = this.#putOff;
      this.#putOff = null;
      for (const seen of putOff) this.check(seen);
    }
  }

  /** The parsed body, whether or not it broke the contract. */
  check(seen: Seen): unknown {
    if (this.#putOff !== null) return void this.#putOff.push(seen);
    this.answers += 1;
    const { method, path, status, headers } = seen;
    try {
      this.#newId(headers['x-request-id']);
      const body = parsed(seen.text);
      const matched = match(method, path.split('?')[0] ?? '');
      contract.checkWhole(matched.is === 'unknown' ? null : matched.operation, status, canonical(headers), body);
      if (status === 200 && seen.asked !== null) checkBuckets(seen.asked, body as Batch);
      return body;
    } catch (breach) {
      this.breaches.push(`${method} ${path.slice(0, 80)}: ${(breach as Error).message}`);
      return null;
    }
  }

  #newId(id: string | undefined): void {
    if (id === undefined || id === '') throw new Error('no x-request-id');
    if (this.#requestIds.has(id)) throw new Error(`x-request-id ${id} was given twice`);
    this.#requestIds.add(id);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`no JSON: ${text.slice(0, 40)}`);
  }
}

/** Node tells header names in lower case; the document has them as they are written. */
const written = new Map(
  ['Retry-After', 'RateLimit', 'RateLimit-Policy', 'WWW-Authenticate', 'Allow', 'Cache-Control'].map((name) => [
    name.toLowerCase(),
    name,
  ]),
);
const canonical = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [written.get(name) ?? name, value]));

/** CRB-02: each submitted identifier in one bucket. A held one has no echo; it is told by its names. */
function checkBuckets(asked: readonly string[], { data, fetching, unavailable }: Batch): void {
  const told = [...fetching, ...unavailable].map(({ id }) => id);
  const held = asked.filter((id) => !told.includes(id));
  const strange = told.filter((id, index) => !asked.includes(id) || told.indexOf(id) !== index);
  if (strange.length > 0) throw new Error(`${strange[0]} was not asked for, or is in two buckets`);
  if (held.length !== data.length) throw new Error(`${asked.length} asked, ${told.length} + ${data.length} told`);
  const names = new Set(data.flatMap(namesOf));
  const unnamed = held.find((id) => !names.has(id.replace(/^\w+:/, '')));
  if (unnamed !== undefined) throw new Error(`${unnamed} is in no bucket`);
}

interface Named {
  readonly externalId?: string | null;
  readonly channels?: readonly { readonly username: string | null }[];
  readonly netA?: { readonly shortcode?: string | null };
}

function namesOf(document: object): (string | null | undefined)[] {
  const { externalId, channels = [], netA } = document as Named;
  return [externalId, netA?.shortcode, ...channels.map(({ username }) => username)];
}
