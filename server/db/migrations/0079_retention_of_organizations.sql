-- As before, in the language of the triggers that call it: where organizations live on several machines, a function in plain SQL cannot be
-- planned for one of them.
create or replace function plan_retention(p_org_id uuid, p_topic_id uuid, p_due_at bigint) returns void language plpgsql as $$
begin
  insert into retention_dues (org_id, topic_id, due_at)
  select t.org_id, t.id, coalesce(p_due_at + 86400000 * coalesce(t.keep_messages_days, o.keep_messages_days)::bigint, 0)
  from topics t join organizations o on o.org_id = t.org_id
  where t.org_id = p_org_id and (p_topic_id is null or t.id = p_topic_id)
    and coalesce(t.keep_messages_days, o.keep_messages_days, 0) > 0
  on conflict (org_id, topic_id) do update set due_at = excluded.due_at, done_to = null;
end $$;
