/** What the checks of DOC look for in one document: its values, its groups, its caption, its media. */
import { headerOf, isObject, shown, type Json } from '../answer.ts';
import { instantOf } from '../contract.ts';
import type { Look } from '../look.ts';
import { objects, type Found } from './check.ts';

export const group = (document: Json, name: string): Json => (isObject(document[name]) ? document[name] : {});

export const flags = ['hasProfilePic', 'isPublished', 'isPaidPartnershipMessagesEnabled'];

/** What the specification itself says comes from the marketplace; others of that source are an implementation's own knowledge. */
export const attested = ['onboardedStatus', 'creatorMarketplaceReach'];

const quarterMilliseconds = 15 * 60_000;
/** Before it nothing of all this was there: the zero of a clock, or a date that nobody set. */
const beginning = Date.UTC(2000);
const quantity = /(?:count|views?|likes|reach|accounts|follows|interactions|replies|exits)$/i;

/** What no type says: a snapshot or a post that is still to come by the target's own clock, as local time called UTC is; fewer than none (our view). */
export function plausible(look: Look, exchange: Found['exchange'], pointer: string, document: Json): void {
  const date = Date.parse(headerOf(exchange.response, 'date') ?? '');
  const now = Math.max(exchange.receivedAt, Number.isNaN(date) ? 0 : date);
  for (const key of ['updatedAt', 'postedAt']) {
    const value = document[key];
    const ahead = typeof value === 'string' ? instantOf(value) - now : 0;
    look.that(
      !(ahead > quarterMilliseconds),
      exchange,
      `${pointer}/${key}`,
      `an instant that has been (it is ${new Date(now).toISOString()})`,
      value,
    );
  }
  const made = document['updatedAt'];
  const unset = typeof made === 'string' && instantOf(made) < beginning;
  look.that(!unset, exchange, `${pointer}/updatedAt`, 'when the snapshot was made, or null', made);
  absolute(look, exchange, `${pointer}/url`, document['url']);
  for (const key of ['externalId', 'username', 'country'])
    look.that(document[key] !== '', exchange, `${pointer}/${key}`, 'null, as it is not known', '', 'ruling');
  for (const part of ['', 'netA', 'netB']) {
    const values = part === '' ? document : group(document, part);
    for (const [key, value] of Object.entries(values))
      if (quantity.test(key) && typeof value === 'number' && value < 0)
        look.fail(exchange, `${pointer}${part && `/${part}`}/${key}`, '0 or more', String(value), 'ruling');
  }
}

export function unattested(look: Look, exchange: Found['exchange'] | undefined, pointer: string, channel: Json): void {
  const { creatorEngagedAccountsBreakdowns, ...netA } = group(channel, 'netA');
  if (!exchange) return;
  const none = (holds: boolean, at: string, value: unknown): void =>
    void look.that(holds, exchange, `${pointer}/${at}`, 'unobserved, as for anyone without the marketplace', value);
  none(channel['verified'] === false, 'verified', channel['verified']);
  const flag = netA['isPaidPartnershipMessagesEnabled'];
  none(flag === false, 'netA/isPaidPartnershipMessagesEnabled', flag);
  for (const key of attested) none(netA[key] === null, `netA/${key}`, netA[key]);
  none(
    creatorEngagedAccountsBreakdowns === undefined,
    'netA/creatorEngagedAccountsBreakdowns',
    creatorEngagedAccountsBreakdowns,
  );
}

export function bothGroups(look: Look, exchange: Found['exchange'], pointer: string, document: Json): void {
  for (const name of ['netA', 'netB'])
    look.that(isObject(document[name]), exchange, `${pointer}/${name}`, 'an object', document[name]);
}

const opaque = ['audienceDemographics', 'creatorEngagedAccountsBreakdowns', 'audienceDistributions'];

/** Ruling of DOC-03: nothing is observed in the group of a network that the document is not of. */
export function foreignGroup(look: Look, { exchange, pointer, document }: Found): void {
  const foreign = document['network'] === 'netA' ? 'netB' : document['network'] === 'netB' ? 'netA' : undefined;
  if (foreign === undefined) return;
  for (const [key, value] of Object.entries(group(document, foreign))) {
    const empty =
      value === null || (Array.isArray(value) && value.length === 0) || (flags.includes(key) && value === false);
    if (opaque.includes(key))
      look.fail(exchange, `${pointer}/${foreign}/${key}`, 'no such key', shown(value), 'ruling');
    else look.that(empty, exchange, `${pointer}/${foreign}/${key}`, 'nothing observed', value, 'ruling');
  }
}

const mentionTypes = ['TAG', 'CAPTION', 'STORY', 'COLLAB', 'PAID_PARTNERSHIP'];

export function captionOf(look: Look, { exchange, pointer, document }: Found, own: Json): void {
  for (const [index, mention] of objects(own['mentions']).entries()) {
    look.that(
      mentionTypes.includes(String(mention['type'])),
      exchange,
      `${pointer}/netA/mentions/${index}/type`,
      `one of ${mentionTypes.join(', ')}`,
      mention['type'],
    );
  }
  const caption = own['caption'] ?? document['text'];
  if (typeof caption !== 'string' || !Array.isArray(own['hashtags'])) return;
  const bare = (tag: string): string => tag.replace(/^[#＃]/, '').toLowerCase();
  // What a hashtag ends at, and whether one begins within a word, each network decides for itself: only plain ones are missed.
  const plain = [...caption.matchAll(/(?<!\S)#([A-Za-z0-9_]*[A-Za-z][A-Za-z0-9_]*)(?=[\s.,!?)]|$)/g)];
  const inCaption = plain.map(([, tag]) => bare(tag ?? ''));
  const listed = (own['hashtags'] as unknown[]).map((tag) => bare(String(tag)));
  for (const tag of listed)
    look.that(
      caption.replaceAll('＃', '#').toLowerCase().includes(`#${tag}`),
      exchange,
      `${pointer}/netA/hashtags`,
      `hashtags of the caption ${shown(caption)}`,
      tag,
    );
  for (const tag of inCaption)
    look.that(listed.includes(tag), exchange, `${pointer}/netA/hashtags`, `#${tag}, which is in the caption`, listed);
}

/** Our view: an address is one that any client can open. */
function absolute(look: Look, exchange: Found['exchange'], pointer: string, url: unknown): void {
  if (typeof url === 'string') look.that(URL.canParse(url), exchange, pointer, 'an absolute URL', url, 'ruling');
}

export function mediaOf(look: Look, exchange: Found['exchange'], pointer: string, document: Json): void {
  const { media, mediaKind } = document;
  if (!look.that(Array.isArray(media), exchange, `${pointer}/media`, 'an array', media)) return;
  for (const [index, node] of (media as unknown[]).entries()) {
    for (const key of ['mediaUrl', 'thumbnailUrl']) {
      const url = isObject(node) ? node[key] : undefined;
      look.that(
        url === null || (typeof url === 'string' && url !== ''),
        exchange,
        `${pointer}/media/${index}/${key}`,
        'a URL, or null while it is unavailable',
        url,
      );
      absolute(look, exchange, `${pointer}/media/${index}/${key}`, url);
    }
  }
  if (mediaKind === 'carousel')
    look.that(
      (media as unknown[]).length >= 2,
      exchange,
      `${pointer}/media`,
      'an entry for each node of a carousel',
      (media as unknown[]).length,
      'ruling',
    );
}
