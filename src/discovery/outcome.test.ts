import { describe, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import type { Entity, Instant, Obtained, ObtainedPost } from '../model.ts';
import { limitsOf } from '../service.ts';
import { createOutcomes } from './outcome.ts';
import type { Claim, WorkerParts } from './ports.ts';

const START: Instant = Date.UTC(2026, 0, 1);
const author: Entity = { kind: 'creator', network: 'netA', name: 'ada' };
const postOf = (name: string): ObtainedPost => ({
  entity: { kind: 'post', network: 'netA', name },
  document: {} as ObtainedPost['document'],
  analysis: {},
  author,
});
const creatorWith = (posts: readonly object[], deepPosts: readonly ObtainedPost[] = []) =>
  ({ is: 'creator', document: { channels: [] }, posts, audienceUntil: null, deepPosts }) as unknown as Obtained;

/** `isNewest` false: a newer document is there, or the claim is another's; `deepUntil`: of the author, who is held or not. */
function keeping({ isNewest = true, deepUntil = 0, isAuthorHeld = true, documentBytes = 1_000 } = {}) {
  const done: string[] = [];
  const documents = {
    put: async ({ entity }: { entity: Entity }) => (done.push(`put ${entity.name}`), isNewest),
    putFailure: async () => {},
    load: async (keys: string[]) =>
      new Map(keys.map((key) => [key, { key, document: isAuthorHeld ? {} : null, deepUntil }])),
    setDeep: async (keys: string[]) => void done.push(`deep ${keys.join()}`),
  };
  const discoveries = {
    done: async (_: Claim, next?: { refreshAt: Instant | null }) => {
      done.push(next?.refreshAt ? `done, refresh` : 'done');
    },
    startOrJoin: async () => void done.push('start'),
  };
  const limits = { ...limitsOf(readConfig({})), documentBytes };
  const log = { info() {}, warn() {}, error() {} };
  const outcomes = createOutcomes({
    documents,
    discoveries,
    checkDocument() {},
    limits,
    log,
  } as unknown as WorkerParts);
  return { outcomes, done };
}

const claimOf = (key: string): Claim => ({
  key,
  attempt: 1,
  startedAt: START,
  aheadMilliseconds: 0,
  account: 'acc',
  organization: 'org',
  profile: null,
  deep: true,
  owner: 'me',
});
const [creator, post] = [claimOf('creator:netA:ada'), claimOf('post:netA:C1')];

describe('what an attempt brought', () => {
  it('CRB-09 the recent posts of a creator are held with it, but not where a newer creator is held', async () => {
    for (const [isNewest, want] of [
      [true, ['put ada', 'put C2', 'done, refresh']],
      [false, ['put ada', 'done, refresh']],
    ] as const) {
      const { outcomes, done } = keeping({ isNewest });
      await outcomes.keep(creator, creatorWith([], [postOf('C2')]));
      expect(done).toEqual(want);
    }
  });

  it.each([
    ['is discovered with it', {}, ['put C1', 'deep creator:netA:ada', 'start', 'done']],
    ['is only prolonged where it was on', { deepUntil: START + 1 }, ['put C1', 'deep creator:netA:ada', 'done']],
    [
      'is discovered although it was on, where nothing is held of it',
      { deepUntil: START + 1, isAuthorHeld: false },
      ['put C1', 'deep creator:netA:ada', 'start', 'done'],
    ],
    ['is left alone where a newer post is held', { isNewest: false }, ['put C1', 'done']],
  ])('PST-06 the author of a post with deep analysis %s', async (_what, given, want) => {
    const { outcomes, done } = keeping(given);
    await outcomes.keep(post, { is: 'post', ...postOf('C1') });
    expect(done).toEqual(want);
  });

  it('CRB-10 creators with deep analysis are refreshed unasked, also after a failure; posts are not', async () => {
    const { outcomes, done } = keeping();
    await outcomes.giveUp(creator);
    await outcomes.giveUp(post);
    expect(done).toEqual(['done, refresh', 'done']);
  });

  it('a creator whose posts are too large together is a failed attempt', () => {
    const { outcomes } = keeping({ documentBytes: 100 });
    expect(() => outcomes.check(creator, creatorWith([]))).not.toThrow();
    expect(() => outcomes.check(creator, creatorWith([{ author: {}, text: 'x'.repeat(100) }]))).toThrow(
      'a document of',
    );
  });
});
