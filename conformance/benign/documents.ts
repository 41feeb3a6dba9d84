/** Legal but unusual documents: what may be unknown, new or written otherwise. */
import { batch, channels, creatorPosts, documents, failure, isMiss, posts, type Any } from '../faults/edit.ts';
import type { AlterableResponse } from '../model.ts';
import { rewritten, type Row } from './variant.ts';

const instants = ['updatedAt', 'postedAt', 'retryAfter'];
const instant =
  (edit: (text: string) => string) =>
  (r: AlterableResponse): void => {
    rewritten(r, (key, value) => (instants.includes(key) && typeof value === 'string' ? edit(value) : value));
  };

const shifted = (text: string, minutes: number): string =>
  new Date(Date.parse(text) + minutes * 60_000).toISOString().replace('Z', '+05:30');

const unobserved = (group: Any, but: readonly string[]): void => {
  for (const key of Object.keys(group))
    if (!but.includes(key) && typeof group[key] !== 'boolean' && !Array.isArray(group[key])) group[key] = null;
};

const secondChannel = (r: AlterableResponse): void =>
  documents(r, (one) => {
    if (one.channels?.length !== 1) return;
    one.channels.push({
      ...structuredClone(one.channels[0]),
      externalId: 'second-channel',
      username: 'second_channel',
    });
  });

const newReason = (r: AlterableResponse, q: Any): void => {
  batch(r, q, (body) =>
    body.unavailable.forEach((one: Any) => {
      if (one.reason === 'account-not-discoverable') one.reason = 'account-suspended';
    }),
  );
  if (isMiss(r))
    failure(r, (error) => {
      if (error.details.reason === 'account-not-discoverable') error.details.reason = 'account-suspended';
    });
};

/** A caption of netA with its hashtags. */
const captioned =
  (caption: string, hashtags: readonly string[]) =>
  (r: AlterableResponse): void =>
    posts(r, (one) => {
      if (one.network !== 'netA' || one.text === null) return;
      one.text = one.netA.caption = caption;
      one.netA.hashtags = hashtags;
    });

export const unusualDocuments: readonly Row[] = [
  { name: 'a reason nobody knows', alter: newReason },
  {
    name: 'a gender and an age range nobody knows',
    alter: (r) =>
      channels(r, (one) => {
        if (one.netA.gender !== null) {
          one.netA.gender = 'nonbinary';
          one.netA.ageBucket = '70+';
        }
      }),
  },
  { name: 'a badge nobody knows', alter: (r) => channels(r, (one) => one.netA.badges?.push('brand-new-badge')) },
  {
    name: 'raw kinds nobody knows',
    alter: (r) =>
      posts(r, (one) => {
        if (one.netA.mediaProductType !== null) one.netA.mediaProductType = 'THREAD';
      }),
  },
  {
    name: 'everything of a channel that may be null is',
    alter: (r) =>
      channels(r, (one) => {
        unobserved(one.netA, []);
        unobserved(one.netB, []);
        one.country = null;
        one.followersCount = null;
      }),
  },
  {
    name: 'a snapshot does not say when it was made',
    alter: (r) => rewritten(r, (key, value) => (key === 'updatedAt' ? null : value)),
  },
  {
    name: 'every asset is unavailable',
    alter: (r) => rewritten(r, (key, value) => (key === 'mediaUrl' || key === 'thumbnailUrl' ? null : value)),
  },
  {
    name: 'metrics of posts are null',
    alter: (r) =>
      creatorPosts(r, (one) => {
        for (const key of ['likeCount', 'commentCount', 'viewCount', 'shareCount', 'saveCount']) one[key] = null;
      }),
  },
  {
    name: 'the opaque groups are absent',
    alter: (r) => {
      channels(r, (one) => {
        delete one.netA.audienceDemographics;
        delete one.netA.creatorEngagedAccountsBreakdowns;
      });
      posts(r, (one) => delete one.netB.audienceDistributions);
    },
  },
  {
    name: 'the opaque groups have an odd shape',
    alter: (r) => {
      channels(r, (one) => {
        if (one.network === 'netA') one.netA.audienceDemographics = [7, { a: [] }, 'x'];
      });
      posts(r, (one) => {
        if (one.network === 'netB') one.netB.audienceDistributions = 'withheld';
      });
    },
  },
  {
    name: 'opaque analysis is a list',
    alter: (r) =>
      posts(r, (one) => {
        for (const key of ['vibeAnalysis', 'subjectAnalysis'])
          if (key in (one.analysis ?? {})) one.analysis[key] = [1, 'two'];
      }),
  },
  { name: 'timestamps are in another zone', alter: instant((text) => shifted(text, 330)) },
  {
    name: 'timestamps have six places',
    alter: instant((text) =>
      text.replace(/(\.\d+)?Z$/, (_, places: string | undefined) => `${(places ?? '.').padEnd(7, '0')}Z`),
    ),
  },
  { name: 'timestamps have no places', alter: instant((text) => text.replace(/\.\d+(?=Z$)/, '')) },
  { name: 'creators have two channels', alter: secondChannel },
  {
    name: 'a channel of a network nobody knows',
    alter: (r) =>
      documents(r, (one) => {
        if (one.channels?.length === 1)
          one.channels.push({ ...structuredClone(one.channels[0]), network: 'netC', externalId: 'c', username: 'c' });
      }),
  },
  { name: 'usernames are not known', alter: (r) => channels(r, (one) => void (one.username = null)) },
  {
    name: 'an author is not known',
    alter: (r) => posts(r, (one) => Object.keys(one.author).forEach((key) => (one.author[key] = null))),
  },
  {
    name: 'the organization acted for has other marketplace credentials',
    alter: (r, q) => {
      if (/[?&]asOrg=/.test(q.path))
        posts(r, (one) => one.network === 'netA' && (one.author.verified = !one.author.verified));
    },
  },
  { name: 'an address has a fragment in a caption', alter: captioned('https://a.example/#top #Sea', ['Sea']) },
  { name: 'hashtags stand together in a caption', alter: captioned('#one#two C#sharp it&#39;s', ['one', 'two']) },
  { name: 'hashtags have wide signs', alter: captioned('＃wide #café', ['wide', 'café']) },
  {
    name: 'addresses are signed anew in each answer',
    alter: (r, _, state) => {
      const reads = Number(state.get('reads') ?? 0) + 1;
      state.set('reads', reads);
      rewritten(r, (key, value) =>
        /^(?:mediaUrl|thumbnailUrl|profilePictureUrl|profileImage)$/.test(key) && value !== null
          ? `${value}?signature=${reads}`
          : value,
      );
    },
  },
  {
    name: 'a failure of the service has a reason nobody knows',
    alter: (r, q) => {
      const edit = (one: Any): void => {
        if (one.retryable) one.reason = 'upstream-timeout';
      };
      batch(r, q, (body) => body.unavailable.forEach(edit));
      if (isMiss(r)) failure(r, ({ details }) => edit(details));
    },
  },
];
