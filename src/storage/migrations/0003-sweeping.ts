import type { Migration } from './index.ts';

/** What no read can meet any more is found without looking through what is held. */
export const sweeping: Migration = {
  number: 3,
  sql: `
    create index entity_failed on entity (failed_until) where document is null;
    create index deep_until on deep (until);
  `,
};
