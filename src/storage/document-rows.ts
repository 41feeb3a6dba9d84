/** Turns rows of the store into snapshots for reads and into objects for people. */
import { entityOf } from '../model.ts';
import type { DiscoveryState, HeldDocument, Instant, Key, Snapshot } from '../model.ts';
import type { Parameter } from './database.ts';
import { overdueMilliseconds } from './discovery-statements.ts';
import { heldDocument, type Text, type Variants } from './variants.ts';

/** What is known of a key, as the store tells it; null where a table has no row of it. */
export interface Row {
  key: Key;
  now: Instant;
  document: Text | null;
  restricted: Text | null;
  posts: Text | null;
  posts_restricted: Text | null;
  analysis: Text | null;
  without_audience: Text | null;
  audience_until: Instant | null;
  fresh_until: Instant | null;
  failed_reason: string | null;
  failed_retryable: number | null;
  failed_until: Instant | null;
  state: 'idle' | 'queued' | 'running' | null;
  retry_at: Instant | null;
  deep_until: Instant | null;
}

/**
 * The store's instants are converted to this process's clock, which is `ahead` milliseconds ahead, as readers of a snapshot compare with
 * that clock: a node an hour off would otherwise answer stale documents as fresh, and waits of an hour.
 */
export function snapshotOf(row: Row, ahead: number): Snapshot {
  const deepUntil = row.deep_until === null ? null : row.deep_until + ahead;
  return { key: row.key, document: documentOf(row, ahead), discovery: discoveryOf(row, ahead), deepUntil };
}

function documentOf(row: Row, ahead: number): HeldDocument | null {
  if (row.document === null || row.fresh_until === null) return null;
  const variants: Variants<Text> = {
    document: row.document,
    restricted: row.restricted,
    posts: row.posts,
    postsRestricted: row.posts_restricted,
    analysis: row.analysis,
    withoutAudience: row.without_audience,
    audienceUntil: row.audience_until === null ? null : row.audience_until + ahead,
  };
  return heldDocument(variants, row.fresh_until + ahead);
}

function discoveryOf(row: Row, ahead: number): DiscoveryState | null {
  if (row.state === 'queued' || row.state === 'running') {
    const retryAt = row.retry_at ?? 0;
    return { is: 'running', retryAt: (retryAt > row.now ? retryAt : row.now + overdueMilliseconds) + ahead };
  }
  if (row.failed_reason === null) return null;
  return {
    is: 'failed',
    reason: row.failed_reason,
    retryable: row.failed_retryable === 1,
    rememberedUntil: (row.failed_until ?? 0) + ahead,
  };
}

const parsed = (text: Parameter | undefined): unknown => (typeof text === 'string' ? JSON.parse(text) : null);
const instant = (at: Parameter | undefined): string | null =>
  typeof at === 'number' ? new Date(at).toISOString() : null;

/** Everything held of a key, for people. */
export function shown(key: Key, row: Record<string, Parameter>): object {
  const { kind, network, name } = entityOf(key);
  return {
    key,
    kind,
    network,
    name,
    author: row['author'],
    fetchedAt: instant(row['fetched_at']),
    freshUntil: instant(row['fresh_until']),
    failure: row['failed_reason'] && {
      reason: row['failed_reason'],
      retryable: row['failed_retryable'] === 1,
      rememberedUntil: instant(row['failed_until']),
    },
    discovery: row['state'] && {
      state: row['state'],
      dueAt: instant(row['due_at']),
      attempts: row['attempts'],
      account: row['account'],
      organization: row['organization'],
      profile: row['profile'],
      deep: row['deep'] === 1,
    },
    deepUntil: instant(row['deep_until']),
    document: parsed(row['document']),
    posts: parsed(row['posts']),
    analysis: analysisShown(row['analysis']),
  };
}

function analysisShown(lines: Parameter | undefined): unknown {
  if (typeof lines !== 'string') return null;
  const pairs = lines.split('\n').map((line) => line.split('\t', 2) as [string, string]);
  return Object.fromEntries(pairs.map(([key, value]) => [key, JSON.parse(value)]));
}
