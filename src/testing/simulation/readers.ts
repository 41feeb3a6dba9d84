/** Callers of a simulation: each asks some node for a few entities, waits as told, and asks any node again until it knows. */
import { isPieces, type AnyAnswer } from '../../http/answer.ts';
import { parametersOfBody } from '../../http/parameters.ts';
import type { Actor, Instant } from '../../model.ts';
import type { SimulatedNode } from './node.ts';
import type { Chance, Schedule } from './schedule.ts';
import type { Witness } from './witness.ts';

export interface Readers {
  /** How many do not know yet. */
  waiting(): number;
  unanswered(): string[];
  reads(): number;
}

interface ReaderParts {
  readonly schedule: Schedule;
  readonly chance: Chance;
  readonly witness: Witness;
  /** Those that live; changes as they come and go. */
  readonly nodes: readonly SimulatedNode[];
  /** No new caller comes after that. */
  readonly until: Instant;
}

type Kind = 'batchCreators' | 'batchPosts';

interface Reader {
  readonly name: string;
  readonly kind: Kind;
  readonly account: string;
  readonly deep: boolean;
  missing: readonly string[];
}

const asked: Readonly<Record<Kind, readonly string[]>> = {
  batchCreators: ['ada', '@Ada', 'silent1', 'netB:silent2', 'flaky1', 'slow1', 'missing1', 'broken1', 'bea', 'a b'],
  batchPosts: ['PAada', 'PBada', 'PCada', 'image1', 'netB:video1', 'flaky1', 'old1', 'slow1'],
};
const readerCount = 7;
/** A node that has not answered by then is given up, and another one asked. */
const patienceMilliseconds = 8_000;

export function createReaders(parts: ReaderParts): Readers {
  const { schedule, chance, witness, nodes, until } = parts;
  const waiting = new Set<Reader>();
  let reads = 0;

  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(chance() * items.length)];

  function come(name: string): void {
    const kind: Kind = chance() < 0.7 ? 'batchCreators' : 'batchPosts';
    const missing = Array.from({ length: 1 + Math.floor(chance() * 4) }, () => pick(asked[kind]) ?? '');
    const reader = { name, kind, account: `acc-${Math.floor(chance() * 3)}`, deep: chance() < 0.1, missing };
    waiting.add(reader);
    schedule.after('callers', chance() * (until - schedule.now()), () => void read(reader));
  }

  function readAgain(reader: Reader, milliseconds: number): void {
    schedule.after('callers', milliseconds, () => void read(reader));
  }

  async function read(reader: Reader): Promise<void> {
    const node = pick(nodes);
    if (node === undefined) return readAgain(reader, 1_000);
    const cancel = schedule.after('callers', patienceMilliseconds, () => readAgain(reader, 0));
    const outcome = await answerOf(node, reader).catch(() => null);
    // The node was given up meanwhile, and another one asked.
    if (!cancel()) return;
    if (outcome === null) return readAgain(reader, 1_000);
    judge(reader, outcome);
  }

  async function answerOf({ routes }: SimulatedNode, { kind, missing, account, deep }: Reader): Promise<AnyAnswer> {
    reads += 1;
    const parameters = parametersOfBody({ ids: missing, creatorDeepAnalysis: deep });
    return routes[kind].handle({ path: {}, parameters })(actorOf(account));
  }

  /** CRB-02: each in one bucket; CRB-04: a wait of at least a second where something is fetched. */
  function judge(reader: Reader, answer: AnyAnswer): void {
    const { data, fetching, unavailable } = bodyOf(answer);
    const once = new Set(reader.missing);
    const named = [...fetching, ...unavailable].map(({ id }) => id);
    if (data.length + named.length !== once.size || named.length !== new Set(named).size)
      witness.broken(`${[...once]}: told of ${data.length} held and ${named.length} others`);
    const wait = Number(answer.headers['Retry-After'] ?? 0);
    if (fetching.length > 0 !== wait >= 1 || wait > 3_600) witness.broken(`Retry-After ${wait}`);
    reader.missing = fetching.map(({ id }) => id);
    if (reader.missing.length === 0) waiting.delete(reader);
    else readAgain(reader, wait * 1_000 * (chance() < 0.2 ? chance() : 1));
  }

  for (let reader = 0; reader < readerCount; reader += 1) come(`reader-${reader}`);
  return {
    waiting: () => waiting.size,
    unanswered: () => [...waiting].flatMap(({ missing }) => missing),
    reads: () => reads,
  };
}

interface Buckets {
  readonly data: readonly object[];
  readonly fetching: readonly { readonly id: string }[];
  readonly unavailable: readonly { readonly id: string }[];
}

function bodyOf({ body }: AnyAnswer): Buckets {
  if (!isPieces(body)) throw new Error('a batch is answered in pieces');
  return JSON.parse(Buffer.concat([...body.pieces]).toString()) as Buckets;
}

const actorOf = (account: string): Actor => ({
  principal: { account, organization: 'org', scopes: new Set(['creators:read', 'posts:read']), perMinute: 60 },
  organization: 'org',
  marketplace: true,
  profile: null,
});
