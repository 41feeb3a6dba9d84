const HANDLE = /^[A-Za-z0-9._-]{1,100}$/;
const DOTS_ALONE = /^\.+$/;

/**
 * The canonical form of a handle: lower case, without one leading `@` (IDS-09). Null for what is no handle, which is 1 to 100 ASCII
 * letters, digits, `.`, `_` and `-`, not dots alone (CRE-10); as all are ASCII, no Unicode is folded.
 */
export function canonicalHandle(text: string): string | null {
  const handle = text.startsWith('@') ? text.slice(1) : text;
  if (!HANDLE.test(handle) || DOTS_ALONE.test(handle)) return null;
  return handle.toLowerCase();
}

/** The segments of a path, one trailing slash ignored: `p`, `C1x` of `/p/C1x/`. Null for a text that does not begin with a slash. */
export function segmentsOf(path: string): string[] | null {
  if (!path.startsWith('/')) return null;
  return (path.endsWith('/') ? path.slice(1, -1) : path.slice(1)).split('/');
}
