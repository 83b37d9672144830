/* Lets the people of a reply follow its thread: who began it, who replies and who is mentioned. All followers get the newest reply. */
create or replace function follow_thread() returns trigger language plpgsql as $$
declare
  v_followers text[];
begin
  select array_agg(distinct x.id) into v_followers from (
    select p.sender_id from messages p where p.org_id = new.org_id and p.id = new.parent_id
    union all select new.sender_id union all select unnest(new.mentions)
  ) x (id)
  where not starts_with(x.id, 'b@');
  insert into thread_follows (org_id, profile_id, parent_id, topic_id, last_reply_id)
  select l.org_id, follower, new.parent_id, new.topic_id, new.id
  from organization_logs l, unnest(v_followers) as follower where l.org_id = new.org_id
  on conflict (org_id, profile_id, parent_id) do nothing;
  update thread_follows set last_reply_id = new.id
  where org_id = new.org_id and parent_id = new.parent_id and last_reply_id < new.id;
  return null;
end $$;

create or replace trigger messages_reply after insert on messages for each row when (new.parent_id is not null)
  execute function follow_thread();
