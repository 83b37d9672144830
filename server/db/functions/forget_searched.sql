/* Takes deleted messages out of the search, for each organization by itself. */
create or replace function forget_searched() returns trigger language plpgsql as $$
declare
  v_org uuid;
  v_ids uuid[];
begin
  for v_org, v_ids in select org_id, array_agg(id) from gone group by org_id loop
    delete from search_documents where org_id = v_org and id = any(v_ids);
    delete from search_entries where org_id = v_org and id = any(v_ids);
  end loop;
  return null;
end $$;

create or replace trigger messages_searched after delete on messages referencing old table as gone
  for each statement execute function forget_searched();
