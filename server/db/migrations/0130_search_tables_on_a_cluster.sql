-- A group of organizations is moved by publishing its tables, and unlogged ones cannot be published: on a cluster the tables of the search
-- are logged. On one machine they stay as they are.
do $$ begin
  if to_regclass('spreading') is not null then
    alter table search_entries set logged;
    alter table search_segments set logged;
    alter table search_positions set logged;
  end if;
end $$;
