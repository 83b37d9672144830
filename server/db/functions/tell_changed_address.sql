/* Tells all nodes the account whose address has changed: the address is part of what they remember of its sessions. */
create or replace function tell_changed_address() returns trigger language plpgsql as $$
begin
  perform pg_notify('parley_sessions', old.id::text);
  return null;
end $$;

create or replace trigger accounts_address after update of email on accounts for each row
  when (old.email is distinct from new.email) execute function tell_changed_address();
