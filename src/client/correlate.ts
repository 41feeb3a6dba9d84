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

const lastSegment = (bare: string): string => bare.slice(bare.lastIndexOf('/') + 1);
const hostOf = (bare: string): string => bare.split('/', 1)[0] ?? '';

/** The names by which an identifier asks for an entity. */
interface NamesOfId {
  /** Names one entity alone: `netA:ada`, `url neta.example/p/C1x`. */
  readonly exact?: string;
  /** The last segment of a URL, which may name one entity on each network, as the client does not know their hosts. */
  readonly loose?: { readonly name: string; readonly host: string };
}

/** The names to which a document answers. */
interface NamesOfDocument {
  readonly networks: readonly string[];
  readonly exact: ReadonlySet<string>;
  /** As `exact`, where no document has it for a name: somebody's handle may be the digits of another account's id. */
  readonly byAccountId: ReadonlySet<string>;
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

const qualifiedName = ({ network, name }: { network: string; name: string | null }): string[] =>
  name === null ? [] : [`${network}:${name.toLowerCase()}`];

export const creatorNames: Names<CreatorEntry> = {
  ofId(id, defaultNetwork) {
    if (isUrl(id)) {
      const bare = bareUrl(id);
      return { loose: { name: withoutAt(lastSegment(bare)).toLowerCase(), host: hostOf(bare) } };
    }
    const { network, name } = qualified(id, defaultNetwork);
    return { exact: `${network}:${withoutAt(name).toLowerCase()}` };
  },
  ofDocument({ channels }) {
    const handles = channels.map(({ network, username }) => ({ network, name: username }));
    const accountIds = channels.map(({ network, externalId }) => ({ network, name: externalId }));
    return {
      networks: channels.map(({ network }) => network),
      exact: new Set(handles.flatMap(qualifiedName)),
      byAccountId: new Set(accountIds.flatMap(qualifiedName)),
      loose: new Set(handles.flatMap(({ name }) => name?.toLowerCase() ?? [])),
    };
  },
};

export const postNames: Names<Post> = {
  ofId(id, defaultNetwork) {
    if (isUrl(id)) {
      const bare = bareUrl(id);
      return { exact: `url ${bare}`, loose: { name: lastSegment(bare), host: hostOf(bare) } };
    }
    const { network, name } = qualified(id, defaultNetwork);
    return { exact: `${network}:${name}` };
  },
  ofDocument({ network, url, externalId, netA, netB }) {
    const bare = url === null ? null : bareUrl(url);
    const ids = [externalId, netA.shortcode, netA.netAMediaId, netB.netBVideoId, bare && lastSegment(bare)];
    const names = ids.filter((id) => id !== null);
    return {
      networks: [network],
      exact: new Set([...names.map((name) => `${network}:${name}`), ...(bare === null ? [] : [`url ${bare}`])]),
      byAccountId: new Set(),
      loose: new Set(names),
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

/** Whether a loose name means this one among others: those of a network that the host names, if there are any, else all. */
function isMeant(one: NamesOfDocument, wanted: NamesOfId['loose'], among: readonly NamesOfDocument[]): boolean {
  if (wanted === undefined || !one.loose.has(wanted.name)) return false;
  const named = among.filter(({ loose }) => loose.has(wanted.name));
  const hosted = named.filter(({ networks }) =>
    networks.some((network) => wanted.host.includes(network.toLowerCase())),
  );
  const meant = hosted.length > 0 ? hosted : named;
  return meant.includes(one) && isOneEntity(meant);
}

/**
 * Matches the documents of a batch to the identifiers that they answer, by their names, as the order of `data` means nothing:
 * by exact names first; by an account's id; by loose names where only one entity can be meant; by elimination where one document and one
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

  const match = (one: (typeof found)[number], answers: (wanted: NamesOfId) => boolean): void => {
    one.id = [...unmatched].find(([, wanted]) => answers(wanted))?.[0] ?? null;
    if (one.id !== null) unmatched.delete(one.id);
  };
  for (const one of found) match(one, ({ exact }) => exact !== undefined && one.exact.has(exact));
  for (const one of nameless()) match(one, ({ exact }) => exact !== undefined && one.byAccountId.has(exact));
  for (const one of nameless()) {
    const among = nameless();
    match(one, ({ loose }) => isMeant(one, loose, among));
  }

  for (const [id, { exact, loose }] of unmatched) {
    const isNamed = (one: NamesOfDocument): boolean =>
      exact !== undefined && (one.exact.has(exact) || one.byAccountId.has(exact));
    const answered = found.find((one) => isNamed(one) || isMeant(one, loose, found));
    if (answered === undefined || answered.id === null) continue;
    unmatched.delete(id);
    found.push({ ...answered, id });
  }

  const [last, another] = nameless();
  const [left] = unmatched.keys();
  if (last && !another && left !== undefined && unmatched.size === 1) last.id = left;
  return found.map(({ id, document }) => ({ id, document }));
}
