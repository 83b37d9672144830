/*
 * Counts a held copy among those who need the files of its message, as a forward is counted, so that they stay in the store. On a cluster
 * the register of files is on another machine than the copy, and actions do this.
 */
create or replace function share_held_files() returns trigger language plpgsql as $$
begin
  update stored_files set shares = shares + 1 where id = any(new.file_ids);
  return null;
end $$;

create or replace trigger held_records_files after insert on held_records for each row when (new.file_ids <> '{}')
  execute function share_held_files();
