/* Takes a deleted organization out of the search. */
create or replace function forget_searched_organization() returns trigger language plpgsql as $$
begin
  delete from search_documents where org_id = old.org_id;
  delete from search_ranges where org_id = old.org_id;
  delete from search_progress where org_id = old.org_id;
  delete from search_waiting where org_id = old.org_id;
  delete from search_file_texts where org_id = old.org_id;
  delete from search_entries where org_id = old.org_id;
  delete from search_segments where org_id = old.org_id;
  delete from search_positions where org_id = old.org_id;
  return null;
end $$;

create or replace trigger organizations_searched after delete on organizations
  for each row execute function forget_searched_organization();
