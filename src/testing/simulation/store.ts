/** The store as one simulated node sees it: real SQL on SQLite, behind a wire that is slow, cut, or loses the answer. */
import type { Key } from '../../model.ts';
import type { Database, Parameter } from '../../storage/database.ts';
import type { Chance, Schedule } from './schedule.ts';
import type { Witness } from './witness.ts';

/** All nodes on one store; what one changes, the others are told, later or not at all. */
export interface SharedStore {
  databaseOf(node: string): Database;
  /** Statements fail for so long, some of them after they took effect; what is notified meanwhile is lost. */
  cut(milliseconds: number): void;
}

export interface SharedStoreParts {
  readonly store: Database;
  /** By how much the store's clock is behind while a statement runs: the time of a statement is when it came, not when it was its turn. */
  readonly lag: (milliseconds: number) => void;
  readonly schedule: Schedule;
  readonly chance: Chance;
  readonly witness: Witness;
  /** A fault of the test's: what a statement is changed into. */
  readonly alter: (sql: string) => string;
  /** Whether nodes are told at all; not being told is a fault of the test's. */
  readonly notifies: boolean;
  /** A statement of the node has come to its end, which the node does not know yet: the worst moment for a mishap. */
  readonly onStatement: (node: string) => void;
}

type Hear = (key: Key | null) => void;

const wire = 'wire';

export function createSharedStore(parts: SharedStoreParts): SharedStore {
  const { store, lag, schedule, chance, witness, alter, notifies, onStatement } = parts;
  const listeners = new Map<string, Hear[]>();
  let cutUntil = Number.NEGATIVE_INFINITY;
  let unheard = 0;
  const isCut = (): boolean => schedule.now() < cutUntil;
  const latency = (): number => 1 + Math.floor(chance() * (chance() < 0.05 ? 300 : 4));

  /** Told without order, as by several connections; a key may come before what it tells of can be asked for. */
  function notify(from: string, keys: readonly Key[]): void {
    if (!notifies || isCut()) return;
    for (const [node, hears] of listeners) {
      if (node === from) continue;
      for (const key of keys) schedule.after(node, latency(), () => hears.forEach((hear) => hear(key)));
    }
  }

  function tellAll(): void {
    for (const [node, hears] of listeners) schedule.after(node, latency(), () => hears.forEach((hear) => hear(null)));
  }

  /** SQLite runs a statement at once. */
  function overtaken<Answer>(run: () => Answer): Answer {
    lag(chance() < 0.2 ? Math.ceil(chance() * 5) : 0);
    try {
      return run();
    } finally {
      lag(0);
    }
  }

  async function sent<Row>(node: string, sql: string, parameters: readonly Parameter[]): Promise<Row[]> {
    const lost = isCut() && chance() < 0.7;
    await schedule.wait(wire, latency());
    if (lost) throw new Error('the store cannot be reached');
    const rows = await witness.statement(node, sql, () => overtaken(() => store.query<Row>(alter(sql), parameters)));
    if (sql.includes('notify_document'))
      notify(
        node,
        (rows as { key: Key }[]).map(({ key }) => key),
      );
    if (isCut()) throw new Error('the answer of the store was lost');
    return rows;
  }

  /** Once sent, a statement goes on though its node dies; what the node learns of it, it learns as its own step. */
  async function query<Row>(node: string, sql: string, parameters: readonly Parameter[] = []): Promise<Row[]> {
    const outcome = await sent<Row>(node, sql, parameters).then(
      (rows) => () => rows,
      (error: unknown) => () => {
        throw error;
      },
    );
    onStatement(node);
    await schedule.wait(node, latency());
    return outcome();
  }

  return {
    databaseOf: (node) => ({
      engine: 'postgres',
      query: (sql, parameters) => query(node, sql, parameters),
      exec: (sql) => store.exec(sql),
      exclusively: (work) => store.exclusively(work),
      onDocumentChange: (hear) => void listeners.set(node, [...(listeners.get(node) ?? []), hear]),
      dataVersion: () => (isCut() ? ++unheard : 0),
      close: () => Promise.resolve(),
    }),
    cut(milliseconds) {
      cutUntil = schedule.now() + milliseconds;
      tellAll();
      schedule.after(wire, milliseconds, tellAll);
    },
  };
}
