/** Stands beside the simulated store and looks at what each statement changed: here is what may never happen. */
import type { Instant, Key } from '../../model.ts';
import type { Database } from '../../storage/database.ts';

interface Work {
  readonly key: Key;
  readonly state: 'idle' | 'queued' | 'running';
  readonly owner: string | null;
  readonly started_at: Instant;
  readonly due_at: Instant;
  readonly attempts: number;
}

interface Held {
  readonly key: Key;
  readonly author: Key | null;
  readonly held: number;
  readonly started_at: Instant | null;
  readonly failed_at: Instant | null;
}

interface Seen {
  readonly work: ReadonlyMap<Key, Work>;
  readonly held: ReadonlyMap<Key, Held>;
}

export class Violation extends Error {}

export interface Witness {
  /** Runs a statement of a node and judges what it did. */
  statement<Answer>(node: string, sql: string, run: () => Promise<Answer>): Promise<Answer>;
  /** A call of a source is about to go out. */
  call(node: string, key: Key): void;
  /** Of the creator nothing may be held that somebody began to obtain before. */
  forgot(creator: Key, began: Instant): void;
  broken(what: string): void;
  /** What was broken first, or null. */
  violation(): Violation | null;
  /** Calls that went out. */
  calls(): number;
}

/** Who may forget what is held. */
export const operator = 'operator';

/** The table that a statement writes to. */
const target = /^\s*(?:insert into|update|delete from)\s+(entity|work)\b/;

export function createWitness(store: Database, clock: () => Instant, attempts: number): Witness {
  let violation: Violation | null = null;
  let calls = 0;
  /** When each creator was last forgotten. */
  const forgotten = new Map<Key, Instant>();
  /** All that is written is written through here, so what was seen last is how it stands. */
  let seen: Seen = { work: new Map(), held: new Map() };

  async function lookAtWork(): Promise<Seen['work']> {
    const rows = await store.query<Work>('select key, state, owner, started_at, due_at, attempts from work');
    return new Map(rows.map((row) => [row.key, row]));
  }

  async function lookAtHeld(): Promise<Seen['held']> {
    const rows = await store.query<Held>(
      'select key, author, document is not null as held, started_at, failed_at from entity',
    );
    return new Map(rows.map((row) => [row.key, row]));
  }

  function broken(what: string): void {
    violation ??= new Violation(what);
  }

  /** STA-01: while a lease lives, nobody but its owner touches the discovery. */
  function judgeWork(node: string, before: Work, after: Work | undefined): void {
    const living = before.state === 'running' && before.due_at > clock() && before.owner !== node;
    const same = after !== undefined && after.owner === before.owner && after.started_at === before.started_at;
    if (living && !same) broken(`${node} took ${before.key} from ${before.owner}, whose lease lives`);
  }

  /** STA-05, F16: each claim is counted, once. */
  function judgeClaim(before: Work | undefined, after: Work): void {
    if (after.state !== 'running' || before?.started_at === after.started_at) return;
    const counted = before === undefined || before.state === 'idle' ? 1 : before.attempts + 1;
    if (after.attempts !== counted) broken(`${after.key} was claimed and its attempts went to ${after.attempts}`);
  }

  /** F4: what is written belongs to a claim that the writer has, and is never older than what is there. */
  function judgeHeld(node: string, seen: Seen, before: Held | undefined, after: Held): void {
    const { key } = after;
    const was = { document: before?.started_at ?? 0, failure: before?.failed_at ?? 0 };
    const is = { document: after.started_at ?? 0, failure: after.failed_at ?? 0 };
    if (before?.held === 1 && after.held === 0) broken(`${key}: the document is gone`);
    if (is.document < was.document) broken(`${key}: an older document replaced a newer one`);
    if (is.document === was.document && is.failure === was.failure) return;
    const written = is.document === was.document ? is.failure : is.document;
    if (written < Math.max(was.document, was.failure)) broken(`${key}: an older outcome was written over a newer one`);
    const mine = [...seen.work.values()].some(
      (work) => work.owner === node && work.state === 'running' && work.started_at === written,
    );
    if (!mine) broken(`${node} wrote ${key} for a claim that it does not have`);
    judgeForgotten(after, written);
  }

  function judgeForgotten({ key, author }: Held, began: Instant): void {
    if (began < (forgotten.get(author ?? key) ?? 0)) broken(`${key} came back after it was forgotten`);
  }

  function judge(node: string, before: Seen, after: Seen): void {
    for (const [key, work] of before.work) judgeWork(node, work, after.work.get(key));
    for (const [key, work] of after.work) judgeClaim(before.work.get(key), work);
    for (const [key, held] of after.held) judgeHeld(node, before, before.held.get(key), held);
    for (const [key, { held }] of before.held)
      if (held === 1 && !after.held.has(key)) broken(`${key}: the row of a held document is gone`);
  }

  return {
    async statement(node, sql, run) {
      const table = target.exec(sql)?.[1];
      const answer = await run();
      if (table === undefined) return answer;
      const before = seen;
      seen = table === 'work' ? { ...seen, work: await lookAtWork() } : { ...seen, held: await lookAtHeld() };
      if (node !== operator) judge(node, before, seen);
      return answer;
    },
    call(node, key) {
      calls += 1;
      const work = seen.work.get(key);
      if (work?.owner === node && work.attempts > attempts) broken(`${key}: call number ${work.attempts}`);
    },
    forgot(creator, began) {
      forgotten.set(creator, began);
      for (const held of seen.held.values()) judgeForgotten(held, Math.max(held.started_at ?? 0, held.failed_at ?? 0));
    },
    broken,
    violation: () => violation,
    calls: () => calls,
  };
}
