-- As before, for each organization by itself: where organizations live on several machines, what is counted is on another one than the files.
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
