/*
 * Writes messages, with their events, deliveries, mentions and the answers kept for their keys: the one way for all of them. It locks the
 * rows of the logs, so that numbers, times and ids follow the order of commits. Each message takes two ticks of its organization's clock:
 * one for itself, one for its event.
 *
 * A batch is the messages of one organization: `p_orgs`, `p_versions` and `p_counts` by batch, in the order of ids, and `p_batches` and
 * `p_places` (from 0) say for each message which batch it is in and where. Returns a row for each batch. Nothing of a batch is written where
 * memberships are no longer at its version ('stale'; null: the caller holds the lock, and what it read and checked is true), where keys
 * have answers already ('known') or parents are not in their topics ('orphaned').
 *
 * `p_heads` and `p_ends` are the JSON of an event between its id, its times and its end (message-drafts.ts). `p_bots` and `p_addresses`
 * are array literals, one for each message; without `p_bots` there is one message, for the bots that `audience_of` names.
 *
 * On a cluster `p_org` is the only organization: a statement that names it runs on the one machine that has it. There it hands the batch on
 * to the copy that names the tables of its group (writer_of.sql), which gets null as elsewhere. Plans are made once: PostgreSQL would
 * plan small batches again each time, which took a fifth of a single message's time.
 */
create or replace function write_messages(
  p_org uuid, p_orgs uuid[], p_versions bigint[], p_counts integer[], p_now bigint, p_keys_since bigint, p_patience integer,
  p_batches integer[], p_places integer[], p_topics uuid[], p_senders text[], p_texts text[], p_mentions text[],
  p_external_ids text[], p_parents uuid[], p_rest jsonb[], p_tails text[], p_heads text[], p_ends text[], p_bots text[],
  p_addresses text[], p_concerned text[], p_keys text[], p_hashes text[]
) returns table (batch integer, state text, first_seq bigint, first_tick bigint, problems json, bots text[])
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_refused integer[] := '{}';
  v_first_seqs bigint[] := array_fill(null::bigint, array[cardinality(p_orgs)]);
  v_first_ticks bigint[] := v_first_seqs;
  v_bots text[] := p_bots;
  v_addresses text[] := p_addresses;
  v_orgs uuid[]; -- of each message that is written
  v_seqs bigint[];
  v_ids uuid[];
  v_ats bigint[];
  v_event_ids uuid[];
  v_event_ats bigint[];
  v_data text[];
  v_writer text;
begin
  if p_patience is not null then
    perform set_config('lock_timeout', p_patience::text, true);
  end if;
  if p_org is not null then
    v_writer := writer_of(p_org);
  end if;
  if v_writer is not null then
    return query execute
      'select * from ' || v_writer || '(null,$1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17,$18,$19,$20,$21,$22,$23)'
      using p_orgs, p_versions, p_counts, p_now, p_keys_since, p_patience, p_batches, p_places, p_topics, p_senders, p_texts, p_mentions,
        p_external_ids, p_parents, p_rest, p_tails, p_heads, p_ends, p_bots, p_addresses, p_concerned, p_keys, p_hashes;
    return;
  end if;
  if cardinality(p_orgs) > 1 or p_keys is not null or p_parents is not null then
    perform from organization_logs l where l.org_id = any(p_orgs) and (p_org is null or l.org_id = p_org) order by l.org_id for update;
  end if;
  if p_keys is not null then
    for batch, problems in
      select x.batch, json_agg(json_build_object('place', x.place + 1, 'hash', encode(a.request_hash, 'hex'),
        'status', a.status, 'plainBody', a.plain_body, 'body', encode(a.body, 'base64')))
      from unnest(p_batches, p_places, p_senders, p_keys) as x (batch, place, owner, key)
      join idempotent_answers a on a.org_id = p_orgs[x.batch] and a.owner = x.owner and a.key = x.key
        and a.created_at > p_keys_since and (p_org is null or a.org_id = p_org)
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
      from organization_logs l join unnest(p_batches, p_places, p_topics, p_parents) as x (batch, place, topic_id, parent_id)
        on l.org_id = p_orgs[x.batch]
      where x.parent_id is not null and x.batch <> all(v_refused) and p_versions[x.batch] is not null
        and (p_org is null or l.org_id = p_org) and not exists (
          select from messages m where m.org_id = l.org_id and m.id = x.parent_id and m.topic_id = x.topic_id
        )
      group by x.batch
    loop
      v_refused := v_refused || batch;
      state := 'orphaned';
      return next;
    end loop;
  end if;
  problems := null;

  for batch, first_seq, first_tick in
    update organization_logs l
    set last_seq = l.last_seq + b.count, last_tick = greatest(l.last_tick + 1, p_now << 12) + 2 * b.count - 1
    from unnest(p_orgs, p_versions, p_counts) with ordinality as b (org_id, version, count, number)
    where l.org_id = b.org_id and (b.version is null or l.membership_version = b.version) and b.number <> all(v_refused)
      and (p_org is null or l.org_id = p_org)
    returning b.number, l.last_seq - b.count + 1, l.last_tick - 2 * b.count + 1
  loop
    v_first_seqs[batch] := first_seq;
    v_first_ticks[batch] := first_tick;
  end loop;
  for i in 1 .. cardinality(p_orgs) loop
    continue when v_first_seqs[i] is not null or i = any(v_refused);
    batch := i;
    state := 'stale';
    return next;
  end loop;
  if cardinality(array_remove(v_first_seqs, null)) = 0 then
    return;
  end if;

  select array_agg(case when t.tick is not null then p_orgs[t.batch] end), array_agg(t.seq), array_agg(t.id), array_agg(t.at),
    array_agg((t.event_head || right(t.tail, 16))::uuid), array_agg((t.tick + 1) >> 12),
    array_agg('{"message":{"id":"' || t.id || t.head || '"createdAt":' || t.at || ',"updatedAt":' || t.at || t.ending)
  into v_orgs, v_seqs, v_ids, v_ats, v_event_ids, v_event_ats, v_data
  from (
    select i.*, coalesce((i.rest ->> 'at')::bigint, i.tick >> 12) as at, coalesce((i.rest ->> 'id')::uuid,
        (lpad(to_hex(i.tick >> 12), 12, '0') || '7' || lpad(to_hex(i.tick & 4095), 3, '0') || left(i.tail, 16))::uuid) as id,
      lpad(to_hex((i.tick + 1) >> 12), 12, '0') || '7' || lpad(to_hex((i.tick + 1) & 4095), 3, '0') as event_head
    from (
      select x.*, v_first_seqs[x.batch] + x.place as seq, v_first_ticks[x.batch] + 2 * x.place as tick
      from unnest(p_batches, p_places, p_tails, p_heads, p_ends, p_rest) with ordinality
        as x (batch, place, tail, head, ending, rest, number)
    ) i order by i.number
  ) t;
  if p_bots is null then
    bots := audience_of(p_orgs[1], p_topics[1], true, null, '{}', false, p_concerned, coalesce(p_parents[1], v_ids[1]));
    v_bots := array[bots::text];
    v_addresses := array[addresses_of(p_orgs[1], bots, 'message.created')::text];
  end if;

  perform insert_messages(p_org, v_orgs, v_ids, p_topics, p_senders, p_texts, p_mentions, p_parents, p_external_ids, v_ats, p_rest);
  perform append_events(p_org, v_orgs, v_seqs, 'message.created', v_event_ids, p_topics, v_data, v_event_ats, v_bots, v_addresses);
  -- The id of a message that appears after it was sent does not lead to its event.
  if p_rest is not null then
    insert into message_events (org_id, message_id, seq)
    select l.org_id, x.id, x.seq from organization_logs l join unnest(v_orgs, v_ids, v_seqs, p_rest) as x (org_id, id, seq, rest)
      on x.org_id = l.org_id
    where x.rest ->> 'id' is not null and (p_org is null or l.org_id = p_org);
  end if;
  if p_mentions is not null then
    insert into mentions (org_id, profile_id, topic_id, message_id, parent_id)
    select l.org_id, mentioned, x.topic_id, x.id, case when (x.rest ->> 'threadOnly')::boolean then x.parent_id end
    from organization_logs l join unnest(v_orgs, p_mentions, p_topics, v_ids, p_senders, p_parents, p_rest)
      as x (org_id, mentions, topic_id, id, sender_id, parent_id, rest)
      on x.org_id = l.org_id cross join unnest(x.mentions::text[]) as mentioned
    where mentioned <> x.sender_id and not starts_with(mentioned, 'b@') and (p_org is null or l.org_id = p_org);
  end if;
  if p_parents is not null then
    update messages m set reply_count = m.reply_count + x.count
    from (
      select r.org_id, r.parent_id, count(*) as count from unnest(v_orgs, p_parents) as r (org_id, parent_id)
      where r.parent_id is not null group by r.org_id, r.parent_id
    ) x
    where m.org_id = x.org_id and m.id = x.parent_id and (p_org is null or m.org_id = p_org);
  end if;
  if p_keys is not null then
    insert into idempotent_answers (org_id, owner, key, request_hash, status, plain_body, created_at)
    select l.org_id, x.sender_id, x.key, decode(x.hash, 'hex'), 201,
      '{"id":"' || x.id || '","topicId":"' || x.topic_id || '","createdAt":' || x.at || '}', p_now
    from organization_logs l join unnest(v_orgs, p_senders, p_keys, p_hashes, v_ids, p_topics, v_ats)
      as x (org_id, sender_id, key, hash, id, topic_id, at) on x.org_id = l.org_id
    where x.key is not null and (p_org is null or l.org_id = p_org)
    on conflict (org_id, owner, key) do update set request_hash = excluded.request_hash, status = excluded.status,
      body = null, plain_body = excluded.plain_body, created_at = excluded.created_at;
  end if;

  state := 'written';
  for i in 1 .. cardinality(p_orgs) loop
    continue when v_first_seqs[i] is null;
    batch := i;
    first_seq := v_first_seqs[i];
    first_tick := v_first_ticks[i];
    return next;
  end loop;
end $$;
