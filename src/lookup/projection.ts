import type { AnalysisKey, HeldAnalysis, HeldDocument, Instant } from '../model.ts';

/** Who sees a document, and when. */
export interface Viewer {
  /** Whether the organization acted for has marketplace credentials (DOC-13). */
  readonly marketplace: boolean;
  readonly now: Instant;
}

const OPEN_POSTS = Buffer.from(',"posts":');
const OPEN_ANALYSIS = Buffer.from(',"analysis":');
const OPEN = Buffer.from('{');
const NEXT = Buffer.from(',');
const CLOSE = Buffer.from('}');
const CLOSE_BOTH = Buffer.from('}}');

/** The document as the viewer may see it: one complete JSON object, in UTF-8 (DOC-13, DOC-14). */
export function documentFor(held: HeldDocument, { marketplace, now }: Viewer): Buffer {
  if (!marketplace) return held.restricted;
  const lapsed = held.audienceUntil !== null && held.audienceUntil <= now;
  return lapsed ? (held.fullWithoutAudience ?? held.restricted) : held.full;
}

/** A creator's recent posts as the viewer may see them: one complete JSON array, in UTF-8 (CRE-08). @throws Error for a post. */
export function postsFor(held: HeldDocument, { marketplace }: Viewer): Buffer {
  if (held.posts === null) throw new Error('a post has no posts');
  return marketplace ? held.posts.full : held.posts.restricted;
}

/** The analysis of a post. @throws Error for a creator. */
export function analysisOf(held: HeldDocument): HeldAnalysis {
  if (held.analysis === null) throw new Error('a creator has no analysis');
  return held.analysis;
}

/** Appends the pieces of a creator with its posts (CRE-06). Nothing is parsed or copied. */
export function pushCreatorWithPosts(pieces: Buffer[], document: Buffer, posts: Buffer): void {
  pieces.push(open(document), OPEN_POSTS, posts, CLOSE);
}

/** Appends the pieces of a post whose `analysis` has exactly the keys of `include`, each once (PST-04). @throws Error for a key not held. */
export function pushPostWithAnalysis(
  pieces: Buffer[],
  document: Buffer,
  include: readonly AnalysisKey[],
  { whole, members }: HeldAnalysis,
): void {
  pieces.push(open(document), OPEN_ANALYSIS);
  const isAll = include.length === members.size && include.every((key) => members.has(key));
  if (isAll) return void pieces.push(whole, CLOSE);
  include.forEach((key, index) => pieces.push(index === 0 ? OPEN : NEXT, memberOf(members, key)));
  pieces.push(CLOSE_BOTH);
}

function memberOf(members: HeldAnalysis['members'], key: AnalysisKey): Buffer {
  const member = members.get(key);
  if (member === undefined) throw new Error(`the analysis held has no ${key}`);
  return member;
}

/** A JSON object without its closing brace. */
function open(document: Buffer): Buffer {
  return document.subarray(0, -1);
}
