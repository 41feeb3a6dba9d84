import type { Migration } from './index.ts';

/**
 * A claim takes of each network as much as there is room for: in the order of turns of each. Where an older version's node is left, it sorts the
 * queue for each claim.
 */
export const turns: Migration = {
  number: 4,
  sql: `
    drop index if exists work_turn;
    update work set network = network_of(key) where network is null;
    create index work_network on work (network, state, turn);
  `,
};
