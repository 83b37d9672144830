/*
 * Lets the people of a reply follow its thread: who began it or is mentioned in its first message, who replies, and who is mentioned. Who
 * writes has read the thread up to there, and follows it again after leaving it; for who is mentioned in a reply it begins with that reply.
 * All followers get the newest reply.
 */
create or replace function follow_thread() returns trigger language plpgsql as $$
declare
  v_before uuid := new.parent_id;
begin
  if new.mentions <> '{}' then
    select x.id into v_before from messages x
    where x.org_id = new.org_id and x.parent_id is not null
      and (x.parent_id, x.id) >= (new.parent_id, '00000000-0000-0000-0000-000000000000') and (x.parent_id, x.id) < (new.parent_id, new.id)
    order by x.parent_id desc, x.id desc limit 1;
  end if;
  insert into thread_follows as f (org_id, profile_id, parent_id, topic_id, last_reply_id, read_to)
  select l.org_id, x.follower, new.parent_id, new.topic_id, new.id, (array_agg(x.read_to order by x.read_to desc))[1]
  from organization_logs l
  cross join lateral (
    select p.sender_id as follower, p.id as read_to from messages p where p.org_id = new.org_id and p.id = new.parent_id
    union all select unnest(p.mentions), p.id from messages p where p.org_id = new.org_id and p.id = new.parent_id
    union all select unnest(new.mentions), coalesce(v_before, new.parent_id)
    union all select new.sender_id, new.id
  ) x
  where l.org_id = new.org_id and not starts_with(x.follower, 'b@')
  group by l.org_id, x.follower
  on conflict (org_id, profile_id, parent_id) do update
    set following = true, read_to = greatest(f.read_to, excluded.read_to)
    where f.profile_id = new.sender_id;
  update thread_follows set last_reply_id = new.id
  where org_id = new.org_id and parent_id = new.parent_id and last_reply_id < new.id;
  return null;
end $$;

create or replace trigger messages_reply after insert on messages for each row when (new.parent_id is not null)
  execute function follow_thread();
