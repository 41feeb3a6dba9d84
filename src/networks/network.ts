/** How a network names its creators and posts: its identifier, hosts and grammar. Each network has a file of its own. */
export interface Network {
  /** Identifier on the wire, compared exactly: `netA` (IDS-13). */
  readonly name: string;
  /** Hosts of its URLs, in lower case, without `www.` and `m.`. */
  readonly hosts: readonly string[];
  /** The canonical handle that a profile's path names (`/ada`, without query and fragment); null for any other path. */
  profileOfPath(path: string): string | null;
  /** The canonical name of the post that a post's path names (`/p/C1x`, without query and fragment); null for any other path. */
  postOfPath(path: string): string | null;
  /** The canonical name of the post that a bare or qualified identifier names, its network cut off (IDS-12); null where it names none. */
  postOfText(text: string): string | null;
  /** Public permalink of a post, by its canonical name and its author's handle. */
  postUrl(name: string, handle: string): string;
  /** Public URL of a creator's profile. */
  profileUrl(handle: string): string;
}
