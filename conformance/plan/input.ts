/** Input that has to be refused, or to be answered without any document (phase 2). */
import { unknownHost } from './identifiers.ts';
import { creatorPath, json, operationPath, query, type Planner } from './planner.ts';
import type { Fixtures } from './fixtures.ts';

export function planSingleInput(planner: Planner, { a, unsupported }: Fixtures): void {
  const url = a.postUrl(a.post.held) ?? unknownHost;
  const phase = 2;
  const { strict } = planner;
  planner.add({
    step: 'creator-unsupported',
    phase,
    operation: 'getCreator',
    path: strict ? `/api/v1/creators/${unsupported}/some%21one` : creatorPath(unsupported, 'someone'),
    purpose: 'a network that is not supported',
    rules: ['CRE-05', 'CRE-10', 'GEN-08'],
  });
  planner.add({
    step: 'creator-include',
    phase,
    operation: 'getCreator',
    path: creatorPath(a.name, a.held ?? 'someone', { include: 'posts,nonsense' }),
    purpose: 'an include that there is not',
    rules: ['CRE-07'],
  });
  planner.add({
    step: 'posts-include',
    phase,
    operation: 'getPosts',
    path: `/api/v1/posts${query({ url, include: 'transcript,nonsense' })}`,
    purpose: 'an include that there is not',
    rules: ['PST-05'],
  });
  planner.add({
    step: 'posts-both',
    phase,
    operation: 'getPosts',
    path: `/api/v1/posts${query({ url, ids: `${unsupported}:1` })}`,
    purpose: 'url and ids together',
    rules: ['PST-03'],
  });
  planner.add({
    step: 'posts-neither',
    phase,
    operation: 'getPosts',
    path: strict ? '/api/v1/posts?ids[]=a' : '/api/v1/posts',
    purpose: 'neither url nor ids',
    rules: ['PST-03', 'IDS-14'],
  });
  planner.add({
    step: 'post-unknown-url',
    phase,
    operation: 'getPosts',
    path: `/api/v1/posts${query({ url: unknownHost })}`,
    purpose: 'a URL of no supported network',
    rules: ['PST-07', 'IDS-07'],
  });
}

export function planBatchInput(planner: Planner, { unsupported, unique, target }: Fixtures): void {
  const hundredOne = Array.from({ length: 101 }, (_, number) => `${unsupported}:over-${number}`);
  const repeated = [...hundredOne.slice(0, 100), `${unsupported}:over-0`];
  const phase = 2;
  const { strict } = planner;
  const asOrg = strict ? target.organizations.withoutRole : undefined;
  planner.add({
    step: 'creators-empty',
    phase,
    operation: 'listCreators',
    path: `/api/v1/creators${query({ ids: ' ,, ', asOrg })}`,
    purpose: 'ids with nothing in it',
    rules: ['IDS-05', 'AUT-10'],
  });
  if (!strict)
    planner.add({
      step: 'creators-missing-ids',
      phase,
      operation: 'listCreators',
      path: '/api/v1/creators',
      purpose: 'no ids',
      rules: ['IDS-05'],
    });
  planner.add({
    step: 'creators-101',
    phase,
    operation: 'batchCreators',
    path: operationPath.batchCreators,
    ...json({ ids: strict ? repeated : hundredOne }),
    purpose: strict ? '101 identifiers, one of them twice' : '101 identifiers',
    rules: ['IDS-05', 'IDS-11'],
  });
  planner.add({
    step: 'posts-101',
    phase,
    operation: 'getPosts',
    path: `/api/v1/posts${query({ ids: hundredOne.join(',') })}`,
    purpose: '101 identifiers in a query',
    rules: ['IDS-05'],
  });
  planner.add({
    step: 'creators-101-get',
    phase,
    operation: 'listCreators',
    path: `${operationPath.listCreators}${query({ ids: hundredOne.join(',') })}`,
    purpose: '101 identifiers in a query',
    rules: ['IDS-05'],
  });
  planner.add({
    step: 'posts-101-post',
    phase,
    operation: 'batchPosts',
    path: operationPath.batchPosts,
    ...json({ ids: hundredOne }),
    purpose: '101 identifiers',
    rules: ['IDS-05'],
  });
  planner.add({
    step: 'posts-none',
    phase,
    operation: 'batchPosts',
    path: operationPath.batchPosts,
    ...json({ ids: [] }),
    purpose: 'an empty list',
    rules: ['IDS-05'],
  });
  // Anybody who parses, decodes, shortens or normalizes what he echoes changes this one: an é in one character, and one in two.
  const touchy = `https://unknown.invalid:443/a+b%2Cc/\u00e9e\u0301\u{1F600}/${'y'.repeat(260)}?D=%20e#F`;
  const long = Array.from(
    { length: 98 },
    (_, number) => `https://unknown.invalid/${unique}/${number}/${'x'.repeat(strict ? 585 : 20)}`,
  );
  const identifiers = [touchy, 'someone', ...long];
  planner.add({
    step: 'creators-long',
    phase,
    operation: 'listCreators',
    path: `/api/v1/creators?network=${unsupported}&ids=${identifiers.map(encodeURIComponent).join(',')}`,
    identifiers,
    purpose: `99 percent-encoded URLs by GET${strict ? ', 64 KiB of them' : ''}, and a bare one under a network that is not supported`,
    rules: ['GEN-11', 'IDS-05', 'IDS-06', 'IDS-07', 'CRB-05'],
  });
  planner.add({
    step: 'creators-not-json',
    phase,
    operation: 'batchCreators',
    method: 'POST',
    path: operationPath.batchCreators,
    body: '{"ids": ["a"',
    contentType: 'application/json',
    purpose: 'a body that is not JSON',
    rules: ['CRB-08'],
  });
  planner.add({
    step: 'posts-ids-string',
    phase,
    operation: 'batchPosts',
    path: operationPath.batchPosts,
    ...json({ ids: `${unsupported}:1` }),
    purpose: 'ids that is no array',
    rules: ['CRB-08'],
  });
}
