/*
 * Counts the bytes that an organization has in the store, without thumbnails. Organizations come in the order of their ids, so that two
 * sweeps at once never wait for each other in a circle. Each is counted by itself: on a cluster its row is on another machine than the
 * register of files.
 */
create or replace function count_stored_files() returns trigger language plpgsql as $$
declare
  v_org uuid;
  v_bytes numeric;
begin
  if tg_op = 'INSERT' then
    for v_org, v_bytes in
      select org_id, sum(size) from added where org_id is not null group by org_id order by org_id
    loop
      insert into organization_storage as s (org_id, used_bytes) values (v_org, v_bytes)
      on conflict (org_id) do update set used_bytes = s.used_bytes + excluded.used_bytes;
    end loop;
  elsif tg_op = 'DELETE' then
    for v_org, v_bytes in
      select org_id, -sum(size) from removed where org_id is not null group by org_id order by org_id
    loop
      insert into organization_storage as s (org_id, used_bytes) values (v_org, v_bytes)
      on conflict (org_id) do update set used_bytes = s.used_bytes + excluded.used_bytes;
    end loop;
  else
    for v_org, v_bytes in
      select org_id, sum(bytes)
      from (select org_id, size as bytes from added union all select org_id, -size from removed) as moved
      where org_id is not null group by org_id having sum(bytes) <> 0 order by org_id
    loop
      insert into organization_storage as s (org_id, used_bytes) values (v_org, v_bytes)
      on conflict (org_id) do update set used_bytes = s.used_bytes + excluded.used_bytes;
    end loop;
  end if;
  return null;
end $$;

create or replace trigger count_added after insert on stored_files
  referencing new table as added for each statement execute function count_stored_files();
create or replace trigger count_removed after delete on stored_files
  referencing old table as removed for each statement execute function count_stored_files();
create or replace trigger count_changed after update on stored_files
  referencing old table as removed new table as added for each statement execute function count_stored_files();
