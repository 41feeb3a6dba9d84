import { canonicalHandle, segmentsOf } from './handle.ts';
import type { Network } from './network.ts';

const POST_ID = /^[A-Za-z0-9_-]{1,64}$/;

const canonicalPost = (text: string): string | null => (POST_ID.test(text) ? text : null);

/** The handle in a segment `@ada`. A URL of netB has exactly one `@` before the handle. */
function handleOfSegment(segment: string | undefined): string | null {
  if (segment === undefined || !segment.startsWith('@') || segment.startsWith('@@')) return null;
  return canonicalHandle(segment);
}

function profileOfPath(path: string): string | null {
  const segments = segmentsOf(path);
  return segments?.length === 1 ? handleOfSegment(segments[0]) : null;
}

/** The author's handle has to be well-formed, but any will do: the id alone names the post (IDS-12). */
function postOfPath(path: string): string | null {
  const [author, kind, id, ...rest] = segmentsOf(path) ?? [];
  if (handleOfSegment(author) === null || kind !== 'video' || id === undefined || rest.length > 0) return null;
  return canonicalPost(id);
}

/** netB: profiles at `/@<handle>`, posts at `/@<handle>/video/<id>`. */
export const netB: Network = {
  name: 'netB',
  hosts: ['netb.example'],
  profileOfPath,
  postOfPath,
  postOfText: canonicalPost,
  postUrl: (name, handle) => `https://netb.example/@${handle}/video/${name}`,
  profileUrl: (handle) => `https://netb.example/@${handle}`,
};
