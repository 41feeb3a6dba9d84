/** Reads that start discoveries (phase 1) and reads that find them settled (phase 3). */
import { creatorIdentifiers, decorated, foreignPadding, on, otherNames, postIdentifiers } from './identifiers.ts';
import { creatorPath, json, present, query, type Planner } from './planner.ts';
import { planCreatorSpellings, planPostSpellings } from './spellings.ts';
import type { Fixtures } from './fixtures.ts';

export const analysisKeys = [
  'narration',
  'transcript',
  'overlayText',
  'languages',
  'aestheticTags',
  'brandSafety',
  'commercialAnalysis',
  'emotionalAnalysis',
  'productionAnalysis',
  'vibeAnalysis',
  'subjectAnalysis',
  'commentSentimentLabel',
  'commentSentimentScore',
  'commentSentimentSummary',
  'commentSentimentRationale',
  'commentSentimentThemes',
  'commentSentimentBreakdown',
  'commentSentimentTotalCommentCount',
  'commentSentimentRelevantCommentCount',
] as const;

/** An origin that no setting names. */
export const strangeOrigin = 'https://elsewhere.invalid';
/** Sent with two requests, so that an answer which only repeats it is not unique (GEN-02). */
const ownRequestId = ['x-request-id', 'named-by-the-caller'] as const;
/** Capital and percent-encoded where a ruling lets the target tell them apart (CRE-09). */
const spelled = (handle: string | undefined, strict: boolean): string | undefined =>
  strict && handle !== undefined ? `${handle.charAt(0).toUpperCase()}${handle.slice(1)}` : handle;

export function planDiscoveries(planner: Planner, fixtures: Fixtures): void {
  const { a, b, target } = fixtures;
  const creators = creatorIdentifiers(fixtures);
  planner.add({
    step: 'creators-batch',
    phase: 1,
    operation: 'batchCreators',
    path: '/api/v1/creators/batch',
    ...json({ ids: creators, asProfile: target.profiles.own, ...(planner.strict ? { network: '' } : {}) }),
    identifiers: creators,
    polls: 1,
    purpose: 'a batch of creators in every state and form, by POST',
    rules: ['CRB-01', 'CRB-02', 'IDS-01', 'IDS-03', 'ORG-06', 'ORG-08'],
  });
  const handle = spelled(b.notHeld(3), planner.strict);
  planner.add({
    step: 'creator-fetch',
    phase: 1,
    operation: 'getCreator',
    needs: { 'template of not held creators on netB': handle },
    path: creatorPath(b.name, handle ?? '', { asProfile: target.profiles.own }).replace(
      '-',
      planner.strict ? '%2D' : '-',
    ),
    polls: 2,
    facts: { id: handle ?? '', network: b.name, name: handle ?? '' },
    purpose: 'a creator that nobody asked for before',
    rules: ['CRE-02', 'CRE-03', 'CRE-09', 'ORG-06'],
  });
  const url = a.postUrl(a.notHeldPost(2));
  planner.add({
    step: 'post-fetch',
    phase: 1,
    operation: 'getPosts',
    needs: { 'template of not held posts on netA': url },
    path: `/api/v1/posts${query({ url })}`,
    polls: 2,
    facts: { id: url ?? '', network: a.name, name: a.notHeldPost(2) ?? '' },
    purpose: 'a post that nobody asked for before, by its URL',
    rules: ['PST-01', 'CRE-09'],
  });
  const posts = postIdentifiers(fixtures);
  planner.add({
    step: 'posts-batch',
    phase: 1,
    operation: 'batchPosts',
    path: '/api/v1/posts/batch',
    ...json({ ids: posts, asProfile: target.profiles.own }),
    identifiers: posts,
    polls: 1,
    purpose: 'a batch of posts in every state and form, by POST',
    rules: ['PST-02', 'PST-06', 'PST-08', 'ORG-06'],
  });
}

export function planSettled(planner: Planner, fixtures: Fixtures): void {
  planSettledCreators(planner, fixtures);
  planSettledPosts(planner, fixtures);
}

function planSettledCreators(planner: Planner, fixtures: Fixtures): void {
  const { a, b, target } = fixtures;
  const { strict } = planner;
  const same = creatorIdentifiers(fixtures);
  planner.add({
    step: 'creators-get',
    phase: 3,
    operation: 'listCreators',
    path: `/api/v1/creators${query({ ids: same.join(','), asProfile: target.profiles.own, ...(strict ? { network: '' } : {}) })}`,
    identifiers: same,
    purpose: 'the batch of creators again, by GET',
    rules: ['CRB-07'],
  });
  planner.add({
    step: 'creator-held',
    phase: 3,
    operation: 'getCreator',
    needs: { 'held creator on netB': b.held },
    path: creatorPath(b.name, b.held ?? '', strict ? { asOrg: target.organizations.own } : {}),
    facts: { network: b.name, name: b.held ?? '' },
    ...(strict ? { headers: [['If-None-Match', '*'], ownRequestId] } : {}),
    purpose: 'a creator that is held',
    rules: ['CRE-01', 'CRE-06', 'ORG-05', 'GEN-10'],
  });
  planner.add({
    step: 'creator-head',
    phase: 3,
    strictOnly: true,
    operation: null,
    method: 'HEAD',
    needs: { 'held creator on netA': a.held },
    path: creatorPath(a.name, `@${(a.held ?? '').toUpperCase()}`),
    authorization: ['bearer   $TOKEN'],
    purpose: 'HEAD of a held creator in capitals behind an @, the scheme in small letters and three blanks',
    rules: ['GEN-07', 'AUT-12', 'IDS-09'],
  });
  planner.add({
    step: 'creator-posts',
    phase: 3,
    operation: 'getCreator',
    needs: { 'held creator on netA': a.held },
    path: creatorPath(a.name, a.held ?? '', { include: strict ? ' posts,, posts' : 'posts' }),
    facts: { network: a.name, name: a.held ?? '' },
    ...(strict ? { headers: [['Origin', strangeOrigin], ownRequestId] } : {}),
    purpose: 'a held creator with its posts',
    rules: ['CRE-06', 'CRE-08', 'DOC-09', 'PST-09', 'GEN-13'],
  });
  planner.add({
    step: 'creator-missing',
    phase: 3,
    operation: 'getCreator',
    needs: { 'missing creator on netA': a.missing },
    path: creatorPath(a.name, a.missing ?? ''),
    facts: { network: a.name, name: a.missing ?? '' },
    purpose: 'a creator that cannot be had',
    rules: ['CRE-04', 'ERR-03'],
  });
  planner.add({
    step: 'creator-broken',
    phase: 3,
    operation: 'getCreator',
    needs: { "creator on netA that fails on the service's side": a.broken },
    path: creatorPath(a.name, a.broken ?? ''),
    facts: { network: a.name, name: a.broken ?? '' },
    purpose: "a creator that fails on the service's side",
    rules: ['CRE-04', 'CRB-06'],
  });
  planOtherCreators(planner, fixtures);
  planCreatorSpellings(planner, fixtures);
}

const longestHandle = 100;

/** The other spelling of each identifier, under another default network, with blanks and empty pieces, in another order. */
function planOtherCreators(planner: Planner, { a, b, target }: Fixtures): void {
  const again = otherNames([
    [a.notHeld(1), a.profileUrl(a.notHeld(1))],
    [on(b.name, b.notHeld(1)), b.notHeld(1)],
  ]);
  const longest = on(a.name, planner.strict ? a.notHeld(4)?.padEnd(longestHandle, 'x') : undefined);
  const ids = present([
    b.notHeld(5),
    longest ?? on(a.name, a.notHeld(4)),
    b.silent,
    on(a.name, a.bare),
    on(a.name, a.missing),
    b.held,
    on(a.name, a.held),
    ...again.names,
  ]);
  const [first = '', ...rest] = ids;
  const repeated = planner.strict
    ? `${query({ ids: ` ${first} , ,` })}&${query({ ids: ` ${rest.join(' , ')},, ` }).slice(1)}`
    : query({ ids: ` ${first} , , ${rest.join(' , ')},, ` });
  const others = query({
    network: b.name,
    include: 'posts',
    asOrg: target.organizations.member,
    ...(planner.strict ? { nonsense: '1', 'ids[]': 'x' } : {}),
  });
  planner.add({
    step: 'creators-other',
    phase: 3,
    operation: 'listCreators',
    needs: { 'held creator on netB': b.held, 'held creator on netA': a.held },
    path: `/api/v1/creators${repeated}&${others.slice(1)}`,
    identifiers: ids,
    facts: { network: b.name, before: again.before, again: again.names, longest: longest ?? [] },
    purpose: 'creators in their other spelling, some of them new, with blanks and empty pieces, by GET',
    rules: ['IDS-01', 'IDS-02', 'IDS-04', 'ORG-01', 'CRB-03', 'CRB-04', 'CRB-05', 'GEN-06', 'IDS-14', 'CRE-10'],
  });
}

function planSettledPosts(planner: Planner, fixtures: Fixtures): void {
  const { a, b, target } = fixtures;
  const same = postIdentifiers(fixtures);
  const { delegated } = target.organizations;
  planner.add({
    step: 'posts-get',
    phase: 3,
    operation: 'getPosts',
    path: `/api/v1/posts${query({ ids: same.join(','), include: 'transcript,brandSafety', asProfile: target.profiles.own })}`,
    identifiers: same,
    facts: { include: ['transcript', 'brandSafety'] },
    purpose: 'the batch of posts again, by GET and with analysis',
    rules: ['PST-02', 'PST-04', 'CRB-07', 'ORG-06'],
  });
  const [one, ...more] = analysisKeys;
  const include = planner.strict ? ` ${more.join(' , ')},,${more[0]} ` : analysisKeys.join(',');
  planner.add({
    step: 'post-analysis',
    phase: 3,
    operation: 'getPosts',
    needs: { 'held post on netA': a.postUrl(a.post.held) },
    path: `/api/v1/posts${query({ url: planner.strict ? decorated(a.postUrl(a.post.held)) : a.postUrl(a.post.held), include, asOrg: delegated, ...(planner.strict && delegated ? { asProfile: target.profiles.own } : {}) })}${planner.strict ? `&include=${one}` : ''}`,
    facts: { include: [...analysisKeys], network: a.name, name: a.post.held ?? '' },
    purpose: 'a held post with all of its analysis',
    rules: ['PST-01', 'PST-04', 'PST-09', 'IDS-14', 'ORG-02', 'ORG-09', 'DOC-11', 'IDS-09'],
  });
  planner.add({
    step: 'post-missing',
    phase: 3,
    operation: 'getPosts',
    needs: { 'missing post on netA': a.postUrl(a.post.missing) },
    path: `/api/v1/posts${query({ url: a.postUrl(a.post.missing) })}`,
    facts: { network: a.name, name: a.post.missing ?? '' },
    purpose: 'a post that cannot be had',
    rules: ['PST-01', 'PST-08', 'ERR-03'],
  });
  const again = otherNames([[on(b.name, b.notHeldPost(1)), b.notHeldPost(1)]]);
  const special = present([
    b.notHeldPost(5),
    a.postUrl(a.notHeldPost(4)),
    b.post.held,
    a.postUrl(a.post.held),
    on(a.name, a.post.missing),
    ...again.names,
  ]);
  const ids = [...special, ...foreignPadding(100 - special.length, fixtures)];
  planner.add({
    step: 'posts-other',
    phase: 3,
    operation: 'getPosts',
    needs: { 'held post on netB': b.post.held },
    path: `/api/v1/posts?ids=${encodeURIComponent(` ${ids.join(' , ')}, ,`)}&network=${b.name}`,
    identifiers: ids,
    facts: { network: b.name, before: again.before, again: again.names },
    purpose: '100 posts by GET, in their other spelling, some of them new, the commas percent-encoded',
    rules: ['IDS-01', 'IDS-02', 'IDS-04', 'IDS-05', 'PST-02', 'CRB-04', 'ORG-08'],
  });
  planPostSpellings(planner, fixtures);
}
