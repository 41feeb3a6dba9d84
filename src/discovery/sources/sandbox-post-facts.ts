import type { Post } from '../../model.ts';
import type { Network } from '../../networks/network.ts';
import { accountOf, iso, type Account } from './sandbox-creator.ts';
import { recentCount, recentPostOf, traitOf } from './sandbox-names.ts';
import { seedOf, type Seed } from './seed.ts';
import * as words from './words.ts';

type Product = 'feed' | 'reel' | 'story';

/** All that a post's fields are drawn from, those of its document as those of its network's group. */
export interface Facts {
  readonly network: Network;
  readonly name: string;
  readonly seed: Seed;
  readonly account: Account;
  readonly kind: NonNullable<Post['mediaKind']>;
  readonly product: Product;
  readonly url: string;
  readonly postedAt: string;
  readonly text: string;
  readonly hashtags: string[];
  readonly mentioned: string[];
  readonly views: number;
  readonly paidViews: number;
  readonly counts: Counts;
}

/** Organic and paid counts; likes are null where the author hides them. */
interface Counts {
  readonly likes: number | null;
  readonly paidLikes: number;
  readonly comments: number;
  readonly paidComments: number;
  readonly shares: number;
  readonly saves: number;
}

const hour = 3_600_000;
/** The sandbox stands still: no post is younger, so that one says the same whenever it is discovered (DOC-09). */
const lastPublished = Date.UTC(2026, 0, 1);

/** The newest of an author less than two days before the last, each next one to three days older. */
function postedAtOf(name: string, seed: Seed): string {
  const position = recentPostOf(name)?.index ?? seed.whole('position', 0, recentCount - 1);
  return iso(lastPublished - (position * 48 + seed.whole('hours', 1, 47)) * hour);
}

function kindOf(network: Network, name: string, seed: Seed): Pick<Facts, 'kind' | 'product'> {
  const trait = traitOf('post', name);
  if (trait === 'carousel') return { kind: 'carousel', product: 'feed' };
  if (trait === 'story') return { kind: 'video', product: 'story' };
  if (trait === 'reel') return { kind: 'video', product: 'reel' };
  if (trait === 'image') return { kind: 'image', product: 'feed' };
  if (trait === 'video' || network.name !== 'netA') return { kind: 'video', product: 'feed' };
  const draw = seed.fraction('kind');
  if (draw < 0.5) return { kind: 'video', product: 'reel' };
  return { kind: draw < 0.75 ? 'image' : 'carousel', product: 'feed' };
}

/** Author of a post that nobody's recent list names: an account whose handle follows from the post's name. */
function strangerHandle(seed: Seed): string {
  const first = seed.pick('author.first', words.firstNames).toLowerCase();
  return `${first}.${seed.pick('author.last', words.lastNames).toLowerCase()}${seed.whole('author.number', 1, 99)}`;
}

function captionOf(seed: Seed, account: Account): Pick<Facts, 'text' | 'hashtags' | 'mentioned'> {
  const hashtags = [...seed.some('tags', seed.whole('tags', 0, 4), words.hashtags), account.topic.replaceAll(' ', '')];
  const mentioned = seed.chance('mention', 0.4) ? [strangerHandle(seed)] : [];
  const opening = seed.pick('opening', words.openings);
  const sentence = opening.replace('{topic}', account.topic).replace('{day}', String(seed.whole('day', 2, 29)));
  const credit = mentioned.map((handle) => `with @${handle}`);
  const text = [sentence, ...credit, hashtags.map((tag) => `#${tag}`).join(' ')].join('\n');
  return {
    text: seed.chance('emoji', 0.5) ? `${seed.pick('emoji', words.emojis)} ${text}` : text,
    hashtags,
    mentioned,
  };
}

function countsOf(seed: Seed, views: number, paidViews: number): Counts {
  const part = (label: string, of: number, low: number, high: number): number =>
    Math.round(of * (low + seed.fraction(label) * (high - low)));
  return {
    likes: seed.chance('hidden', 0.07) ? null : part('likes', views, 0.02, 0.15),
    paidLikes: part('likes.paid', paidViews, 0.005, 0.03),
    comments: part('comments', views, 0.001, 0.02),
    paidComments: part('comments.paid', paidViews, 0.0005, 0.005),
    shares: part('shares', views, 0.001, 0.02),
    saves: part('saves', views, 0.002, 0.03),
  };
}

export function factsOf(network: Network, name: string): Facts {
  const seed = seedOf(network.name, 'post', name);
  const account = accountOf(network, recentPostOf(name)?.handle ?? strangerHandle(seed));
  const views = Math.max(20, Math.round(account.followersCount * seed.decimal('views', 0.05, 2)));
  const paidViews = seed.chance('paid', 0.15) ? Math.round(views * seed.decimal('views.paid', 0.1, 1)) : 0;
  return {
    network,
    name,
    seed,
    account,
    ...kindOf(network, name, seed),
    url: network.postUrl(name, account.handle),
    postedAt: postedAtOf(name, seed),
    ...captionOf(seed, account),
    views,
    paidViews,
    counts: countsOf(seed, views, paidViews),
  };
}

/** A total; unknown where the organic part is, since the author hides it. */
export const organicAndPaid = (organic: number | null, paid: number): number | null =>
  organic === null ? null : organic + paid;
