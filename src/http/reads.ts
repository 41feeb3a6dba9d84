import type { Answered, LookUp } from '../lookup/look-up.ts';
import type { Actor, Clock, HeldDocument, Instant, Reason } from '../model.ts';
import type { Network } from '../networks/network.ts';
import type { Pieces } from './answer.ts';
import type { Contract } from './contract.ts';
import { detailsOf, type ErrorEnvelope } from './errors.ts';
import type { Parameters } from './parameters.ts';

/** What the handlers of reads are made of. */
export interface ReadParts {
  readonly lookUp: LookUp;
  readonly networks: readonly Network[];
  readonly contract: Contract;
  readonly clock: Clock;
  /** Called for a stored document that turns out to be damaged; the read goes on without it. */
  readonly onCorrupt: (violation: Error, id: string) => void;
}

/** What a caller asked, before it is known whom the caller acts for. */
export interface Asking {
  readonly parameters: Parameters;
  /** Path parameters, decoded; null where a percent escape was broken. */
  readonly path: Readonly<Record<string, string | null>>;
}

/**
 * A handler in two steps, in the order of AUT-10: the first checks the input and throws a Refusal if something is wrong with it; the
 * second reads, once the actor is known.
 */
export type Handle<Answer> = (asking: Asking) => (actor: Actor) => Promise<Answer>;

/** Appends the document as this read shows it. */
export type Project = (pieces: Buffer[], held: HeldDocument) => void;

type Schemas = import('../../generated/api.ts').components['schemas'];

const OPEN_DATA = Buffer.from('{"data":');
const CLOSE = Buffer.from('}');

/** 202: exactly one entry, its id as submitted (CRE-02, CRE-09). */
export function fetchingAnswer(id: string, retryAt: Instant, now: Instant) {
  const seconds = waitOf(retryAt, now);
  const body: Schemas['FetchingResponse'] = { fetching: [{ id, retryAfter: isoAfter(seconds, now) }] };
  return { status: 202 as const, headers: waitHeaders(seconds, now), body };
}

/** 404 of a read that found nothing (CRE-04, ERR-03). */
export function missAnswer(reason: Reason, retryable: boolean) {
  const message = MESSAGES.get(reason) ?? 'What was asked for cannot be obtained.';
  const body: ErrorEnvelope<'not-found'> = {
    error: { code: 'not-found', message, details: detailsOf(reason, retryable) },
  };
  return { status: 404 as const, headers: {}, body };
}

const MESSAGES = new Map<string, string>([
  ['account-not-discoverable', 'No account with that handle can be discovered.'],
  ['not-supported-on-network', 'That network is not supported. The names of networks are exact, in case too.'],
  ['outside-recent-media-window', 'The post is not among the recent media of its author.'],
  ['author-unresolved', 'The author of the post could not be found.'],
  [
    'unparseable-identifier',
    'That names nothing: a creator has a handle of ASCII letters, digits, ".", "_" and "-", a post its URL on a supported network.',
  ],
  ['internal-error', 'It could not be obtained because of a failure on our side. Ask again in a few minutes.'],
]);

export function heldAnswer<Body>(held: HeldDocument, project: Project) {
  const pieces: Buffer[] = [OPEN_DATA];
  project(pieces, held);
  pieces.push(CLOSE);
  const body: Pieces<Body> = { pieces, envelope: null };
  return { status: 200 as const, headers: {}, body };
}

/** The single read: held, fetching or unavailable as 200, 202 or 404. */
export function singleAnswer<Body>({ id, availability }: Answered, now: Instant, project: Project) {
  if (availability.is === 'held') return heldAnswer<Body>(availability.document, project);
  if (availability.is === 'fetching') return fetchingAnswer(id, availability.retryAt, now);
  return missAnswer(availability.reason, availability.retryable);
}

const NEXT = Buffer.from(',');

/** The batch: every identifier in exactly one of three buckets (CRB-01, CRB-02), one wait for all (CRB-04). */
export function batchAnswer<Body>(
  answered: readonly Answered[],
  now: Instant,
  project: Project,
  onCorrupt: ReadParts['onCorrupt'],
) {
  const pieces: Buffer[] = [OPEN_LIST];
  const fetching: string[] = [];
  const unavailable: Schemas['UnavailableEntry'][] = [];
  let retryAt = now;
  for (const { id, availability } of answered) {
    if (availability.is === 'fetching') {
      fetching.push(id);
      retryAt = Math.max(retryAt, availability.retryAt);
    } else if (availability.is === 'unavailable') {
      unavailable.push({ id, ...detailsOf(availability.reason, availability.retryable) });
    } else if (!append(pieces, availability.document, project, (violation) => onCorrupt(violation, id))) {
      unavailable.push({ id, ...detailsOf('internal-error', true) });
    }
  }
  if (fetching.length + unavailable.length === 0) {
    pieces.push(CLOSE_LIST);
    return { status: 200 as const, headers: {}, body: { pieces, envelope: NOTHING_ELSE } };
  }
  const seconds = waitOf(retryAt, now);
  const retryAfter = isoAfter(seconds, now);
  const rest = { fetching: fetching.map((id) => ({ id, retryAfter })), unavailable };
  pieces.push(Buffer.from(`],${JSON.stringify(rest).slice(1)}`));
  const body: Pieces<Body> = { pieces, envelope: { data: [], ...rest } };
  const headers = fetching.length > 0 ? waitHeaders(seconds, now) : {};
  return { status: 200 as const, headers, body };
}

const OPEN_LIST = Buffer.from('{"data":[');
const CLOSE_LIST = Buffer.from('],"fetching":[],"unavailable":[]}');
/** The envelope where everything asked for is held. */
const NOTHING_ELSE = { data: [], fetching: [], unavailable: [] };

/** A damaged document does not fail the whole batch: it is answered as unavailable, as our own failure and so retryable. */
function append(
  pieces: Buffer[],
  held: HeldDocument,
  project: Project,
  onCorrupt: (violation: Error) => void,
): boolean {
  const before = pieces.length;
  if (before > 1) pieces.push(NEXT);
  try {
    project(pieces, held);
    return true;
  } catch (violation) {
    pieces.length = before;
    onCorrupt(violation as Error);
    return false;
  }
}

const waitOf = (retryAt: Instant, now: Instant): number => Math.max(1, Math.ceil((retryAt - now) / 1000));
/** Sets `Date` too, so that header and instant agree (CRB-04): Node's own `Date` lags behind while the process is busy. */
const waitHeaders = (seconds: number, now: Instant) => ({ 'Retry-After': seconds, Date: new Date(now).toUTCString() });
const isoAfter = (seconds: number, now: Instant): string => new Date(now + seconds * 1000).toISOString();
