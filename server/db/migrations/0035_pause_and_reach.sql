-- Every writer locks a row of this table first: nobody who waits here holds what is altered below.
lock table organization_logs in exclusive mode;

-- Since when an admin has a bot paused: it does nothing and hears nothing, and goes on with what it missed.
alter table bots add column paused_at bigint;

-- What a bot hears of a topic. 'mentions': messages that mention it, and what happens to those and to its own; 'threads': these, and
-- replies in threads that it wrote in; 'commands': only what is for it alone. Of no meaning for people.
alter table topic_members add column reach text not null default 'everything'
  check (reach in ('everything', 'threads', 'mentions', 'commands'));
-- Nodes remember who hears what.
create trigger topic_members_reach after update of reach on topic_members for each row
  when (old.reach is distinct from new.reach) execute function move_shape();

/*
 * As before, for the bots whose reach it is in. `p_concerned` are those that hear it although they hear only of mentions, and
 * `p_thread` is the message at the head of its thread. The function of before stays for the version that calls it.
 */
create function append_event(
  p_org uuid, p_seq bigint, p_id uuid, p_type text, p_topic uuid, p_data text, p_at bigint,
  p_topic_bots boolean, p_except text, p_also text[], p_poll_votes boolean, p_concerned text[], p_thread uuid
) returns text[] language plpgsql as $$
declare
  v_bots text[];
begin
  select coalesce(array_agg(x.id), '{}') into v_bots
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
  );
  insert into events (org_id, seq, id, type, topic_id, data, created_at, bot_ids)
  values (p_org, p_seq, p_id, p_type, p_topic, p_data::json, p_at, v_bots);
  if cardinality(v_bots) > 0 then
    insert into event_audience (org_id, bot_id, seq) select p_org, bot, p_seq from unnest(v_bots) as bot;
    insert into deliveries (org_id, bot_id, seq, id, topic_id, due_at)
    select p_org, b.id, p_seq, (left(p_id::text, 18) || right(b.id, 18))::uuid, p_topic, p_at
    from bots b where b.org_id = p_org and b.id = any(v_bots) and b.delivery = 'webhook'
      and (b.webhook_events is null or p_type = any(b.webhook_events));
  end if;
  return v_bots;
end $$;
