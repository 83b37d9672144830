-- Set: who it was has been erased on request. The row stays, nameless, for all that refers to it.
alter table profiles add column erased_at bigint;

-- People whose data is being erased: what is too much for one transaction, a step at a time. The row goes with the last one.
create table erasures (
  org_id uuid not null references organizations (org_id) on delete cascade,
  profile_id text collate "C" not null,
  with_messages boolean not null, -- also what they wrote
  names text[] not null, -- what they were called: entries that name them say it without their id
  step text not null check (step in ('own', 'messages', 'audit', 'log')),
  done_to text, -- the step has come so far
  log_to bigint not null, -- what came into the log later does not name them
  due_at bigint not null,
  primary key (org_id, profile_id)
);
create index erasures_due on erasures (due_at);

-- What happened, and when, stays for ever. Only who somebody was can be taken out of it, and where they were.
create function keep_audit_entry() returns trigger language plpgsql as $$
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
  raise exception 'the audit log cannot be changed';
end $$;
drop trigger audit_log_stays on audit_log;
create trigger audit_log_stays before update or delete on audit_log for each row execute function keep_audit_entry();
