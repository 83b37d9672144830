-- Texts are checked in memory, against what a node knows of the topics of an organization. `membership_version` says whether
-- that still holds: it moves whenever who is in a topic, or what is known of them, changes. It takes the place of `shape`,
-- which the version before this one still reads: both move together until a later migration drops that.
alter table organization_logs add column membership_version bigint not null default 0;

create or replace function move_shape_of_changed() returns trigger language plpgsql as $$
begin
  update organization_logs set membership_version = membership_version + 1, shape = shape + 1
  where org_id in (select org_id from changed);
  return null;
end $$;
create or replace function move_shape() returns trigger language plpgsql as $$
begin
  update organization_logs set membership_version = membership_version + 1, shape = shape + 1 where org_id = new.org_id;
  return null;
end $$;
-- Who may write in an announcement topic depends on these.
create trigger profiles_role after update on profiles for each row
  when (old.role is distinct from new.role) execute function move_shape();
create trigger topics_announcement after update on topics for each row
  when (old.announcement is distinct from new.announcement) execute function move_shape();

-- Whom an event is for, beside event_audience: nodes that follow the log read each event once, with all its receivers. Null
-- in events that the version before wrote.
alter table events add column bot_ids text[] collate "C";

-- Answers that hold no secret are kept as they are: the statement that sends a message writes its answer too, and only the
-- nodes can encrypt.
alter table idempotent_answers add column plain_body text;

/*
 * Appends one event to the log of an organization whose row the caller has locked, for the bots in the topic, and tells
 * which: without `p_except`, with those of `p_also`, and for votes only bots that asked for them. Without a topic
 * (`p_topic_bots` false) it is for `p_also` alone.
 */
create function append_event(
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
    from bots b where b.org_id = p_org and b.id = any(v_bots) and b.delivery = 'webhook';
  end if;
  return v_bots;
end $$;

/*
 * Sends texts into topics of one organization: all of them, or none and why. Whether they may be sent was decided at
 * `p_version` of the memberships; numbers, times and ids come from the organization's own row, under its lock, so that
 * several nodes write side by side without undoing each other's work.
 *
 *   written  all are there: the first has the number `first_seq` and the tick `first_tick`; each takes one number and two ticks
 *   stale    the memberships have changed since
 *   known    these keys have an answer already (`problems`)
 *   orphaned the messages that these reply to are not in their topic (`problems`: their places)
 *
 * Answers to keys count when they are newer than `p_keys_since`.
 * It waits for the row no longer than `p_patience` milliseconds, or, where that is null, than the connection allows.
 * `p_tails` are the random halves of two ids each. An event's payload is `p_heads`, with the id before it, and `p_ends`, with
 * the time between them: all but these two is known before. Arrays that no message needs are null.
 */
create function send_messages(
  p_org uuid, p_version bigint, p_now bigint, p_keys_since bigint, p_patience integer,
  p_topics uuid[], p_senders text[], p_texts text[], p_mentions text[], p_external_ids text[], p_tails text[],
  p_heads text[], p_ends text[], p_bots text[], p_webhook_bots text[], p_parents uuid[], p_keys text[], p_hashes text[]
) returns table (state text, first_seq bigint, first_tick bigint, problems json) language plpgsql as $$
declare
  v_count bigint := cardinality(p_topics);
  v_seq bigint;
  v_tick bigint;
  v_problems json;
begin
  if p_patience is not null then
    perform set_config('lock_timeout', p_patience::text, true);
  end if;
  if p_keys is not null or p_parents is not null then
    perform from organization_logs l where l.org_id = p_org for update;
  end if;
  if p_keys is not null then
    select json_agg(json_build_object('place', x.place, 'hash', encode(a.request_hash, 'hex'), 'status', a.status,
      'plainBody', a.plain_body, 'body', encode(a.body, 'base64'))) into v_problems
    from unnest(p_senders, p_keys) with ordinality as x (owner, key, place)
    join idempotent_answers a on a.org_id = p_org and a.owner = x.owner and a.key = x.key
      and a.created_at > p_keys_since
    where x.key is not null;
    if v_problems is not null then
      return query select 'known', 0::bigint, 0::bigint, v_problems;
      return;
    end if;
  end if;
  if p_parents is not null then
    select json_agg(x.place) into v_problems
    from unnest(p_topics, p_parents) with ordinality as x (topic_id, parent_id, place)
    where x.parent_id is not null and not exists (
      select from messages m where m.org_id = p_org and m.id = x.parent_id and m.topic_id = x.topic_id
    );
    if v_problems is not null then
      return query select 'orphaned', 0::bigint, 0::bigint, v_problems;
      return;
    end if;
  end if;

  update organization_logs l
  set last_seq = l.last_seq + v_count, last_tick = greatest(l.last_tick + 1, p_now << 12) + 2 * v_count - 1
  where l.org_id = p_org and l.membership_version = p_version
  returning l.last_seq - v_count + 1, l.last_tick - 2 * v_count + 1 into v_seq, v_tick;
  if v_seq is null then
    return query select 'stale', 0::bigint, 0::bigint, null::json;
    return;
  end if;

  with item as materialized (
    select x.*, x.bots::text[] as bot_ids, v_seq + x.place - 1 as seq, (x.tick >> 12) as at, ((x.tick + 1) >> 12) as event_at,
      (lpad(to_hex(x.tick >> 12), 12, '0') || '7' || lpad(to_hex(x.tick & 4095), 3, '0') || left(x.tail, 16))::uuid as id,
      (lpad(to_hex((x.tick + 1) >> 12), 12, '0') || '7' || lpad(to_hex((x.tick + 1) & 4095), 3, '0') || right(x.tail, 16))::uuid as event_id
    from (
      select y.*, v_tick + 2 * (y.place - 1) as tick
      from unnest(p_topics, p_senders, p_texts, p_mentions, p_external_ids, p_tails, p_heads, p_ends, p_bots, p_parents)
        with ordinality as y (topic_id, sender_id, text, mentions, external_id, tail, head, ending, bots, parent_id, place)
    ) x
  ), message as (
    insert into messages (org_id, id, topic_id, sender_id, type, text, mentions, parent_id, external_id, created_at, updated_at)
    select p_org, id, topic_id, sender_id, 'text', text, coalesce(mentions::text[], '{}'), parent_id, external_id, at, at from item
  ), event as (
    insert into events (org_id, seq, id, type, topic_id, data, created_at, bot_ids)
    select p_org, seq, event_id, 'message.created', topic_id,
      ('{"message":{"id":"' || id || head || '"createdAt":' || at || ',"updatedAt":' || at || ending)::json,
      event_at, bot_ids
    from item
  )
  insert into event_audience (org_id, bot_id, seq)
  select p_org, bot, item.seq from item, unnest(item.bot_ids) as bot;

  if p_webhook_bots is not null then
    insert into deliveries (org_id, bot_id, seq, id, topic_id, due_at)
    select p_org, bot, v_seq + x.place - 1,
      (lpad(to_hex(x.tick >> 12), 12, '0') || '7' || lpad(to_hex(x.tick & 4095), 3, '0') || replace(right(bot, 17), '-', ''))::uuid,
      x.topic_id, x.tick >> 12
    from (
      select y.*, v_tick + 2 * y.place - 1 as tick
      from unnest(p_topics, p_webhook_bots) with ordinality as y (topic_id, bots, place)
    ) x, unnest(x.bots::text[]) as bot;
  end if;
  if p_parents is not null then
    update messages m set reply_count = m.reply_count + x.count
    from (select parent_id, count(*) from unnest(p_parents) as parent_id where parent_id is not null group by parent_id) x
    where m.org_id = p_org and m.id = x.parent_id;
  end if;
  if p_keys is not null then
    insert into idempotent_answers (org_id, owner, key, request_hash, status, plain_body, created_at)
    select p_org, x.owner, x.key, decode(x.hash, 'hex'), 201,
      '{"id":"' || (lpad(to_hex(x.tick >> 12), 12, '0') || '7' || lpad(to_hex(x.tick & 4095), 3, '0') || left(x.tail, 16))::uuid
        || '","topicId":"' || x.topic_id || '","createdAt":' || (x.tick >> 12) || '}',
      p_now
    from (
      select y.*, v_tick + 2 * (y.place - 1) as tick
      from unnest(p_senders, p_keys, p_hashes, p_topics, p_tails)
        with ordinality as y (owner, key, hash, topic_id, tail, place)
      where y.key is not null
    ) x
    on conflict (org_id, owner, key) do update set request_hash = excluded.request_hash, status = excluded.status,
      body = null, plain_body = excluded.plain_body, created_at = excluded.created_at;
  end if;
  return query select 'written', v_seq, v_tick, null::json;
end $$;

/*
 * The same for several organizations in one transaction, `p_counts` messages each, in the order of `p_orgs`, which must be
 * that of their ids: who locks rows in one order never waits in a circle.
 */
create function send_batches(
  p_now bigint, p_keys_since bigint, p_patience integer, p_orgs uuid[], p_versions bigint[], p_counts integer[],
  p_topics uuid[], p_senders text[], p_texts text[], p_mentions text[], p_external_ids text[], p_tails text[],
  p_heads text[], p_ends text[], p_bots text[], p_webhook_bots text[], p_parents uuid[], p_keys text[], p_hashes text[]
) returns table (batch integer, state text, first_seq bigint, first_tick bigint, problems json) language plpgsql as $$
declare
  v_from integer := 1;
  v_to integer;
begin
  for i in 1 .. cardinality(p_orgs) loop
    v_to := v_from + p_counts[i] - 1;
    return query select i, s.* from send_messages(p_orgs[i], p_versions[i], p_now, p_keys_since, case when i = 1 then p_patience end,
      p_topics[v_from:v_to], p_senders[v_from:v_to], p_texts[v_from:v_to], p_mentions[v_from:v_to],
      p_external_ids[v_from:v_to], p_tails[v_from:v_to], p_heads[v_from:v_to], p_ends[v_from:v_to], p_bots[v_from:v_to],
      p_webhook_bots[v_from:v_to], p_parents[v_from:v_to], p_keys[v_from:v_to], p_hashes[v_from:v_to]) s;
    v_from := v_to + 1;
  end loop;
end $$;
