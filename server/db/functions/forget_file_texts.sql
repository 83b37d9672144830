/*
 * Forgets the text inside files that nothing refers to any more, whether or not they are swept yet. Each organization by itself: on a cluster
 * its rows are on another machine than the register of files.
 */
create or replace function forget_file_texts() returns trigger language plpgsql as $$
declare
  v_org uuid;
  v_ids uuid[];
begin
  if tg_op = 'DELETE' then
    for v_org, v_ids in select org_id, array_agg(id) from removed where org_id is not null group by org_id loop
      delete from search_file_texts where org_id = v_org and file_id = any(v_ids);
    end loop;
  else
    for v_org, v_ids in
      select a.org_id, array_agg(a.id) from added a join removed r on r.id = a.id
      where a.sweep_at is not null and r.sweep_at is null and a.org_id is not null group by a.org_id
    loop
      delete from search_file_texts where org_id = v_org and file_id = any(v_ids);
    end loop;
  end if;
  return null;
end $$;

create or replace trigger forget_removed_texts after delete on stored_files
  referencing old table as removed for each statement execute function forget_file_texts();
create or replace trigger forget_released_texts after update on stored_files
  referencing old table as removed new table as added for each statement execute function forget_file_texts();
