/*
 * Appends events to the logs of organizations, with deliveries to addresses of webhooks; nothing else writes into a log. The caller has
 * locked the rows of the logs and handed out the numbers. `p_orgs` has the organization of each event; those without one are passed over.
 * Lists of ids are array literals, one for each event; `p_addresses` is null where no webhook gets any of them. `p_org`: see
 * insert_messages.sql.
 */
create or replace function append_events(
  p_org uuid, p_orgs uuid[], p_seqs bigint[], p_type text, p_ids uuid[], p_topics uuid[], p_data text[], p_ats bigint[], p_bots text[],
  p_addresses text[]
) returns void language plpgsql as $$
begin
  insert into events (org_id, seq, id, type, topic_id, data, created_at, bot_ids)
  select l.org_id, x.seq, x.id, p_type, x.topic_id, x.data::json, x.at, x.bots::text[]
  from organization_logs l join unnest(p_orgs, p_seqs, p_ids, p_topics, p_data, p_ats, p_bots)
    as x (org_id, seq, id, topic_id, data, at, bots) on x.org_id = l.org_id
  where p_org is null or l.org_id = p_org;
  if p_addresses is not null then
    -- The id of a delivery is that of its event up to the random half, then the one of the address.
    insert into deliveries (org_id, bot_id, seq, id, topic_id, due_at)
    select l.org_id, address, x.seq, (left(x.id::text, 18) || right(address, 18))::uuid, x.topic_id, x.at
    from organization_logs l join unnest(p_orgs, p_seqs, p_ids, p_topics, p_ats, p_addresses)
      as x (org_id, seq, id, topic_id, at, addresses) on x.org_id = l.org_id cross join unnest(x.addresses::text[]) as address
    where p_org is null or l.org_id = p_org;
  end if;
  if p_type in ('message.updated', 'message.previewed', 'message.command') then
    insert into message_events (org_id, message_id, seq)
    select l.org_id, coalesce(x.data::json #>> '{message,id}', x.data::json ->> 'messageId')::uuid, x.seq
    from organization_logs l join unnest(p_orgs, p_seqs, p_data) as x (org_id, seq, data) on x.org_id = l.org_id
    where p_org is null or l.org_id = p_org;
  end if;
  -- The last event of a block completes it.
  for i in 1 .. cardinality(p_seqs) loop
    continue when p_orgs[i] is null or p_seqs[i] & 255 <> 255;
    perform close_audience_blocks(p_orgs[i], p_seqs[i]);
  end loop;
end $$;
