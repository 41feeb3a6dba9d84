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

/**
 * The names of what an identifier asks for, and of a document: a document answers an identifier when they have one in common.
 * A name is `netA:ada`, or, for identifiers that are URLs, `profile ada`, `url neta.example/p/C1x` or `last C1x`.
 */
type NamesOfId = (id: string, defaultNetwork: string) => string[];
type NamesOfDocument<Document> = (document: Document) => Set<string>;

function splitQualified(id: string, defaultNetwork: string): { network: string; name: string } {
  const colon = id.indexOf(':');
  return colon < 0 ? { network: defaultNetwork, name: id } : { network: id.slice(0, colon), name: id.slice(colon + 1) };
}

export const creatorNamesOfId: NamesOfId = (id, defaultNetwork) => {
  if (isUrl(id)) return [`profile ${withoutAt(lastSegment(bareUrl(id))).toLowerCase()}`];
  const { network, name } = splitQualified(id, defaultNetwork);
  return [`${network}:${withoutAt(name).toLowerCase()}`];
};

export const namesOfCreator: NamesOfDocument<CreatorEntry> = (creator) => {
  const names = new Set<string>();
  for (const channel of creator.channels) {
    for (const name of [channel.username, channel.externalId]) {
      if (name === null) continue;
      names.add(`${channel.network}:${name.toLowerCase()}`);
      names.add(`profile ${name.toLowerCase()}`);
    }
  }
  return names;
};

export const postNamesOfId: NamesOfId = (id, defaultNetwork) => {
  if (isUrl(id)) return [`url ${bareUrl(id)}`, `last ${lastSegment(bareUrl(id))}`];
  const { network, name } = splitQualified(id, defaultNetwork);
  return [`${network}:${name}`];
};

export const namesOfPost: NamesOfDocument<Post> = (post) => {
  const names = new Set<string>();
  const ids = [post.externalId, post.netA.shortcode, post.netA.netAMediaId, post.netB.netBVideoId];
  for (const name of ids) {
    if (name === null) continue;
    names.add(`${post.network}:${name}`);
    names.add(`last ${name}`);
  }
  if (post.url !== null) {
    names.add(`url ${bareUrl(post.url)}`);
    names.add(`last ${lastSegment(bareUrl(post.url))}`);
    names.add(`${post.network}:${lastSegment(bareUrl(post.url))}`);
  }
  return names;
};

export interface Names<Document> {
  readonly ofId: NamesOfId;
  readonly ofDocument: NamesOfDocument<Document>;
}

/** A document, and the identifier that it answers; null where none could be told. */
export interface Correlated<Document> {
  readonly id: string | null;
  readonly document: Document;
}

/**
 * Matches the documents of a batch to the identifiers that they answer. The order of `data` means nothing, so a document is
 * matched by its names, and by elimination where only one document and one identifier remain. Several identifiers may name
 * one entity: each of its documents takes one of them, and where the service sent the document only once, it answers them all.
 */
export function correlate<Document>(
  ids: readonly string[],
  documents: readonly Document[],
  names: Names<Document>,
  defaultNetwork: string,
): Correlated<Document>[] {
  const unmatched = new Map(ids.map((id) => [id, names.ofId(id, defaultNetwork)]));
  const matched = documents.map((document) => {
    const own = names.ofDocument(document);
    const id = [...unmatched].find(([, wanted]) => wanted.some((name) => own.has(name)))?.[0] ?? null;
    if (id !== null) unmatched.delete(id);
    return { id, document, own };
  });
  for (const [id, wanted] of unmatched) {
    const answered = matched.find(({ own }) => wanted.some((name) => own.has(name)));
    if (answered === undefined) continue;
    unmatched.delete(id);
    matched.push({ ...answered, id });
  }
  const [nameless, another] = matched.filter(({ id }) => id === null);
  const [left] = unmatched.keys();
  if (nameless && !another && left !== undefined && unmatched.size === 1) nameless.id = left;
  return matched.map(({ id, document }) => ({ id, document }));
}
