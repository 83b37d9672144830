/* Refuses to empty the audit log. */
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log cannot be changed';
end
$$;

create or replace trigger audit_log_is_not_emptied before truncate on audit_log for each statement execute function refuse_change();
