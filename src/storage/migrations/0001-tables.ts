import type { Migration } from './index.ts';

/**
 * Hot statements name rows by one column: `key` (entity, work, deep) or `account` (token look-ups by hash aside, budget),
 * so that each table can be spread by it. `entity.author` and `work.account` serve the rare ones.
 */
export const tables: Migration = {
  number: 1,
  // `now_ms` is stable, not volatile, or no index would serve a comparison with it. A test's own is kept.
  postgres: `
    do $body$ begin
      if to_regprocedure('now_ms()') is null then
        create function now_ms() returns bigint language sql stable parallel safe
          as 'select floor(extract(epoch from statement_timestamp()) * 1000)::bigint';
      end if;
    end $body$;
    create or replace function json_each(list text) returns table (key text, value text)
      language sql immutable parallel safe rows 50 as $body$
        select (n - 1)::text, item
          from json_array_elements_text(case when left(list, 1) = '[' then list::json else '[]' end) with ordinality as a(item, n)
        union all
        select o.key, o.value from json_each_text(case when left(list, 1) = '[' then '{}' else list::json end) as o
      $body$;
    create or replace function notify_document(key text) returns integer language sql volatile
      as $body$ select 1 from (select pg_notify('lookup_document', key)) as told $body$;
    create unlogged table hit (account text primary key, start bigint not null, n bigint not null);
  `,
  sql: `
    create table entity (
      key text primary key,
      author text,
      document text,
      restricted text,
      posts text,
      posts_restricted text,
      analysis text,
      without_audience text,
      audience_until bigint,
      fresh_until bigint,
      started_at bigint,
      fetched_at bigint,
      failed_reason text,
      failed_retryable bigint,
      failed_until bigint,
      failed_at bigint
    );
    create index entity_author on entity (author);

    create table work (
      key text primary key,
      state text not null,
      due_at bigint not null,
      turn bigint not null,
      retry_at bigint not null,
      started_at bigint not null,
      attempts bigint not null,
      owner text,
      account text not null,
      organization text not null,
      profile text,
      deep bigint not null
    );
    create index work_due on work (state, due_at);
    create index work_turn on work (state, turn);
    create index work_account on work (account, state);
    create index work_owner on work (owner);

    create table deep (key text primary key, until bigint not null);

    create table organization (
      id text primary key, slug text not null unique, marketplace bigint not null, created_at bigint not null
    );
    create table account (
      id text primary key, organization text not null, name text not null, per_minute bigint not null, created_at bigint not null
    );
    create table token (
      hash text primary key, prefix text not null, account text not null, label text not null, scopes text not null,
      created_at bigint not null, expires_at bigint, revoked_at bigint
    );
    create index token_account on token (account);
    create table member (
      account text not null, organization text not null, role text not null, created_at bigint not null,
      primary key (account, organization)
    );
    create table delegation (
      grantor text not null, grantee text not null, role text not null, created_at bigint not null,
      primary key (grantor, grantee)
    );
    create table profile (
      id text primary key, organization text not null, slug text not null, created_at bigint not null,
      unique (organization, slug)
    );
  `,
};
