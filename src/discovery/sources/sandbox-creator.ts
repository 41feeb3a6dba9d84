import type { Creator, CreatorPost, Instant } from '../../model.ts';
import type { Network } from '../../networks/network.ts';
import { unobservedNetAChannel, unobservedNetBChannel } from '../unobserved.ts';
import { audienceDemographics, engagedAccountsBreakdowns, shares } from './audience.ts';
import { publishes, recentCount, traitOf } from './sandbox-names.ts';
import { seedOf, type Seed } from './seed.ts';
import * as words from './words.ts';

type Channel = Creator['channels'][number];

/** One account of a sandbox world, as its own page and its posts' `author` alike tell it (DOC-09). */
export interface Account {
  readonly network: Network;
  readonly handle: string;
  readonly seed: Seed;
  readonly author: CreatorPost['author'];
  readonly displayName: string;
  readonly topic: string;
  readonly followersCount: number;
  /** Covered by the partner marketplace (netA). */
  readonly inMarketplace: boolean;
}

const millisecondsPerDay = 86_400_000;
const dayOf = (now: Instant): Instant => Math.floor(now / millisecondsPerDay) * millisecondsPerDay;
export const iso = (instant: Instant): string => new Date(instant).toISOString();

export function accountOf(network: Network, handle: string): Account {
  const seed = seedOf(network.name, 'creator', handle);
  const followersCount = Math.round(10 ** (3 + seed.fraction('followers') * 3.5));
  // By the handle alone: whom the marketplace knows, it knows in a checkout with other names for its networks too (GEN-12).
  const inMarketplace = network.name === 'netA' && seedOf('marketplace', handle).chance('partner', 0.7);
  const verified =
    network.name === 'netA' ? inMarketplace && seed.chance('verified', 0.5) : seed.chance('verified', 0.4);
  const country = seed.chance('country.none', 0.1) ? null : seed.pick('country', words.countries);
  const accountId = String(
    1_000_000_000 + seed.whole('account', 0, 4_294_967_295) * 1000 + seed.whole('account.low', 0, 999),
  );
  const displayName = `${seed.pick('first', words.firstNames)} ${seed.pick('last', words.lastNames)}`;
  const topic = seed.pick('topic', words.topics);
  const author = { accountId, username: handle, followersCount, verified, country };
  return { network, handle, seed, author, displayName, topic, followersCount, inMarketplace };
}

const cdn = (account: Account): string => `https://cdn.${account.network.hosts[0]}`;
const biography = ({ seed, topic }: Account): string =>
  `${seed.pick('bio.emoji', words.emojis)} ${topic} and other stories · new every ${seed.pick('bio.day', ['Monday', 'Thursday', 'Sunday'])}`;

/** What the partner marketplace alone knows (DOC-13). */
function marketplaceFields(account: Account, engaged: number): Partial<Channel['netA']> {
  const { seed, handle, followersCount } = account;
  const experienced = seed.chance('partnerships', 0.6);
  return {
    gender: seed.pick('gender', ['male', 'female', 'unknown']),
    ageBucket: seed.pick('age', words.ages),
    onboardedStatus: seed.chance('onboarded', 0.8),
    portfolioUrl: seed.chance('portfolio', 0.5) ? `https://portfolio.example/${handle}` : null,
    email: seed.chance('email', 0.6) ? `hello+${handle}@creators.example` : null,
    isPaidPartnershipMessagesEnabled: seed.chance('messages', 0.7),
    hasBrandPartnershipExperience: experienced,
    pastBrandPartnershipPartners: experienced ? seed.some('partners', seed.whole('partners', 1, 3), words.brands) : [],
    badges: seed.some('badges', seed.whole('badges', 0, 2), words.badges),
    creatorMarketplaceReach: Math.round(followersCount * seed.decimal('marketplace.reach', 0.3, 2)),
    creatorEngagedAccounts: engaged,
    reelsInteractionRate: seed.decimal('reels.interaction', 1, 12),
    reelsHookRate: seed.decimal('reels.hook', 20, 70),
    ...(seed.chance('breakdowns', 0.6) ? { creatorEngagedAccountsBreakdowns: engagedAccountsBreakdowns(seed) } : {}),
  };
}

function netAFields(account: Account, granted: boolean): Channel['netA'] {
  const { seed, handle, followersCount, inMarketplace } = account;
  const engaged = Math.round(followersCount * seed.decimal('engaged', 0.05, 0.4));
  return {
    ...unobservedNetAChannel,
    name: account.displayName,
    biography: biography(account),
    website: seed.chance('website', 0.6) ? `https://${handle.replaceAll(/[^a-z0-9]/g, '')}.site.example/` : null,
    profilePictureUrl: `${cdn(account)}/${handle}/profile.jpg`,
    followsCount: seed.whole('follows', 20, 2500),
    mediaCount: publishes(handle) ? recentCount + seed.whole('media', 0, 900) : 0,
    reach: Math.round(followersCount * seed.decimal('reach', 0.4, 3)),
    hasProfilePic: seed.chance('picture', 0.9),
    isPublished: seed.chance('published', 0.9),
    ...(inMarketplace ? marketplaceFields(account, engaged) : {}),
    ...(granted ? { audienceDemographics: audienceDemographics(seed, engaged) } : {}),
  };
}

const labelled = (seed: Seed, name: string, labels: readonly string[]): { labelId: string; labelName: string }[] =>
  seed.some(name, seed.whole(`${name}.count`, 1, 3), labels).map((labelName) => ({
    labelId: String(1000 + labels.indexOf(labelName)),
    labelName,
  }));

function netBAudience(seed: Seed): Partial<Channel['netB']> {
  return {
    audienceGenders: shares(seed, 'gender', ['female', 'male']).map(({ label, percentage }) => ({
      gender: label,
      percentage,
    })),
    audienceAges: shares(seed, 'age', words.ages).map(({ label, percentage }) => ({ age: label, percentage })),
    audienceCountries: shares(seed, 'countries', words.countries).map(({ label, percentage }) => ({
      country: label,
      percentage,
    })),
    audienceDevices: shares(seed, 'device', ['android', 'ios', 'other']).map(({ label, percentage }) => ({
      device: label,
      percentage,
    })),
    audienceUsages: shares(seed, 'usage', ['heavy', 'regular', 'light']).map(({ label, percentage }) => ({
      usage: label,
      percentage,
    })),
  };
}

function netBFields(account: Account): Channel['netB'] {
  const { seed, handle, followersCount } = account;
  const priced = seed.chance('priced', 0.6);
  const currency = seed.pick('currency', words.currencies);
  const rate = Math.round(followersCount * seed.decimal('rate', 0.005, 0.02));
  return {
    ...unobservedNetBChannel,
    displayName: account.displayName,
    bioDescription: biography(account),
    profileImage: `${cdn(account)}/${handle}/profile.jpg`,
    isBusinessAccount: seed.chance('business', 0.5),
    followingCount: seed.whole('follows', 20, 2500),
    videosCount: publishes(handle) ? recentCount + seed.whole('media', 0, 900) : 0,
    cumulativeLikes: Math.round(followersCount * seed.decimal('likes', 5, 60)),
    medianViews: Math.round(followersCount * seed.decimal('median', 0.1, 2)),
    engagementRate: seed.decimal('engagement', 1, 12),
    creatorPrice: priced ? Math.round(rate * 1.2) : null,
    creatorPriceCurrency: priced ? currency : null,
    creatorRate: seed.chance('listed', 0.5) ? { currency, rate } : null,
    industryLabels: labelled(seed, 'industry', words.industryLabels),
    contentLabels: labelled(seed, 'content', words.contentLabels),
    ...(seed.chance('audience', 0.8) ? netBAudience(seed) : {}),
  };
}

/** Until when the audience-insights grant of an account is live (DOC-14); null: none is held. Moves with the day only. */
export function audienceUntil({ network, seed }: Account, now: Instant): Instant | null {
  if (network.name !== 'netA' || !seed.chance('grant', 0.35)) return null;
  return dayOf(now) + seed.whole('grant.days', 2, 14) * millisecondsPerDay;
}

function bareChannel(network: Network): Channel {
  return {
    network: network.name,
    externalId: null,
    username: null,
    followersCount: null,
    verified: false,
    country: null,
    netA: unobservedNetAChannel,
    netB: unobservedNetBChannel,
    updatedAt: null,
  };
}

/** The creator document of any handle: one channel, the group of its own network filled, the other unobserved (DOC-03). */
export function creatorOf(
  network: Network,
  handle: string,
  now: Instant,
): { document: Creator; audienceUntil: Instant | null } {
  if (traitOf('creator', handle) === 'bare')
    return { document: { channels: [bareChannel(network)] }, audienceUntil: null };
  const account = accountOf(network, handle);
  const until = audienceUntil(account, now);
  const { accountId: externalId, username, followersCount, verified, country } = account.author;
  const groups =
    network.name === 'netA'
      ? { netA: netAFields(account, until !== null), netB: unobservedNetBChannel }
      : { netA: unobservedNetAChannel, netB: netBFields(account) };
  const channel = {
    network: network.name,
    externalId,
    username,
    followersCount,
    verified,
    country,
    ...groups,
    updatedAt: iso(now),
  };
  return { document: { channels: [channel] }, audienceUntil: until };
}
