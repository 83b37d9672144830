/* Tells all nodes the organization whose rules for sessions, limits or presence have changed: they look at its live streams again. */
create or replace function tell_changed_organization() returns trigger language plpgsql as $$
begin
  perform pg_notify('parley_sessions', old.org_id::text);
  return null;
end $$;

create or replace trigger organizations_tightened after update of require_second_factor, admins_need_second_factor, require_sign_on, sign_in_days on organizations for each row
  when ((old.require_second_factor, old.admins_need_second_factor, old.require_sign_on, old.sign_in_days)
    is distinct from (new.require_second_factor, new.admins_need_second_factor, new.require_sign_on, new.sign_in_days))
  execute function tell_changed_organization();
create or replace trigger organizations_limits after update of rate_limit, rate_limit_ceiling on organizations for each row
  when (old.rate_limit is distinct from new.rate_limit or old.rate_limit_ceiling is distinct from new.rate_limit_ceiling)
  execute function tell_changed_organization();
create or replace trigger organizations_presence after update of show_presence on organizations for each row
  when (old.show_presence is distinct from new.show_presence) execute function tell_changed_organization();
