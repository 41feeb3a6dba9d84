import type { AnalysisKey, HeldDocument, Instant } from '../model.ts';

/** For whom, and when, a document is projected. */
export interface Viewer {
  /** Whether the organization acted for has marketplace credentials (DOC-13). */
  readonly marketplace: boolean;
  readonly now: Instant;
}

const OPEN_POSTS = Buffer.from(',"posts":');
const OPEN_ANALYSIS = Buffer.from(',"analysis":{');
const CLOSE = Buffer.from('}');
const CLOSE_BOTH = Buffer.from('}}');

/** The document as the viewer may see it, one complete JSON object (DOC-13, DOC-14). */
export function documentFor(held: HeldDocument, { marketplace, now }: Viewer): Buffer {
  if (!marketplace) return held.restricted;
  const lapsed = held.audienceUntil !== null && held.audienceUntil <= now;
  return lapsed ? (held.fullWithoutAudience ?? held.restricted) : held.full;
}

/** A creator's recent posts as the viewer may see them, one JSON array (CRE-08). */
export function postsFor(held: HeldDocument, { marketplace }: Viewer): Buffer {
  if (held.posts === null) throw new Error('a post has no posts');
  return marketplace ? held.posts.full : held.posts.restricted;
}

/** One value of a post's analysis, complete JSON. */
export function analysisFor(held: HeldDocument, key: AnalysisKey): Buffer {
  if (held.analysis === null) throw new Error('a creator has no analysis');
  return held.analysis[key];
}

/** Appends a creator with its posts (CRE-06); nothing is parsed or copied. */
export function pushCreatorWithPosts(pieces: Buffer[], document: Buffer, posts: Buffer): void {
  pieces.push(open(document), OPEN_POSTS, posts, CLOSE);
}

/** Appends a post with exactly the keys of analysis asked for, in the order asked (PST-04). */
export function pushPostWithAnalysis(
  pieces: Buffer[],
  document: Buffer,
  include: readonly AnalysisKey[],
  held: HeldDocument,
): void {
  pieces.push(open(document), OPEN_ANALYSIS);
  include.forEach((key, index) => pieces.push(nameOf(key, index === 0), analysisFor(held, key)));
  pieces.push(CLOSE_BOTH);
}

/** A JSON object without its last brace. */
function open(document: Buffer): Buffer {
  return document.subarray(0, -1);
}

const names = new Map<string, Buffer>();

function nameOf(key: AnalysisKey, first: boolean): Buffer {
  const text = `${first ? '' : ','}"${key}":`;
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = Buffer.from(text);
  names.set(text, name);
  return name;
}
