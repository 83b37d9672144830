/* Tells all nodes the accounts whose sessions have ended: they look at the open live streams of these again. */
create or replace function tell_ended_sessions() returns trigger language plpgsql as $$
begin
  perform pg_notify('parley_sessions', account_id::text) from (select distinct account_id from ended) accounts;
  return null;
end $$;

create or replace trigger sessions_ended after delete on sessions
  referencing old table as ended for each statement execute function tell_ended_sessions();
