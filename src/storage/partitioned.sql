-- Spreads the large tables by the one column that the hot statements name their rows by: the key of an entity, or the account.
-- For PostgreSQL 15 or later, by hand, with all nodes stopped: psql "$DATABASE_URL" --single-transaction --file=src/storage/partitioned.sql
-- It copies every row once, so it needs as much free disk again. Choose `parts` for good: it is the number of partitions of each table.
-- The storage tests run on tables made by this very text, and look at the plans: each statement that names keys opens only their partitions.
do $spread$
declare
  parts constant integer := 4;
  spread record;
begin
  for spread in
    select * from (values ('entity', 'key', ''), ('work', 'key', ''), ('deep', 'key', ''), ('hit', 'account', 'unlogged'))
      as large (name, by_column, logging)
  loop
    execute format('alter table %I rename to %I', spread.name, spread.name || '_whole');
    execute format('create table %I (like %I including all) partition by hash (%I)',
      spread.name, spread.name || '_whole', spread.by_column);
    for part in 0 .. parts - 1 loop
      execute format('create %s table %I partition of %I for values with (modulus %s, remainder %s)',
        spread.logging, spread.name || '_' || part, spread.name, parts, part);
    end loop;
    execute format('insert into %I select * from %I', spread.name, spread.name || '_whole');
    execute format('drop table %I', spread.name || '_whole');
  end loop;
end $spread$;
analyze entity, work, deep, hit;
