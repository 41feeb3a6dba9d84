/** Small contract documents for storage tests. */
import type { Analysis, Creator, CreatorPost, Post } from '../model.ts';

type Channel = Creator['channels'][number];

/** A creator whose marketplace-only fields are all observed; `change` overrides netA fields. */
export function creatorOf(username: string, change: object = {}): Creator {
  const netA = {
    name: `The ${username}`,
    gender: 'female',
    ageBucket: '25-34',
    onboardedStatus: true,
    portfolioUrl: 'https://portfolio.example',
    email: `${username}@mail.example`,
    isPaidPartnershipMessagesEnabled: true,
    hasBrandPartnershipExperience: true,
    pastBrandPartnershipPartners: ['Brand'],
    badges: ['b'],
    reach: 10,
    creatorMarketplaceReach: 20,
    creatorEngagedAccounts: 30,
    reelsInteractionRate: 7.2,
    reelsHookRate: 42,
    creatorEngagedAccountsBreakdowns: { gender: [] },
    ...change,
  };
  const channel = {
    network: 'netA',
    externalId: '1',
    username,
    followersCount: 5,
    verified: true,
    country: 'US',
    netA,
    netB: {},
  };
  return { channels: [channel as unknown as Channel] };
}

export function creatorPostOf(id: string): CreatorPost {
  const author = { accountId: '1', username: 'ada', followersCount: 5, verified: true, country: 'US' };
  return { network: 'netA', externalId: id, author } as unknown as CreatorPost;
}

export function postOf(id: string, username: string | null = 'ada'): Post {
  const author = { accountId: '1', username, followersCount: 5, verified: true, country: 'US' };
  return { network: 'netA', externalId: id, text: 'caption 🎈', author } as unknown as Post;
}

export const analysis = { narration: 'tab\tand\nline', transcript: null, languages: ['en'] } as unknown as Analysis;
