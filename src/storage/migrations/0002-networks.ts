import type { Migration } from './index.ts';

/**
 * The queue is counted by network, for waits and alerts, and by account, for its bounds, in one look at one index. Null: queued by a node of
 * the version before.
 *
 * A `strict` function is not inlined, so that its `rows` count: with the 200 keys that PostgreSQL would guess, it reads a spread table of
 * 40,000 rows from end to end for a batch of three.
 */
export const networks: Migration = {
  number: 2,
  postgres: `
    create or replace function network_of(key text) returns text language sql immutable parallel safe
      as $body$ select split_part(key, ':', 2) $body$;
    create or replace function json_each(list text) returns table (key text, value text)
      language sql immutable strict parallel safe rows 20 as $body$
        select (n - 1)::text, item
          from json_array_elements_text(case when left(list, 1) = '[' then list::json else '[]' end) with ordinality as a(item, n)
        union all
        select o.key, o.value from json_each_text(case when left(list, 1) = '[' then '{}' else list::json end) as o
      $body$;
  `,
  sql: `
    alter table work add column network text;
    drop index if exists work_account;
    create index work_standing on work (state, network, account);
  `,
};
