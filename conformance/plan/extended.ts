/**
 * The extended profile: what the core one has no room for, at most 45 requests of any one principal, most of them of one that
 * the core one does not know. Almost all of it is one table: a request, and how it has to be answered.
 */
import { addresses, bodies, handles, paths, repeats, siblings } from './asked.ts';
import { credentials, onEachOperation, organizations } from './callers.ts';
import { list, posts, type Case } from './case.ts';
import type { Fixtures } from './fixtures.ts';
import { on } from './identifiers.ts';
import { creatorPath, json, operationPath, present, query, type Planner } from './planner.ts';

/** Rules that no other profile shows. */
export const extendedAlone: ReadonlySet<string> = new Set(['DOC-13', 'STA-04']);

export function planExtended(planner: Planner, fixtures: Fixtures): void {
  planEarly(planner, fixtures);
  planBrokenPost(planner, fixtures);
  planDeep(planner, fixtures);
  planFetchingAlone(planner, fixtures);
  planSilent(planner, fixtures);
  const cases = [
    ...credentials(fixtures),
    ...organizations(fixtures),
    ...onEachOperation(fixtures),
    ...siblings(fixtures),
    ...handles(fixtures),
    ...repeats(fixtures),
    ...bodies(fixtures),
    ...addresses(fixtures),
    ...paths(fixtures),
  ];
  for (const one of cases) addCase(planner, one);
  planMarketplace(planner, fixtures);
}

function addCase(planner: Planner, { step, rules, purpose, request, role, level = 'ruling', ...expected }: Case): void {
  planner.add({
    phase: 2,
    role: role ?? 'otherPrincipal',
    ...request,
    step: `more-${step}`,
    purpose,
    rules,
    strictOnly: level === 'ruling',
    facts: { ...expected, level },
  });
}

/** PST-06: true is taken too; IDS-06: bare under a network that nobody supports, so nothing is taken in. */
function planDeep(planner: Planner, { unsupported }: Fixtures): void {
  const identifiers = ['someone'];
  const network = unsupported;
  planner.add({
    step: 'deep-accepted',
    phase: 2,
    role: 'otherPrincipal',
    operation: 'batchPosts',
    path: operationPath.batchPosts,
    ...json({ ids: identifiers, network, creatorDeepAnalysis: true }),
    identifiers,
    purpose: 'creatorDeepAnalysis that is true',
    rules: ['PST-06', 'IDS-06'],
  });
}

/** CRB-01, PST-02: where all that is asked for has to be waited for, a batch is 200 all the same, also of one identifier; IDS-06: it has a network of its own. */
function planFetchingAlone(planner: Planner, { a, unsupported }: Fixtures): void {
  const [creator, post] = [a.notHeld(6), a.notHeldPost(6)];
  planner.add({
    step: 'one-post',
    phase: 2,
    role: 'otherPrincipal',
    needs: { 'template of not held posts on netA': post },
    ...posts({ ids: `${a.name}:${post}`, network: unsupported }),
    identifiers: present([on(a.name, post)]),
    purpose: 'a list of one post that nobody asked for before',
    rules: ['PST-02', 'IDS-06'],
  });
  planner.add({
    step: 'one-creator',
    phase: 2,
    role: 'creatorsOnly',
    needs: { 'template of not held creators on netA': creator },
    ...list(`${a.name}:${creator}`, { network: unsupported }),
    identifiers: present([on(a.name, creator)]),
    purpose: 'a list of one creator that nobody asked for before',
    rules: ['CRB-01', 'IDS-06'],
  });
}

/** CRE-06: no posts are an empty list. */
function planSilent(planner: Planner, { a }: Fixtures): void {
  planner.add({
    step: 'creator-silent',
    phase: 1,
    role: 'creatorsOnly',
    operation: 'getCreator',
    needs: { 'creator without posts on netA': a.silent },
    path: creatorPath(a.name, a.silent ?? '', { include: 'posts' }),
    polls: 1,
    purpose: 'a creator without posts, with its posts',
    rules: ['CRE-06'],
  });
}

/** CRB-06: what fails on the service's side says so alone as well; of netB, as the core profile reads netA by URL. */
function planBrokenPost(planner: Planner, { b }: Fixtures): void {
  const url = b.postUrl(b.post.broken);
  planner.add({
    step: 'post-broken',
    phase: 1,
    role: 'postsOnly',
    operation: 'getPosts',
    needs: { "post on netB that fails on the service's side": url },
    path: `/api/v1/posts${query({ url })}`,
    polls: 1,
    purpose: "a post of netB that fails on the service's side, by its URL",
    rules: ['PST-01', 'CRB-06'],
  });
}

/** STA-04: a read that comes before the wait is over. The one place where the suite is faster than it was told, on purpose. */
function planEarly(planner: Planner, { b }: Fixtures): void {
  const handle = b.notHeld(8);
  const request = {
    phase: 1,
    role: 'otherPrincipal',
    operation: 'getCreator',
    needs: { 'template of not held creators on netB': handle },
    path: creatorPath(b.name, handle ?? '', { include: 'posts' }),
    rules: ['STA-04', 'CRE-06', 'DOC-09'],
  } as const;
  planner.add({
    ...request,
    step: 'early-first',
    polls: 2,
    purpose: 'a creator of netB that nobody asked for before, with its posts',
  });
  planner.add({ ...request, step: 'early-again', purpose: 'the same, before the wait is over' });
}

/** DOC-13: a creator of netA by one whose organization has no marketplace credentials, and by one whose has them. */
function planMarketplace(planner: Planner, { a, target }: Fixtures): void {
  if (!target.capabilities.marketplace) return;
  for (const role of ['otherPrincipal', 'withoutMarketplace'] as const)
    planner.add({
      step: `marketplace-${role}`,
      role,
      ...(role === 'otherPrincipal' ? { phase: 1, polls: 1 } : { phase: 3 }),
      strictOnly: true,
      operation: 'getCreator',
      needs: { 'held creator on netA': a.held },
      path: creatorPath(a.name, a.held ?? '', { include: 'posts' }),
      purpose: `a held creator of netA, by a principal ${role === 'otherPrincipal' ? 'with' : 'without'} the marketplace`,
      rules: ['DOC-13'],
    });
}
