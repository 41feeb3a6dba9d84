import type { CreatorEntry, Post } from './outcome.ts';

const withoutAt = (text: string): string => text.replace(/^@/, '');
const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);

/** A URL as the service compares it: without scheme, `www.` or `m.`, query, fragment and trailing slash, its host in lower case (IDS-09). */
function bareUrl(url: string): string {
  const rest = url
    .replace(/^https?:\/\//i, '')
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '');
  const slash = rest.indexOf('/');
  const host = (slash < 0 ? rest : rest.slice(0, slash)).toLowerCase().replace(/^(www|m)\./, '');
  return slash < 0 ? host : host + rest.slice(slash);
}

const lastSegment = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

/** The names by which an identifier asks for an entity. */
interface NamesOfId {
  /** Names one entity alone: `netA:ada`, `url neta.example/p/C1x`. */
  readonly exact?: string;
  /** May name one entity on each network: `last ada`, of a URL whose host does not tell the network. */
  readonly loose?: string;
}

/** The names to which a document answers. */
interface NamesOfDocument {
  readonly exact: ReadonlySet<string>;
  readonly loose: ReadonlySet<string>;
}

/** How identifiers and documents of one kind are named; a document answers the identifiers with which it shares a name. */
export interface Names<Document> {
  ofId(id: string, defaultNetwork: string): NamesOfId;
  ofDocument(document: Document): NamesOfDocument;
}

function qualified(id: string, defaultNetwork: string): { network: string; name: string } {
  const colon = id.indexOf(':');
  return colon < 0 ? { network: defaultNetwork, name: id } : { network: id.slice(0, colon), name: id.slice(colon + 1) };
}

export const creatorNames: Names<CreatorEntry> = {
  ofId(id, defaultNetwork) {
    if (isUrl(id)) return { loose: `last ${withoutAt(lastSegment(bareUrl(id))).toLowerCase()}` };
    const { network, name } = qualified(id, defaultNetwork);
    return { exact: `${network}:${withoutAt(name).toLowerCase()}` };
  },
  ofDocument({ channels }) {
    const named = channels.flatMap(({ network, username, externalId }) =>
      [username, externalId].flatMap((name) => (name === null ? [] : [{ network, name: name.toLowerCase() }])),
    );
    return {
      exact: new Set(named.map(({ network, name }) => `${network}:${name}`)),
      loose: new Set(named.map(({ name }) => `last ${name}`)),
    };
  },
};

export const postNames: Names<Post> = {
  ofId(id, defaultNetwork) {
    if (isUrl(id)) return { exact: `url ${bareUrl(id)}`, loose: `last ${lastSegment(bareUrl(id))}` };
    const { network, name } = qualified(id, defaultNetwork);
    return { exact: `${network}:${name}` };
  },
  ofDocument({ network, url, externalId, netA, netB }) {
    const bare = url === null ? null : bareUrl(url);
    const ids = [externalId, netA.shortcode, netA.netAMediaId, netB.netBVideoId, bare && lastSegment(bare)];
    const names = ids.filter((id) => id !== null);
    return {
      exact: new Set([...names.map((name) => `${network}:${name}`), ...(bare === null ? [] : [`url ${bare}`])]),
      loose: new Set(names.map((name) => `last ${name}`)),
    };
  },
};

/** A document, and the identifier that it answers; null where none could be told. */
export interface Correlated<Document> {
  readonly id: string | null;
  readonly document: Document;
}

const isOneEntity = ([first, ...others]: readonly NamesOfDocument[]): boolean =>
  others.every(({ exact }) => [...exact].some((name) => first?.exact.has(name)));

/**
 * Matches the documents of a batch to the identifiers that they answer, by their names, as the order of `data` means nothing:
 * by exact names first; by loose ones where only one entity can be meant; by elimination where one document and one
 * identifier remain. Several identifiers may name one entity: each takes a document of its own, or, from a service that
 * sends the document only once, that one.
 */
export function correlate<Document>(
  ids: readonly string[],
  documents: readonly Document[],
  names: Names<Document>,
  defaultNetwork: string,
): Correlated<Document>[] {
  const unmatched = new Map(ids.map((id) => [id, names.ofId(id, defaultNetwork)]));
  const found = documents.map((document) => ({ id: null as string | null, document, ...names.ofDocument(document) }));
  const nameless = () => found.filter(({ id }) => id === null);
  const isMeant = (one: NamesOfDocument, loose: string | undefined, among: readonly NamesOfDocument[]): boolean =>
    loose !== undefined && one.loose.has(loose) && isOneEntity(among.filter((other) => other.loose.has(loose)));

  const match = (one: (typeof found)[number], answers: (wanted: NamesOfId) => boolean): void => {
    one.id = [...unmatched].find(([, wanted]) => answers(wanted))?.[0] ?? null;
    if (one.id !== null) unmatched.delete(one.id);
  };
  for (const one of found) match(one, ({ exact }) => exact !== undefined && one.exact.has(exact));
  for (const one of nameless()) match(one, ({ loose }) => isMeant(one, loose, nameless()));

  for (const [id, { exact, loose }] of unmatched) {
    const answered = found.find((one) => (exact !== undefined && one.exact.has(exact)) || isMeant(one, loose, found));
    if (answered === undefined || answered.id === null) continue;
    unmatched.delete(id);
    found.push({ ...answered, id });
  }

  const [last, another] = nameless();
  const [left] = unmatched.keys();
  if (last && !another && left !== undefined && unmatched.size === 1) last.id = left;
  return found.map(({ id, document }) => ({ id, document }));
}
