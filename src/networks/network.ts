/** What the service must know of a network to name its entities: its identifier, hosts and grammar. One file a network. */
export interface Network {
  /** Wire identifier, exact: `netA` (IDS-13). */
  readonly name: string;
  /** Hosts of its URLs, lower case, without `www.` or `m.`. */
  readonly hosts: readonly string[];
  /** Canonical handle of a profile path (`/ada`, no query or fragment, no trailing slash), or null when it is not one. */
  profileOfPath(path: string): string | null;
  /** Canonical post name of a post path (`/p/C1x`), or null when it is not one. */
  postOfPath(path: string): string | null;
  /** Canonical post name of a qualified or bare identifier (IDS-12), or null when it is not one. */
  postOfText(text: string): string | null;
  /** Public permalink of a post. */
  postUrl(name: string, handle: string): string;
  profileUrl(handle: string): string;
}
