/* Tells all nodes the account whose session or membership has changed: they look it up again for requests and live streams. */
create or replace function tell_changed_account() returns trigger language plpgsql as $$
begin
  perform pg_notify('parley_sessions', old.account_id::text);
  return null;
end $$;

create or replace trigger sessions_weakened after update of signed_in_with on sessions for each row
  when (old.signed_in_with is distinct from new.signed_in_with) execute function tell_changed_account();
create or replace trigger profiles_put_out after update of status, sessions_ended_at, needs_proof on profiles for each row
  when (old.account_id is not null and
    (old.status, old.sessions_ended_at, old.needs_proof)
    is distinct from (new.status, new.sessions_ended_at, new.needs_proof))
  execute function tell_changed_account();
create or replace trigger profiles_role_told after update of role, account_id on profiles for each row
  when (old.account_id is not null and
    (old.role is distinct from new.role or old.account_id is distinct from new.account_id))
  execute function tell_changed_account();
