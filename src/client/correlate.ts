import type { CreatorEntry, Post } from './outcome.ts';

const withoutAt = (text: string): string => text.replace(/^@/, '');
const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);

/** A URL as the service compares it (IDS-09): without scheme, `www.` or `m.`, query, fragment and trailing slash; host in lower case. */
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

/** The names by which a document may answer to an identifier, most telling first. */
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

/**
 * Finds for each document the identifier that it answers. The order of `data` tells nothing, so a pair counts only when a
 * name matches, and two things that alone are left over belong together. Several identifiers may name one entity: each
 * document takes one of them, and where it was answered only once, also those that are left.
 */
export function correlate<Document>(
  ids: readonly string[],
  documents: readonly Document[],
  names: Names<Document>,
  defaultNetwork: string,
): { id: string | null; document: Document }[] {
  const waiting = new Map(ids.map((id) => [id, names.ofId(id, defaultNetwork)]));
  const paired = documents.map((document) => {
    const own = names.ofDocument(document);
    const id = [...waiting].find(([, wanted]) => wanted.some((name) => own.has(name)))?.[0] ?? null;
    if (id !== null) waiting.delete(id);
    return { id, document, own };
  });
  for (const [id, wanted] of waiting) {
    const answered = paired.find(({ own }) => wanted.some((name) => own.has(name)));
    if (answered === undefined) continue;
    waiting.delete(id);
    paired.push({ ...answered, id });
  }
  const alone = paired.filter(({ id }) => id === null);
  const [left] = waiting.keys();
  if (alone.length === 1 && waiting.size === 1 && left !== undefined) alone[0]!.id = left;
  return paired.map(({ id, document }) => ({ id, document }));
}
