/*
 * Keeps entries of the audit log as they are. An erasure alone may take out who somebody was and where they were; what happened, and when,
 * stays. An organization that is removed takes its entries with it.
 */
create or replace function keep_audit_entry() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (new.org_id, new.id, new.at, new.actor_kind, new.action, new.target_type, new.target_id)
      = (old.org_id, old.id, old.at, old.actor_kind, old.action, old.target_type, old.target_id)
    and new.actor_id is not distinct from old.actor_id and new.assistant_name is not distinct from old.assistant_name
    and (new.actor_name is not distinct from old.actor_name or new.actor_name = 'Deleted member')
    and new.target_name in (old.target_name, 'Deleted member')
    and (new.client_address is not distinct from old.client_address or new.client_address is null)
    and (new.client_user_agent is not distinct from old.client_user_agent or new.client_user_agent is null)
    and jsonb_array_length(new.changes) <= jsonb_array_length(old.changes)
    and exists (select from erasures e where e.org_id = new.org_id and e.step = 'audit')
  then
    return new;
  end if;
  if tg_op = 'DELETE' and exists (select from organization_removals r where r.org_id = old.org_id) then
    return old;
  end if;
  raise exception 'the audit log cannot be changed';
end $$;

create or replace trigger audit_log_stays before update or delete on audit_log for each row execute function keep_audit_entry();
