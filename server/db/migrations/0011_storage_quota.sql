-- Whose files are how large in the store. Looked up first, since it takes longest: nobody waits for it.
create temporary table file_owners on commit drop as
  select distinct on (id) id, org_id from (
    select (attachment ->> 'id')::uuid as id, org_id
    from messages, jsonb_array_elements(attachments) as attachment where attachments is not null
    union all
    select (attachment ->> 'id')::uuid, org_id
    from pending_messages, jsonb_array_elements(attachments) as attachment
    union all
    select cover_file_id, org_id from topics where cover_file_id is not null
    union all
    select logo_file_id, org_id from organizations where logo_file_id is not null
  ) as found;

-- Null: of an organization that is not founded yet (the logo of a sign-up), or stored by the version before; such a file is
-- not counted until something refers to it.
alter table stored_files add column org_id uuid;
update stored_files f set org_id = o.org_id from file_owners o where o.id = f.id;

-- What an organization has in the store, without thumbnails. `quota_mb`: null for the server's setting, 0 for no limit.
create table organization_storage (
  org_id uuid primary key,
  used_bytes bigint not null default 0,
  quota_mb integer
);
insert into organization_storage (org_id, used_bytes)
  select org_id, sum(size) from stored_files where org_id is not null group by org_id;

-- Moved by triggers, so that whoever registers or forgets a file, by whatever way, cannot forget it. In the order of the
-- organizations: two sweeps at once must not wait for each other in a circle.
create function count_stored_files() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into organization_storage as s (org_id, used_bytes)
      select org_id, sum(size) from added where org_id is not null group by org_id order by org_id
      on conflict (org_id) do update set used_bytes = s.used_bytes + excluded.used_bytes;
  elsif tg_op = 'DELETE' then
    insert into organization_storage as s (org_id, used_bytes)
      select org_id, -sum(size) from removed where org_id is not null group by org_id order by org_id
      on conflict (org_id) do update set used_bytes = s.used_bytes + excluded.used_bytes;
  else
    insert into organization_storage as s (org_id, used_bytes)
      select org_id, sum(bytes)
      from (select org_id, size as bytes from added union all select org_id, -size from removed) as moved
      where org_id is not null group by org_id having sum(bytes) <> 0 order by org_id
      on conflict (org_id) do update set used_bytes = s.used_bytes + excluded.used_bytes;
  end if;
  return null;
end $$;
create trigger count_added after insert on stored_files
  referencing new table as added for each statement execute function count_stored_files();
create trigger count_removed after delete on stored_files
  referencing old table as removed for each statement execute function count_stored_files();
create trigger count_changed after update on stored_files
  referencing old table as removed new table as added for each statement execute function count_stored_files();

-- Jobs are taken in turns of the organizations: from one to the next, and of each the one that is due first.
create index jobs_turns on jobs (kind, org_id, due_at);
