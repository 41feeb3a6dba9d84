const HANDLE = /^[A-Za-z0-9._-]{1,100}$/;
const DOTS_ALONE = /^\.+$/;

/**
 * Canonical form of a handle, or null when it is none (CRE-10): ASCII letters, digits, `.`, `_`, `-`, 1 to 100 of them, not
 * dots alone. One leading `@` is dropped and letters are lower-cased (IDS-09); ASCII only, so nothing of Unicode is folded.
 */
export function canonicalHandle(text: string): string | null {
  const handle = text.startsWith('@') ? text.slice(1) : text;
  if (!HANDLE.test(handle) || DOTS_ALONE.test(handle)) return null;
  return handle.toLowerCase();
}

/** The segments of a path without its trailing slash: `/p/C1x/` is `p`, `C1x`. Null when it does not begin with a slash. */
export function segmentsOf(path: string): string[] | null {
  if (!path.startsWith('/')) return null;
  return (path.endsWith('/') ? path.slice(1, -1) : path.slice(1)).split('/');
}
