/*
 * The bots that receive an event: bots of the topic whose reach it is in (none where `p_topic_bots` is false), and those in `p_also`,
 * without `p_except`. `p_concerned` are members whom it mentions or whose it is; `p_thread` is the message at the head of its thread.
 */
create or replace function audience_of(
  p_org uuid, p_topic uuid, p_topic_bots boolean, p_except text, p_also text[], p_poll_votes boolean, p_concerned text[], p_thread uuid
) returns text[] language plpgsql stable as $$
begin
  return (
    select coalesce(array_agg(x.id), '{}')
    from (
      select m.profile_id as id from topic_members m
      where p_topic_bots and m.org_id = p_org and m.topic_id = p_topic and m.profile_id >= 'b@' and m.profile_id < 'bA'
        and case m.reach
          when 'everything' then true
          when 'mentions' then m.profile_id = any(p_concerned)
          when 'threads' then m.profile_id = any(p_concerned)
            or exists (select from messages t where t.org_id = p_org and t.id = p_thread and t.sender_id = m.profile_id)
            or exists (select from messages t where t.org_id = p_org and t.parent_id = p_thread and t.sender_id = m.profile_id)
          else false
        end
      union
      select also from unnest(p_also) as also where also like 'b@%'
    ) x
    where x.id is distinct from p_except and exists (
      select from bots b where b.org_id = p_org and b.id = x.id and (b.poll_vote_events or not p_poll_votes)
    )
  );
end $$;
