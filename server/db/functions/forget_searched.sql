/* Takes deleted messages out of the search, for each organization by itself. The first messages of their threads may be none any more. */
create or replace function forget_searched() returns trigger language plpgsql as $$
declare
  v_org uuid;
  v_ids uuid[];
  v_parents uuid[];
begin
  for v_org, v_ids, v_parents in
    select org_id, array_agg(id), array_agg(distinct parent_id) filter (where parent_id is not null) from gone group by org_id
  loop
    delete from search_documents where org_id = v_org and id = any(v_ids);
    delete from search_entries where org_id = v_org and id = any(v_ids);
    insert into search_waiting (org_id, message_id)
    select v_org, x.id from unnest(v_parents) as x (id) where x.id <> all(v_ids) on conflict do nothing;
  end loop;
  return null;
end $$;

create or replace trigger messages_searched after delete on messages referencing old table as gone
  for each statement execute function forget_searched();
