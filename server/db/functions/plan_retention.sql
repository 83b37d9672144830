/*
 * Plans when the messages of a topic, or of all topics of an organization (`p_topic_id` null), are looked at next: a topic that is new at
 * `p_due_at` has nothing to lose before its own time, all others are looked at now. Row by row: on a cluster, a statement that inserts
 * what it selects is planned for all machines, and a trigger may reach only what is beside it.
 */
create or replace function plan_retention(p_org_id uuid, p_topic_id uuid, p_due_at bigint) returns void language plpgsql as $$
declare
  v_days integer := (select o.keep_messages_days from organizations o where o.org_id = p_org_id);
  v_topic_id uuid;
  v_due_at bigint;
begin
  for v_topic_id, v_due_at in
    select t.id, coalesce(p_due_at + 86400000 * coalesce(t.keep_messages_days, v_days)::bigint, 0) from topics t
    where t.org_id = p_org_id and (p_topic_id is null or t.id = p_topic_id) and coalesce(t.keep_messages_days, v_days, 0) > 0
  loop
    insert into retention_dues (org_id, topic_id, due_at) values (p_org_id, v_topic_id, v_due_at)
    on conflict (org_id, topic_id) do update set due_at = excluded.due_at, done_to = null;
  end loop;
end $$;
