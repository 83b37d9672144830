-- Organizations can live on several machines. What triggers and functions do names the organization as a value, so that it is done on the
-- machine that has it.

create or replace function move_shape_of_changed() returns trigger language plpgsql as $$
declare
  v_org uuid;
begin
  for v_org in select distinct org_id from changed loop
    update organization_logs set membership_version = membership_version + 1, shape = shape + 1 where org_id = v_org;
  end loop;
  return null;
end $$;

create or replace function forget_searched() returns trigger language plpgsql as $$
declare
  v_org uuid;
  v_ids uuid[];
begin
  for v_org, v_ids in select org_id, array_agg(id) from gone group by org_id loop
    delete from search_entries where org_id = v_org and id = any(v_ids);
  end loop;
  return null;
end $$;

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

/*
 * Does what `send_messages` does, for one organization, in statements each of which names it: one machine has them all. Messages are in
 * the order of their places. Rows come out of a join with the organization's own row, since they are then made where that is.
 */
create function send_in_organization(
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
  insert into event_audience (org_id, bot_id, seq)
  select l.org_id, bot, first_seq + x.place - 1
  from organization_logs l, unnest(p_bots) with ordinality as x (bots, place), unnest(x.bots::text[]) as bot
  where l.org_id = p_org;
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
