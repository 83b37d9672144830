-- How many days messages are kept. Of an organization null means for ever; of a topic null means as its organization says, and 0 for ever.
alter table organizations add column keep_messages_days integer check (keep_messages_days between 1 and 36500);
alter table topics add column keep_messages_days integer check (keep_messages_days between 0 and 36500);

-- Topics whose messages do not stay for ever, and when one of them has to be looked at next: nothing in it is due before.
create table retention_dues (
  org_id uuid not null references organizations (org_id) on delete cascade,
  topic_id uuid not null,
  due_at bigint not null,
  done_to uuid, -- messages up to here have been gone through; what is still there of them stays
  primary key (org_id, topic_id)
);
create index retention_dues_due on retention_dues (due_at);

-- Whoever sets a time, by the console, a command or an import, cannot forget what follows from it. A topic that is new has nothing to
-- lose before its own time; after a change everything is looked at anew.
create function plan_retention(p_org_id uuid, p_topic_id uuid, p_due_at bigint) returns void language sql as $$
  insert into retention_dues (org_id, topic_id, due_at)
  select t.org_id, t.id, coalesce(p_due_at + 86400000 * coalesce(t.keep_messages_days, o.keep_messages_days)::bigint, 0)
  from topics t join organizations o on o.org_id = t.org_id
  where t.org_id = p_org_id and (p_topic_id is null or t.id = p_topic_id)
    and coalesce(t.keep_messages_days, o.keep_messages_days, 0) > 0
  on conflict (org_id, topic_id) do update set due_at = excluded.due_at, done_to = null
$$;

create function plan_topic_retention() returns trigger language plpgsql as $$
begin
  delete from retention_dues where org_id = new.org_id and topic_id = new.id;
  perform plan_retention(new.org_id, new.id, case when tg_op = 'INSERT' then new.created_at end);
  return null;
end $$;
create trigger topics_retention_of_new after insert on topics for each row execute function plan_topic_retention();
create trigger topics_retention after update of keep_messages_days on topics for each row
  when (old.keep_messages_days is distinct from new.keep_messages_days) execute function plan_topic_retention();

create function plan_organization_retention() returns trigger language plpgsql as $$
begin
  delete from retention_dues where org_id = new.org_id;
  perform plan_retention(new.org_id, null, null);
  return null;
end $$;
create trigger organizations_retention after update of keep_messages_days on organizations for each row
  when (old.keep_messages_days is distinct from new.keep_messages_days) execute function plan_organization_retention();
