/** What a read asks of the store and of discovery; what callers see of it is tested over HTTP, beside `src/http`. */
import { describe, expect, it, vi } from 'vitest';
import { entityOf, keyOf, type Actor, type HeldDocument, type Key, type Snapshot } from '../model.ts';
import { createLookUp, type LookupParts } from './look-up.ts';

const NOW = 1_000_000;
const actor: Actor = {
  principal: { account: 'acc_me', organization: 'org_me', scopes: new Set(), perMinute: 60 },
  organization: 'org_acted_for',
  marketplace: false,
  profile: 'prf_1',
};
const asked = (...names: string[]) =>
  names.map((name) => ({ id: name, parsed: { entity: { kind: 'creator', network: 'netA', name } as const } }));
const keyed = (...names: string[]) => names.map((name) => `creator:netA:${name}`);
const stale = { freshUntil: NOW } as HeldDocument;

interface Store {
  readonly snapshots?: readonly (Partial<Snapshot> & { readonly key: Key })[];
  /** Keys whose discovery is under way, so that it is joined. */
  readonly joined?: readonly Key[];
  readonly isReadOnly?: boolean;
}

function lookUpOn({ snapshots = [], joined = [], isReadOnly = false }: Store) {
  const held = snapshots.map((one) => ({ document: null, discovery: null, deepUntil: null, ...one }));
  const parts = {
    documents: {
      load: vi.fn<LookupParts['documents']['load']>(async () => new Map(held.map((one) => [one.key, one]))),
      setDeep: vi.fn<LookupParts['documents']['setDeep']>(async () => {}),
    },
    discoveries: {
      startOrJoin: vi.fn<LookupParts['discoveries']['startOrJoin']>(async (requests) => {
        if (isReadOnly) throw new Error('read only');
        const retryAt = NOW + 7_000;
        return new Map(requests.map(({ key }) => [key, { started: !joined.includes(key), retryAt, attempt: 1 }]));
      }),
    },
    clock: () => NOW,
    waitSeconds: () => 3,
    wake: vi.fn<LookupParts['wake']>(),
    onUnstarted: vi.fn<NonNullable<LookupParts['onUnstarted']>>(),
    deepSeconds: 60,
  };
  return { parts, lookUp: createLookUp(parts) };
}

describe('a read', () => {
  it('starts what is due in one statement, its keys sorted, in the name of the actor', async () => {
    const { parts, lookUp } = lookUpOn({});
    const answered = await lookUp(actor, asked('cleo', 'ada', 'ben', 'ada'), { deep: false });
    expect(answered).toEqual(
      ['cleo', 'ada', 'ben'].map((id) => ({ id, availability: { is: 'fetching', retryAt: NOW + 7_000 } })),
    );
    const requests = keyed('ada', 'ben', 'cleo').map((key) => ({ key, waitSeconds: 3 }));
    const options = {
      account: 'acc_me',
      organization: 'org_acted_for',
      profile: 'prf_1',
      deep: false,
    };
    expect(parts.discoveries.startOrJoin.mock.calls).toEqual([[requests, options]]);
  });

  it('STA-01 wakes the worker for what it has started, not for what it has joined', async () => {
    const { parts, lookUp } = lookUpOn({ joined: keyed('ben') });
    await lookUp(actor, asked('ada', 'ben'), { deep: false });
    expect(parts.wake.mock.calls).toEqual([[keyed('ada'), 'acc_me']]);
  });

  it('asks the store nothing about what names no entity', async () => {
    const { parts, lookUp } = lookUpOn({});
    const [answered] = await lookUp(actor, [{ id: '?', parsed: { reason: 'unparseable-identifier' } }], { deep: true });
    expect(answered?.availability).toEqual({ is: 'unavailable', reason: 'unparseable-identifier', retryable: false });
    expect(parts.documents.load).not.toHaveBeenCalled();
    expect(parts.discoveries.startOrJoin).not.toHaveBeenCalled();
  });

  it('CRB-09 with creatorDeepAnalysis starts or joins the creators for whom it was off', async () => {
    const fresh = { freshUntil: NOW + 1 } as HeldDocument;
    const running = { is: 'running', retryAt: NOW + 1 } as const;
    const snapshots = [
      { key: 'creator:netA:off', document: fresh },
      { key: 'creator:netA:on', document: fresh, deepUntil: NOW + 1 },
      { key: 'creator:netA:over', document: fresh, deepUntil: NOW },
      { key: 'creator:netA:running', document: fresh, discovery: running },
    ];
    const { parts, lookUp } = lookUpOn({ snapshots });
    await lookUp(actor, asked('running', 'over', 'on', 'off'), { deep: true });
    expect(parts.documents.setDeep.mock.calls).toEqual([[keyed('off', 'on', 'over', 'running'), 60]]);
    expect(parts.discoveries.startOrJoin.mock.calls[0]?.[0].map(({ key }) => key)).toEqual(
      keyed('off', 'over', 'running'),
    );
  });

  it('PST-06 with creatorDeepAnalysis turns it on for the authors of held posts', async () => {
    const post = { freshUntil: NOW + 1, full: Buffer.from('{"author":{"username":"Ada"}}') } as HeldDocument;
    const key = keyOf({ kind: 'post', network: 'netA', name: 'C1' });
    const { parts, lookUp } = lookUpOn({ snapshots: [{ key, document: post }] });
    await lookUp(actor, [{ id: 'C1', parsed: { entity: entityOf(key) } }], { deep: true });
    expect(parts.documents.setDeep.mock.calls).toEqual([[keyed('ada'), 60]]);
  });

  it('F12 of a store that starts nothing: held documents are answered, and why is told', async () => {
    const { parts, lookUp } = lookUpOn({ snapshots: [{ key: 'creator:netA:ada', document: stale }], isReadOnly: true });
    const [answered] = await lookUp(actor, asked('ada'), { deep: false });
    expect(answered?.availability.is).toBe('held');
    expect(parts.onUnstarted.mock.calls).toEqual([[new Error('read only')]]);
  });

  it('F12 of a store that starts nothing: what is known to be unavailable, or fetched already, is told beside what is held', async () => {
    const failed = { is: 'failed', reason: 'internal-error', retryable: true, rememberedUntil: NOW + 1 } as const;
    const snapshots = [
      { key: 'creator:netA:ada', document: stale },
      { key: 'creator:netA:ben', discovery: failed },
      { key: 'creator:netA:cleo', discovery: { is: 'running', retryAt: NOW + 1 } as const },
    ];
    const { lookUp } = lookUpOn({ snapshots, isReadOnly: true });
    const answered = await lookUp(actor, asked('ada', 'ben', 'cleo'), { deep: false });
    expect(answered.map(({ availability }) => availability)).toEqual([
      { is: 'held', document: stale },
      { is: 'unavailable', reason: 'internal-error', retryable: true },
      { is: 'fetching', retryAt: NOW + 1 },
    ]);
  });

  it.each([
    ['what is not held', asked('ada', 'ben'), false],
    ['creatorDeepAnalysis', asked('ada'), true],
  ])('F12 of a store that starts nothing: %s is refused, to be asked for again', async (_what, wanted, deep) => {
    const snapshots = [{ key: 'creator:netA:ada', document: stale, deepUntil: NOW + 1 }];
    const { lookUp } = lookUpOn({ snapshots, isReadOnly: true });
    await expect(lookUp(actor, wanted, { deep })).rejects.toMatchObject({
      code: 'dependency-unavailable',
      headers: { 'Retry-After': '5' },
    });
  });
});
