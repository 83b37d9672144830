-- Which events are for a bot is kept in blocks: one row for each bot and 256 events of the log, instead of one for each bot and event. The
-- row of an event names its bots already (`bot_ids`). Whoever writes the last event of a block writes its rows, so that a bot that is far
-- behind finds its own events without reading those of others; events of the last, open block are looked through.
create table audience_blocks (
  org_id uuid not null,
  bot_id text collate "C" not null,
  block bigint not null, -- seq >> 8
  places smallint[] not null, -- seq & 255
  primary key (org_id, bot_id, block)
);

-- The number of blocks that are closed: events with `seq >> 8` from here on are in none.
alter table organization_logs add column audience_blocks bigint not null default 0;
update organization_logs set audience_blocks = (last_seq + 1) >> 8;

-- Rows that were written before there were blocks stay until their events are too old.
alter table event_audience rename to audience_rows;
alter index event_audience_pkey rename to audience_rows_pkey;

-- The version before reads this, and so may whoever looks by hand. Its own statements that were under way when this was run still insert.
create view event_audience as
  select a.org_id, a.bot_id, a.seq from audience_rows a
  union select k.org_id, k.bot_id, (k.block << 8) + p.place from audience_blocks k cross join unnest(k.places) as p (place)
  union select e.org_id, b.id, e.seq from organization_logs l cross join lateral (
    select * from events e where e.org_id = l.org_id and e.seq >= l.audience_blocks << 8 offset 0
  ) e cross join unnest(e.bot_ids) as b (id);
create rule event_audience_insert as on insert to event_audience
  do instead insert into audience_rows (org_id, bot_id, seq) values (new.org_id, new.bot_id, new.seq);
create rule event_audience_delete as on delete to event_audience do instead nothing;

/*
 * Closes the blocks of an organization that are full when `p_last` is the number of its newest event. The caller has locked the row of
 * the log. Row by row, as `plan_retention`.
 */
create function close_audience_blocks(p_org uuid, p_last bigint) returns void language plpgsql as $$
declare
  v_from bigint := (select l.audience_blocks from organization_logs l where l.org_id = p_org);
  v_to bigint := (p_last + 1) >> 8;
  v_bot text;
  v_block bigint;
  v_places smallint[];
begin
  for v_bot, v_block, v_places in
    select bot, e.seq >> 8, array_agg((e.seq & 255)::smallint) from events e cross join unnest(e.bot_ids) as bot
    where e.org_id = p_org and e.seq >= v_from << 8 and e.seq < v_to << 8 group by bot, e.seq >> 8
  loop
    insert into audience_blocks (org_id, bot_id, block, places) values (p_org, v_bot, v_block, v_places);
  end loop;
  update organization_logs set audience_blocks = v_to where org_id = p_org and audience_blocks < v_to;
end $$;

-- Nobody calls the one with eleven arguments any more.
drop function append_event(uuid, bigint, uuid, text, uuid, text, bigint, boolean, text, text[], boolean);

-- As before, without a row for each bot; so are the two ways to send.
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
  if p_seq >> 8 < (p_seq + 1) >> 8 then
    perform close_audience_blocks(p_org, p_seq);
  end if;
  return v_bots;
end $$;

create or replace function send_messages(
  p_now bigint, p_keys_since bigint, p_patience integer, p_orgs uuid[], p_versions bigint[], p_counts integer[],
  p_batches integer[], p_places integer[], p_topics uuid[], p_senders text[], p_texts text[], p_mentions text[],
  p_external_ids text[], p_tails text[], p_heads text[], p_ends text[], p_bots text[], p_webhook_bots text[],
  p_parents uuid[], p_keys text[], p_hashes text[]
) returns table (batch integer, state text, first_seq bigint, first_tick bigint, problems json) language plpgsql as $$
declare
  v_refused integer[] := '{}';
begin
  if p_patience is not null then
    perform set_config('lock_timeout', p_patience::text, true);
  end if;
  if cardinality(p_orgs) > 1 or p_keys is not null or p_parents is not null then
    perform from organization_logs l where l.org_id = any(p_orgs) order by l.org_id for update;
  end if;
  if p_keys is not null then
    for batch, problems in
      select x.batch, json_agg(json_build_object('place', x.place + 1, 'hash', encode(a.request_hash, 'hex'),
        'status', a.status, 'plainBody', a.plain_body, 'body', encode(a.body, 'base64')))
      from unnest(p_batches, p_places, p_senders, p_keys) as x (batch, place, owner, key)
      join idempotent_answers a on a.org_id = p_orgs[x.batch] and a.owner = x.owner and a.key = x.key
        and a.created_at > p_keys_since
      where x.key is not null group by x.batch
    loop
      v_refused := v_refused || batch;
      state := 'known';
      return next;
    end loop;
  end if;
  if p_parents is not null then
    for batch, problems in
      select x.batch, json_agg(x.place + 1)
      from unnest(p_batches, p_places, p_topics, p_parents) as x (batch, place, topic_id, parent_id)
      where x.parent_id is not null and x.batch <> all(v_refused) and not exists (
        select from messages m where m.org_id = p_orgs[x.batch] and m.id = x.parent_id and m.topic_id = x.topic_id
      ) group by x.batch
    loop
      v_refused := v_refused || batch;
      state := 'orphaned';
      return next;
    end loop;
  end if;

  for batch, state, first_seq, first_tick, problems in
  with wanted as materialized (
    select b.* from unnest(p_orgs, p_versions, p_counts) with ordinality as b (org_id, version, count, number)
    where b.number <> all(v_refused)
  ), started as materialized (
    update organization_logs l
    set last_seq = l.last_seq + b.count, last_tick = greatest(l.last_tick + 1, p_now << 12) + 2 * b.count - 1
    from wanted b where l.org_id = b.org_id and l.membership_version = b.version
    returning b.number, l.org_id, l.last_seq - b.count + 1 as seq, l.last_tick - 2 * b.count + 1 as tick
  ), item as materialized (
    select x.*, x.bots::text[] as bot_ids, (x.tick >> 12) as at, ((x.tick + 1) >> 12) as event_at,
      (lpad(to_hex(x.tick >> 12), 12, '0') || '7' || lpad(to_hex(x.tick & 4095), 3, '0') || left(x.tail, 16))::uuid as id,
      lpad(to_hex((x.tick + 1) >> 12), 12, '0') || '7' || lpad(to_hex((x.tick + 1) & 4095), 3, '0') as event_id_head
    from (
      select y.*, s.org_id, s.seq + y.place as seq, s.tick + 2 * y.place as tick
      from unnest(p_batches, p_places, p_topics, p_senders, p_texts, p_mentions, p_external_ids, p_tails, p_heads, p_ends,
        p_bots, p_webhook_bots, p_parents, p_keys, p_hashes) as y (batch, place, topic_id, sender_id, text, mentions,
        external_id, tail, head, ending, bots, webhook_bots, parent_id, key, hash)
      join started s on s.number = y.batch
    ) x
  ), message as (
    insert into messages (org_id, id, topic_id, sender_id, type, text, mentions, parent_id, external_id, created_at, updated_at)
    select org_id, id, topic_id, sender_id, 'text', text, coalesce(mentions::text[], '{}'), parent_id, external_id, at, at from item
  ), event as (
    insert into events (org_id, seq, id, type, topic_id, data, created_at, bot_ids)
    select org_id, seq, (event_id_head || right(tail, 16))::uuid, 'message.created', topic_id,
      ('{"message":{"id":"' || id || head || '"createdAt":' || at || ',"updatedAt":' || at || ending)::json,
      event_at, bot_ids
    from item
  ), delivery as (
    insert into deliveries (org_id, bot_id, seq, id, topic_id, due_at)
    select org_id, bot, seq, (event_id_head || replace(right(bot, 17), '-', ''))::uuid, topic_id, event_at
    from item, unnest(webhook_bots::text[]) as bot
    where p_webhook_bots is not null
  ), mention as (
    insert into mentions (org_id, profile_id, topic_id, message_id)
    select org_id, mentioned, topic_id, id from item, unnest(mentions::text[]) as mentioned
    where p_mentions is not null and mentioned <> sender_id and not starts_with(mentioned, 'b@')
  ), reply as (
    update messages m set reply_count = m.reply_count + x.count
    from (select org_id, parent_id, count(*) from item where parent_id is not null group by org_id, parent_id) x
    where p_parents is not null and m.org_id = x.org_id and m.id = x.parent_id
  ), answer as (
    insert into idempotent_answers (org_id, owner, key, request_hash, status, plain_body, created_at)
    select org_id, sender_id, key, decode(hash, 'hex'), 201,
      '{"id":"' || id || '","topicId":"' || topic_id || '","createdAt":' || at || '}', p_now
    from item where p_keys is not null and key is not null
    on conflict (org_id, owner, key) do update set request_hash = excluded.request_hash, status = excluded.status,
      body = null, plain_body = excluded.plain_body, created_at = excluded.created_at
  )
  select w.number::integer, case when s.number is null then 'stale' else 'written' end, s.seq, s.tick, null::json
  from wanted w left join started s on s.number = w.number
  loop
    if first_seq >> 8 < (first_seq + p_counts[batch]) >> 8 then
      perform close_audience_blocks(p_orgs[batch], first_seq + p_counts[batch] - 1);
    end if;
    return next;
  end loop;
end $$;

create or replace function send_in_organization(
  p_org uuid, p_version bigint, p_now bigint, p_keys_since bigint, p_patience integer, p_topics uuid[], p_senders text[],
  p_texts text[], p_mentions text[], p_external_ids text[], p_tails text[], p_heads text[], p_ends text[], p_bots text[],
  p_webhook_bots text[], p_parents uuid[], p_keys text[], p_hashes text[]
) returns table (state text, first_seq bigint, first_tick bigint, problems json) language plpgsql as $$
declare
  v_count integer := cardinality(p_topics);
  v_ids uuid[];
  v_event_heads text[];
  v_ats bigint[];
  v_event_ats bigint[];
begin
  if p_patience is not null then
    perform set_config('lock_timeout', p_patience::text, true);
  end if;
  if p_keys is not null or p_parents is not null then
    perform from organization_logs l where l.org_id = p_org for update;
  end if;
  if p_keys is not null then
    select json_agg(json_build_object('place', x.place, 'hash', encode(a.request_hash, 'hex'),
      'status', a.status, 'plainBody', a.plain_body, 'body', encode(a.body, 'base64'))) into problems
    from unnest(p_senders, p_keys) with ordinality as x (owner, key, place)
    join idempotent_answers a on a.org_id = p_org and a.owner = x.owner and a.key = x.key and a.created_at > p_keys_since
    where x.key is not null;
    state := 'known';
  end if;
  if p_parents is not null and problems is null then
    select json_agg(x.place) into problems
    from organization_logs l, unnest(p_topics, p_parents) with ordinality as x (topic_id, parent_id, place)
    where l.org_id = p_org and x.parent_id is not null and not exists (
      select from messages m where m.org_id = p_org and m.id = x.parent_id and m.topic_id = x.topic_id
    );
    state := 'orphaned';
  end if;
  if problems is not null then
    return next;
    return;
  end if;

  update organization_logs l
  set last_seq = l.last_seq + v_count, last_tick = greatest(l.last_tick + 1, p_now << 12) + 2 * v_count - 1
  where l.org_id = p_org and l.membership_version = p_version
  returning l.last_seq - v_count + 1, l.last_tick - 2 * v_count + 1 into first_seq, first_tick;
  if not found then
    state := 'stale';
    return next;
    return;
  end if;
  state := 'written';
  select array_agg((lpad(to_hex(x.at), 12, '0') || '7' || lpad(to_hex(x.tick & 4095), 3, '0') || left(x.tail, 16))::uuid order by x.place),
    array_agg(lpad(to_hex(x.event_at), 12, '0') || '7' || lpad(to_hex((x.tick + 1) & 4095), 3, '0') order by x.place),
    array_agg(x.at order by x.place), array_agg(x.event_at order by x.place)
  into v_ids, v_event_heads, v_ats, v_event_ats
  from (
    select y.*, y.tick >> 12 as at, (y.tick + 1) >> 12 as event_at
    from (
      select t.tail, t.place, first_tick + 2 * (t.place - 1) as tick from unnest(p_tails) with ordinality as t (tail, place)
    ) y
  ) x;

  insert into messages (org_id, id, topic_id, sender_id, type, text, mentions, parent_id, external_id, created_at, updated_at)
  select l.org_id, x.id, x.topic_id, x.sender_id, 'text', x.text, coalesce(x.mentions::text[], '{}'), x.parent_id, x.external_id, x.at, x.at
  from organization_logs l, unnest(v_ids, p_topics, p_senders, p_texts, p_mentions, p_parents, p_external_ids, v_ats)
    as x (id, topic_id, sender_id, text, mentions, parent_id, external_id, at)
  where l.org_id = p_org;
  insert into events (org_id, seq, id, type, topic_id, data, created_at, bot_ids)
  select l.org_id, first_seq + x.place - 1, (x.event_head || right(x.tail, 16))::uuid, 'message.created', x.topic_id,
    ('{"message":{"id":"' || x.id || x.head || '"createdAt":' || x.at || ',"updatedAt":' || x.at || x.ending)::json,
    x.event_at, x.bots::text[]
  from organization_logs l, unnest(v_ids, p_topics, v_event_heads, p_tails, p_heads, p_ends, v_ats, v_event_ats, p_bots) with ordinality
    as x (id, topic_id, event_head, tail, head, ending, at, event_at, bots, place)
  where l.org_id = p_org;
  if first_seq >> 8 < (first_seq + v_count) >> 8 then
    perform close_audience_blocks(p_org, first_seq + v_count - 1);
  end if;
  if p_webhook_bots is not null then
    insert into deliveries (org_id, bot_id, seq, id, topic_id, due_at)
    select l.org_id, bot, first_seq + x.place - 1, (x.event_head || replace(right(bot, 17), '-', ''))::uuid, x.topic_id, x.event_at
    from organization_logs l, unnest(p_webhook_bots, v_event_heads, p_topics, v_event_ats) with ordinality
      as x (bots, event_head, topic_id, event_at, place), unnest(x.bots::text[]) as bot
    where l.org_id = p_org;
  end if;
  if p_mentions is not null then
    insert into mentions (org_id, profile_id, topic_id, message_id)
    select l.org_id, mentioned, x.topic_id, x.id
    from organization_logs l, unnest(p_mentions, p_topics, v_ids, p_senders) as x (mentions, topic_id, id, sender_id),
      unnest(x.mentions::text[]) as mentioned
    where l.org_id = p_org and mentioned <> x.sender_id and not starts_with(mentioned, 'b@');
  end if;
  if p_parents is not null then
    update messages m set reply_count = m.reply_count + x.count
    from (select parent_id, count(*) as count from unnest(p_parents) as parent_id where parent_id is not null group by parent_id) x
    where m.org_id = p_org and m.id = x.parent_id;
  end if;
  if p_keys is not null then
    insert into idempotent_answers (org_id, owner, key, request_hash, status, plain_body, created_at)
    select l.org_id, x.sender_id, x.key, decode(x.hash, 'hex'), 201,
      '{"id":"' || x.id || '","topicId":"' || x.topic_id || '","createdAt":' || x.at || '}', p_now
    from organization_logs l, unnest(p_senders, p_keys, p_hashes, v_ids, p_topics, v_ats) as x (sender_id, key, hash, id, topic_id, at)
    where l.org_id = p_org and x.key is not null
    on conflict (org_id, owner, key) do update set request_hash = excluded.request_hash, status = excluded.status,
      body = null, plain_body = excluded.plain_body, created_at = excluded.created_at;
  end if;
  return next;
end $$;
