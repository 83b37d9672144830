alter table bots
  -- The types of events that its webhook gets; null: all, also those that come with a later version.
  add column webhook_events text[] check (cardinality(webhook_events) > 0),
  -- Headers that go with each delivery, as JSON, encrypted: they often let the receiver in.
  add column webhook_headers bytea,
  add column webhook_header_names text[] not null default '{}',
  -- The secret before this one counts beside it until then.
  add column previous_secret bytea,
  add column previous_secret_until bigint,
  add check ((previous_secret is null) = (previous_secret_until is null));

-- Nodes remember which bots of a topic get texts by webhook.
create trigger bots_webhook_events after update on bots for each row
  when (old.webhook_events is distinct from new.webhook_events) execute function move_shape();

-- As before, and a webhook gets only the types that were chosen for it. What it does not get can still be polled.
create or replace function append_event(
  p_org uuid, p_seq bigint, p_id uuid, p_type text, p_topic uuid, p_data text, p_at bigint,
  p_topic_bots boolean, p_except text, p_also text[], p_poll_votes boolean
) returns text[] language plpgsql as $$
declare
  v_bots text[];
begin
  select coalesce(array_agg(x.id), '{}') into v_bots
  from (
    select m.profile_id as id from topic_members m
    where p_topic_bots and m.org_id = p_org and m.topic_id = p_topic and m.profile_id >= 'b@' and m.profile_id < 'bA'
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
