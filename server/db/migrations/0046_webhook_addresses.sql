-- Addresses of a bot's webhook beside its first one, which stays in `bots`: the version before this one goes on reading and
-- writing it there. Columns have the names that they have in `bots`, so that one statement serves both.
--
-- An address has a queue of its own. In `deliveries` and `delivery_attempts` its id stands where the id of a bot stands for the
-- first address (`bot_id`): their keys and indexes hold for each address, and no row of theirs is rewritten.
create table webhook_addresses (
  org_id uuid not null,
  id text collate "C" not null check (id like 'w@%'),
  bot_id text collate "C" not null,
  webhook_url text not null,
  webhook_events text[] check (cardinality(webhook_events) > 0), -- null: all, also those that come with a later version
  webhook_headers bytea, -- as JSON, encrypted
  webhook_header_names text[] not null default '{}',
  secret bytea not null, -- signs its deliveries, encrypted
  previous_secret bytea,
  previous_secret_until bigint,
  webhook_paused_at bigint,
  webhook_pause_reason text check (webhook_pause_reason in ('gone', 'failing')),
  failing_since bigint,
  failing_attempts integer not null default 0,
  webhook_leased_by uuid,
  webhook_leased_until bigint not null default 0,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (org_id, id),
  foreign key (org_id, bot_id) references bots (org_id, id) on delete cascade,
  check ((webhook_paused_at is null) = (webhook_pause_reason is null)),
  check ((previous_secret is null) = (previous_secret_until is null))
);
-- The addresses of a bot, the oldest first; and those that go with it.
create index webhook_addresses_bot on webhook_addresses (org_id, bot_id, created_at);

-- Nodes remember which addresses get the texts of a topic.
create trigger webhook_addresses_added after insert on webhook_addresses
  referencing new table as changed for each statement execute function move_shape_of_changed();
create trigger webhook_addresses_removed after delete on webhook_addresses
  referencing old table as changed for each statement execute function move_shape_of_changed();
create trigger webhook_addresses_events after update on webhook_addresses for each row
  when (old.webhook_events is distinct from new.webhook_events) execute function move_shape();

-- As before, and each further address gets a delivery of its own. The version before calls it too.
create or replace function append_event(
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
    select p_org, x.id, p_seq, (left(p_id::text, 18) || right(x.id, 18))::uuid, p_topic, p_at
    from (
      select b.id, b.webhook_events from bots b
      where b.org_id = p_org and b.id = any(v_bots) and b.delivery = 'webhook'
      union all
      select a.id, a.webhook_events from webhook_addresses a
      join bots b on b.org_id = a.org_id and b.id = a.bot_id
      where a.org_id = p_org and a.bot_id = any(v_bots) and b.delivery = 'webhook'
    ) x
    where x.webhook_events is null or p_type = any(x.webhook_events);
  end if;
  return v_bots;
end $$;
